"""English: plans, milestones, deadlines, and what stands in their way for a while."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import EVENT, MONTH, WEEKDAY, WHEN
from memoryapp.llm.backends.offline.english.pieces import FIRST_ADV, PAST, SPEAKER
from memoryapp.llm.backends.offline.statements import rules

CONSTRAINTS = (
    *rules(
        "project", "constraint",
        r"\b(?:hurt|broke|broken|torn|ruptured|bruised|sprained|twisted|injured|pulled|strained|tore|"
        r"fractured|dislocated|cracked|"
        r"burnt|burned|operated on) (?:my|an?) ",
        r"\b(?:my|a) (?:knee|ankle|wrist|shoulder|back|leg|arm|foot|hand|hip|elbow|neck|rib|toe|finger|"
        r"achilles|meniscus)\b.*\b(?:hurts?|injur\w+|broken|sprained|"
        r"surgery|operation|is (?:acting up|bad)|inflamed|torn|in (?:a|plaster) ?(?:cast|sling|splint|"
        r"brace|boot)?|"
        r"in plaster|healing|out of action)\b",
        r"\b(?:can ?not|no|not able to|unable to|not allowed to|will not|have to skip|taking a break from|"
        r"pausing|on hold|paused)\b.*\b(?:for a while|for now|until|till|"
        r"for (?:the )?(?:next )?(?:a |an |\d+|one|two|three|four|five|six|eight|ten|twelve|few|"
        r"couple)\b.*(?:days?|weeks?|months?)|this (?:month|week|season|term)|at the moment)\b",
        r"\b(?:i|we) (?:am|are|will be) (?:temporarily|currently) (?:not|without|unable|off)\b",
        r"\b(?:temporarily|for the time being)\b",
        r"\b(?:has|have) to (?:wait|pause|rest)\b.*\b(?:weeks?|months?|days|until|till)\b|\b(?:is|"
        r"are) (?:out|on ice|"
        r"on hold|off the table|not an option|off limits) (?:for (?!me\b|us\b)(?:the )?(?:\w+ )?(?:days|"
        r"weeks|months?|now|while|season|time)|until|till)\b",
        r"\bi (?:have|caught|got|am down with) (?:the |a )?(?:flu|covid|pneumonia|concussion|tendonitis|"
        r"chickenpox|shingles)\b",
        r"\b(?:recovering|recover) from\b",
        r"\b(?:doctor|gp|physio\w*|surgeon|dentist|therapist|midwife|cardiologist|specialist)s? (?:says?|"
        r"said|told me|wants?|"
        r"ordered|insists?|advised|recommends?|thinks?) .*\b(?:no|not|nothing|less|cut|reduce|rest|stop|"
        r"avoid|can ?not|should|until|"
        r"before|off|only|"
        r"need|give up)\b",
        opens=True,
    ),
)  # fmt: skip

PROJECTS = (
    *rules(
        "project", "project",
        rf"{SPEAKER} (?:building|working on|writing|developing|designing|planning|organi[sz]ing|preparing|"
        r"launching|relaunching|creating|training for|renovating|restoring|studying for|"
        r"researching|compiling|rewriting|editing|recording|hosting|translating|applying (?:for|to)|"
        r"learning|saving(?: up)? for|opening|starting|making|producing|composing|setting up|"
        r"putting together|curating|drafting|porting|refactoring|migrating|rolling out|converting|"
        r"redesigning|rebuilding|publishing|running a|illustrating|collecting|"
        r"flying|travelling|traveling|driving|going(?! to\b(?!.*\b{WHEN}))|heading|visiting|cycling|"
        r"hiking|attending|presenting|speaking|giving|getting married|expecting|adopting|buying|selling|"
        r"moving|prototyping|filming|crowdfunding|testing)\b"
        r"(?! (?:right now|to (?:bed|sleep|lunch|ask|try|need|say|the (?:gym|loo|shop|"
        r"toilet)))\b)(?! (?:on )?(?:it|this|that)\b(?! (?:year|summer|winter|autumn|spring|month|week)))",
        r"^(?:the|our|my|one) (?:\w+ ){0,2}(?:project|job|thing|task|commission|book|thesis|order|"
        r"contract)s? (?:that |which )?"
        r"(?:i am|we are|i have|we have|i run|keeps? (?:me|us))\b[^:,]{0,40}(?::|\bis\b)",
        rf"^(?:the |our |my )?(?:[\w-]+ ){{0,2}}(?:cut-?over|go-live|migration|release|launch|roll-?out|"
        rf"hand-?over|relaunch|"
        rf"move|inauguration) (?:was|is|went|happened|took place|happens|takes place)\b.*\b(?:{WHEN}|ago|"
        rf"yesterday)\b",
        r"^(?:the|our|my|this year's|\p{L}+'s) [\w' -]{3,40}? (?:takes|will take|is taking) place\b",
        r"^(?:i am|we are) (?:very |quite |currently |still |also )*(?:busy (?:with|on|writing|building|"
        r"planning)|"
        r"knee-deep in|"
        r"in the middle of|halfway through) (?!it\b|this\b|that\b|(?:a|the) (?:movie|film|episode|game|"
        r"match|call|meeting|lesson|song|show)|something|lunch|dinner|"
        r"breakfast|work\b)",
        r"^(?:current|my current|our current|next|main|side|latest|new) (?:project|job|commission|"
        r"assignment)\s*(?::| is\b)",
        rf"\b(?:is|are|was) due (?:on|by|in|at|next|for|the|{MONTH})\b|\bdue date\b|\bdeadline\b",
        r"\b(?:has|have|needs?|must) to be (?:in|done|finished|submitted|ready|delivered|sent|complete|"
        r"live|handed in|shipped|paid|filed|signed)\b.*\b(?:by|before|on|until)\b",
        r"^(?!.*\b(?:missing|lost|wrong|broken|notes|minutes|slides)\b)(?:the|our|my|this year's|"
        rf"\p{{L}}+'s) (?:[\w-]+ ){{0,4}}{EVENT}\b[^.?]*? (?:\w+s|\w+ed|will|has|have|go|come|"
        rf"take)\b.*\b(?:{WHEN})",
        rf"\b(?:the|our|my|this year's|his|her|\p{{L}}+'s) (?:[\w-]+ ){{0,4}}{EVENT}\b.* (?:is|are|"
        r"takes? place|starts?|begins?|ends?|happens?|will be|falls|opens?|runs?|has been (?:moved|"
        r"postponed|cancelled|scheduled)|was (?:moved|postponed|cancelled)|got (?:moved|postponed|"
        rf"cancelled)|moves)\b.*\b{WHEN}",
        rf"^(?:the|our|my|this year's|\p{{L}}+'s) (?:[\w-]+ ){{0,3}}{EVENT} (?:got|has been|was|is being) "
        rf"(?:moved|postponed|cancell?ed|rescheduled|"
        rf"delayed|brought forward|pushed back|called off)\b",
        rf"\b(?:have|have got|got|gives? (?:me|us)) (?:only |just |time )?(?:until|till|by) (?:the )?{WHEN}",
        rf"^(?:i|we) (?:will |are going to |am going to )?(?:ship|launch|release|open|start|begin|leave|fly|"
        rf"move|publish|"
        rf"go live|deliver|submit|close|finish|hand in|present|perform|host|visit|meet)\b.*(?:\b{WHEN}|"
        r"\b(?:from (?:today|now)|ago)\b)",
        rf"^(?:i|we) (?:am|are) (?:\w+ly |also |both |all )?(?!(?:not|so|very|trying|thinking|hoping|"
        rf"waiting|looking|wondering|"
        r"asking|feeling|having|getting|being|reading|eating|sitting|seeing|kidding|joking|"
        r"struggling)\b)\w+ing (?:an?|the|my|our|to|in|"
        rf"at|for|with|up|on)\b.*\b(?:tomorrow|(?:this|next|on|from|until|in|at the end of) (?:the )?{WHEN})",
        r"^i (?:will )?(?:take care of|bring|am bringing|provide|am in charge of) the \w+[.!]?$",
        r"^(?:the|our|my|\p{L}+'s) [\w' -]{3,50}? (?:has been|have been|was|were|got|is) (?:now |finally |"
        r"just )?(?:granted|approved|"
        r"rejected|accepted|confirmed|cancelled|canceled|awarded|signed|delivered|refused|funded|postponed|"
        r"extended|published)\b",
        rf"^(?:i|we) (?:want|need|hope|plan|would like|have) .*\b(?:ready|done|finished|out|live|complete|"
        rf"up) (?:by|before|in|on) "
        rf"(?:the )?{WHEN}",
        r"^(?:i|we) (?:have |just |finally )*got (?:the|our|my) (?:keys?|permit|go-ahead|grant|contract|"
        r"results|loan|visa|approval|"
        r"funding|green light|licen[cs]e|diploma)\b",
        r"^for (?:the|our|my|this) [\w' -]{3,40}?,? (?:we|i) (?:will |still |also |would )*(?:need|want|"
        r"like|have|require|get|book)\b",
        r"^(?:the|our|my|this year's|\p{L}+'s) [\w' -]{3,50}? (?:is|are|runs?|lasts?|takes place|goes|"
        r"happens) "
        r"(?:from |on |between )?"
        rf"\d{{1,2}}(?:st|nd|rd|th)?(?: ?(?:to|until|till|–|-|and) ?\d{{1,2}}(?:st|nd|rd|th)?)? (?:of "
        rf")?{MONTH}\b",
        r"^(?:the|our|my) [\w'’ -]{3,40} (?:needs?|requires?|will need|costs?)\b.*(?:[€$£]\d|\b\d[\d.,]*k? "
        r"?(?:euros?|dollars|"
        r"pounds|francs|kronor|zloty)\b)",
        r"^(?:the|our|my) (?!.*\b(?:[gt]b|ram|cpu|port|volts?|watts?|firmware|driver)\b)[\w'’ -]{3,40} "
        r"needs? (?:\d+|an?|two|three|four|"
        r"five|six|ten|new) [^.]*, [^.]* and \w+",
        rf"\b(?:i|we) (?:have|need) to (?!know|go|ask|see|check|think|say|admit)\w+ .*\b(?:by|before|until) "
        rf"(?:the )?{WHEN}",
        r"\b(?:go(?:es|ing)? live|launch(?:es|ing)?|ships?|opens?|premieres?) (?:on|in|by|next|"
        rf"at) ?(?:the )?{WHEN}",
        rf"{SPEAKER} (?:finished|completed|shipped|released|launched|submitted|delivered|published|signed|"
        r"inspected|surveyed|handed over|repaired|planted|harvested|recorded|tested|"
        r"started|kicked off|passed|wrapped up|won|closed|handed in|defended|finali[sz]ed|begun|began|"
        r"opened|sold|bought|booked|got accepted|accepted|merged|reached|hired|recruited|hit|raised|"
        r"graduated)\b(?! (?:it|this|that|lunch|breakfast|eating|reading your|the (?:call|page|tab|"
        r"window|door|file))\b)",
        rf"^(?:{FIRST_ADV})?(?:i|we)(?: have| just| finally| also)* (?!(?:had|ate|went|got (?:home|back|"
        r"up|here|a|an|this|the)|slept|watched|saw|talked|called|tried|asked|read|looked|spent|drank|"
        r"cooked|woke|thought|felt|noticed|found|tested|checked|ran|clicked|restarted|forgot|said|told|"
        rf"heard|knew|used)\b)(?:\w+ed|{PAST})\b(?! (?:it|this|that|them|you|to)\b).*\b(?:yesterday|today|"
        rf"last \w+|on {WEEKDAY}|\w+ (?:days|weeks|months) ago|this (?:morning|week|month|afternoon)|"
        rf"in {MONTH}|on \d{{1,2}}(?:st|nd|rd|th| of|\.| {MONTH})|on {MONTH} \d|\d{{4}}-\d\d-\d\d)",
        r"^(?:the|our|my) (?:[\w'-]+ ){0,2}(?:committee|council|board|client|customer|court|bank|landlord|"
        r"management|publisher|editor|ministry|jury|union|school|university|parish|insurer|authority|"
        r"regulator|"
        r"sponsor|museum|foundation|city|landlady|investor|supplier|contractor|architect)s? (?:has |have |"
        r"just |finally "
        r")*(?!said|told|asked|wrote|was|were|had|called|replied|complained|insisted|warned|noticed|"
        r"liked|loved|hated|"
        r"needed|wanted|seemed|looked|turned)(?:\w+ed|{PAST}) (?!to (?:me|us)\b).*",
        r"^(?:the|our|my|this|\p{L}+'s) (?!weather|sun|rain|time|clock|download|upload|build|"
        r"test)[\w '-]{2,50}? (?:gets?|is (?:getting|being|going to be)|are (?:getting|being)|will be|"
        rf"will|is to be|has to be) \w+.*\b{WHEN}",
        r"^(?:the|our|my|\p{L}+'s) (?!weather|sun|rain|time|clock|download|upload|build|"
        r"test)[\w '-]{2,40}? (?:arrives?|leaves?|departs?|closes?|opens?|begins?|starts?|ends?|"
        r"expires?|is coming|(?:comes?|goes) (?:down|up|in|out|off|back)|comes?|returns?|resumes?|is|are|"
        r"was|were) (?:on|by|until|due|in|"
        rf"at the end of|next|from)? ?{WHEN}$",
        rf"^(?:starting|from|beginning|as of|effective|until) {WHEN}.*\b(?:i|we|our|my|the)\b",
        r"\b(?:i|we) (?:have |just )?set (?:myself |ourselves )?(?:a|an|the|my|our) (?:\w+ ){0,3}(?:goal|"
        r"target|budget|deadline|limit)\b",
        r"\b(?:my|our|the) (?:main |big |next |long-term |personal |current )?(?:goal|aim|objective|"
        r"target|plan|ambition|dream|resolution|project|side project|roadmap|milestone|status) (?:is|for|"
        r"was|this)\b",
        rf"{SPEAKER} (?:aim|plan|intend|hope) to\b",
        r"\bthe budget (?:for|of|is|will be|was)\b|\bbudget (?:limit |cap )?(?:is|of|for)\b.*\d|"
        r"\b(?:scheduled|planned|set|booked) (?:for|on) .*\d|\bwe have (?:a budget|\d[\d,.]*|[€$£]\d)",
        rf"\bfor (?:the|our|my|this) (?:[\w-]+ ){{0,3}}{EVENT}\b.*\b(?:need|want|require|have|booked|"
        r"looking for|expect|budget)\b",
        rf"\b(?:the|our|my|\p{{L}}+'s) (?:[\w-]+ ){{0,3}}{EVENT} (?:needs?|requires?|has|will have|costs?|"
        r"must have|is for|should have)\b",
        r"^(?!(?:the )?(?:download|upload|build|sync|install\w*|daemon|script|process|job|test|tests|it|"
        r"this|that|pipeline)\b)[\p{L}\d '’-]{2,40} (?:is|are) (?:now |currently |fully |officially |"
        r"finally )*(?:in progress|on hold|delayed|postponed|cancelled|canceled|complete|completed|live|out|"
        r"published|printed|delivered|in print|up and running|launched|finished|released|shipped|approved|"
        r"signed)\b",
        r"\b(?:migration|rollout|rewrite|move|renovation|survey|audit|relaunch|refactor(?:ing)?|"
        r"translation|thesis|"
        r"draft|conversion|transition|restoration|pilot|campaign|inventory|stocktake|clean-?up|merger|"
        r"handover|"
        r"negotiations?) (?:is|was|are|were) (?:now |all |finally |fully |officially )*(?:done|over|finished|"
        r"completed?|behind us|signed|agreed)\b",
        r"^(?:the|our|my) [\w'’ -]{3,40} (?:is|are|takes place|will be|meets?) (?:in|at) (?:room|hall|"
        r"building|studio|"
        r"auditorium|gate|platform|table|the \w+ (?:room|hall))\b",
        r"\b(?:i|we) will be (?:on|away|out of|off|travelling|traveling|in|at|working|starting|moving|"
        r"back|unavailable|teaching|hosting)\b",
        r"\b(?:i|we) am? ?(?:are )?(?:on (?:parental |maternity |paternity |sick |annual |study )?leave|"
        r"on sabbatical|out of office|away|off)\b.*\b(?:from|until|till|starting|next|in|between)\b",
        r"\b(?:i|we) have (?:an? )?(?:\w+ ){0,3}(?:interview|exam|appointment|surgery|deadline|flight|"
        r"audit|presentation|viva|hearing|trip|concert|demo)\b.*\b(?:on|next|in|at|tomorrow|this)\b",
        opens=True,
    ),
    *rules(
        "project", "project",
        r"^(?!.*\b(?:job|cron|script|backup|host|server|port|bot|agent)\b).*\b(?:I|We|we)(?:['’]ve| have|"
        r" just| recently| also| finally| already)* (?:enrolled|joined|signed up|registered|subscribed|"
        r"approved|rejected|declined|accepted|hired|confirmed|scheduled|booked|reserved|attended|"
        r"presented|compromised on|reduced|increased|allocated|invested|volunteered|donated|applied|"
        r"enlisted|"
        r"committed|adopted|interviewed|negotiated|raised|paid off|opened|founded|started|organi[sz]ed|"
        r"hosted|visited|competed|participated|took part|got into)\b(?! (?:it|this|that|to (?:think|feel|"
        r"wonder|see))\b).*(?:\d|(?<=\s)\p{Lu}\p{L}+)",
        opens=True, cased=True,
    ),
    *rules(
        "project", "need",
        r"^(?:and )?(?:the |our )?(?:new |latest |final |revised |original )?(?:limit|budget|cost|price|"
        r"total|capacity|head ?count|venue|location|"
        r"date|dress code|theme|fee|rent|deposit|maximum|minimum)(?: for it)? (?:is|are|will be|:)|"
        r"^budget\s*:",
        r"\b(?:we|i) (?:will )?need (?:an? |\d+|at least|one|two|three|four|five|six|ten|space|room|seats|"
        r"parking)\b(?! (?:\w+ )?(?:coffees?|teas?|beers?|drinks?|naps?|hugs?|holidays?)\b)(?! (?:minute|"
        r"second|moment|hand|favou?r|break|help))",
    ),
)  # fmt: skip
