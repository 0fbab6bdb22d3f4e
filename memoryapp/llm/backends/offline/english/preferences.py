"""English: likes, dislikes and habits."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import THING, WEEKDAY
from memoryapp.llm.backends.offline.english.pieces import FOR_ALL, SPEAKER
from memoryapp.llm.backends.offline.statements import rules

FAVOURITES = rules(
    "preference", "preference",
    r"^(?:and |but )?(?:my|our) (?:absolute |all-time |personal )?(?:favou?rite|least favou?rite|"
    r"pet peeve|guilty pleasure)\b.* (?:is|are|was)\b",
    r"^(?!(?:what|which|can|could|is|are|it|this|that)\b)[\w' -]{3,40} (?:only )?for me\b(?!.*\b(?:please|"
    r"find|check|do|make|send|write|run)\b)",
    opens=True,
)  # fmt: skip

CHOICES = rules(
    "preference", "preference",
    r"^(?:just )?(?:give me|get me|make mine|hand me) [^,]{2,40} (?:over|rather than|instead of|before) "
    r"[^,]{2,40}? "
    r"(?:any ?day|any ?time|every time|always)\b",
    opens=True, directive=True,
)  # fmt: skip

SWITCHES = rules(
    "preference", "preference",
    r"^(?:so )?i(?: have| just| recently| finally)* (?:switched|changed|gone|went|moved) (?:over |"
    r"back )?(?:from [\w -]+ )?to (?!work|bed|sleep|the (?:gym|shop|store|doctor))",
    opens=True, companion=True,
)  # fmt: skip

PREFERENCES = (
    *rules(
        "preference", "preference",
        rf"{SPEAKER} (?:really |strongly |very much |absolutely |so |quite |rather |simply |truly |dearly "
        rf")*(?:prefer|like|love|adore|enjoy|hate|"
        r"dislike|"
        r"loathe|detest|favou?r|appreciate|despise|cherish)(?:s|d|ed|red|ked|yed)?\b"
        r"(?! (?:it|this|that|these|those|your|you|talking to you|chatting|the (?:idea|answer|sound|look|"
        r"way you|(?:\w+ )?(?:colou?rs?|vibes?|view|photos?|pics?|pictures?|leaves|details?|spirit|attitude|"
        r"design)|last|first|second|new one|result|suggestion)(?: of (?:that|it|this))?$|how you|"
        r"to (?:know|ask|see|hear|say))\b)",
        rf"{SPEAKER} (?:can ?not stand|can ?not bear|can ?not (?:work|deal|cope|live|concentrate|sleep|"
        r"think|focus|read) (?:with|without|in|under)|(?:can ?not )?get enough of|have a (?:soft spot|"
        r"weakness|thing) for|am a sucker for|"
        r"not (?:really )?like|not (?:really )?enjoy|"
        r"could not live without|can ?not live without|swear by|live for|am obsessed)\b",
        r"\b(?:my|our) (?:absolute |all-time |personal )?(?:favou?rite|preferred|go-to|least favou?rite|"
        r"pet peeve|guilty pleasure|editor of choice|default) ?.* (?:is|are|was)\b",
        r"\b(?:is|are) (?:pretty much |still |now |definitely |totally |one of |among )*(?:my|our) (?:\w+ "
        r")?(?:faves?|favou?rites?|"
        r"go-to|top pick|pick|choice|jam|thing)\b",
        r"\bis (?:now )?(?:my|our) (?:absolute |all-time |new )?(?:favou?rite|go-to|preferred|comfort|"
        rf"happy place|(?:\w+ )?{THING})\b",
        r"^(?!it\b|this\b|that\b|game\b|all\b|what\b|\w+ing\b|\w+ed\b|go\b|come\b|hand\b|turn\b|take\b|"
        r"pop\b|bring\b)"
        r"[\p{L}][\w.+#-]*(?: [\w.+#-]+)? over (?!the\b|here\b|there\b|to\b|my\b|it\b|"
        r"\d)[\p{L}][\w.+#-]*(?: [\w.+#-]+)?$",
        # "I just love it when the VPN drops" is irony.
        r"^(?!.*\b(?:love|like|enjoy|appreciate) it when\b.*\b(?:drops?|crash\w*|fails?|breaks?|freez\w+|"
        r"hangs?|lags?|"
        r"disconnects?|goes down|times out|stops? working)\b)"
        r"(?:i|we) (?:really |absolutely |kind of |totally |just |do |strongly )*(?:like|love|hate|"
        r"dislike|detest|prefer|"
        r"appreciate|can ?not stand|loathe|enjoy|would like|would prefer) it (?:when|if|that) (?!you "
        r"(?:said|did|told))",
        r"\b(?:is|are) (?:the (?:one|ones|\w+)|what|by far what|the only (?:one|\w+)) (?:that )?(?:i|we) "
        r"(?:\w+ly )?(?:like|"
        r"love|prefer|enjoy|trust|use|reach for|go for|swear by)\b",
        r"^i can (?:only |just )?(?:do|make|manage|come|work|attend|meet|join)(?: on| only)* "
        r"[^,]{0,30}(?:days?|mornings?|"
        r"evenings?|afternoons?|weekends?|nights?)(?: only)?$",
        r"^[\w.+#-]+(?: [\w.+#-]+)? over [\w.+#-]+(?: [\w.+#-]+)?,? (?:for me|any day|always|every time|"
        r"hands down)\b",
        rf"\bi (?:always |now |usually )?(?:take|have|keep|get) (?:my |the |all )?(?:{WEEKDAY}|mornings?|"
        rf"afternoons?) (?:off|"
        r"free)\b",
        rf"\bi am off (?:work )?(?:every|each|on) (?:\w+ )?{WEEKDAY}\b",
        r"^(?:goodbye|bye(?: bye)?|farewell|so long|adios),? [\w .+-]{2,30}, (?:hello|hi|welcome|hola),? "
        r"[\w .+-]{2,30}$",
        r"\bbeats (?:everything|anything|all|every other|any other|the rest)\b(?=.*\b(?:me|my|because|"
        r"since|i)\b)",
        r"\bi (?:take|drink|have) my (?:coffee|tea|espresso|eggs|steak|toast|porridge|cocoa)\b",
        r"^(?:goodbye|farewell|so long|no more),? (?!and\b|thanks|for now|everyone|all|questions|from)[\w "
        r".+-]{2,30}$",
        r"\bi (?:work|think|focus|concentrate|sleep|write|learn|read) (?:best|better|worst|worse)\b",
        r"\bi (?:eat|drink|smoke|use|wear|drive|ride|read) (?:\w+ )?\w+ (?:again|now)\b",
        r"\bmeans? (?!a lot|the world|everything|nothing|so much)\w+(?: \w+)? to me\b",
        r"\bno [\w ]{2,20} in (?:the|my|our|any|all|your) [\w ]{3,25}(?:,? please)?$",
        r"\bi (?:always |usually |mostly |tend to )?go for\b",
        r"^(?!(?:i|we|it|this|that|what|how) )[\w' -]{3,50} (?:when|whenever|if) you (?:write|reply|answer|"
        r"talk|send|email|"
        r"explain|summari[sz]e|quote)\b",
        r"\bi would (?:much |far )?(?:rather|sooner|prefer)\b",
        rf"\bi would (?:like|love|want|appreciate|be happier with) .*{FOR_ALL}",
        r"\bi would (?:like|love|want) (?:my|all|every|each|any|the|code|answers|replies|reports|emails)\b",
        rf"\b(?:i|we) can ?not (?:do|make|work|attend|join|come|meet)(?: on| before| after)? (?:{WEEKDAY}|"
        r"mornings|evenings|nights|weekends|noon|\d)",
        r"\bi am (?:only |usually |never |not |always )?(?:free|available|reachable|around|off|busy|out|"
        r"away) (?:on|before|after|in the|at|from|between|until)\b",
        r"\b(?:anything|everything|whatever|all the \w+|any \w+) you (?:write|send|make|build|produce|"
        r"generate|draft|create|suggest|cook|book)\b",
        r"^(?!i |we )[\w ,'-]{3,60} (?:only|always|never|everywhere)$|"
        r"^[\w ,'-]{3,40}, not [\w -]{3,30},? (?:please|in|for|when|with)\b",
        r"\bi am (?:really |very |totally |also )*(?:not )?(?:(?:an? )?(?:big |huge |great |"
        r"massive )?fan of|into|fond of|keen on|obsessed with|crazy about|partial to|addicted to|"
        r"more of an?|allergic to meetings|a (?:morning|night|dog|cat|tea|coffee|beach|"
        r"mountain)[- ](?:person|owl))\b",
        r"\b(?:works? best|easier|suits?|hard|harder|most comfortable|too (?:loud|bright|long|"
        r"small)) (?:for )?me\b",
        r"\b(?:drives? me|makes? me|makes? my head|gets? on my nerves)\b(?! (?:laugh|smile|think of you))",
        r"\b(?:in|for) every (?:report|answer|reply|e-?mail|mail|letter|message|document|plot|chart|file|"
        r"summary|"
        r"response)\b",
        r"\bthat is (?:how|the way|just how) i (?:like|want|prefer|do) (?:it|them|things|mine)\b",
        r"\bi can ?not (?:come|attend|join|make it|meet|start|be (?:there|in|online|reached)|take calls) "
        rf"(?:\w+ )?(?:before|after|until|on|between|earlier than|later than) (?:{WEEKDAY}|\d|noon|midday|"
        r"lunch|"
        r"seven|eight|nine|ten|eleven|twelve|one|two|three|four|five|six|school|sunset)",
        r"\bi (?:am|have always been) (?:\w+ )?(?:scared|afraid|terrified|frightened|petrified|phobic) of "
        r"(?!you|this|that|it|what|the (?:test|exam|result|answer|future))\w+|\bi (?:get|faint|"
        r"panic) (?:\w+ )?"
        r"(?:seasick|carsick|airsick|sea-sick|car-sick|travel[- ]sick|vertigo|at the sight|in lifts|"
        r"in elevators|"
        r"in crowds)",
        r"\bi (?:would|will|had) (?:always |rather |sooner |much rather )*(?:take|pick|choose|go with|"
        r"have|use|read|get) "
        r"[^,]{1,40} (?:over|than|instead of|rather than|before) [^,]{1,40}",
        r"\b(?:i|we) will not be (?:there|in|here|available|around|reachable|free|online|at work|at my "
        r"desk) (?:on|before|"
        r"after|in the|until)\b",
        r"^(?:and )?(?:i|we) would (?:like|love|prefer) (?!two|three|four|five|six|ten|some|the|a few|more|"
        r"these|those|\d)(?:all |my |our |any )?(?:\w+ )?\w{3,}s (?:in|as|"
        r"with|without|by|on) "
        r"(?!advance|hand|general|mind|return|well)\w+",
        r"\bthat is my (?:idea of|kind of|sort of)\b",
        r"\b(?:give me (?:headaches?|a headache|the creeps|hives|a rash|anxiety|migraines?)|"
        r"puts? me (?:to sleep|off|"
        r"in a))\b|\b(?:makes?|gives|hurts?|strains?|tires?|bores?) (?:me|my (?:eyes?|head|back|skin|"
        r"ears?|brain|"
        r"stomach|mood|teeth|neck|day))\b(?! (?:on|through|in touch|back|an? (?:call|hand|minute|second|"
        r"list|example|"
        r"link|idea|hint|summary|moment)|the|some|up|know|your|two|three|all|one|happy|smile|laugh|feel|"
        r"so|want|love|appreciate|think|wonder|realise|realize|believe|proud|glad|"
        r"hungry|curious|miss|even|really)\b)",
        r"\bi am (?:more of )?an? (?:\w+ )?[\w+#.-]+ (?:person|guy|girl|gal|fan|enthusiast|addict|lover|"
        r"snob|nerd)\b",
        r"\bnothing (?:in the world |at all |ever |else )?(?:beats|compares|comes close|tops)\b",
        r"\bi (?:do not|no longer|rarely|hardly ever|seldom|barely) (?:use|read|drink|eat|play|watch|buy|"
        r"listen to|wear|"
        r"drive|ride|take|answer|pick up)\b(?! (?:it|this|that|them)\b)",
        r"^(?:whenever|when|every time|each time) i (?!(?:send|ask|say|write|give|show|tell|paste|share|"
        r"mention|upload)\b)"
        r"\w+ .*?\bi (?!(?:want|need|expect|would like|see|get|am getting|have to|can not)\b)\w+",
        r"\b(?:is|are) (?:sacred|a must|a tradition|our thing|my thing|a ritual|my weakness|"
        r"my comfort \w+|my idea of|"
        r"the best thing)\b",
        r"\b(?:any day|over anything|every time) because\b|\bany day of the week\b",
        r"\bi (?:always|usually|normally|mostly|only|generally|never|tend to|typically) (?:use|take|book|"
        r"drink|eat|buy|order|wear|fly|travel|go for|read|write|start|sit|choose|pick|listen|cook|shop|"
        r"work|pay|sleep|wake|get up|have|watch)\b",
        r"\bi (?:find|found) [^,]{2,60} (?:easier|harder|annoying|distracting|confusing|clearer|"
        r"therapeutic|relaxing|boring|exhausting|soothing|unreadable|hard to|easy to|useful|useless|"
        r"comforting|tiring|tedious|stressful|\w+(?:some|less))\b",
        rf"{SPEAKER} (?:like|want|need) (?:my|our|all|every|each|reports|answers|replies|summaries|emails|"
        r"code|"
        r"responses|things)\b",
        rf"{SPEAKER} (?:it with|enough of|fed up with|given up on|gave up on|give up on|done with|sick of|"
        rf"switched to|switched from|quit|"
        r"stopped|gave up|given up|cut out|went off|gone off|outgrown|converted to)\b(?! (?:it|this|"
        r"that)\b)",
        opens=True,
    ),
)  # fmt: skip
