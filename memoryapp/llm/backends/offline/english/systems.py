"""English: what was set up, where it runs, and what things are made with."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import MACHINE, PERSON, TOOLS, WEEKDAY
from memoryapp.llm.backends.offline.english.pieces import IDENTIFIER, SPEAKER
from memoryapp.llm.backends.offline.statements import rules

NEW_MACHINES = rules(
    "configuration",
    "system",
    rf"{SPEAKER} (?:have )?(?:bought|got|ordered|built|purchased|picked up) .*\b(?:\d+ ?[gt]b|ram|ssd|ghz|"
    rf"cpu|gpu)\b",
)
# What was done to a machine is told by its verb, whenever it was done.
OWN_TOOLS = rules(
    "technical",
    "stack",
    rf"\bi am (?:\w+ly |pretty |a bit |rather |quite |very |ok |really |still )*(?:decent|good|bad|hopeless|"
    rf"terrible|great|okay|"
    rf"fine|strong|weak|comfortable|useless|solid|rusty|fluent|proficient|experienced|lost|clueless) (?:at|"
    rf"with|in|when it "
    rf"comes to) (?:{TOOLS}|sql|css|html|excel|regex|bash)\b",
    r"^(?:i|we) know (?!you|him|her|them|that|this|it|how|what|why|where)[\w.+#/-]+(?: [\w.+#/-]+)? "
    r"(?:inside out|"
    r"inside and out|by heart|really well|very well|quite well|well enough|like the back of)\b",
    rf"^(?:but |and )?(?:i|we) (?:have )?(?:never|hardly ever|barely|rarely) (?:touched|written|used|coded "
    rf"in|"
    rf"programmed in|learn(?:ed|t)|worked with|built anything (?:in|with)) (?:any |a line of |much "
    rf")?(?:{TOOLS})",
    rf"\bmy (?:{TOOLS}) (?:is|are) (?:\w+ly |a bit |pretty |quite |very |still )*(?:rusty|weak|basic|good|"
    rf"fluent|"
    r"decent|shaky|non-?existent|solid|poor|better|limited)\b",
    rf"\b(?:i am|we are) (?:completely |fairly |quite |very |still |totally |brand )*(?:new to|at home in|"
    rf"fluent in|"
    rf"good at|bad at|hopeless at|confident (?:in|with)|a (?:beginner|newcomer|novice) (?:in|at|to|with)) "
    rf"(?:{TOOLS})",
    r"^(?:my|our|the) (?:main |usual |whole )?(?:tools?|toolbox|tool kit|kit|gear|software|equipment|"
    r"instruments) (?:is|are|consists?|"
    r"includes?)\b",
    r"^(?:(?:the|our|my) )?(?:\w+ ){0,3}(?:site|website|app|shop|blog|api|front ?end|back ?end|game|tool|"
    r"service|bot|"
    r"firmware|dashboard|portal|plug-?in|library|server|newsletter|system) (?:is|was) (?:built|written|"
    r"made|coded|programmed|"
    r"developed|implemented) (?:with|in|on|using)\b",
    r"^(?:i|we) (?:\w+ly |always |now )*(?:code|program|script|develop) (?:\w+ly |almost |only |all )*in "
    r"(?!the\b|my\b|a\b)[\w+#]",
    r"^(?:the|our|my) [\w' -]{3,40}? (?:that |which )?(?:i|we) (?:use|run|rely on|work with|code in|write "
    r"in|host)(?: for [\w' -]{3,30})? "
    r"(?:is|are)\b",
    r"^(?:my|our) (?:editor|agent|client|driver|controller|assistant) (?:is|runs)\b.*\d",
)
SET_UP = (
    *rules(
        "configuration", "set up",
        rf"{SPEAKER} put\b.*\d+\.\d+",
        rf"{SPEAKER} (?:set|capped|limited|raised|lowered) (?:the|our|my|all) [\w' -]{{3,40}}? (?:to|at|"
        rf"from) (?:\d|an? "
        r"hour|on\b|off\b)",
        rf"{SPEAKER} (?:installed|set up|configured|reconfigured|deployed|upgraded|downgraded|updated|"
        rf"migrated|provisioned|flashed|"
        r"patched|rolled out|bumped|turned (?:off|on)|switched (?:off|on))\b"
        r"(?! (?:it|this|that|my (?:mind|hand)|out\b|the (?:typo|bug|tests?|line|function|variable|title|"
        r"text|wording|draft|word|"
        r"plan|budget|schedule|contract|light|lights|tv|lamp|radio|music|heating))\b)",
    ),
)  # fmt: skip

SYSTEMS = (
    *rules(
        "configuration", "system",
        r"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:[\w-]+ ){0,3}(?:network|[Ww]i-?[Ff]i|hotspot|ssid|SSID|vlan|VLAN|"
        r"workspace|bucket|channel) (?:is called|is "
        r"named|goes by|name is)\b",
        r"^(?:I|[Ww]e) (?:always |usually )?(?:keep|store|save|archive|back up|put) .+ (?:in|under|on|at|"
        r"to|into) (?:~?/|//|[A-Z]:\\)\S",
        rf"^(?:[Tt]he|[Oo]ur|[Mm]y|\p{{Lu}}\p{{L}}+['’]s) (?!(?:\p{{L}}+ ){{0,3}}(?:{PERSON}|person|man|"
        r"woman|one|name)\b)[\p{Ll}\d'’ "
        r"-]{2,40} (?:is|are) "
        r"(?:now )?(?:an? |the )?(?:\p{L}+ )?\p{Lu}[\p{L}\d-]+(?: \p{Lu}?[\p{L}]*\d[\w.-]*|"
        r" \p{Lu}[\p{L}\d-]*| "
        r"[IVX]+)+(?: (?:on|in|at|under|behind|by|with|from)\b|,|[.!]?$)",
        cased=True,
    ),
    *rules(
        "configuration", "set up",
        rf"{SPEAKER} (?:installed|set up|configured|reconfigured|deployed|upgraded|downgraded|updated|"
        r"migrated|"
        r"enabled|disabled|scheduled|provisioned|registered|mounted|connected|hooked up|moved|renamed|"
        r"created|removed|"
        r"uninstalled|added|wired|pointed|rolled out|bumped|switched|set|changed|replaced|assigned|linked|"
        r"paired|flashed|raised|lowered|increased|reduced|rotated|hosted|exposed|opened port|swapped|"
        r"cleaned out|retired|decommissioned)\b"
        r"(?! (?:it|this|that|some\b|a bit of|a pinch of|more\b|a (?:mistake|typo|comment|break|question|"
        r"screenshot)|my (?:mind|hand)|jobs?|"
        r"houses?|flats?|apartments?|rooms?|out\b|the (?:typo|bug|tests?|line|function|variable|title|text|"
        r"wording|draft|word))\b)",
        rf"{SPEAKER} put\b.*(?:\b(?:{MACHINE}|port|rack)\b|\d+\.\d+)",
        r"\b(?:someone|somebody) (?:has |have |had )?(?:re)?(?:configured|installed|set|set up|deployed|"
        r"upgraded|migrated|enabled|disabled|pointed|moved|changed|switched|renamed|replaced|removed|"
        r"added)\b",
        rf"\b(?:the|our|my) (?:[\w.'’-]+ ){{0,4}}(?:{MACHINE})\b[^,]{{0,30}}? (?:got|was|were|has been|"
        r"is being) (?:\w+ed|moved|set|put|swapped|bumped|split)\b",
        r"^(?:the|our|my) [\w'’ -]{3,40}? (?:was|were|has been|have been|got) (?:re)?(?:switched|converted|"
        r"moved|changed|upgraded|"
        r"connected|wired|renamed|swapped|set|tuned|relabelled|rerouted|routed|assigned|mounted) (?:to|from|"
        r"onto|with|over)\b",
        r"^(?:the|our|my) [\w'’ -]{3,40}? (?:was|were|has been|have been|got) (?:\w+ly )?(?:re-?)?\w+(?:ed|"
        r"lt|nt|wn|set|put|built)\b.*"
        r"\b(?:a while (?:ago|back)|ages ago|at some point|some time ago|long ago|sometime|years ago)\b",
        r"^(?:someone|somebody|the team|ops|it|the admin|\p{L}+) (?:has |have |"
        r"just )?(?:re)?(?:configured|installed|set up|deployed|upgraded|migrated|enabled|disabled|"
        r"scheduled|pointed|moved)\b.*\b(?:to|on|in|from|for|with|at)\b",
        rf"\b{MACHINE}\b[^,]* (?:was|were|has been|have been|got) (?:\w+ly )?(?:installed|set up|"
        r"configured|reconfigured|deployed|upgraded|downgraded|migrated|enabled|disabled|moved|renamed|"
        r"replaced|switched|updated)\b",
        opens=False,
    ),
    *rules(
        "configuration", "system",
        r"\b(?:runs?|running|listens?|listening|hosted|deployed|lives?(?! (?:music|bands?|acts?|show|"
        r"stream|jazz|broadcast))|installed|configured|points?|"
        r"pointed|mounted|scheduled|located|resides?|sits?|exposed|reachable|served|syncs?|backs? up|"
        r"stored|kept|posts?|writes?|logs?|connects?|checks?|sends?|fires?|backed up|talks?)\b"
        r"[^,]* (?:on|at|in|under|to|every|with|via|from|behind|through)\b.*(?:\bport\b|/\w|\d|\bhost\b|"
        r"#\w|\b(?:box|machine|server|cluster|rack|attic|cellar|basement|cloud|docker|kubernetes|vm|"
        r"nas)\b|\p{L}\.\p{L})",
        r"^(?:the|our|my) [\w' -]{3,50}? (?:is|are) (?:now |still |directly )?(?:connected|wired|linked|"
        r"hooked up|attached|"
        r"plugged|paired|chained|bolted) (?:to|into|with) (?:the|our|my|an?)\b",
        r"^(?:the|our|my) [\w' -]{3,40}? (?:is|are) (?:only |now |always |usually )*(?:open|closed|staffed|"
        r"reachable|manned|"
        r"available) (?:from |on |between |until |all |\d|mon|tues|wednes|thurs|fri|satur|sun|weekdays)",
        r"^(?:the|our|my) [\w' -]{3,40}? (?:runs?|is heated|are heated|is powered|are powered|is fuelled) "
        r"(?:entirely |only "
        r"|mainly )?(?:on|off|with|by) (?!time|low|empty|schedule|fumes|coffee|autopilot|adrenaline|it|"
        r"this|that|my|the|"
        r"your|a\b|an\b)\w+",
        r"^(?:the|our|my|all|both) [\w' -]{3,40} (?:hangs?|lives?|sits?|lies?|stands?|are kept|is kept|"
        r"are stored|is stored|"
        r"are hidden|is hidden|is parked|are parked|goes|go|belongs?) (?:in|on|under|behind|next to|"
        r"inside|above|below|"
        r"between|beside|at|by) (?:the|our|my|a)\b(?! (?:mood|time|moment|floor again|way))",
        r"^(?:the )?(?:server|host|machine|box|laptop|printer|router|database|db|cluster|node|camera|"
        r"sensor|bot|agent|service) \w+ (?:has|is|runs?|hosts?|sits?|lives?|uses?|listens?)\b",
        r"^(?:the|our|my|this|all) [^,]{3,60}? (?:is|are|uses?|has|have|runs?|sits?|lives?|mounts?|"
        r"listens?|takes?|accepts?|needs?|supports?|connects?|goes|go|writes?|reads?|logs?|starts?|"
        rf"now \w+s) .*{IDENTIFIER}",
        r"^(?:the|our|my|\p{L}+'s) [^,]{3,40}? (?:opens?|closes?|starts?|ends?|begins?|meets?|runs?|"
        r"leaves?|departs?|takes place|happens?|is|are|was|falls?|moved|changed|shifted|"
        rf"switched)(?: from [\w: ]+)? (?:at|from|on|to|every|between) (?:\d|{WEEKDAY}|noon|midnight|"
        r"every|the (?:first|second|third|last))",
        rf"\b(?:the|our|my|this) (?:[\w.'’-]+ ){{0,4}}(?:{MACHINE})\b[^,]{{0,40}}? (?:is|are) (?:called|"
        r"named|known as|an?|on|at|in|under|behind|version|hosted|configured|set|now|running)\b",
        rf"^(?:the|our|my) (?:[\w.'’-]+ ){{0,3}}(?:{MACHINE}) (?:is|are) [\w.-]*\d[\w.-]*\b",
        rf"\b(?:the|our|my) (?:[\w.'’-]+ ){{0,4}}(?:{MACHINE})(?: \w+)? (?:now )?(?:runs?|uses?|lives?|"
        r"has|listens?|points?|sits|talks|stands|starts|needs|supports)\b",
        r"\b(?:the|our|my) [\w.'’ -]{2,40} (?:is|are) (?:on|at) (?:port|pin|com\d|/|https?:|version|\d)",
        r"^(?:the|our|my|all) [\w' -]{3,40} (?:is|are) (?:now |always |automatically )?(?:forwarded|routed|"
        r"redirected|diverted|synced|"
        r"mirrored|backed up|billed|charged|copied|printed|stored|kept|delivered|collected) (?:to|by|from|"
        r"at|on|in|every|between)\b",
        rf"^(?:we|i) have (?:got )?(?:an?|the|two|three) (?:new |old |second |spare |used )?(?:\w+ "
        rf"){{0,2}}{MACHINE}\b",
        r"\b(?:port|pin|vlan|channel|baud rate|gpio|slot|rack) \d+\b.*",
        r"\b(?:cron|crontab|heartbeat|every \d+ (?:min\w*|hours?|seconds?))\b|"
        r"\b(?:runs?|syncs?|backs? up|posts?|sends?|checks?|writes?|copies|restarts?|"
        r"starts?)\b.*\b(?:nightly|hourly)\b|"
        r"\b(?:nightly|hourly)\b.*\b(?:runs?|syncs?|posts?|sends?|goes|writes?|starts?|copies|at \d)\b",
        r"\b(?:sheet|spreadsheet|channel|project|bucket|account|folder|doc|document|board|tenant|site) id\b",
        r"\b(?:standup|stand-up|weekly|retro(?:spective)?|sync|planning|all-hands|one-on-one|1:1|"
        r"town hall|rehearsal|training|practice|choir|class)\b[^,]* (?:is|are|takes place|happens?|moved|"
        r"starts?|runs)\b.*\d",
        rf"{SPEAKER} (?:deploy|host|back up|ship|release|run|monitor|log|store|sync) (?!out\b|low\b|late\b|"
        r"some\b|every (?:morning|evening|day|week|sunday|saturday))[^,]* (?:to|on|from|with|in|at|via|"
        r"every)\b",
    ),
    *rules(
        "technical", "stack",
        r"^(?:our|my|the) (?:[\w-]+ )?(?:stack|setup|toolchain|tech stack|tools|rig|kit|gear)\s*:",
        r"\b(?:our|my|the|their) (?:current |whole |tech(?:nology|nical)? |dev(?:elopment)? )*(?:stack|"
        r"setup|toolchain|tech stack|environment|toolset|rig)\b.* (?:is|are|consists|includes|uses|runs)\b",
        r"\b(?:is|are|was|were) (?:all |mostly |mainly |entirely )?(?:written|built|implemented|"
        r"programmed|coded|based) (?:in|with|on|using)\b",
        rf"{SPEAKER} (?:use(?! (?:my|our|their) (?:influence|time|voice|resources|skills|experience|"
        rf"platform|energy|art|music|words)\b)|using|code in|coding in|program in|develop in|develop on|"
        rf"write [^,]{{0,20}} in|"
        r"rely on (?!you|them|him|her|my (?:family|friends))|work with|build with|(?:edit|shoot|record|"
        r"draw|sketch|mix|compose|develop|"
        r"print|mill|weave|model|animate|photograph|film) (?:with|on|in)|play on)\b(?! (?:it|this|that|"
        r"them)\b(?! for)|to\b)",
        rf"{SPEAKER} (?:build|make|write|develop|store|keep|serve|render|process|draw|edit|record|host|"
        r"manage|"
        r"do|handle|plan|track|test) (?:everything|all|most|our|my|the)\b.* (?:with|in|on|using|through|"
        r"via) \w+",
        r"\b(?:fluent|proficient|experienced|skilled|well versed|at home) (?:in|with)\b|\b(?:new|"
        r"newcomer) to \p{L}+|\bbeginner (?:in|with|at)\b|\b(?:i|we) .*\byears of \p{L}+\b|\b(?:am|"
        r"are) (?:\w+ )?(?:rusty|comfortable|good|bad) (?:in|with|at) \p{L}+",
        r"\bi (?:know|do not know|never learned|barely know) (?:some |a (?:bit|"
        r"little) (?:of )?)?(?:python|java\w*|rust|go|c\+\+|c#|sql|html|css|ruby|php|kotlin|swift|docker|"
        r"kubernetes|linux|git|excel|bash|regex|latex|r|scala|haskell|perl|typescript|react|vue)\b",
        r"\b(?:our|my|the) (?:[\w-]+ )?(?:backend|frontend|front end|back end|database|codebase|api|app|"
        r"ci|pipeline|laptop|machine|computer|phone|camera|monitor|printer|os|editor|car|bike|boat|"
        r"plotter) (?:is|uses|has|runs)\b",
        r"\b(?:on the )?(?:front|back) ?end (?:is|in|with|uses)\b",
    ),
)  # fmt: skip
