"""English: directives that hold for good.

The rules of all tables are matched on a clause in lower case with its contractions written out ("i am", "do not"),
`cased` ones on the clause as it was written.
"""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.english.nouns import DIRECTIVE_VERBS, STYLE_VERBS, WEEKDAY, WHEN
from memoryapp.llm.backends.offline.english.pieces import FOR_ALL, MUST, STANDING
from memoryapp.llm.backends.offline.statements import rules

STANDING_RULES = (
    *rules(
        "rule", "rule",
        r"^(?:and |but |also |so )?(?:please )?(?:(?:for|as) [^,]{3,40}, )?(?:never|always|"
        r"under no circumstances|do not ever|at no point)\b(?! here| there| proud| happy| glad| good| fun|"
        r" nice| great| a | an | welcome| rooting| remember| believe|(?<=always)(?: \w+)?(?: full| open|"
        r" up for|"
        r" amazing)| \w+ed\b| saw\b| had\b| went\b| got\b| been\b| felt\b| keep (?:going|up|pushing|"
        r"smiling|"
        r"your)| be (?:yourself|kind|there|here)| look on| give up| mind| know| knew| thought| before|"
        r" again been)",
        r"^(?!.*\b(?:takes? (?:care of|over)|looks? after|handles|is (?:responsible|in charge))\b)(?!i "
        r"(?:will|am going to)\b)(?!i (?:have |just |only |will only |finally )*(?:quit|gave up|given "
        r"up|stopped|drink|eat|am|"
        r"take|use|read|"
        r"work|started|wear|sleep|walk|cycle)\b)(?!(?:from now on|going forward),? i (?!want|need|expect|"
        r"would like)).*"
        r"\b(?:from now on|going forward|from here on|from today on|henceforth|as of now)\b",
        r"^(?:and |but )?(?:please )?(?:whenever|every time|each time|any time|when) (?:you|i|we|someone|"
        rf"a|an|the)\b[^,]*, ?(?:please |always |never |do not |only )*{DIRECTIVE_VERBS}\b",
        r"^(?:please )?(?:whenever|every time|each time|any time)\b(?! i (?!(?:send|ask|say|write|give|"
        r"show|tell|paste|"
        r"share|mention|upload)\b)\w+(?!.*\bi (?:want|need|expect|would like)\b))",
        r"^(?:and |but )?(?:please )?(?:spare|save) me (?:from )?(?!the (?:details|lecture|time)|time\b|"
        r"some|a (?:lot|seat))\w+",
        r"^(?:and |but )?(?:please )?keep (?:my|our|the|all|every|each) [\w' -]{3,30} (?:free|clear|open|"
        r"quiet|short|private|"
        r"empty|apart|separate|clean|brief|tidy)\b",
        r"^(?:when|before|after) (?:you|i|we|someone|anyone) (?:\w+ ){0,2}(?:an?|any|something|"
        rf"anything|my|our|for me|to me|\w+s)\b[^,]*, (?:please |always |first )*(?:{DIRECTIVE_VERBS}|"
        r"list|start|put|include|leave|check|add|begin|end|show|make|mark|highlight|double-check|confirm|"
        r"have|let|get|wait|run|call|talk|tell|"
        r"warn|remind|take|choose|pick|skip|sort|group|split)\b",
        r"^if (?:you|i|we|something|anything|a|an|the)\b[^,]*, ?(?:please |then )*(?:always|never|do not|"
        rf"only|{DIRECTIVE_VERBS})\b(?!.*\bwould\b)",
        r"^(?:please )?(?:make sure|be sure|ensure|remember|take care)(?: that)?(?: you| to|"
        r" we)* (?:always|never)\b",
        r"^(?:please )?(?:make sure|ensure)\b.*" + FOR_ALL,
        r"^(?:and |but )?(?:please )?(?:do not|avoid|refrain from|stop)\b(?!.*\b(?:this|that|it|those|"
        r"these|yet|now|worry|bother about|mind|forget|yourself)\b).*"
        r"(?:\b(?:ever|again|anymore|any more|weekends?|unless|without|before|after|because|since|"
        rf"mornings?|evenings?|nights?|{WEEKDAY}|{FOR_ALL[2:-2]})\b|/|,)",
        r"^(?:and |but )?(?:please )?do not \w+ (?:it|them) (?:during|on \w+days|between|at night|at "
        r"weekends|after|before|"
        r"in the|over the|without|unless|ever)\b",
        r"^(?:and |but )?(?:please )?do not (?!quit|give up|let (?:it|any|the|this|that|yourself|them|"
        r"fear|people|others|anyone)|lose|miss|sweat|take (?:it|this|that)|push yourself|beat|settle|"
        r"hesitate|doubt|underestimate|sell yourself|fret|rush|cry|apologi[sz]e|stress|worry|bother|mind|"
        r"forget|panic|stress|hesitate|be\b|think|"
        r"know|care|understand|see\b|have|need|want|get\b|like|remember|feel|believe|think|do\b|stop|"
        r"make (?:it|this))\w+(?! (?:the|this|that|it|those|these)\b)(?!.*\b(?:this|that|it|those|these|"
        r"yet|now|for now)\b)",
        r"^(?:and |but )?(?:please )?(?:leave|keep) .* (?:alone|untouched|unchanged|as (?:is|it is|"
        r"they are)|private|confidential)\b|^(?:and |but )?(?:please )?(?:stay (?:out of|away from|off)|"
        r"hands off|keep (?:out of|away from|off|your hands off)|steer clear of|stick (?:to|with))\b",
        rf"^(?:and |but )?(?:please )?(?:do not|avoid) (?:{DIRECTIVE_VERBS}|using|sending|writing|calling|"
        r"scheduling|suggesting|mentioning|adding)\b(?!.*\b(?:this|that|it|those|these|yet|now)\b)",
        r"^(?:and )?(?:please )?(?!(?:i|we|you|he|she|it|they|the|my|our|this|that|"
        r"there)\b)\p{L}+ .*\b(?:before|after|"
        r"with|at|prior to|ahead of) (?:every|each|any) (?!(?:word|line|item|element|file|row|column|letter|"
        r"character|other|one)\b)\p{L}+",
        r"^(?:please )?(?:give|use|write|show|speak|talk|send|quote|tell|call|make|put|express)\b "
        r"(?!.*\b(?:one|this|that|it|file|"
        r"other|first|second|last|next|time)\b)(?:me |us |everything |numbers |prices |all )*(?:in "
        r")?[\w°%/' -]{2,40}, "
        r"(?:not|never|and not|rather than|instead of) (?:in )?[\w°%/' -]{2,40}",
        r"^(?:please )?(?:send|give|write|show|make|format|deliver|share|hand|export|save|file|label|"
        r"sign)\b (?:me |us )?"
        r"(?:all|every|any) (?!(?:the|of|these|those)\b)[\w' -]{3,40}? (?:as|via|by|without|before|through|"
        r"only)\b",
        r"^(?:please )?(?:use|write|call|address|add|include|put|show|give|keep|send|start|end|sign|avoid|"
        r"skip|leave|mention|ask|"
        r"check|tell|name|quote)\b .*\b(?:when|whenever|each time|every time|any time) (?:you|i|we)\b"
        r"(?! (?:are|were|is|have|get|finish|can)\b)",
        r"^(?:please )?(?:use|speak|talk|write|stick to) [\w' -]{3,40} with (?:me|us)\b(?! (?:today|now|"
        r"this))",
        rf"^(?:please )?(?:only|exclusively) (?:ever )?{DIRECTIVE_VERBS}\b",
        rf"^(?:and )?(?:please )?{STYLE_VERBS}\b(?!.*\b(?:this (?:file|one|text|code)|above|below|"
        rf"attached)\b).*{STANDING}",
        r"^(?:and )?(?:please )?(?:ask|check with|consult|call|tell|inform|talk to|warn|ring|phone|notify) "
        r"(?!me about|us about)"
        r"[\w. ]{2,30}? (?:before|first|whenever|every time|prior to)\b",
        r"^(?:and )?(?:please )?(?:ask|check with|consult|warn|tell|notify|inform|alert) (?:me|"
        r"us) (?:first|before|whenever|every time|if)\b",
        rf"^(?:and )?(?:please )?{DIRECTIVE_VERBS}\b.*\b(?:without (?:asking|my|our|explicit|prior)|"
        r"before you (?:spend|send|delete|buy|book|deploy|commit|publish|order))\b",
        r"^(?:and )?(?:please )?(?:address|call) me (?:as|with|by)\b",
        r"^(?:and )?(?:please )?keep (?:your |all |the )?(?:answers?|replies|responses|messages|summaries|"
        r"explanations|commit messages|reports|e-?mails)\b",
        r"^(?:and )?(?:please )?(?:reply|answer|respond|write|speak|talk)(?: to (?:me|"
        r"us))? (?:only )?in (?!(?:this|one|at most|under|less|fewer|max\w*|\d+|two|three|a (?:single|"
        r"few))\b)(?:\p{L}+)$",
        r"^(?:anything|everything|whatever|any \w+|all \w+|every \w+)\b.* (?:needs?|requires?|must have) "
        r"(?:my|our|the|\w+['’]s) (?:ok(?:ay)?|"
        r"approval|sign-off|permission|consent|go-ahead|signature|blessing)\b",
        r"^as a (?:general )?rule\b(?! of thumb),? ",
        r"^(?:i|we) (?:would like|would love|would prefer|want|need|expect|ask|count on) you to (?:please "
        r")?(?:always|never|only|not)\b|"
        r"^(?:i|we) (?:would like|would love|would prefer|want|need|expect|ask) you to\b.*\b(?:always|"
        r"every time|whenever|from now on|in future|"
        r"by default)\b",
        opens=True, directive=True,
    ),
    *rules(
        "rule", "rule",
        r"\b(?:must|should|shall|may|can) (?:always|never|not ever|only(?: ever)?|under no circumstances|"
        r"at all times)\b",
        r"^(?:nobody|no one|no-one|only [^,]{1,25}?)(?: (?:but|except|other than|"
        r"apart from) [^,]{1,25}?)? (?:is|are) "
        r"(?:allowed|permitted|to be|authori[sz]ed) ?|^(?:nobody|no one|no-one|only (?:i|we|\w+))"
        r"(?: (?:but|except|other than|apart from) [^,]{1,25}?)? (?:may|can|gets to|touches|edits|changes) ",
        rf"^(?:every|each|all) (?!(?:{WEEKDAY}|day|morning|evening|night|week|weekend|month|year|time|"
        rf"summer|winter|spring|"
        r"autumn|other|one|of|second|minute|hour|my|the|our|good|tests?)\b)[\w'’ -]{3,45}? (?:goes?|gets?|"
        r"is|are|comes?|carr(?:y|ies)|"
        r"starts?|ends?|passes|ships?|stays?|belongs?) (?!(?:so|very|great|nice|fine|good|bad|done|gone|"
        r"green|red|broken|"
        r"failing|running|stuck|getting|bringing|making|special|important|amazing|here|there|different|"
        r"equal|the same|well)\b)\w+",
        rf"^(?:whatever|anything|everything|any \w+|whoever)\b.* {MUST}\b",
        r"^(?:whatever|anything|everything|any \w+|whoever|all \w+)(?: that| which)? (?:you|we|i|goes|"
        r"leaves|for|to|"
        rf"from|in|with|about|over|under|with)\b.* (?:{MUST}|should|may not|can not|goes through)\b",
        r"^you (?:must|may|shall|should|can|are allowed to) (?:not|never|always|only)\b(?! (?:have|"
        r"give up|forget|worry|be (?:so|proud)))",
        r"^you (?:are|will) (?:never |not |only |always )?(?:to(?! (?:blame|late))|expected to|supposed to|"
        r"required to)\b"
        r"(?! (?:have|be (?:so|proud|congratulated)))",
        rf"^you (?:are not allowed|must {DIRECTIVE_VERBS})\b",
        r"^(?:nobody|no one|no-one|nothing|everything|everyone|all|each|every|agents?|bots?|the (?:bot|"
        rf"agent|assistant)|[\w-]+s)\b[^,]{{0,60}}? (?:{MUST}|are not allowed|is not allowed)\b",
        r"\b(?:is|are|stays?) (?:strictly |absolutely )?(?:forbidden|prohibited|off[- ]limits|hands[- ]off|"
        r"no[- ]go|not allowed|"
        r"not (?:to be|for you to) (?:touch|chang|edit|mov|delet|open)\w*|"
        r"mandatory|compulsory|taboo|banned|read-only for you)\b",
        r"^(?:nobody|no one|nothing|no (?!doubt|problem|wonder|matter|longer|more|idea|way|"
        r"worries)[\p{L}-]+(?: [\p{L}-]+){0,3}) (?:goes|gets|is|are|may|leaves|touches|ships|on|after|"
        r"before|without|unless|during|over|in|from)\b",
        r"^no (?!(?:doubt|problem|worries|idea|thanks|need|wonder|way|doubt|matter|longer|more|one|luck|rush|"
        r"clue|big|more|news|i|it|not|that)\b).*\b(?:please|after|before|without|unless|ever|on)\b",
        r"\b(?:without (?:any )?exceptions?|no exceptions?|at all costs|under any circumstances|on principle|"
        r"as a matter of (?:principle|policy)|not negotiable|non-negotiable)\b",
        r"\bi (?:never|do not ever|do not) want to (?:be|get|receive|see|hear)\b",
        r"^(?!(?:i|we|you|it|this|that|there|they|he|she|what|who|if|\w+ing)\b)(?:the |our |all |every |"
        rf"each |any )?[\w'’ -]{{2,50}}? (?:{MUST}|should always|should never)(?: not)? (?:be |go |come |"
        r"get |stay |have |use |pass |carry |include |start |end )(?!.*\b(?:by|before|until|on|in|"
        rf"at) (?:(?!\w+days\b){WHEN}|the \d{{1,2}}(?:st|nd|rd|th)\b))(?!(?:a |an |the )?(?:in|done|"
        rf"finished|submitted|ready|delivered|mistake|"
        rf"nice|"
        r"hard)\b)",
        r"\b(?:i|we) (?:never|do not ever|do not) want (?:you to|the (?:agent|bot|assistant) to|"
        r"any(?:body|one|thing)?\b)",
        r"\b(?:i|we) (?:want|need|expect|would like|require|ask) (?:you|all|every|each|the (?:agent|bot|"
        r"assistant))\b.*" + FOR_ALL,
        r"^(?:the|our|my|one|another|first|house) (?:\w+ ){0,2}(?:rule|policy|convention|law|agreement|"
        r"custom)s?\b[^:.?]{0,40}:",
        r"^whoever \w+s\b|\byou (?:must|may|shall) (?:not|never)\b(?! (?:have|give up|forget|worry))",
        rf"^(?:before|after|whenever|when|if|until|unless|once) [^,]{{3,60}}, (?!i |we )(?:[\w'-]+ "
        rf"){{1,4}}{MUST}\b",
        r"\b(?:our|my|the|a) (?:house |team |company |standing |general |golden |first |"
        r"security )?(?:policy|rule|rules|guideline|convention) (?:is|are|says?|here is|for|:)",
        r"^(?:[\w'’-]+ ){0,3}(?:rule|policy|convention|guideline|agreement)s?(?: (?:of|for|in|at|on|here|"
        r"number) "
        r"[^:.?!]{1,30})?\s*(?::|[–—-] )(?! ?(?:i|we) (?:have|had|do) )",
        r"^we (?:always|never) (?!been|had|thought|said|knew|meant|did|look|have fun|love|enjoy|laugh|try|"
        r"feel|hope|support|go\b|get\b)\w+",
        rf"\bonly (?:on|at|between|after|before|during|from|in the)\b.*\b(?:window|{WEEKDAY}|utc|hours?|"
        r"o'clock)\b",
        r"\b(?:deploy(?:ment)?|maintenance|release|change|backup|trading|delivery|booking)s? (?:window|"
        r"freeze|slot|hours) (?:is|are|runs?|lasts?)\b",
        r"\b(?:need|needs|require|requires) (?:my|our|explicit|written|two|a second) (?:approval|consent|"
        r"permission|sign-?off|review\w*|signatures?)\b",
        opens=True,
    ),
)  # fmt: skip

_KIND = (
    r"(?:all|every|any|each|anything|everything|whatever|only|"
    r"(?!this|yes|news|thanks|always|us\b)[\p{L}-]+s\b(?!['’]))"
)
_WHY_CLAUSE = (
    r", (?:so |because |as |since |otherwise )?(?:our|nobody|no one|we|i|my|it|they|there|that|he|she|the|"
    r"this|otherwise|people|"
    r"members|customers|half|most|some)\b(?! (?:please|then) )"
)
STANDING_ORDER = regex.compile(
    rf"^(?:and |so |but )?(?:please )?(?:{STYLE_VERBS}|put|leave|store|lock|serve|ship|test|measure|count|"
    rf"order|print|wear|bring|"
    rf"offer|greet|send|wash|water|speak|pay)\b(?!.*\b(?:this (?:time|one|file|text)|now|today|above|below|"
    rf"attached|again)\b)"
    rf"(?: (?:me|us|my|our))? {_KIND}.*{_WHY_CLAUSE}|"
    rf"^(?:please )?keep (?:the|our|my|all) .*\b(?:at|below|above|under|between|closed|open|locked|shut|"
    rf"away|out|dry|cool|warm|dark)"
    rf"\b.*{_WHY_CLAUSE}"
)
