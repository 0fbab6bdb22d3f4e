"""English: who somebody is, what they do and where they live."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import NUMBER_WORD, PROFESSION
from memoryapp.llm.backends.offline.english.pieces import NAME, NOT_A_NAME, SPEAKER
from memoryapp.llm.backends.offline.statements import rules

IDENTITY = (
    *rules(
        "identity", "name",
        r"\bI(?: am|['’]m) (?:Dr\.? |Prof\.? |Mrs?\.? |Ms\.? )?(?!(?:OK|Ok|I|TL|Sorry|Not|So|Just|In|On|"
        r"At)\b)\p{Lu}[\p{L}'’-]+",
        r"\b[Mm]y (?:full |first |last |real |middle |maiden |family |sur|nick|pen |stage )?name(?: is|"
        r"['’]s)\b",
        rf"\b[Cc]alls? me (?:just )?{NOT_A_NAME}\p{{Lu}}",
        r"^(?:[Tt]he )?[Nn]ame(?: is|['’]s) \p{Lu}|\b(?:everyone|everybody|people|friends|folks|they|"
        r"colleagues) (?:just )?calls? me \p{Lu}|"
        r"\b(?:[Ee]veryone|[Ee]verybody|[Pp]eople|[Ff]riends|[Ff]olks|[Mm]ost) (?:just |mostly |usually "
        r")?says? \p{Lu}\p{L}+[.!]?$",
        rf"^{NOT_A_NAME}{NAME} (?:here|speaking|typing)(?:,? (?!is|are|was|it|the|"
        r"we)\p{L}|[,.!;:–—-]*$)",
        r"^(?!(?:im|dev|ops|support|team|admin|mum|mom|dad|not|new|over|all|same|right|still|out|up|down|"
        r"back|in|nothing|everything|something|"
        r"anything|no|yes|"
        r"so|just|and|but|what|who|it|me|he|she|we|they|you|again|also|only|long|home|near|around|done|"
        r"stop|start|is|are|"
        r"was|live|lives|sun|rain|winter|summer|spring|autumn|people|someone|nobody|everyone|look|come|"
        r"from|here)\b)"
        r"\p{Ll}{3,14} here(?:[,.;!:–—-]|$|,? (?:from|at|in)\b)",
        r"\b(?:knows?|introduced?) me as \p{Lu}|\bI(?: am|['’]m) (?:better |best |mostly )?known as \p{Lu}",
        r"\bI (?:go|answer) (?:by|to) (?:the name (?:of )?)?\p{Lu}",
        rf"^(?:[Tt]his is|[Ii]t(?: is|['’]s)|[Hh]ere is) {NAME}(?:,| from| at| here| speaking| again)",
        opens=True, cased=True,
    ),
    *rules(
        "identity", "name",
        # "im raff, sound engineer": a name in small letters is told by the trade behind it.
        r"^i am (?!an?\b|the\b|not\b|so\b|very\b|also\b|now\b|sorry\b|tired\b|sure\b|afraid\b|happy\b|"
        r"glad\b|in\b|at\b|"
        r"on\b|back\b|new\b|just\b|\w+ing\b|\w+ed\b)\p{L}{2,14}(?: \p{L}{2,16})?, (?:an? |the "
        r")?(?:[\w'’-]+ ){0,2}"
        rf"{PROFESSION}",
        opens=True,
    ),
    *rules("identity", "name", r"^(?:the |my )?name(?: is|['’]s) (?!not\b|the\b|wrong\b|too\b)\p{L}{2,}", opens=True),
    *rules("identity", "name", r"\bmy (?:full |first |last |real |sur|nick)?name is (?!not\b)\w+", opens=True),
    *rules(
        "identity", "health",
        r"\bi (?:am|have been diagnosed|was diagnosed)\b[^,]* (?:allergic|coeliac|celiac|diabetic|vegan|"
        r"vegetarian|pescatarian|pescetarian|flexitarian|lactose|gluten|asthmatic|"
        r"intolerant|pregnant|colou?r[- ]?blind|deaf|dyslexic|left[- ]handed|autistic|hard of hearing|"
        r"epileptic|an?emic|teetotal|halal|kosher|with (?:adhd|asthma|diabetes|celiac))\b",
        r"\bi (?:have|suffer from|live with|got|have got) (?:an? |severe |mild |chronic |bad |terrible |"
        r"type \d )*(?:asthma|diabetes|adhd|migraines?|coeliac|celiac|[\w-]+ (?:allergy|intolerance|"
        r"phobia)|allerg\w+|"
        r"high blood pressure|arthritis|epilepsy|tinnitus|eczema|hay fever|insomnia|dyslexia|gout|"
        r"endometriosis|reflux|a pacemaker)\b",
        r"\bi (?:am |have )?(?:went|go|gone|going|turned|turning|became|been|eat|cook) (?:\w+ly |"
        r"mostly )?(?:vegan|"
        r"vegetarian|pescatarian|gluten[- ]free|dairy[- ]free|sugar[- ]free|sober|teetotal|halal|kosher|"
        r"keto)\b",
        r"^(?:and |but )?my (?:hearing|eyesight|vision|balance|immune system|back|knees?|joints|lungs|"
        r"heart|stomach|skin) (?:is|are) (?:\w+ly |a bit "
        r"|quite |rather |very )*(?:not (?:\w+ )?(?:great|good|strong|what)|n[o']t|poor|bad|weak|sensitive|"
        r"impaired|failing|going)\b",
        r"\bi can ?not (?:do|handle|stomach|digest) (?:\w+ ){0,2}(?:food|dairy|gluten|milk|meat|nuts|spice|"
        r"cheese|alcohol|caffeine|"
        r"sugar|wheat|shellfish)\b",
        r"\bi can ?not have (?!\w+ing\b|to\b|it\b|that\b|this\b|both\b|everything\b)\w+",
        r"\bi (?:can ?not|do not|never|only|no longer|must not|may not) (?:eat|drink|smoke|tolerate|"
        r"digest|take|have (?:any )?(?:dairy|gluten|sugar|alcohol|meat|caffeine|nuts|milk|wheat|salt|fish|"
        r"pork|beef|coffee|lactose)) ?\w*",
        opens=True,
    ),
)  # fmt: skip

WORK_AND_PLACE = (
    *rules(
        "identity", "work",
        r"^(?:and |so |but )?i am (?:also |currently |actually |now |still |originally |"
        r"by trade )*(?:an?|the|one of the|self-employed|retired|semi-retired|unemployed|freelance|head|"
        r"chief|co-?founder|founder)"
        r"\b(?! (?:bit|little|lot|fan|big fan|huge fan|beginner|mess|wreck|bundle|total|complete|real|bad|"
        r"good|great|slow|fast|potato|idiot|fool|loser|genius|morning|night|early|heavy|light|"
        rf"visual)\b)[^.]{{0,40}}?\b(?:{PROFESSION}|self-employed|retired|freelance)",
        r"^(?:and |so )?i am (?:\w+ )?(?:head|chief|director|deputy|secretary|treasurer|chair|president|"
        r"captain|"
        r"skipper|principal|dean|curator|editor|manager|owner|founder|co-?founder|mayor) (?:of|at|for) ",
        r"^(?:and |so )?i (?:am )?(?:[\w-]+ and )?(?:self-employed|retired|semi-retired|unemployed|"
        r"widowed)\b",
        r"^(?:and |but )?(?:before that |earlier |back then |formerly |previously )?i used to (?:be an?|"
        r"work|teach|run|"
        r"repair|build|drive|nurse|manage|own|farm|paint houses|sell|write for|serve|fly|sail|"
        r"make)\b(?!.*\b(?:but (?:now|"
        r"these days)|until|when i was)\b)",
        rf"{SPEAKER} (?:work|working|worked) (?:as|at|for|in|with|from|part-time|full-time|remotely|"
        r"freelance|"
        r"on the|nights|shifts)\b(?!.*\b(?:this|it) (?:bug|issue|now)\b)",
        r"^we (?:run|own|manage|operate) (?:an?|the|our|two|three) (?!script|test|query|server|cluster|"
        r"database|migration)",
        rf"{SPEAKER.replace('(?:i|we)', 'i')} (?:run|own|teach|study|studying|lecture|practi[sc]e|manage|"
        r"direct|"
        r"chair|coach|farm|brew|repair|restore|tune|breed|curate|conduct)\b (?!out\b|into\b|it\b|this\b|"
        r"that\b|the (?:test|script|command|build|code|migration|query)|low\b|late\b|some\b|every\b|\d|"
        r"tests?\b)",
        r"^i (?:also |mostly |mainly )?(?!know|think|guess|hope|mean|need|want)\w+ .*\bfor a living\b",
        r"^i (?!know|think|guess|hope|mean|need|want|am|was|have|can|could|will|would|should|did|do\b|"
        r"went|met|saw|got|had|love|like|enjoy|hate|miss)\w+ [^,]*\b(?:for|at) (?:an? |"
        r"the )?(?:\w+ ){0,3}(?:firm|company|hospital|clinic|school|university|agency|bank|ministry|"
        r"studio|museum|ngo|charity|startup|start-up|council|university|college|newspaper|magazine|"
        r"orchestra|theatre|theater|station|lab|institute|ship|harbour|airport|railway|court)\b",
        r"\bmy (?:current |new |day |main |first )?(?:job|role|profession|position|employer|company|title|"
        r"occupation|trade|industry|field|major|degree|line of work)(?: title)? (?:is|was)\b",
        r"\bi am (?:responsible for|in charge of|on the \w+ team|part of the|with the|employed|studying|"
        r"training (?:to be|as)|doing (?:a|my) (?:phd|master|degree|apprenticeship|doctorate))\b",
        r"^i (?:am|was|have been) (?:now )?with [\w &.-]+ (?:now|these days|since|for)\b",
        r"^(?:and )?i (?:was|got|have been) (?:just |recently )?(?:made(?! (?:a|the|it|me|to feel))|named|"
        r"elected|nominated|appointed|chosen as|voted)\b",
        r"\bi (?:have |just |recently )*(?:switched|changed|got a new) jobs?\b",
        r"\b(?:i|we) (?:got|was|have been|just got)?\s*(?:promoted|appointed|hired|laid off|"
        r"made redundant)\b",
        r"\bi (?:started|start|began|begin) (?:at|as|a new job|my new job|working)\b",
        r"\bi (?:no longer|do not) work\b|\bi (?:quit|left|am leaving|resigned from) (?:my job|"
        r"\p{L}+)\b(?=.*\b(?:job|work|company|started|join|employer|work(?:ing)? for|last \w+)\b)",
        r"\bi have (?:been (?:an? |(?:working|teaching) (?:as|at|for|in|with|from|on the))|(?:\d+|two|"
        r"three|five|ten|twenty)\+? years)\b",
        r"\bi have been (?!(?:trying|waiting|thinking|wondering|looking|meaning|having|getting|feeling|told|"
        r"asked|seeing|using|"
        r"listening|hoping|learning|playing)\b)\w+ing\b.*\b(?:for|since|over) (?:the (?:last|past) )?(?:\d+|"
        r"\w+ years|\w+ decades|"
        r"(?:19|20)\d\d)",
        r"\bi (?:am|work)(?: now| no longer| back| only| mostly| always)* (?:on )?(?:the |a )?(?:nights?|"
        r"days?|early|late|morning|"
        r"evening|weekends?) shifts?\b|\bi (?:now )?work (?:nights|days|weekends|evenings)\b",
        r"\bi (?:will be|am) (?:only )?working (?:only )?(?:\w+ )?(?:days|hours|part[- ]time|full[- ]time|"
        r"remotely|from home)\b",
        opens=True,
    ),
    *rules("identity", "residence", r"\bI(?: am|['’]m) (?:now |back )?in \p{Lu}[\p{L}'’-]+(?: "
                                    r"\p{Lu}[\p{L}'’-]+)? "
                                    r"(?:now|these days|for good|permanently)\b", opens=True, cased=True),
    *rules("identity", "work", r"\bI (?:just |recently )?(?:quit|left|resigned from|am leaving|"
                               r"['’]m leaving) (?:my job|\p{Lu}[\p{L}&.]+)", opens=True, cased=True),
    *rules(
        "identity", "residence",
        rf"{SPEAKER} (?:live|living|reside|based|located|come|staying permanently|settled) (?:in|at|from|"
        r"near|"
        r"on|out of|with|by|between|just)\b",
        rf"{SPEAKER} (?:moved|relocated|relocating|moving|move|emigrated|immigrated) (?:out |over |back |"
        r"house |"
        r"home )*(?:from|to|into|in with|in)\b(?! (?:the|a|an|my|our) (?:next|other|new (?:version|"
        r"server|folder|branch)))(?!.*\b(?:db|database|server|files?|folder|branch|repo|port|code)\b)",
        r"\b(?:i|we) (?:have |just |recently )*(?:moved|relocated) (?:the|our|my) (?:\w+ )?(?:office|"
        r"headquarters|hq|shop|studio|workshop|"
        r"practice|lab|laboratory|store|clinic|bakery|restaurant|gallery|family|business) (?:from [\w ]+ "
        r")?to\b",
        r"\bi (?:am|was|come) (?:originally |actually )?from (?!the (?:future|office|team)|work|scratch|"
        r"here)\w+",
        r"\bi (?:grew up|was born|was raised)\b",
        r"\bwe (?:live|moved|are moving) (?:in|to|from|into|back)\b",
        r"^(?:our|my|the) (?:new |main |head |current |local )?(?:office|headquarters|hq|shop|studio|"
        r"workshop|school|company|practice|lab|laboratory|warehouse|branch|store|factory|plant|clinic|"
        r"farm|gym|club|café|cafe|restaurant|bakery|boat|allotment|garden|team) (?:is|are|moved|sits|"
        r"is located|is based) (?:now )?(?:in|at|on|to|near)\b(?!.*\d\.\d)",
        r"(?:^|[,;] |\band |\bmy |\bour |\bnow )home is (?:now )?(?:in )?(?!key\b|where\b|important|"
        r"everything|safe|sweet|the best)\w+|\bmy (?:new )?(?:birthplace|home|hometown|home town|home city|"
        r"base) is\b",
        r"\bmy (?:current |home |new |permanent |postal )?(?:time ?zone|city|town|hometown|address|"
        r"postcode|zip code|country|nationality|citizenship)\b.* (?:is|are|has changed)\b",
        opens=True,
    ),
    *rules(
        "identity", "person data",
        r"\bmy (?:new |current |mobile |work |home |private )*(?:number|e-?mail|handle|nickname|username) "
        r"is\b",
        r"\bmy (?:birthday|date of birth|age|native language|mother tongue|first language|pronouns|"
        r"e-?mail(?: address)?|phone number|mobile number|github handle|username|shoe size|blood type|"
        r"star sign|height) (?:is|are|was)\b",
        r"\bi am (?:on|in) (?:\w+ ){1,4}time(?: zone)?\b|\bi am (?:on|in) (?:utc|gmt|cet|cest|est|edt|pst|"
        r"pdt|cst|ist|jst|aest|nzst)\b",
        r"\bi am \d{1,3}(?: years old| y/?o)?(?:$|[,. ])(?! ?(?:%|percent|minutes|min|hours|km|miles|"
        r"pages|steps))",
        rf"\bi am (?:now |already )?(?:{NUMBER_WORD})(?: years old)?(?:$|,| and\b)",
        r"^i (?:just )?(?:turn|turned|am turning) (?:\d{2}|twenty|thirty|forty|fifty|sixty|seventy)",
        r"\bi (?:only |mainly |also |fluently )?speak (?:only |mainly |fluent |some |a (?:bit|"
        r"little) (?:of )?)?\p{L}+",
        r"\bi (?:only |also |can |mainly |do not )*(?:read|understand|write|sign) (?:only |some |a little |"
        r"fluent |basic )?(?:english|french|"
        r"german|italian|spanish|portuguese|dutch|polish|russian|czech|turkish|greek|arabic|hebrew|hindi|"
        r"japanese|chinese|mandarin|korean|"
        r"swedish|norwegian|danish|finnish|welsh|irish|latin|braille)\b(?! (?:books?|novels?|poetry|food|"
        r"literature|press|news))",
        r"\b(?:native (?:speaker|language)|mother tongue)\b|\bi am (?:\w+ )?(?:bilingual|trilingual)\b",
        opens=True,
    ),
)  # fmt: skip
