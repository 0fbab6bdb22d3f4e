"""English: pieces of regular expressions that several rule tables share."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import WEEKDAY

SPEAKER = (
    r"^(?:and |so |but |also )?(?:(?:for|when|in|on|at|as|with|after|before|since|having|"
    r"by) [^,]{2,50}?,? |(?:yesterday|today|tomorrow|nowadays|currently|recently|finally|lately|(?:last|"
    r"this|next) \w+|these days|by (?:day|night|trade)|\w+ly|\w+ (?:days|weeks|months|"
    r"years) ago),? )?(?:i|we)(?: \w+ly| just| also|"
    r" always| never| now| have| had| been| still| all| both| once| kind of| sort of| usually| often|"
    r" sometimes| mostly| mainly| am| are| only| rather| much| already| do)*"
)
FOR_ALL = (
    r"\b(?:all|every|any|each|always|anything|everything|whenever|by default|from now on|"
    r"in (?:the )?future|going forward|in general|at all times)\b"
)
STANDING = (
    r"\b(?:always|whenever|by default|from now on|in (?:the )?future|going forward|at all times|"
    r"every time|(?:in|for|with|on|to|of) (?:all|every|any|each))\b"
)
FIRST_ADV = r"(?:yesterday|today|last \w+|this \w+|on \w+|in \w+),? "
PAST = (
    r"(?:built|sent|sold|bought|won|lost|met|wrote|chose|gave|took|made|left|brought|began|set|cut|put|"
    r"laid|held|led|drew|hung|sewed|signed|moved|handed)"
)
IDENTIFIER = (
    r"(?:(?<=\s)~/\w+|(?<![\w/])/\w[\w.-]*(?:/[\w.-]+)+|\b[a-z-]*\d[\w.-]*[a-z-]\w*\b|\bv?\d+\.\d+|"
    r"\b(?!(?:19|20)\d\d\b)\d{3,5}\b|#\w+|\b[\w-]+\.(?:internal|local|example|com|org|net|io|dev)\b|"
    r"\bport\b)"
)
NAME = r"\p{Lu}[\p{L}'’-]+(?: (?:van |de |von |el |al-|da |of )?\p{Lu}[\p{L}'’-]+){0,3}"
TITLE = (
    r"(?:Dr|Prof|Mrs?|Ms|Mx|Dott\.?(?:ssa)?|Dra|Sra?|Herr|Frau|Mme|Mlle|Ing|Rev|Fr|Sister|Brother|"
    r"Captain|Chef)\.?"
)
NOT_A_NAME = (
    r"(?!(?:The|This|That|These|Those|It|If|When|What|My|Our|Your|His|Her|Their|We|They|He|She|You|Please|"
    r"Never|Always|There|Here|Yes|No|And|But|So|A|An|In|On|At|For|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|"
    r"[A-Z]\p{L}+days?|January|February|March|April|May|June|July|August|September|October|November|"
    r"December)\b)"
)
EVERY = (
    r"\b(?:every|each) (?:single |other |first |second |third |last )?(?:day|morning|evening|night|week|"
    r"weekend|month|year|summer|"
    r"winter|autumn|spring|"
    + WEEKDAY
    + r"|afternoon|lunch)\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
)
# "Must be signed" is a demand, "must be amazing" is not.
MUST = (
    r"(?:must(?! (?:have|feel|mean|love|know|think|seem)\b|['’]ve\b| be (?!\w+ed\b|sent|kept|held|done|"
    r"paid|made|written|read|given|in\b|at\b|on\b|from\b|under\b|before\b|after\b|open\b))|may not|has to|"
    r"have to|needs? to|should not|shall)"
)
