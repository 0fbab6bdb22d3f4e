"""English: the signs of a request to remember, a change, a correction, a sentence that leans on the one before."""

from __future__ import annotations

import regex

EXPLICIT = regex.compile(
    r"^(?:(?:please|pls|and|also|so|can you|could you|i want you to|i'd like you to) )*(?:remember|"
    r"keep in mind|bear in mind|note|take note|make a note|don't forget|do not forget|never forget|save|"
    r"store|memori[sz]e|write down|jot down|add to (?:your )?memory|for future reference)"
    r"(?:\s+(?:this|the following|that down|for later|in memory|to memory|"
    r"for the future))*(?:\s*[:,–—-]\s*|\s+that\s+|\s+(?=(?:i|i'm|my|we|our|the|never|always|not)\b))",
    regex.IGNORECASE,
)
CHANGED = regex.compile(
    r"\b(?:no longer|not any ?more|anymore|any more|actually|instead|now|switched|changed|moved|replaced|"
    r"upgraded|updated|downgraded|migrated|given up|gave up|quit|stopped|used to|not \p{L}+ but|"
    r"rather than|"
    r"instead of|from \S+ to|these days|nowadays|finished|completed|cancel\w+|done|shipped|bumped|"
    r"relocated|extended|slipped|delayed|rescheduled|pushed\b.*\b(?:back|to)|brought forward|postponed|"
    r"promoted|"
    r"wrong|outdated|correction|is now|are now|done with|behind (?:us|me)|"
    r"passed|sold|broke up|"
    r"divorced|renamed|traded|exchanged|turned|grew|grown|shrank|shrunk|left|ditched|dropped|retired|over "
    r"to|back to|new|"
    r"came through|fell through|called off|"
    r"after all|approved|rejected|turned down|opened|goodbye|farewell|had it with|had enough of|found "
    r"(?:an?|the|our|my)|down to|up "
    r"to|cut \w+ (?:down|back)|"
    r"from \w+ on|won|granted|from now on|is off|are "
    r"off|gone|at last)\b|"
    r"\bnot (?:\p{L}+ "
    r")?\p{L}+\s*$|"
    r", not ",
    regex.IGNORECASE,
)
ANAPHORIC = regex.compile(
    r"^(?:and |but |so |also )?(?:it|its|it's|this|that|that's|these|those|they|they're|their|he|she|he's|"
    r"she's|his|her|there|there's|there'll|because|otherwise|last time|once|tastes|feels|smells|"
    r"looks like|sounds|so none|so no|then|we're|we'll|we need|we had|we sleep|we stay|we meet|we leave|we "
    r"travel|we go|we take|we bring|we eat|i need|the same|both|one of them|"
    r"each|status|budget|reason)\b|"
    r"\b(?:because of (?:that|this|it)|(?:of|with|about) (?:them|those|it)\W*$|that is why|that's why|for "
    r"that reason|the reason)\b",
    regex.IGNORECASE,
)
# A side of something rather than a thing by itself: its budget, its date, how many, what is booked.
DETAIL = regex.compile(
    r"^(?:and |plus |also |so |then )*(?:(?:the|our|total|overall|whole|max(?:imum)?|min(?:imum)?|only|"
    r"about|around|roughly|"
    r"at least|up to|there'?s?|there are|there will be|there'll be|we have|we've got|we will be|i "
    r"have)\s+)*(?:budget|venue|"
    r"date|deadline|price|cost|fee|rent|deposit|capacity|location|address|host ?name|ip|firmware|os|memory|"
    r"ram|disk|"
    r"colou?r|size|weight|theme|dress code|guests?|head ?count|hotel|flights?|train|bus|tickets?|catering|"
    r"food|music|agenda|"
    r"menu|parking|entry|doors?|start|end|kick-?off|go-?live|launch|opening|hand-?over|delivery|submission|"
    r"registration|everyone|everything|nobody|all of|both|most|some|half|"
    r"status|"
    r"so far|no|\d[\d.,]*|[€$£]\d\S*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|"
    r"twenty|thirty|"
    r"forty|fifty|sixty|ninety|hundred)\b|^(?:and |but )?[\p{L} ]{3,30} (?:is|are)(?:n't| not)?(?: all| "
    r"already| still| now| yet)* "
    r"(?:booked|sorted|confirmed|paid|ordered|included|ready|coming|reserved|arranged|invited|hired)\b|"
    r"^(?:i am|i'm|we are|we're) (?:in charge of|responsible for|doing the|bringing)\b|^(?:the|our) \w+ "
    r"(?:gave|gives|granted|pays?|paid|sponsors?|lends?|lent) us\b|"
    r"^.{0,60}?(?:[€$£]\d|\b\d[\d.,]*k? ?(?:euros?|dollars|pounds|francs|kronor|zloty|eur|usd|gbp)\b)",
    regex.IGNORECASE,
)
CORRECTED = regex.compile(
    r"^(?:(?:no|sorry|oops|wait|argh|correction|my (?:mistake|bad)|hold on|actually|ah|oh|i misspoke|"
    r"typo)[,.!:\s–—-]+)*(?:(?:sorry|actually|no)[,\s]+)*"
    r"(?:i mean(?:t(?: to say)?)?|make (?:that|it)|i should have said|(?<=[,.!:\s–—-])(?<!^)it(?:'s| is)(?: "
    r"actually)?|"
    r"that should be|should be|correction:)\s+(?P<value>(?:(?:Dr|Mr|Mrs|Ms|Prof|"
    r"St)\. )?[^.!?]+?)(?:,? (?:sorry|not [^.!?]+|instead|my bad|of course)|, (?:he|she|it|they|that|we|i) "
    r"[^.!?]{3,60})*[.!]*$|"
    r"^(?:(?:no|sorry|oops|wait|argh|ah|oh|hold on|ugh|er|hm+|nope)[,.!:\s–—-]+)*"
    r"(?P<value>\S+(?: [^\s,]+){0,4}?),? (?:i mean|i meant|i should have said|i misread(?: [^.!?,]{2,30})?|"
    r"i misspoke|"
    r"i mistyped|"
    r"my (?:mistake|bad)|typo)(?:,? (?:sorry|of course))*[.!]*$|"
    r"^(?:(?:no|sorry|oops|wait|argh|ah|oh|hold on|nope|scratch that|correction|typo|i "
    r"meant)[,.!:\s–—-]+){1,3}(?:it is |it's |"
    r"that's |with )?"
    r"(?P<value>(?-i:\p{Lu})[\p{L}'’-]+(?: (?-i:\p{Lu})[\p{L}'’-]+){0,2}(?: the \d{1,2}(?:st|nd|rd|th)?)?|"
    r"\p{L}{0,3}\d[\w.,:-]*(?: \p{L}+)?|"
    r"\p{Ll}+ "
    r"(?:\d\w*|\p{Lu}))"
    r"(?:,? (?:sorry|not [^.!?]+|instead|it is|then|actually|with(?:out)? (?:an?|the) \w+|"
    r"i (?:mixed|got) (?:that|it) (?:up|wrong)))*[.!]*$",
    regex.IGNORECASE,
)
