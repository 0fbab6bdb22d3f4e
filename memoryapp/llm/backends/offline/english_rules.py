"""English: the ways of saying something worth keeping, tried from top to bottom.

They are matched on a clause in lower case with its contractions written out ("i am", "do not"), `cased` ones on the
clause as it was written.
"""

from __future__ import annotations

from memoryapp.llm.backends.offline.english_nouns import (
    COLLEAGUES,
    DIRECTIVE_VERBS,
    EVENT,
    FAMILY,
    MACHINE,
    MONTH,
    PERSON,
    PETS,
    PROFESSION,
    STYLE_VERBS,
    THING,
    WEEKDAY,
    WHEN,
)
from memoryapp.llm.backends.offline.statements import rules

I = r"^(?:and |so |but |also )?(?:(?:for|when|in|on|at|as|with|after|before|since|after|by) [^,]{2,50}?,? |(?:yesterday|today|tomorrow|nowadays|currently|recently|finally|lately|(?:last|this|next) \w+|these days|\w+ (?:days|weeks|months|years) ago),? )?(?:i|we)(?: \w+ly| just| also| always| never| now| have| had| still| all| both| once| kind of| sort of| usually| often|" \
    r" sometimes| mostly| mainly| am| are| only| rather| much| already| do)*"  # noqa: E741
FOR_ALL = r"\b(?:all|every|any|each|always|anything|everything|whenever|by default|from now on|in (?:the )?future|going forward|in general|at all times)\b"
STANDING = r"\b(?:always|whenever|by default|from now on|in (?:the )?future|going forward|at all times|every time|(?:in|for|with|on|to|of) (?:all|every|any|each))\b"
FIRST_ADV = r"(?:yesterday|today|last \w+|this \w+|on \w+|in \w+),? "
PAST = r"(?:built|sent|sold|bought|won|lost|met|wrote|chose|gave|took|made|left|brought|began|set|cut|put|laid|held|led|drew|hung|sewed|signed|moved|handed)"
IDENTIFIER = r"(?:(?<=\s)~/\w+|(?<![\w/])/\w[\w.-]*(?:/[\w.-]+)+|\b[a-z-]*\d[\w.-]*[a-z-]\w*\b|\bv?\d+\.\d+|\b(?!(?:19|20)\d\d\b)\d{3,5}\b|#\w+|\b[\w-]+\.(?:internal|local|example|com|org|net|io|dev)\b|\bport\b)"
NAME = r"\p{Lu}[\p{L}'’-]+(?: (?:van |de |von |el |al-|da |of )?\p{Lu}[\p{L}'’-]+){0,3}"
NOT_A_NAME = r"(?!(?:The|This|That|These|Those|It|If|When|What|My|Our|Your|His|Her|Their|We|They|He|She|You|Please|Never|Always|There|Here|Yes|No|And|But|So|A|An|In|On|At|For|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|[A-Z]\p{L}+days?|January|February|March|April|May|June|July|August|September|October|November|December)\b)"

CONSTRAINTS = (
    *rules(
        "project", "constraint",
        rf"\b(?:hurt|broke|sprained|twisted|injured|pulled|strained|tore|fractured|dislocated|cracked|burnt|burned|operated on) (?:my|an?) ",
        r"\b(?:my|a) (?:knee|ankle|wrist|shoulder|back|leg|arm|foot|hand|hip|elbow|neck|rib|toe|finger|achilles|meniscus)\b.*\b(?:hurts?|injur\w+|broken|sprained|"
        r"surgery|operation|is (?:acting up|bad)|inflamed|torn|in a cast)\b",
        r"\b(?:can ?not|no|not able to|unable to|not allowed to|will not|have to skip|taking a break from|pausing|on hold|paused)\b.*\b(?:for a while|for now|until|till|"
        r"for (?:the )?(?:next )?(?:a |an |\d+|one|two|three|four|five|six|eight|ten|twelve|few|couple)\b.*(?:days?|weeks?|months?)|this (?:month|week|season|term)|at the moment)\b",
        r"\b(?:i|we) (?:am|are|will be) (?:temporarily|currently) (?:not|without|unable|off)\b",
        r"\b(?:temporarily|for the time being)\b",
        r"\bi (?:have|caught|got|am down with) (?:the |a )?(?:flu|covid|pneumonia|concussion|tendonitis|chickenpox|shingles)\b",
        r"\b(?:recovering|recover) from\b",
        opens=True,
    ),
)  # fmt: skip

STANDING_RULES = (
    *rules(
        "rule", "rule",
        r"^(?:and |but |also |so )?(?:please )?(?:(?:for|as) [^,]{3,40}, )?(?:never|always|under no circumstances|do not ever|at no point)\b(?! mind| know| knew| thought| before| again been)",
        r"\b(?:from now on|going forward|from here on|from today on|henceforth|as of now)\b",
        rf"^(?:and |but )?(?:please )?(?:whenever|every time|each time|any time|when) (?:you|i|we|someone|a|an|the)\b[^,]*, ?(?:please |always |never |do not |only )*{DIRECTIVE_VERBS}\b",
        rf"^(?:please )?(?:whenever|every time|each time|any time)\b",
        rf"^(?:when|before|after) (?:you|i|we|someone|anyone) (?:\w+ ){{0,2}}(?:an?|any|something|anything|my|our|for me|to me|\w+s)\b[^,]*, (?:please |always |first )*(?:{DIRECTIVE_VERBS}|list|start|put|include|leave|check|add|begin|end|show|make|mark|highlight|double-check|confirm|warn|remind|take|choose|pick|skip|sort|group|split)\b",
        rf"^if (?:you|i|we|something|anything|a|an|the)\b[^,]*, ?(?:please |then )*(?:always|never|do not|only|{DIRECTIVE_VERBS})\b(?!.*\bwould\b)",
        r"^(?:please )?(?:make sure|be sure|ensure|remember|take care)(?: that)?(?: you| to| we)* (?:always|never)\b",
        r"^(?:please )?(?:make sure|ensure)\b.*" + FOR_ALL,
        rf"^(?:and |but )?(?:please )?(?:do not|avoid|refrain from|stop)\b(?!.*\b(?:this|that|it|those|these|yet|now|worry|bother about|mind|forget|yourself)\b).*"
        rf"(?:\b(?:ever|again|anymore|any more|weekends?|unless|without|before|after|because|since|mornings?|evenings?|nights?|{WEEKDAY}|{FOR_ALL[2:-2]})\b|/|,)",
        r"^(?:and |but )?(?:please )?do not (?!worry|bother|mind|forget|panic|stress|hesitate|be\b|think|know|care|understand|see\b|have|need|want|get\b|like|remember|feel|believe|think|do\b|stop|make (?:it|this))\w+(?! (?:the|this|that|it|those|these)\b)(?!.*\b(?:this|that|it|those|these|yet|now|for now)\b)",
        r"^(?:and |but )?(?:please )?(?:leave|keep) .* (?:alone|untouched|unchanged|as (?:is|it is|they are)|private|confidential)\b|^(?:and |but )?(?:please )?(?:stay (?:out of|away from|off)|hands off|keep (?:out of|away from|off|your hands off)|steer clear of|stick (?:to|with))\b",
        rf"^(?:and |but )?(?:please )?(?:do not|avoid) (?:{DIRECTIVE_VERBS}|using|sending|writing|calling|scheduling|suggesting|mentioning|adding)\b(?!.*\b(?:this|that|it|those|these|yet|now)\b)",
        rf"^(?:please )?(?:only|exclusively) (?:ever )?{DIRECTIVE_VERBS}\b",
        rf"^(?:and )?(?:please )?{STYLE_VERBS}\b(?!.*\b(?:this (?:file|one|text|code)|above|below|attached)\b).*{STANDING}",
        rf"^(?:and )?(?:please )?(?:ask|check with|consult|warn|tell|notify|inform|alert) (?:me|us) (?:first|before|whenever|every time|if)\b",
        rf"^(?:and )?(?:please )?{DIRECTIVE_VERBS}\b.*\b(?:without (?:asking|my|our|explicit|prior)|before you (?:spend|send|delete|buy|book|deploy|commit|publish|order))\b",
        r"^(?:and )?(?:please )?(?:address|call) me (?:as|with|by)\b",
        r"^(?:and )?(?:please )?keep (?:your |all |the )?(?:answers?|replies|responses|messages|summaries|explanations|commit messages|reports|e-?mails)\b",
        r"^(?:and )?(?:please )?(?:reply|answer|respond|write|speak|talk)(?: to (?:me|us))? (?:only )?in (?!(?:this|one|at most|under|less|fewer|max\w*|\d+|two|three|a (?:single|few))\b)(?:\p{L}+)$",
        opens=True, directive=True,
    ),
    *rules(
        "rule", "rule",
        r"\b(?:must|should|shall|may|can) (?:always|never|not ever|only(?: ever)?|under no circumstances|at all times)\b",
        r"^(?:you|nobody|no one|no-one|nothing|everything|everyone|all|each|every|agents?|bots?|the (?:bot|agent|assistant)|[\w-]+s)\b[^,]{0,60}? (?:must(?! have\b| be (?:so|very|nice|hard|great))|may not|must not|has to|have to|"
        r"are not allowed|is not allowed|should not|shall)\b(?! be (?:a |an |the )?(?:mistake|problem|nice|hard|there|something))",
        r"\b(?:is|are|stays?) (?:strictly |absolutely )?(?:forbidden|prohibited|off[- ]limits|not allowed|mandatory|compulsory|taboo|banned|read-only for you)\b",
        r"^(?:nobody|no one|nothing|no (?!doubt|problem|wonder|matter|idea|way|worries)[\p{L}-]+(?: [\p{L}-]+){0,3}) (?:goes|gets|is|are|may|leaves|touches|ships|on|after|before|without|unless|during|over|in|from)\b",
        r"^no (?!(?:doubt|problem|worries|idea|thanks|need|wonder|way|doubt|matter|longer|one|luck|rush|clue|big|more|news|i|it|not|that)\b).*\b(?:please|after|before|without|unless|ever|on)\b",
        r"\bi (?:never|do not ever|do not) want to (?:be|get|receive|see|hear)\b",
        rf"^(?!(?:i|we|it|this|that|there|they|he|she|what|who|if)\b)(?:the |our |all |every |each |any )?[\w'’ -]{{2,50}}? (?:must|may not|must not|has to|have to|needs to|need to|should always|should never|shall)(?: not)? (?:be |go |come |get |stay |have |use |pass |carry |include |start |end )(?!.*\b(?:by|before|until|on|in|at) {WHEN})(?!(?:a |an |the )?(?:in|done|finished|submitted|ready|delivered|mistake|nice|hard)\b)",
        r"\b(?:i|we) (?:never|do not ever|do not) want (?:you|the (?:agent|bot|assistant))? ?(?:to|any)\b",
        r"\b(?:i|we) (?:want|need|expect|would like|require|ask) (?:you|all|every|each|the (?:agent|bot|assistant))\b.*" + FOR_ALL,
        r"\b(?:our|my|the|a) (?:house |team |company |standing |general |golden |first |security )?(?:policy|rule|rules|guideline|convention) (?:is|are|says?|here is|for|:)",
        r"^(?:policy|rule|house rule|convention)\s*:",
        r"^we (?:always|never) (?!been|had|thought|said|knew|meant|did)\w+",
        rf"\bonly (?:on|at|between|after|before|during|from|in the)\b.*\b(?:window|{WEEKDAY}|utc|hours?|o'clock)\b",
        r"\b(?:deploy(?:ment)?|maintenance|release|change|backup|trading|delivery|booking)s? (?:window|freeze|slot|hours) (?:is|are|runs?|lasts?)\b",
        r"\b(?:need|needs|require|requires) (?:my|our|explicit|written|two|a second) (?:approval|consent|permission|sign-?off|review\w*|signatures?)\b",
        opens=True,
    ),
)  # fmt: skip

DECISIONS = (
    *rules(
        "decision", "decision",
        rf"{I} (?:decided|decide|chose|chosen|picked|opted|settled on|agreed|concluded|resolved|committed to|went (?:with|for)|going (?:with|for)|will go with|go with|ended up (?:choosing|picking|with)|"
        r"ruled out|rejected|standardi[sz]ed on|standardi[sz]ing on|(?:adopted|adopting)(?!.*\b(?:dog|cat|puppy|kitten|child|boy|girl|baby|greyhound|rabbit|pet|son|daughter)\b)|sticking with|dropped|dropping|ditched|ditching|abandoned|abandoning|scrapped|voted)\b(?! (?:up|it|that|to (?:ask|say|write) you)\b)",
        r"\b(?:the|our|my|final) decision\b.*\b(?:is|was|stands|:)",
        r"^(?:final |our |the )?decision\b[^:]{0,40}:",
        r"\bit (?:is|was|has been) (?:decided|settled|agreed)\b|\bmade up (?:my|our) minds?\b",
        r"\b(?:the team|the board|management|the committee|everyone|everybody|the council|the client) (?:has |have )?(?:decided|chose|agreed|voted|settled|opted|picked)\b",
        r"\blessons? (?:learn(?:ed|t)|here)\b",
        rf"{I} learn(?:ed|t) (?:that|the hard way|to)\b",
        r"\b(?:learn(?:ed|t) the hard way)\b",
        r"\b(?:root cause|culprit) (?:was|is|turned out)\b",
        r"\bit turned out (?:that )?\b",
        r"^let us (?:go with|use|stick with|stick to|keep|pick|choose|take|drop|skip)\b.*\b(?:because|since|as|due to)\b|\b(?:the|our) choice (?:fell on|is|was)\b|\b(?:won|wins) (?:out )?over\b",
        r"^in the end,? (?:i|we) (?:took|chose|picked|went|decided|kept|bought)\b",
        rf"{I} (?:switched|switching|will switch|moved|moving|migrated|migrating|changed|changing|replaced|replacing|swapped)\b.*\b(?:because|since|due to|as it|so that|to save|in order to)\b",
        rf"{I} (?:use|using|going to use|will use|keep|keeping|will keep)\b.*\b(?:instead of|rather than|over)\b.*\b(?:because|since|due to|as|so that|for)\b",
        rf"{I} (?:will|going to) (?:use|host|build|run|ship|sell|start|stop|skip|cancel|postpone)\b.*\b(?:instead of|rather than|because|since|due to)\b",
        opens=True,
    ),
)  # fmt: skip

IDENTITY = (
    *rules(
        "identity", "name",
        rf"\bI(?: am|['’]m) (?:Dr\.? |Prof\.? |Mrs?\.? |Ms\.? )?(?!(?:OK|Ok|I|TL|Sorry|Not|So|Just|In|On|At)\b)\p{{Lu}}[\p{{L}}'’-]+",
        r"\b[Mm]y (?:full |first |last |real |middle |maiden |family |sur|nick|pen |stage )?name(?: is|['’]s)\b",
        rf"\b(?:call|calls) me (?:just )?{NOT_A_NAME}\p{{Lu}}",
        rf"^(?:[Tt]he )?[Nn]ame(?: is|['’]s) \p{{Lu}}|\b(?:everyone|everybody|people|friends|folks|they|colleagues) (?:just )?calls? me \p{{Lu}}",
        rf"^{NOT_A_NAME}\p{{Lu}}[\p{{L}}'’-]+(?: \p{{Lu}}[\p{{L}}'’-]+)? here,? (?!is|are|was|it|the|we)\p{{L}}",
        rf"\bI (?:go|answer) (?:by|to) (?:the name (?:of )?)?\p{{Lu}}",
        rf"^(?:[Tt]his is|[Ii]t(?: is|['’]s)|[Hh]ere is) {NAME}(?:,| from| at| here| speaking| again)",
        opens=True, cased=True,
    ),
    *rules("identity", "name", r"\bmy (?:full |first |last |real |sur|nick)?name is (?!not\b)\w+", opens=True),
    *rules(
        "identity", "health",
        r"\bi (?:am|have been diagnosed|was diagnosed)\b[^,]* (?:allergic|coeliac|celiac|diabetic|vegan|vegetarian|pescatarian|pescetarian|flexitarian|lactose|gluten|asthmatic|"
        r"intolerant|pregnant|colou?r[- ]?blind|deaf|dyslexic|left[- ]handed|autistic|hard of hearing|epileptic|an?emic|teetotal|halal|kosher|with (?:adhd|asthma|diabetes|celiac))\b",
        r"\bi (?:have|suffer from|live with|got) (?:an? |severe |mild |chronic |bad |terrible |type \d )*(?:asthma|diabetes|adhd|migraines?|coeliac|celiac|[\w-]+ (?:allergy|intolerance|phobia)|allerg\w+|"
        r"high blood pressure|arthritis|epilepsy|tinnitus|eczema|hay fever|insomnia|dyslexia|gout|endometriosis|reflux|a pacemaker)\b",
        r"\bi (?:can ?not|do not|never|only|no longer|must not|may not) (?:eat|drink|smoke|have|tolerate|digest|take) \w+",
        opens=True,
    ),
)  # fmt: skip

PEOPLE = (
    *rules(
        "relationship", "person",
        r"^(?:[Ff]or|[Ww]ith|[Aa]bout|[Ii]n case of) [^,]{3,40},? (?:please )?(?:ask|talk to|contact|write to|call|ping|see|go to) \p{Lu}|^(?:[Pp]lease )?(?:[Aa]sk|[Tt]alk to|[Cc]ontact|[Ww]rite to|[Cc]all|[Pp]ing|[Ss]ee) \p{Lu}\p{L}+(?: \p{Lu}\p{L}+)? (?:about|for|when|if|whenever)\b",
        opens=True, cased=True, directive=True,
    ),
    *rules(
        "relationship", "person",
        rf"\b(?:[Mm]y|[Oo]ur)(?: (?!(?:on|in|at|from|to|with|for|of|by|every|and|is|was|the|as|than|or|near)\b)\p{{Ll}}[\p{{L}}-]+){{1,4}}(?<!\b{MACHINE}),? {NOT_A_NAME}\p{{Lu}}[\p{{L}}'’-]+(?: \p{{Lu}}[\p{{L}}'’-]+)?,? (?:(?:who|and I|just|also|now|always|only|usually|never|recently) )*(?:is|was|are|has|have|can|can['’]t|will|won['’]t|must|does|doesn['’]t|got|grew|came|went|\p{{Ll}}+(?<!e)s|\p{{Ll}}+es|\p{{Ll}}+ed)\b",
        rf"^(?:[Mm]y|[Oo]ur) (?:\p{{Ll}}[\p{{L}}-]* ?){{1,4}}(?<!\b{MACHINE} )(?<!\b{THING} )(?<!\b(?:home|name|address|birthplace|company|employer|school|university|project|street|team|street|base) )(?:is|was) (?:called |named )?(?:Dr\.? |Mrs?\.? |Ms\.? )?{NOT_A_NAME}\p{{Lu}}[\p{{L}}'’-]+ \p{{Lu}}[\p{{L}}'’-]+",
        rf"^{NOT_A_NAME}(?:Dr\.? |Prof\.? |Mr\.? |Mrs\.? |Ms\.? )?{NAME}(?:,? (?:from|at|in|of|on) [^,]{{2,40}},?|, [^,]{{3,40}},)? (?:is|was) (?:(?:now )?(?:my|our)(?! (?:new |absolute |all-time )?(?:favou?rite|go-to|preferred|default|comfort|happy|[\w ]*?\b(?:{THING}|{MACHINE})\b))|the (?:new )?(?:{COLLEAGUES}|one (?:who|to)|person)|responsible|in charge|head|on call)\b",
        rf"^{NOT_A_NAME}(?:Dr\.? |Prof\.? |Mr\.? |Mrs\.? |Ms\.? )?{NAME}(?:,? (?:from|at|in|of|on) [^,]{{2,40}},?|, [^,]{{3,40}},)? (?:owns|leads|manages|handles|heads|maintains|approves|signs off|reports to|"
        r"supervises|coordinates|oversees|represents|takes care of|looks after|deals with|covers|supplies|chairs|mentors|reviews|(?:works?|teaches|studies) (?:on|with|in|at|for|as))\b",
        opens=True, cased=True,
    ),
    *rules(
        "relationship", "person",
        rf"^(?:and |but )?(?:my|our|the) (?:[\w-]+ ){{0,3}}{PERSON}(?: [\w-]+){{0,2}} (?:is|are) (?:called|named|an?|the|\w+ed|\w+ing|in|from|at|on|\d|turning|expecting|allergic|vegan|my)\b(?!.*\b(?:driving me|annoying|sleeping|crying|calling)\b)",
        rf"^(?:and |but )?(?:my|our) (?:[\w-]+ ){{0,3}}{PERSON}['’]?s? (?:name|birthday|wedding|nickname|first name) (?:is|was|falls)\b",
        rf"^(?:and |but )?(?:my|our) (?:[\w-]+ ){{0,3}}(?:{PERSON})(?: [\w-]+){{0,2}} (?:lives?|works?|owns|handles|leads|runs|manages|studies|teaches|plays|looks after|takes care|moved|got|lives|speaks|"
        r"signs|reviews|approves|likes|loves|hates|prefers|died|passed away|turned|turns|collects|loves|makes|sells|has been|comes from|goes to|attends|joined|left|retired)\b",
        rf"\b(?:our|my|the) (?!favou?rite|preferred|default|go-to|text|code|least)(?:[\w-]+ ){{0,3}}(?:{COLLEAGUES}|contact(?: person)?(?: for| at| in)? [^,]{{2,40}}|point of contact[^,]{{0,40}}) (?:is|was|will be) [a-z]",
        rf"\bis (?:my|our) (?:[\w-]+ ){{0,3}}(?!editor)(?:{PERSON}|contact|go-to|best man|maid of honou?r)\b",
        rf"^(?:i|we) have (?:a|an|one|two|three|four|five|six|\d+|twin)\b[^,]* (?:{FAMILY}|{PETS})\b",
        rf"\b(?:i am|we are|i got|we got) (?:happily |just )?(?:married|engaged|dating|divorced|separated|widowed)\b",
        r"\bi (?:report|answer) to \w+",
        rf"\b(?:i|we) (?:share|live|work closely|run)\b.*\bwith my (?:{PERSON})\b",
        rf"\b(?:questions|requests|invoices|complaints|tickets|issues|orders) (?:go|should go|are handled|must go) (?:to|by|through)\b",
        opens=True,
    ),
)  # fmt: skip

WORK_AND_PLACE = (
    *rules(
        "identity", "work",
        rf"^(?:and |so |but )?i am (?:also |currently |actually |now |still |originally |by trade )*(?:an?|the|one of the|self-employed|retired|semi-retired|unemployed|freelance|head|chief|co-?founder|founder)"
        rf"(?! (?:bit|little|lot|fan|big fan|huge fan|beginner|mess|wreck|bundle|total|complete|real|bad|good|great|slow|fast|potato|idiot|fool|loser|genius|morning|night|early|heavy|light|visual)\b)[^.]{{0,40}}?\b(?:{PROFESSION}|self-employed|retired|freelance)",
        rf"^(?:and |so )?i (?:am )?(?:self-employed|retired|semi-retired)\b",
        rf"{I} (?:work|working|worked) (?:as|at|for|in|with|from|part-time|full-time|remotely|freelance|on the|nights|shifts)\b(?!.*\b(?:this|it) (?:bug|issue|now)\b)",
        rf"^we (?:run|own|manage|operate) (?:an?|the|our|two|three) (?!script|test|query|server|cluster|database|migration)",
        rf"{I.replace('(?:i|we)', 'i')} (?:run|own|teach|study|studying|lecture|practi[sc]e|manage|direct|chair|coach|farm|brew|repair|restore|tune|breed|curate|conduct)\b (?!out\b|into\b|it\b|this\b|that\b|the (?:test|script|command|build|code|migration|query)|low\b|late\b|some\b|every\b|\d|tests?\b)",
        r"^i (?:also |mostly |mainly )?(?!know|think|guess|hope|mean|need|want)\w+ .*\bfor a living\b",
        r"^i (?!know|think|guess|hope|mean|need|want|am|was|have)\w+ [^,]*\b(?:for|at) (?:an? |the )?(?:\w+ ){0,3}(?:firm|company|hospital|clinic|school|university|agency|bank|ministry|studio|museum|ngo|charity|startup|start-up|council|university|college|newspaper|magazine|orchestra|theatre|theater|station|lab|institute|ship|harbour|airport|railway|court)\b",
        r"\bmy (?:current |new |day |main |first )?(?:job|role|profession|position|employer|company|title|occupation|trade|industry|field|major|degree|line of work)(?: title)? (?:is|was)\b",
        r"\bi am (?:responsible for|in charge of|on the \w+ team|part of the|with the|employed|studying|training (?:to be|as)|doing (?:a|my) (?:phd|master|degree|apprenticeship|doctorate))\b",
        r"^i (?:am|was|have been) (?:now )?with [\w &.-]+ (?:now|these days|since|for)\b",
        r"\bi (?:was|got|have been) (?:just )?(?:made|named|elected|nominated|appointed|chosen as|voted)\b",
        r"\bi (?:have |just |recently )*(?:switched|changed|got a new) jobs?\b",
        r"\b(?:i|we) (?:got|was|have been|just got)?\s*(?:promoted|appointed|hired|laid off|made redundant)\b",
        r"\bi (?:started|start|began|begin) (?:at|as|a new job|my new job|working)\b",
        r"\bi (?:no longer|do not) work\b|\bi (?:quit|left|am leaving|resigned from) (?:my job|\p{L}+)\b(?=.*\b(?:job|work|company|started|join|employer|for|last)\b)",
        r"\bi have (?:been (?:a|an|working|teaching)|(?:\d+|two|three|five|ten|twenty)\+? years)\b",
        r"\bi (?:will be|am) (?:only )?working (?:only )?(?:\w+ )?(?:days|hours|part[- ]time|full[- ]time|remotely|from home)\b",
        opens=True,
    ),
    *rules("identity", "work", r"\bI (?:just |recently )?(?:quit|left|resigned from|am leaving|['’]m leaving) (?:my job|\p{Lu}[\p{L}&.]+)", opens=True, cased=True),
    *rules(
        "identity", "residence",
        rf"{I} (?:live|living|reside|based|located|come|staying permanently|settled) (?:in|at|from|near|on|out of|with|by|between|just)\b",
        rf"{I} (?:moved|relocated|relocating|moving|move|emigrated|immigrated) (?:out |over |back |house |home )*(?:from|to|into|in with|in)\b(?! (?:the|a|an|my|our) (?:next|other|new (?:version|server|folder|branch)))(?!.*\b(?:db|database|server|files?|folder|branch|repo|port|code)\b)",
        r"\bi (?:am|was|come) (?:originally |actually )?from (?!the (?:future|office|team)|work|scratch|here)\w+",
        r"\bi (?:grew up|was born|was raised)\b",
        r"\bwe (?:live|moved|are moving) (?:in|to|from|into|back)\b",
        r"^(?:our|my|the) (?:new |main |head |current |local )?(?:office|headquarters|hq|shop|studio|workshop|school|company|practice|lab|laboratory|warehouse|branch|store|factory|plant|clinic|farm|gym|club|café|cafe|restaurant|bakery|boat|allotment|garden|team) (?:is|are|moved|sits|is located|is based) (?:now )?(?:in|at|on|to|near)\b",
        r"\bhome is (?:in )?\w+|\bmy (?:birthplace|home|hometown|home town|home city|base) is\b",
        r"\bmy (?:current |home |new |permanent |postal )?(?:time ?zone|city|town|hometown|address|postcode|zip code|country|nationality|citizenship)\b.* (?:is|are|has changed)\b",
        opens=True,
    ),
    *rules(
        "identity", "person data",
        r"\bmy (?:birthday|date of birth|age|native language|mother tongue|first language|pronouns|e-?mail(?: address)?|phone number|mobile number|github handle|username|shoe size|blood type|star sign|height) (?:is|are|was)\b",
        r"\bi am (?:on|in) (?:\w+ ){1,4}time(?: zone)?\b|\bi am (?:on|in) (?:utc|gmt|cet|cest|est|edt|pst|pdt|cst|ist|jst|aest|nzst)\b",
        r"\bi am \d{1,3}(?: years old| y/?o)?(?:$|[,. ])(?! ?(?:%|percent|minutes|min|hours|km|miles|pages|steps))",
        r"^i (?:just )?(?:turn|turned|am turning) (?:\d{2}|twenty|thirty|forty|fifty|sixty|seventy)",
        r"\bi (?:only |mainly |also |fluently )?speak (?:only |mainly |fluent |some |a (?:bit|little) (?:of )?)?\p{L}+",
        r"\b(?:native|mother tongue|bilingual|trilingual)\b",
        opens=True,
    ),
)  # fmt: skip

PREFERENCES = (
    *rules(
        "preference", "preference",
        rf"{I} (?:really |strongly |very much |absolutely )*(?:prefer|like|love|adore|enjoy|hate|dislike|loathe|detest|favou?r|appreciate|despise|cherish)(?:s|d)?\b"
        r"(?! (?:it|this|that|these|those|your|you|talking to you|chatting|the (?:idea|answer|sound|look|way you|last|first|second|new one|result|suggestion)(?: of (?:that|it|this))?$|how you|to (?:know|ask|see|hear|say))\b)",
        rf"{I} (?:can ?not stand|can ?not bear|not (?:really )?like|not (?:really )?enjoy|could not live without|can ?not live without|swear by|live for|am obsessed)\b",
        r"\b(?:my|our) (?:absolute |all-time |personal )?(?:favou?rite|preferred|go-to|least favou?rite|pet peeve|guilty pleasure|editor of choice|default) ?.* (?:is|are|was)\b",
        rf"\bis (?:now )?(?:my|our) (?:absolute |all-time |new )?(?:favou?rite|go-to|preferred|comfort|happy place|(?:\w+ )?{THING})\b",
        r"^[\w.+#-]+(?: [\w.+#-]+)? over [\w.+#-]+(?: [\w.+#-]+)?,? (?:for me|any day|always|every time|hands down)\b",
        r"\bi (?:always |usually |mostly |tend to )?go for\b",
        r"\bi would (?:much )?(?:rather|prefer)\b",
        r"\bi would (?:like|love|want) (?:my|all|every|each|any|the|code|answers|replies|reports|emails)\b",
        rf"\b(?:i|we) can ?not (?:do|make|work|attend|join|come|meet)(?: on| before| after)? (?:{WEEKDAY}|mornings|evenings|nights|weekends|noon|\d)",
        rf"\bi am (?:only |usually |never |not |always )?(?:free|available|reachable|around|off|busy|out|away) (?:on|before|after|in the|at|from|between|until)\b",
        r"\b(?:anything|everything|whatever|all the \w+|any \w+) you (?:write|send|make|build|produce|generate|draft|create|suggest|cook|book)\b",
        r"^(?!i |we )[\w ,'-]{3,60} (?:only|always|never|everywhere)$|^[\w ,'-]{3,40}, not [\w -]{3,30},? (?:please|in|for|when|with)\b",
        r"\bi am (?:really |very |totally |also )*(?:not )?(?:(?:an? )?(?:big |huge |great |massive )?fan of|into|fond of|keen on|obsessed with|crazy about|partial to|addicted to|more of an?|allergic to meetings|a (?:morning|night|dog|cat|tea|coffee|beach|mountain)[- ](?:person|owl))\b",
        r"\b(?:works? best|easier|suits?|hard|harder|most comfortable|too (?:loud|bright|long|small)) (?:for )?me\b",
        r"\b(?:drives? me|makes? me|makes? my head|gets? on my nerves)\b(?! (?:laugh|smile|think of you))",
        r"\b(?:in|for) every (?:report|answer|reply|email|message|document|plot|chart|file|summary|response)\b",
        r"\b(?:any day|over anything|every time) because\b|\bany day of the week\b",
        r"\bi (?:always|usually|normally|mostly|only|generally|never|tend to|typically) (?:use|take|book|drink|eat|buy|order|wear|fly|travel|go for|read|write|start|sit|choose|pick|listen|cook|shop|work|pay|sleep|wake|get up|have|watch)\b",
        r"\bi (?:find|found) [^,]{2,60} (?:easier|harder|annoying|distracting|confusing|clearer|therapeutic|relaxing|boring|exhausting|soothing|unreadable|hard to|easy to|useful|useless|comforting)\b",
        rf"{I} (?:like|want|need) (?:my|our|all|every|each|reports|answers|replies|summaries|emails|code|responses|things)\b",
        rf"{I} (?:given up on|gave up on|give up on|done with|sick of|switched to|switched from|quit|stopped|gave up|given up|cut out|went off|gone off|outgrown|converted to)\b(?! (?:it|this|that)\b)",
        opens=True,
    ),
)  # fmt: skip

PROJECTS = (
    *rules(
        "project", "project",
        rf"{I} (?:building|working on|writing|developing|designing|planning|organi[sz]ing|preparing|launching|relaunching|creating|training for|renovating|restoring|studying for|"
        r"researching|compiling|rewriting|editing|recording|hosting|translating|applying (?:for|to)|learning|saving(?: up)? for|opening|starting|making|producing|composing|setting up|"
        r"putting together|curating|drafting|porting|refactoring|migrating|rolling out|converting|redesigning|rebuilding|publishing|running a|illustrating|collecting|"
        r"flying|travelling|traveling|driving|going(?! to\b(?!.*\b{WHEN}))|heading|visiting|cycling|hiking|attending|presenting|speaking|giving|getting married|expecting|adopting|buying|selling|moving|prototyping|filming|crowdfunding|testing)\b"
        r"(?! (?:right now|to (?:bed|sleep|lunch|ask|try|need|say|the (?:gym|loo|shop|toilet)))\b)(?! (?:on )?(?:it|this|that)\b(?! (?:year|summer|winter|autumn|spring|month|week)))",
        rf"\b(?:is|are|was) due (?:on|by|in|at|next|for|the|{MONTH})\b|\bdue date\b|\bdeadline\b",
        rf"\b(?:has|have|needs?|must) to be (?:in|done|finished|submitted|ready|delivered|sent|complete|live|handed in|shipped|paid|filed|signed)\b.*\b(?:by|before|on|until)\b",
        rf"^(?!.*\b(?:missing|lost|wrong|broken|notes|minutes|slides)\b)(?:the|our|my|this year's|\p{{L}}+'s) (?:[\w-]+ ){{0,4}}{EVENT}\b[^.?]*? (?:\w+s|\w+ed|will|has|have|go|come|take)\b.*\b(?:{WHEN})",
        rf"\b(?:the|our|my|this year's|his|her|\p{{L}}+'s) (?:[\w-]+ ){{0,4}}{EVENT}\b.* (?:is|are|takes? place|starts?|begins?|ends?|happens?|will be|falls|opens?|runs?|has been (?:moved|postponed|cancelled|scheduled)|was (?:moved|postponed|cancelled)|got (?:moved|postponed|cancelled)|moves)\b.*\b{WHEN}",
        rf"\b(?:go(?:es|ing)? live|launch(?:es|ing)?|ships?|opens?|premieres?) (?:on|in|by|next|at) ?(?:the )?{WHEN}",
        rf"{I} (?:finished|completed|shipped|released|launched|submitted|delivered|published|signed|started|kicked off|passed|wrapped up|won|closed|handed in|defended|finali[sz]ed|begun|began|opened|sold|bought|booked|got accepted|accepted|merged|reached|hit|raised|graduated)\b(?! (?:it|this|that|lunch|breakfast|eating|reading your|the (?:call|page|tab|window|door|file))\b)",
        rf"^(?:{FIRST_ADV})?(?:i|we)(?: have| just| finally| also)* (?!(?:had|ate|went|got (?:home|back|up|here|a|an|this|the)|slept|watched|saw|talked|called|tried|asked|read|looked|spent|drank|cooked|woke|thought|felt|noticed|found|tested|checked|ran|clicked|restarted|forgot|said|told|heard|knew|used)\b)(?:\w+ed|{PAST})\b(?! (?:it|this|that|them|you|to)\b).*\b(?:yesterday|today|last \w+|on {WEEKDAY}|\w+ (?:days|weeks|months) ago|this (?:morning|week|month|afternoon)|in {MONTH}|on \d{{1,2}}(?:st|nd|rd|th| of|\.| {MONTH})|on {MONTH} \d|\d{{4}}-\d\d-\d\d)",
        rf"^(?:the|our|my|this|\p{{L}}+'s) (?!weather|sun|rain|time|clock|download|upload|build|test)[\w '-]{{2,50}}? (?:gets?|is (?:getting|being|going to be)|are (?:getting|being)|will be|will|is to be|has to be) \w+.*\b{WHEN}",
        rf"^(?:the|our|my|\p{{L}}+'s) (?!weather|sun|rain|time|clock|download|upload|build|test)[\w '-]{{2,40}}? (?:arrives?|leaves?|departs?|closes?|opens?|begins?|starts?|ends?|expires?|is coming|comes?|returns?|resumes?|is|are|was|were) (?:on|by|until|due|in|at the end of|next|from)? ?{WHEN}$",
        rf"^(?:starting|from|beginning|as of|effective|until) {WHEN}.*\b(?:i|we|our|my|the)\b",
        r"\b(?:i|we) (?:have |just )?set (?:myself |ourselves )?(?:a|an|the|my|our) (?:\w+ ){0,3}(?:goal|target|budget|deadline|limit)\b",
        r"\b(?:my|our|the) (?:main |big |next |long-term |personal |current )?(?:goal|aim|objective|target|plan|ambition|dream|resolution|project|side project|roadmap|milestone|status) (?:is|for|was|this)\b",
        rf"{I} (?:aim|plan|intend|hope) to\b",
        r"\bthe budget (?:for|of|is|will be|was)\b|\bbudget (?:limit |cap )?(?:is|of|for)\b.*\d|\b(?:scheduled|planned|set|booked) (?:for|on) .*\d|\bwe have (?:a budget|\d[\d,.]*|[€$£]\d)",
        rf"\bfor (?:the|our|my|this) (?:[\w-]+ ){{0,3}}{EVENT}\b.*\b(?:need|want|require|have|booked|looking for|expect|budget)\b",
        rf"\b(?:the|our|my|\p{{L}}+'s) (?:[\w-]+ ){{0,3}}{EVENT} (?:needs?|requires?|has|will have|costs?|must have|is for|should have)\b",
        r"^(?!(?:the )?(?:download|upload|build|sync|install\w*|daemon|script|process|job|test|tests|it|this|that|pipeline)\b)[\p{L}\d '’-]{2,40} (?:is|are) (?:now |currently |fully |officially |finally )*(?:in progress|on hold|delayed|postponed|cancelled|canceled|complete|completed|live|launched|finished|released|shipped|approved|signed)\b",
        r"\b(?:i|we) will be (?:on|away|out of|off|travelling|traveling|in|at|working|starting|moving|back|unavailable|teaching|hosting)\b",
        r"\b(?:i|we) am? ?(?:are )?(?:on (?:parental |maternity |paternity |sick |annual |study )?leave|on sabbatical|out of office|away|off)\b.*\b(?:from|until|till|starting|next|in|between)\b",
        r"\b(?:i|we) have (?:an? )?(?:\w+ ){0,3}(?:interview|exam|appointment|surgery|deadline|flight|audit|presentation|viva|hearing|trip|concert|demo)\b.*\b(?:on|next|in|at|tomorrow|this)\b",
        opens=True,
    ),
    *rules(
        "project", "project",
        r"^(?!.*\b(?:job|cron|script|backup|host|server|port|bot|agent)\b).*\b(?:I|We|we)(?:['’]ve| have| just| recently| also| finally| already)* (?:enrolled|joined|signed up|registered|subscribed|approved|rejected|declined|accepted|hired|confirmed|scheduled|booked|reserved|attended|presented|compromised on|reduced|increased|allocated|invested|volunteered|donated|applied|enlisted|"
        r"committed|adopted|interviewed|negotiated|raised|paid off|opened|founded|started|organi[sz]ed|hosted|visited|competed|participated|took part|got into)\b(?! (?:it|this|that|to (?:think|feel|wonder|see))\b).*(?:\d|(?<=\s)\p{Lu}\p{L}+)",
        opens=True, cased=True,
    ),
    *rules(
        "project", "need",
        r"^(?:and )?(?:the |our )?(?:limit|budget|cost|price|total|capacity|head ?count|venue|location|date|dress code|theme|fee|rent|deposit|maximum|minimum)(?: for it)? (?:is|are|will be|:)|^budget\s*:",
        r"\b(?:we|i) (?:will )?need (?:an? |\d|at least|one|two|three|four|five|six|ten|space|room|seats|parking)\b(?! (?:minute|second|moment|hand|favou?r|break|help))",
    ),
)  # fmt: skip

SYSTEMS = (
    *rules(
        "configuration", "set up",
        rf"{I} (?:installed|set up|configured|reconfigured|deployed|upgraded|downgraded|updated|migrated|enabled|disabled|scheduled|provisioned|registered|mounted|connected|hooked up|moved|renamed|created|removed|"
        r"uninstalled|added|wired|pointed|rolled out|bumped|switched|set|changed|replaced|assigned|linked|paired|flashed|raised|lowered|increased|reduced|rotated|put|hosted|exposed|opened port|swapped|cleaned out|retired|decommissioned)\b"
        r"(?! (?:it|this|that|a (?:mistake|typo|comment|break|question|screenshot)|my (?:mind|hand)|jobs?|house|out\b|the (?:typo|bug|tests?|line|function|variable|title|text|wording|draft|word))\b)",
        r"\b(?:someone|somebody) (?:has |have |had )?(?:re)?(?:configured|installed|set|set up|deployed|upgraded|migrated|enabled|disabled|pointed|moved|changed|switched|renamed|replaced|removed|added)\b",
        rf"\b(?:the|our|my) (?:[\w.'’-]+ ){{0,4}}(?:{MACHINE})\b[^,]{{0,30}}? (?:got|was|were|has been|is being) (?:\w+ed|moved|set|put|swapped|bumped|split)\b",
        r"^(?:someone|somebody|the team|ops|it|the admin|\p{L}+) (?:has |have |just )?(?:re)?(?:configured|installed|set up|deployed|upgraded|migrated|enabled|disabled|scheduled|pointed|moved)\b.*\b(?:to|on|in|from|for|with|at)\b",
        rf"\b{MACHINE}\b[^,]* (?:was|were|has been|have been|got) (?:\w+ly )?(?:installed|set up|configured|reconfigured|deployed|upgraded|downgraded|migrated|enabled|disabled|moved|renamed|replaced|switched|updated)\b",
        opens=False,
    ),
    *rules(
        "configuration", "system",
        r"\b(?:runs?|running|listens?|listening|hosted|deployed|lives?|installed|configured|points?|pointed|mounted|scheduled|located|resides?|sits?|exposed|reachable|served|syncs?|backs? up|stored|kept|posts?|writes?|logs?|connects?|checks?|sends?|fires?|backed up|talks?)\b"
        r"[^,]* (?:on|at|in|under|to|every|with|via|from|behind|through)\b.*(?:\bport\b|/\w|\d|\bhost\b|#\w|\b(?:box|machine|server|cluster|rack|attic|cellar|basement|cloud|docker|kubernetes|vm|nas)\b|\p{L}\.\p{L})",
        rf"^(?:the )?(?:server|host|machine|box|laptop|printer|router|database|db|cluster|node|camera|sensor|bot|agent|service) \w+ (?:has|is|runs?|hosts?|sits?|lives?|uses?|listens?)\b",
        rf"^(?:the|our|my|this|all) [^,]{{3,60}}? (?:is|are|uses?|has|have|runs?|sits?|lives?|mounts?|listens?|takes?|accepts?|needs?|supports?|connects?|goes|go|writes?|reads?|logs?|starts?|now \w+s) .*{IDENTIFIER}",
        rf"^(?:the|our|my|\p{{L}}+'s) [^,]{{3,40}}? (?:opens?|closes?|starts?|ends?|begins?|meets?|runs?|leaves?|departs?|takes place|happens?|is|are|was|falls?|moved|changed|shifted|switched)(?: from [\w: ]+)? (?:at|from|on|to|every|between) (?:\d|{WEEKDAY}|noon|midnight|every|the (?:first|second|third|last))",
        rf"\b(?:the|our|my|this) (?:[\w.'’-]+ ){{0,4}}(?:{MACHINE})\b[^,]{{0,40}}? (?:is|are) (?:called|named|known as|an?|on|at|in|under|behind|version|hosted|configured|set|now|running)\b",
        rf"\b(?:the|our|my) (?:[\w.'’-]+ ){{0,4}}(?:{MACHINE})(?: \w+)? (?:now )?(?:runs?|uses?|lives?|has|listens?|points?|sits|talks|stands|starts|needs|supports)\b",
        r"\b(?:the|our|my) [\w.'’ -]{2,40} (?:is|are) (?:on|at) (?:port|pin|com\d|/|https?:|version|\d)",
        r"\b(?:port|pin|vlan|channel|baud rate|gpio|slot|rack) \d+\b.*",
        r"\b(?:cron|crontab|heartbeat|every \d+ (?:min\w*|hours?|seconds?)|nightly|hourly)\b",
        r"\b(?:sheet|spreadsheet|channel|project|bucket|account|folder|doc|document|board|tenant|site) id\b",
        r"\b(?:standup|stand-up|weekly|retro(?:spective)?|sync|planning|all-hands|one-on-one|1:1|town hall|rehearsal|training|practice|choir|class)\b[^,]* (?:is|are|takes place|happens?|moved|starts?|runs)\b.*\d",
        rf"{I} (?:deploy|host|back up|ship|release|run|monitor|log|store|sync) (?!out\b|low\b|late\b|some\b|every (?:morning|evening|day|week|sunday|saturday))[^,]* (?:to|on|from|with|in|at|via|every)\b",
    ),
    *rules(
        "technical", "stack",
        r"^(?:our|my|the) (?:[\w-]+ )?(?:stack|setup|toolchain|tech stack|tools|rig|kit|gear)\s*:",
        r"\b(?:our|my|the|their) (?:current |whole |tech(?:nology|nical)? |dev(?:elopment)? )*(?:stack|setup|toolchain|tech stack|environment|toolset|rig)\b.* (?:is|are|consists|includes|uses|runs)\b",
        r"\b(?:is|are|was|were) (?:all |mostly |mainly |entirely )?(?:written|built|implemented|programmed|coded|based) (?:in|with|on|using)\b",
        rf"{I} (?:use|using|code in|coding in|program in|develop in|develop on|write [^,]{{0,20}} in|rely on (?!you|them|him|her|my (?:family|friends))|work with|build with|edit with|shoot with|record with|draw with|play on)\b(?! (?:it|this|that|them)\b(?! for)|to\b)",
        rf"{I} (?:build|make|write|develop|store|keep|serve|render|process|draw|edit|record|host|manage|do|handle|plan|track|test) (?:everything|all|most|our|my|the)\b.* (?:with|in|on|using|through|via) \w+",
        r"\b(?:fluent|proficient|experienced|skilled|well versed|at home) (?:in|with)\b|\b(?:new|newcomer) to \p{L}+|\bbeginner (?:in|with|at)\b|\byears of (?:experience|\p{L}+)\b|\b(?:am|are) (?:\w+ )?(?:rusty|comfortable|good|bad) (?:in|with|at) \p{L}+",
        r"\bi (?:know|do not know|never learned|barely know) (?:some |a (?:bit|little) (?:of )?)?(?:python|java\w*|rust|go|c\+\+|c#|sql|html|css|ruby|php|kotlin|swift|docker|kubernetes|linux|git|excel|bash|regex|latex|r|scala|haskell|perl|typescript|react|vue)\b",
        rf"\b(?:our|my|the) (?:[\w-]+ )?(?:backend|frontend|front end|back end|database|codebase|api|app|ci|pipeline|laptop|machine|computer|phone|camera|monitor|printer|os|editor|car|bike|boat|plotter) (?:is|uses|has|runs)\b",
        r"\b(?:on the )?(?:front|back) ?end (?:is|in|with|uses)\b",
    ),
)  # fmt: skip

EVERY = r"\b(?:every|each) (?:single |other )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|autumn|spring|" + WEEKDAY + r"|afternoon|lunch)\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b"

FAVOURITES = rules(
    "preference", "preference",
    r"^(?:and |but )?(?:my|our) (?:absolute |all-time |personal )?(?:favou?rite|least favou?rite|pet peeve|guilty pleasure)\b.* (?:is|are|was)\b",
    r"^(?!(?:what|which|can|could|is|are|it|this|that)\b)[\w' -]{3,40} (?:only )?for me\b(?!.*\b(?:please|find|check|do|make|send|write|run)\b)",
    opens=True,
)  # fmt: skip

SWITCHES = rules(
    "preference", "preference",
    r"^(?:so )?i(?: have| just| recently| finally)* (?:switched|changed|gone|went|moved) (?:over |back )?(?:from [\w -]+ )?to (?!work|bed|sleep|the (?:gym|shop|store|doctor))",
    opens=True, companion=True,
)  # fmt: skip

COMPANION = (
    *rules(
        "preference", "routine",
        rf"^(?:and )?(?:i|we|me and|my|every|each|on|at)\b.*(?:{EVERY})",
        rf"(?:{EVERY}).*\b(?:i|we|my)\b",
        r"\b(?:tradition|ritual|routine|habit)\b",
        r"\b(?:i|we) (?:have been|always|usually) (?:doing|going|meet|play|cook|sing|watch|visit)\b",
        opens=True, companion=True,
    ),
    *rules(
        "identity", "life event",
        r"\b(?:i|we)(?: have| just| finally| recently)* (?:got|get) (?:the (?:keys|job|position|part|role|place|scholarship|grant|visa|flat|house|apartment|results|all-clear)|married|engaged|divorced|promoted|accepted|into|a new job|a (?:puppy|kitten|dog|cat)|my (?:driving|degree|diploma|licen[cs]e|results))\b",
        r"\b(?:we|i) (?:am|are) expecting (?:a|our|my|twins)\b|\b(?:am|is) pregnant\b",
        r"\b(?:passed away|died|was born|got engaged|got married|broke up|split up|moved in together|graduated|retired|came out)\b",
        r"\b(?:i|we)(?: have| just| finally| recently)* (?:adopted|bought|sold|inherited|lost my|became|quit smoking|quit drinking|stopped drinking|stopped smoking|graduated|retired|started therapy|passed my|turned)\b",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "activity",
        r"^(?:i|we)(?: have| am| are| was| just| recently| finally| also| still| been| now)* (?:started|joined|taken up|took up|signed up|began|begun|volunteer(?:ed|ing)?|participat(?:ed|ing)|attend(?:ed|ing)?|learning|practi[sc]ing|blogging|training|coaching|mentoring|fostering|taking (?:a |an )?(?:\w+ )?(?:class|course|lesson)\w*|"
        r"doing (?:yoga|pilates|crossfit|therapy|pottery|ceramics|karate|judo|ballet|\w+ classes)|going to (?:a |the |an )?(?:\w+ ){0,2}(?:class|classes|gym|choir|therapy|church|boot camps?|support group|club|workshop|convention|concert|festival)|went to (?:a |an |the )?(?:\w+ ){0,3}(?:class|convention|concert|festival|support group|workshop|conference|retreat|camp|parade|museum|wedding|reunion|trip|hike))\b(?! (?:it|this|that)\b)",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "feeling",
        r"\b(?:best|favou?rite|highlight|hardest|worst) (?:part|bit|thing|moment|time) (?:of|in|about)\b",
        r"\b(?:means? (?:the world|a lot|everything) to me|keeps? me (?:sane|going)|reminds? me of|tastes? like|feels? like home|first (?:time|place)\b.* feel)",
        r"\bi (?:feel|felt) (?:most |so |really )?(?:at home|like a|alive|safe|free|at peace|proud|lonely|nervous)\b",
        r"\bi (?:miss|cherish|treasure|dream of|have always wanted|have always dreamed|am afraid of|am scared of|am terrified of|worry about)\b",
        opens=True, companion=True,
    ),
    *rules(
        "project", "plan",
        r"\bi (?:want|would love|would like|am hoping|am going|have decided|promised) to (?!know|ask|see if|hear|say|go to (?:bed|sleep)|understand|check|talk)\w+",
        r"\b(?:looking forward to|can ?not wait (?:for|to)|counting (?:down )?the days|bucket list|saving up)\b",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "activity",
        r"\b(?:i|we) (?:play|sing|dance|paint|draw|knit|climb|hike|run|swim|cycle|surf|ski|sail|bake|garden|meditate|do (?:yoga|pilates|karate|judo)|go (?:\w+ing|to the gym)|volunteer|collect|fish|skate|row|box|write poetry|journal|brew|forage)\b(?! (?:it|this|that|out|low|late|the (?:script|test)))",
        opens=True, companion=True,
    ),
)  # fmt: skip

RULES = (
    *CONSTRAINTS, *STANDING_RULES, *SWITCHES, *FAVOURITES, *DECISIONS, *IDENTITY, *PEOPLE, *WORK_AND_PLACE, *PREFERENCES, *COMPANION, *PROJECTS, *SYSTEMS,
)  # fmt: skip
