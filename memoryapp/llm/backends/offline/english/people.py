"""English: the people and animals around somebody."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import COLLEAGUES, FAMILY, KIN, MACHINE, PERSON, PETS, THING
from memoryapp.llm.backends.offline.english.pieces import NAME, NOT_A_NAME, TITLE
from memoryapp.llm.backends.offline.statements import rules

PEOPLE = (
    *rules(
        "relationship", "person",
        r"^(?:[Mm]e and \p{Lu}\p{L}+|\p{Lu}\p{L}+ and (?:I|me)|[Mm]y \p{L}+(?: \p{Lu}\p{L}+)? and I) "
        r"(?:have been|are|got|"
        r"will be) (?:\w+ )?(?:together|married|engaged|dating|a couple|friends)\b",
        r"^(?:[Ff]or|[Ww]ith|[Aa]bout|[Oo]n|[Ii]n case of|[Ww]hen it comes to|[Ii]f it(?:['’]s| is) about|"
        r"[Ii]f) "
        r"[^,]{3,60},? (?:please |just |always |best )*(?:ask|talk to|speak to|speak with|contact|write to|"
        r"call|ping|see|"
        r"go to|turn to|try|get|get hold of|reach out to|email|ring|you want|you need|you['’]ll want|you "
        r"should "
        r"(?:ask|talk to|speak to)|(?:the|your) (?:person|contact|one)(?: to ask)? is|it['’]s) "
        rf"(?:(?:my|our) \p{{Ll}}+ )?{NOT_A_NAME}(?:{TITLE} )?\p{{Lu}}\p{{Ll}}+|^(?:[Pp]lease )?(?:[Aa]sk|"
        rf"[Tt]alk to|[Cc]ontact|"
        r"[Ww]rite to|[Cc]all|[Pp]ing|[Ss]ee) \p{Lu}\p{L}+(?: \p{Lu}\p{L}+)? (?:about|for|when|if|"
        r"whenever)\b",
        opens=True, cased=True, directive=True,
    ),
    *rules(
        "relationship", "person",
        r"\b(?:[Mm]y|[Oo]ur)(?: (?!(?:on|in|at|from|to|with|for|of|by|every|and|is|was|the|as|than|or|"
        rf"near)\b)\p{{Ll}}[\p{{L}}-]+){{1,4}}(?<!\b{MACHINE}),? {NOT_A_NAME}\p{{Lu}}[\p{{L}}'’-]+(?: "
        r"\p{Lu}[\p{L}'’-]+)?,? (?:(?:who|and I|just|also|now|always|only|usually|never|"
        r"recently) )*(?:is|was|are|has|have|can|can['’]t|will|won['’]t|must|does|doesn['’]t|got|grew|"
        r"came|went|\p{Ll}+(?<!e)s|\p{Ll}+es|\p{Ll}+ed)\b",
        rf"^(?:(?:[Mm]eet|[Ww]elcome|[Ii]ntroducing|[Ss]ay (?:hello|hi) to) )?(?:[Tt]he |[Oo]ur |[Mm]y "
        rf")?(?:[Nn]ew(?:est)? |"
        rf"[Ll]atest |[Nn]ext )?(?:hire|starter|joiner|recruit|member|colleague|face|addition|"
        rf"{COLLEAGUES})(?: (?:in|on|at|"
        rf"for|of) [^:]{{2,30}})?: (?:{TITLE} )?{NAME}",
        rf"^(?:[Mm]eet|[Ww]elcome|[Ii]ntroducing|[Ss]ay (?:hello|hi) to) (?:my|our) [^:]{{2,40}}?,? {NAME}",
        r"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:\p{L}+['’]s |\p{Ll}+ ){0,2}(?:one|person|man|woman|people|guy|lady|"
        r"contact|name|colleague|boss|rep|"
        r"human)s?"
        rf"(?: (?:who|that|to|for|behind|in|at|responsible)\b[^,]{{2,50}}?)? (?:is|are) {NAME}",
        rf"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:\p{{Ll}}[\p{{L}}-]+ ){{0,2}}{PERSON},? {NAME},? \p{{Ll}}+",
        rf"^(?:[Mm]y|[Oo]ur) (?:\p{{Ll}}[\p{{L}}'’-]* ?){{1,4}}(?<!\b{MACHINE} )(?<!\b{THING} "
        r")(?<!\b(?:home|name|address|birthplace|company|employer|school|university|project|street|team|"
        rf"street|base) )(?:is|was) (?:called |named )?(?:{TITLE} )?"
        rf"{NOT_A_NAME}\p{{Lu}}[\p{{L}}'’-]+ \p{{Lu}}[\p{{L}}'’-]+",
        rf"^{NOT_A_NAME}(?:Dr\.? |Prof\.? |Mr\.? |Mrs\.? |Ms\.? )?{NAME}(?:,? (?:from|at|in|of|"
        r"on) [^,]{2,40},?|, [^,]{3,40},)? (?:is|was) (?:(?:now )?(?:my|our)(?! (?:\w+ )?(?:stress|relief|"
        r"escape|passion|outlet|life|therapy|fix|priority|dream|goal|hobby|thing|"
        r"happy|refuge|everything|rock|motivation|inspiration|biggest)\b)(?! (?:new |absolute |all-time |"
        r"top |first |one )?(?:fave|pick|choice|jam|favou?rite|go-to|preferred|default|comfort|"
        rf"happy|[\w ]*?\b(?:{THING}|"
        rf"{MACHINE})\b))|the (?:new )?(?:{COLLEAGUES}|one (?:who|to)|person)|responsible|in charge|head|"
        r"on call)\b",
        rf"^{NOT_A_NAME}(?:Dr\.? |Prof\.? |Mr\.? |Mrs\.? |Ms\.? )?{NAME}(?:,? (?:from|at|in|of|"
        r"on) [^,]{2,40},?|, [^,]{3,40},)? (?:owns|leads|manages|handles|heads|maintains|approves|"
        r"signs off|reports to|"
        r"supervises|coordinates|oversees|represents|takes care of|looks after|deals with|covers|supplies|"
        r"chairs|mentors|reviews|(?:works?|teaches|studies) (?:on|with|in|at|for|as))\b",
        rf"\b(?:I|[Ww]e) (?:\p{{Ll}}+ly )?(?:work|deal|train|study|team up|share \p{{Ll}}+ \p{{Ll}}+) with "
        rf"(?:{TITLE} )?{NAME},? "
        r"(?:an?|the|our|my|who|from|at|in)\b",
        rf"^(?:(?:[Mm]y|[Oo]ur) )?(?:\p{{Ll}}+ )?(?:{KIN}|{PERSON}|{NAME}) (?:turns|is turning|turned|will "
        rf"be|will turn) "
        r"(?:\d{1,3}|(?:\p{Ll}+ty|\p{Ll}+teen)) ?(?:on|in|next|this|years|$)",
        r"\b(?:is|are|gets?) (?:all |always |usually |now )?(?:handled|managed|looked after|taken care of|"
        r"dealt with|"
        r"owned|overseen|covered|maintained|coordinated|led|supervised|done|run|approved|signed off|"
        r"organi[sz]ed) "
        rf"by (?:my |our |the )?(?:\p{{Ll}}[\p{{L}}-]+ )?{NAME}",
        r"\b(?:is|are|was|were) (?:\w+ly |all |always )?(?:\p{Ll}+ed|\p{Ll}+ld|\p{Ll}+ght|\p{Ll}+ne|"
        r"\p{Ll}+en|cut|run) by "
        r"(?:Dr\.? |Mrs?\.? |Ms\.? )?\p{Lu}[\p{L}'’-]+ (?:\p{Ll}{2,3} )?\p{Lu}[\p{L}'’-]+",
        rf"\b(?i:questions?|quer(?:y|ies)|requests|complaints|invoices|enquiries|inquiries|bookings|orders|"
        rf"matters)\b.*\b(?:are|is) "
        rf"(?:best |always |usually |to be )*(?:sent|directed|addressed|forwarded|passed(?: on)?|put) to "
        rf"(?:{TITLE} )?{NAME}",
        rf"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:\p{{Ll}}[\p{{L}}-]+ ){{1,3}}(?:(?:that|who|whom) )?(?:I|[Ww]e) "
        rf"(?:\p{{Ll}}+ )?(?:call|use|see|go to|trust|"
        rf"hire|work with|ask|buy from|recommend) (?:is|was) (?:called |named )?(?:{TITLE} "
        rf")?{NOT_A_NAME}\p{{Lu}}\p{{Ll}}+ \p{{Lu}}\p{{Ll}}+",
        r"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:\p{Ll}+ ){0,2}(?:installer|admin|administrator|caretaker|treasurer|"
        r"organi[sz]er|supplier|builder|contractor|plumber|"
        r"electrician|roofer|caterer|carpenter|"
        r"architect|lawyer|solicitor|notary|insurer|landlord|publisher|sponsor|distributor|florist|"
        r"photographer|baker|client|customer)s? "
        rf"(?:is|are) (?:now )?(?:called )?(?:{TITLE} )?{NOT_A_NAME}\p{{Lu}}\p{{L}}+",
        r"^(?:[Mm]y|[Oo]ur|[Tt]he) (?:\p{Ll}+ )?(?:DBA|CEO|CTO|CFO|COO|CIO|CISO|PM|PO|HR|QA|SRE|GP|PA|DPO|"
        r"VP)(?: \p{Ll}+)? (?:is|was) "
        rf"(?:now )?(?:{TITLE} )?{NOT_A_NAME}\p{{Lu}}\p{{Ll}}+(?: \p{{Lu}}\p{{Ll}}+)?",
        r"^(?!.*\b(?:trips?|tours?|bus|train|ferry|flight|road|path|river|hike|race|parade|ride|excursion|"
        r"journey|cruise|van|car|"
        r"deploys?|traffic|logs?|tests?|builds?|metrics|alerts?|data|events?|packets?|files?|"
        r"e?mails?|"
        r"images?|containers?)\b).*\b(?:go|goes|should go|belongs?|must go)(?: straight| directly|"
        rf" always)? (?:to|through|via) {NAME}",
        opens=True, cased=True,
    ),
    *rules(
        "relationship", "person",
        rf"^(?:and |but )?(?:my|our|the) (?:[\w-]+ ){{0,3}}{PERSON}(?: [\w-]+){{0,2}} (?:is|"
        r"are) (?:called|named|an?|the|\w+ed|\w+ing|in|from|at|on|\d|turning|expecting|allergic|vegan|"
        r"diabetic|asthmatic|epileptic|blind|deaf|"
        r"coeliac|celiac|pregnant|vegetarian|adopted|autistic|retired|lactose|"
        r"my)\b(?!.*\b(?:driving me|annoying|sleeping|crying|calling)\b)",
        rf"^(?:and |but )?(?:my|our) (?:[\w-]+ ){{0,3}}{PERSON}['’]?s? (?:name|birthday|wedding|nickname|"
        r"first name) (?:is|was|falls)\b",
        rf"^(?:and |but )?(?:my|our) (?:[\w-]+ ){{0,3}}(?:{PERSON})(?: [\w-]+){{0,2}} (?:lives?|works?|"
        r"owns|handles|leads|runs|manages|studies|teaches|plays|looks after|takes care|moved|got|lives|"
        r"speaks|"
        r"signs|reviews|approves|likes|loves|hates|prefers|died|passed away|turned|turns|collects|loves|"
        r"makes|sells|has been|comes from|goes to|attends|joined|left|retired)\b",
        r"\b(?:our|my|the) (?!favou?rite|preferred|default|go-to|text|code|"
        rf"least)(?:[\w-]+ ){{0,3}}(?:{COLLEAGUES}|contact(?: person)?(?: for| at| in)? [^,]{{2,40}}|"
        r"point of contact[^,]{0,40}) (?:is|was|will be) [a-z]",
        r"\b(?:my|our) (?:team|family|group|band|choir|class|crew|household) (?:is|has|counts|consists of|"
        r"grew to|is down to|is up to) "
        r"(?:now |about |only )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)\b",
        rf"\bis (?:my|our) (?:[\w-]+ ){{0,3}}(?!editor)(?:{PERSON}|contact|go-to|best man|maid of honou?r)\b",
        rf"^(?:i|we) have (?:a|an|one|two|three|four|five|six|\d+|twin)\b[^,]* (?:{FAMILY}|{PETS})\b",
        r"\b(?:i am|we are|i got|we got) (?:happily |just )?(?:married|engaged|dating|divorced|separated|"
        r"widowed)\b",
        r"\bis your (?:man|woman|person|one|guy|best bet|point of contact|go-to)\b(?: (?:for|to|when|if)\b|"
        r",|$)(?!.*\b(?:this|that|it)\b)",
        r"\bi (?:report|answer) to \w+",
        rf"\b(?:i|we) (?:share|live|work closely|run)\b.*\bwith my (?:{PERSON})\b",
        r"\b(?:questions|requests|invoices|complaints|tickets|issues|orders) (?:go|should go|are handled|"
        r"must go) (?:to|by|through)\b",
        opens=True,
    ),
)  # fmt: skip
