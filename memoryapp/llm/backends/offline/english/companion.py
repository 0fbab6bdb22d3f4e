"""English: what a companion keeps in addition: routines, life events, feelings, plans."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.pieces import EVERY
from memoryapp.llm.backends.offline.statements import rules

COMPANION = (
    *rules(
        "preference", "routine",
        rf"^(?:and )?(?:i|we|me and|my|every|each|on|at)\b.*(?:{EVERY})",
        rf"(?:{EVERY}).*\b(?:i|we|my)\b",
        r"^(?:every|each) [\w' -]{3,30},? (?:i|we|my|our)\b",
        r"\b(?:tradition|ritual|routine|habit)\b",
        r"\b(?:i|we) (?:have been|always|usually) (?:doing|going|meet|play|cook|sing|watch|visit)\b",
        opens=True, companion=True,
    ),
    *rules(
        "identity", "life event",
        r"\b(?:i|we)(?: have| just| finally| recently)* (?:got|get) (?:the (?:keys|job|position|part|role|"
        r"place|scholarship|grant|visa|flat|house|apartment|results|all-clear)|married|engaged|divorced|"
        r"promoted|accepted|into|a new job|a (?:puppy|kitten|dog|cat)|my (?:driving|degree|diploma|"
        r"licen[cs]e|results))\b",
        r"\b(?:we|i) (?:am|are) expecting (?:a|our|my|twins)\b|\b(?:am|is) pregnant\b",
        r"\bi am (?:going to be|becoming|about to be) an? (?:\w+ )?(?:aunt|uncle|mother|father|mum|mom|dad|"
        r"grand\w+|god\w+|parent)\b",
        r"\b(?:the|my|our) (?:divorce|adoption|separation|engagement|operation|treatment) (?:is|went|has "
        r"been) (?:now |finally )?(?:final|"
        r"through|official|over|done|off)\b",
        r"\b(?:passed away|died|was born|got engaged|got married|broke up|split up|moved in together|"
        r"graduated|retired|came out)\b",
        r"\b(?:i|we)(?: have| just| finally| recently)* (?:adopted|bought|sold|inherited|lost my|became|"
        r"quit smoking|quit drinking|stopped drinking|stopped smoking|graduated|retired|started therapy|"
        r"passed my|turned)\b",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "activity",
        r"^(?:i|we)(?: have| am| are| was| just| recently| finally| also| still| been| now)* (?:started|"
        r"joined|taken up|took up|signed up|began|begun|volunteer(?:ed|ing)?|participat(?:ed|ing)|"
        r"attend(?:ed|ing)?|learning|practi[sc]ing|blogging|training|coaching|mentoring|fostering|"
        r"taking (?:a |an )?(?:\w+ )?(?:class|course|lesson)\w*|"
        r"doing (?:yoga|pilates|crossfit|therapy|pottery|ceramics|karate|judo|ballet|\w+ classes)|"
        r"going to (?:a |the |an )?(?:\w+ ){0,2}(?:class|classes|gym|choir|therapy|church|boot camps?|"
        r"support group|club|workshop|convention|concert|festival)|went to (?:a |an |"
        r"the )?(?:\w+ ){0,3}(?:class|convention|concert|festival|support group|workshop|conference|"
        r"retreat|camp|parade|museum|wedding|reunion|trip|hike))\b(?! (?:it|this|that)\b)",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "feeling",
        r"^my (?:very )?(?:first|own|last|latest|little|new) (?:\w+ ){1,2}(?:got|was|has been|"
        r"is being) \w+(?:ed|ten|wn|ld|"
        r"shed)\b",
        r"\bi am (?:moving (?:out|in|away|back|on)|becoming an?|leaving (?:home|town|school)|"
        r"going back to|retiring|"
        r"getting (?:divorced|a (?:dog|cat|divorce|tattoo))|dating|seeing someone|expecting)\b",
        r"^i always (?!been|had|thought|said|knew|meant|did|wanted|try|wonder|forget|know)\w+ \w+",
        r"^i (?:\w+ ){1,2}(?:one|a|an|the|my|two)\b.*\b(?:every|each|before bed|always)\b",
        r"\b(?:best|favou?rite|highlight|hardest|worst) (?:part|bit|thing|moment|time) (?:of|in|about)\b",
        r"\b(?:means? (?:the world|a lot|everything) to me|keeps? me (?:sane|going)|reminds? me of|"
        r"tastes? like|feels? like home|first (?:time|place)\b.* feel)",
        r"\bi (?:feel|felt) (?:most |so |really )?(?:at home|like a|alive|safe|free|at peace|proud|lonely|"
        r"nervous)\b",
        r"\bi (?:miss|cherish|treasure|dream of|have always wanted|have always dreamed|am afraid of|"
        r"am scared of|am terrified of|worry about)\b",
        opens=True, companion=True,
    ),
    *rules(
        "project", "plan",
        r"\bi (?:want|would love|would like|am hoping|have decided|promised) to (?!know|ask|see if|hear "
        r"(?:back|from|your|about|what|how|more|it|that)|say|go to (?:bed|sleep)|understand|check|talk)\w+",
        r"\b(?:looking forward to|can ?not wait (?:for|to)(?! (?:it|that|this|you|make (?:it|more)|"
        r"have (?:fun|a)|see (?:it|you|what|how|that)|hear|catch|share|try (?:it|that))\b)|"
        r"counting (?:down )?the days|bucket list|"
        r"saving up)\b",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "activity",
        r"\b(?:i|we) (?:play|sing|dance|paint|draw|knit|climb|hike|run|swim|cycle|surf|ski|sail|bake|"
        r"garden|meditate|do (?:yoga|pilates|karate|judo)|go (?:\w+ing|to the gym)|volunteer|collect|fish|"
        r"skate|row|box|write poetry|journal|brew|forage)\b(?! (?:it|this|that|out|low|late|the (?:script|"
        r"test)))",
        opens=True, companion=True,
    ),
)  # fmt: skip
