"""English: the signs by which a plain statement is judged: its subject, its verb, how specific it is."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.english.nouns import (
    EVENT,
    MACHINE,
    MONTH,
    PERSON,
    PROFESSION,
    TOOLS,
    WEEKDAY,
)
from memoryapp.llm.backends.offline.english.pieces import MUST
from memoryapp.llm.language.wordlists import words

TECHNOLOGY = regex.compile(rf"\b(?:{TOOLS})\b")

PROBLEM = regex.compile(
    r"\b(?:errors?|fail\w*|bugs?|crash\w*|broken?|(?:issues?|problems?)(?! (?:go|should|are handled))|"
    r"wrong|work(?:s|ed)? now|not work\w*|stuck|exception|traceback|undefined|null|timeouts?|hang(?:s|"
    r"ing)(?! (?:off|from|on|in|above|over|by)\b)|"
    r"weird|strange|"
    r"(?:is|are|was|were|comes? (?:out|back)|still|all) (?:empty|blank|missing|late|slow|gone|down|stale|"
    r"dead|garbled)|"
    r"dies|trips (?:every|each|all|at|again)|overheats|leaks|freezes|stalls|disconnects|jams|beeps|flickers|"
    r"keeps? \w+ing|throws?|not (?:compile|build|load|start|open|respond|show|find|see|understand)|can "
    r"?not (?:find|see|"
    r"get|open|log|access|connect|reproduce)|again|try|tried|trying|"
    r"404|500|502|403|401|sorry|thanks?|please|you|your|yours|here is|here are|above|below|attached|"
    r"this (?:file|code|one|error|page|answer|message|text|version)|screenshot)\b"
)
ASKS_OR_TRIES = regex.compile(
    r"\b(?:difference|versus|vs|compare|better|or|learn\w*|migrat\w*|should|could|would)\b"
)
SELF = regex.compile(
    r"^(?:(?:and|but|also|so|currently|at work|at home|for work|in my (?:free|spare) time|by day|"
    r"on the side|(?:every|on|in|from|since|until|starting|next|tomorrow|"
    r"this)\b[^,]{0,30}?),? )?(?P<who>i|we) "
    r"(?:(?:also|mostly|mainly|usually|often|only|still|always|now|both|currently|really|just|all|"
    r"have been|will|are going to|am going to|\w+ly) )*(?P<verb>\w+)"
)
NOT_TELLING = words(
    "think guess hope know mean need want try tried see saw seen get got hear heard read look looked "
    "click notice noticed find found wonder understand agree believe forget forgot remember "
    "ask asked say said tell told wait waited feel felt appreciate assume doubt suppose expect wish like "
    "love hate would could should might may can am was were did had went go gonna thought "
    "knew realise realize realised realized learned added changed removed ran run put used meant ate "
    "drank slept woke watched talked called figured checked tested fixed spent be been do done have "
    "having being will wanted needed asked am not are is"
)
OWN = regex.compile(
    r"^(?:and |but |also )?(?:my|our) (?P<what>[\w'’ -]{2,60}?) (?:is|are|was|were|has|have|had|will|can|"
    r"must|do|does|gets?|got|go|goes|run|live|use|work|come|\w+s|\w+ed)\b"
)
OWN_ARTEFACT = regex.compile(
    r"\b(?:question|idea|answer|code|phone|point|guess|bad|mistake|problem|screen|output|result)\b"
)
REASON = regex.compile(
    r"\b(?:because|since (?!we|i |you|my |our |last|this|then|\d|the|january|february|march|april|may|"
    r"june|july|august|"
    r"september|october|november|december|\w+day|we met|university|school|childhood)|so that|due to|"
    r"thanks to|(?<!\bas \w{2,20} )as (?:it|we|i|they|the|our|my))\b"
)
A_ROLE = regex.compile(
    r"^(?:and )?i am (?:also |currently |now )?(?:an?|the) (?!bit|little|lot|big|huge|fan|mess|total|"
    r"complete|real|good|bad|great|slow|fast|morning|night|early|heavy|light)[\w' -]{3,40} (?:in|at|for|"
    r"with|of|by|from|on)\b"
)
HUMAN = regex.compile(
    r"\b(?:person|people to|contact|colleague|man|woman|guy|lady|neighbou?r|one who|one to ask|head of|"
    r"chair|owner|landlord|landlady|caretaker|teacher|doctor|boss)\b"
)
CARD = regex.compile(
    r"^(?!(?:Aw+|Wow|Hey|Hi|Oh|Ah|Ok|Okay|Yes|No|Thanks|Sorry|Well|Dear|"
    r"Hello)\b)\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*(?:,| /| \||\s·)(?! ?(?:my|our)\b) ?(?P<role>(?:an? |"
    r"the )?[\p{Ll}\d'’ -]+)"
)
THING = regex.compile(
    r"^(?:(?:all|most|half) (?:of )?)?(?:the|this|these|all|every|\p{L}+'s) (?P<what>[\w'’ -]{2,50}?) (?:is|"
    r"are|was|were|has|have|had|"
    r"will|gets?|got|goes|go|come|run|start|leave|open|close|arrive|visit|meet|begin|end|move|stay|play|"
    r"take|bring|"
    r"\w+s|\w+ed)\b"
)
PLURAL = regex.compile(
    r"^(?:(?:all|new|old|incoming|outgoing) |(?!(?:i|we|you|he|she|it|they|this|that|these|those|what|if|"
    r"when|so|"
    r"and|but|no|not|one|my|our|the|thanks|there)\b)\p{L}+ )?(?P<what>\p{L}+s(?: (?:from|of|for|about|by|"
    r"in|on|"
    r"with) (?:the |our |my )?[\w'’ -]{2,30}?)?) (?:are|were|have|go|come|run|live|end up|land|get|use|"
    r"arrive|start|open|close|leave|sit|stay|report|talk|need|must)\b"
)
SIDES = regex.compile(r"\b(?:front|back)[- ]?end\b")
NAMED = regex.compile(
    r"^(?P<who>\p{Lu}[\p{L}\d'’-]+(?: (?:van|de|von|el|al|da|of)? ?\p{Lu}[\p{L}\d'’-]+){0,3})(?:,? (?:at|"
    r"from|in|of|over at) [^,]{2,40}?,?)? (?:also |now |always |usually |only |just |still )*(?P<verb>is|"
    r"has|was|will|can|\p{Ll}+s|\p{Ll}+ed)\b"
)
NO_NAME = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
    "september october november december summer winter autumn spring easter christmas the this that these "
    "those it if when what my our your his her their we they he she you please never "
    "always there here yes no and but so a an in on at for everything everyone nothing nobody "
    "something someone anything anyone all some most many each every both today tomorrow yesterday thanks "
    "sure great nice good well maybe perhaps not now then also just as since because while "
    "after before until long short old new good bad many few big small such how why where which who talk "
    "i'm i've i'd i'll i'm it's that's there's sounds looks feels seems works makes let does is are was"
)
ARTEFACT = regex.compile(
    r"\b(?:page|button|file|output|result|answer|reply|version|tests?|code|function|line|error|screen|"
    r"link|image|picture|text|paragraph|sentence|table|list|step|example|question|one|idea|thing|point|"
    r"part|way|reason|other|first|second|last|next|download|upload|build|weather|sun|rain|sky|sign|photo|"
    r"video|song|movie|film|story|stories|view|energy|people|day|night|morning|time|moment|support|"
    r"experience|feeling|best|worst|most|whole)\b"
)
TIME = regex.compile(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} \d{{1,2}}|in {MONTH}|"
    rf"(?:by|until|from|since|before|after|on|next|last|this|for|in|of) (?:{MONTH}|{WEEKDAY}|spring|"
    r"summer|autumn|winter|week|weekend|month|year|quarter|term|season)|"
    rf"(?:end|start|beginning|middle) of (?:the |this |next )?(?:week|month|year|quarter|season|{MONTH})|"
    r"tomorrow|yesterday|last night|this morning|(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|"
    r"ten|a few|several) (?:days?|weeks?|months?|years?) ago|(?:in|for|since|over) (?:\d+|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|twelve|several|many) (?:days?|weeks?|months?|years?)|in (?:19|"
    r"20)\d\d|q[1-4])\b"
)
REGULAR = regex.compile(
    rf"\b(?:every|each) (?:\w+ )?(?:{WEEKDAY}|day|morning|evening|night|week|weekend|month|year|spring|"
    rf"summer|autumn|winter|quarter|season)\b|\bon {WEEKDAY[:-1]}s\b|\b(?:daily|weekly|monthly|quarterly|"
    r"yearly|nightly|twice a \w+)\b"
)
IDENTIFIER = regex.compile(
    r"(?<=\s)~/\w+|\"[^\"]+\"|(?<![\w/])/\w[\w.-]*/[\w./-]+|\b[a-z-]*\d[\w.:-]*\b|#\w+|"
    r"\b[\w-]+\.(?:internal|local|example|com|org|net|io|dev|md|ya?ml|toml|json|conf)\b|\b[a-z]+://\S+"
)
PROPER = regex.compile(r"(?<=[\p{Ll}\d,;] )(?!I(?:['’]\w+)?\b)\p{Lu}[\p{L}\d'’+#.-]*|(?<=\p{Ll})\p{Lu}")


PASTS = words(
    "built wrote bought sold gave took made brought left sent lost won met chose drove flew hung laid led set"
)

DOING = regex.compile(
    r"\b(?:am|are) (?:\w+ly |also |still |now |both |all )*(?!trying|having|getting|looking|wondering|"
    r"thinking|feeling|going|asking|talking|reading|eating|sitting|waiting|seeing|doing|using|kidding|"
    r"joking|being|hoping|watching|listening|coming|saying|telling|"
    r"telling|checking|testing|running|calling|leaving|standing|drinking|sleeping|walking|enjoying|loving|"
    r"dying|freezing|missing|seeing|losing|struggling|considering|debating)(?P<doing>\w+ing) (?:an?|the|"
    r"my|our|for|to \p{L}+ an?|\p{L}+s)\b"
)

HEDGES = words(
    "think guess hope know mean need want see get got hear wonder feel suppose expect wish could would "
    "should might may had went was were tried ask asked do did"
)

JUST_HAPPENED = regex.compile(
    r"\b(?:was|were|had)\b.*\b(?:this morning|yesterday|last night|today|tonight)\b"
)

HAVE_HAD = regex.compile(r"^(?:i|we) have had .*\bsince\b")
LOOK_AFTER = regex.compile(r"\blook after\b")
ROLE = regex.compile(PROFESSION)
CARD_VERB = regex.compile(r"\b(?:is|was|has|will|owns|runs|handles)\b")
SYSTEM = regex.compile(rf"\b(?:{MACHINE}|system)\b")
MACHINERY = regex.compile(rf"\b{MACHINE}\b")
MACHINERY_NOW = regex.compile(rf"\b{MACHINE}\b|\bnow\b")
MOOD = regex.compile(r"\b(?:am|are) (?:not|so|very|really)\b")
WITH_SOMEBODY = regex.compile(r"\bwith \p{Lu}\p{Ll}+")
SIDE_VERB = regex.compile(r"\b(?:it is|we|is|are|runs?|uses?|written|plain|with)\b")
SOMEBODY = regex.compile(rf"\b{PERSON}\b")
OUR_SOMEBODY = regex.compile(rf"\b(?:our|my) (?:\w+ )?(?:{PERSON}|{MACHINE})")
# "Hike in the Tatras, 4 to 9 July": told like an entry in a calendar.
EVENT_ENTRY = regex.compile(
    rf"^(?!no )(?:the |our |a |my )?(?:[\w'’-]+ ){{0,3}}{EVENT}\b(?! (?:is|are|was|"
    rf"were)\b)"
)
AN_EVENT = regex.compile(rf"\b{EVENT}\b")
DIGIT = regex.compile(r"\d")
COUNTED = regex.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred)\b")
# "Before a price goes live, Imani has to sign it off": a duty tied to an occasion.
OCCASIONAL_DUTY = regex.compile(
    rf"^(?:before|after|whenever|when|if|until|unless|once) [^,]{{3,60}}, (?!i |we |you )(?:[\w'-]+ "
    rf"){{1,4}}{MUST}\b"
)
# "Lists, please, whenever there is more than one step"
STANDING_WISH = regex.compile(
    r"^[\w' -]{3,40},? (?:please,? )?in (?:everything|anything|whatever|all [\w' -]+) you \w+|"
    r"^[\w' -]{3,40}, please,? (?:whenever|when|every|always|if|for (?:all|every|any))\b"
)
LISTED = regex.compile(r"^(?P<what>[\w'’/()# -]{3,60}): ?(?P<items>[^?]+(?:,|;| and )[^?]+)$")
NO_TOPIC = regex.compile(
    r"\b(?:questions?|notes?|ideas?|answers?|code|point|guess|mistake|screen|output|results?|logs?|examples?|"
    r"translation|summary|quote|steps?|hint|tip|message|title|subject|todo|tasks?|options?|text|prompt|"
    r"list of|"
    r"i|we|you|it|this|that|these|following|said|says|asked|wrote|write|make|give|show|compare|explain)\b"
)
MYSELF = regex.compile(r"\b(?:me|myself|bio|who i am)\b")
HARDWARE = regex.compile(
    r"\b\d+(?:\.\d+)? ?x ?\d|\b\d+(?:\.\d+)? ?(?:[gtm]b|[gm]hz|cores?|watts?|kwh?|inch(?:es)?|mm|cm|rpm|"
    r"mbit|gbit)\b|"
    r"\b(?:ram|cpu|gpu|ssd|hdd|nvme|firmware|nozzle|ecc|raidz?\d?)\b"
)
WISHES = regex.compile(
    r"\b(?:requirements?|needs?|wish(?:es|list)?|must-haves|constraints?|plans?|goals?|"
    r"budget)\b"
)
SPECIFICATION = regex.compile(r"\bspec(?:s|ification|ifications)?\b")
A_PLAN = regex.compile(
    r"\b(?:requirements?|needs?|wish(?:es|list)?|plans?|must-haves|constraints?|"
    r"details|budget|"
    r"scope|goals?|milestones?|timeline|schedule|project|renovation|kitchen|garden|bathroom)\b"
)
TECHNICAL_DETAIL = regex.compile(
    r"\bv?\d+\.\d+(?:\.\d+)*\b(?! ?(?:%|percent|euros?|dollars?|pounds?|km|kg|million|hours?|minutes|"
    r"[ap]\.?m))|"
    r"\b[\w-]+\.(?:internal|local|lan|home|example|com|org|net|io|dev|app|cloud)\b|(?<![\w/.])(?:~|"
    r"/)[\w-]+/[\w./-]+|"
    r"\b(?:port|vlan|com|gpio|channel|rack|slot) ?\d+\b|\b(?:hostname|firmware|subnet|tls|ssh|cron|vpn|dns|"
    r"static ip)\b|"
    rf"\b{MACHINE} (?:called|named) \w+|"
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b\d+ ?(?:gb|tb|mb|ghz)\b"
)
STANDS = regex.compile(
    r"\b(?:is|are|has|have|runs?|uses?|lives?|sits?|listens?|talks?|speaks?|points?|goes|writes?|reads?|"
    r"sends?|reports?|"
    r"syncs?|boots?|stays?|handles?|serves?|takes?|needs?|gets?|now)\b"
)
TOOLING = regex.compile(
    r"\b(?:tool(?:s|ing|chain|box)?|stack|kit|gear|set-?up|pipeline|software|"
    r"instruments|rig|workflow)\b"
)
MODEL = regex.compile(r" ?(?:an? )?(?:\d{4} |(?:19|20)\d\d )")
A_PERSON = regex.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|Prof)\.? \p{Lu}\p{L}+|\b\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+\b[^.!?]*, (?:she|he|they) \p{Ll}+"
)
MY_SOMEBODY = regex.compile(rf"\b(?:my|our) (?:\w+ )?{PERSON}\b")
MAKING = words(
    "use build write deploy run keep store track edit render test ship plan host print cut weave code "
    "develop make "
    "record process manage handle draw design compile publish monitor log query model train serve cook brew"
)
