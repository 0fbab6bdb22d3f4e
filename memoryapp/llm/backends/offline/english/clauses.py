"""English: where clauses begin, and how the rules read them."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.english.nouns import MONTH, PERSON, WEEKDAY
from memoryapp.llm.backends.offline.statements import Clause

_JOINTS = regex.compile(
    r"(?P<joint>\s*;\s*|:\s+(?=(?:I|I'm|I've|my|we|new|it's|now)\b)|,?\s+(?:and|so|but)\s+(?=(?:can you|"
    r"could you|"
    r"would you|what|how|which|where|should (?:i|we)|do you|is there|are there|was wondering|"
    r"am wondering)\b)|,?\s+which (?:is|are|was) (?=(?:why|how)\b)|\s+[–—-]\s+|,?\s+(?:and|but|so|also|"
    r"plus)\s+(?=(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our|please|never|always|don't)\b)|"
    r",\s+(?=(?:(?:privately|professionally|currently|originally|officially|sometimes|meanwhile|otherwise|"
    r"in private|at home|at work|on weekends|in winter|in summer) )?(?:I|I'm|I've|I'd|I'll|my|we|we're|"
    r"we've|our|please|(?:never|always)(?!\W*(?:$|\s[–—-]))|don't|can you|"
    r"could you|"
    r"would you|will you|do you|does|should (?:i|we)|is (?:that|it|this|there)|are there|what|how|which|"
    r"where|when (?:should|can|do)|why|any (?:tips|ideas?|advice|suggestions)|the|it|he|she|they|that's|"
    r"nobody|no|(?-i:\p{Lu})[\p{L}'-]+ (?:is|was|has|owns|handles|leads|lives|works))\b)|"
    r"\s+(?=(?:PLEASE|please) (?:always|never|don't|ALWAYS|NEVER|use)\b)|,?\s+(?:and|so|but|"
    r"because)\s+(?=(?:the|it|he|she|they|that's|nobody|(?-i:\p{Lu})[\p{L}'-]+) (?:\w+ ){0,3}(?:is|was|"
    r"has|owns|"
    r"handles|leads|lives|works|takes|manages|runs|looks)\b))",
    regex.IGNORECASE | regex.V0,
)
_EXPANSIONS = tuple(
    (regex.compile(pattern), written)
    for pattern, written in (
        (r"\bcan't\b|\bcannot\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"'m\b", " am"),
        (r"'re\b", " are"),
        (r"'ve\b", " have"),
        (r"'ll\b", " will"),
        (r"\b(i|we|you|he|she|they)'d\b", r"\1 would"),
        (
            r"\b(he|she|it|that|there|"
            r"what|where|who|how|here|"
            r"everyone|nobody)'s\b",
            r"\1 is",
        ),
        (
            r"(?<=\w)'s(?= (?:an?|the|at|on|in|not|now|called|named|due|about|around|only|been|still|"
            r"already|closed|open|"
            r"gone|done|here|there|\d(?!\d*(?:st|nd|rd|th)\b)|[€$£]|(?:two|three|four|five|six|seven|eight|"
            r"nine|ten)\b|\w+ing (?:in|at|on|to|for|the|an?|my|our|with)\b))",
            " is",
        ),
        (r"\blet's\b", "let us"),
        (r"\s+", " "),
    )
)


# "Yesterday we signed the lease" reads like "we signed the lease yesterday".
_TIME_FIRST = regex.compile(
    rf"^(?P<when>(?:yesterday|today|tomorrow|tonight|the day after tomorrow|(?:last|this|next) (?:\w+ "
    rf")?\w+|on {WEEKDAY[:-1]}|in {MONTH}|"
    r"(?:on )?\d{4}-\d\d-\d\d|(?:an?|\w+|a few|a couple of) (?:days?|weeks?|months?|years?) ago|the day "
    r"(?:before|after) \w+|"
    r"(?:at|by|from|until|before|after) (?:the )?(?:end|start|beginning|middle) of (?:the |this |next )?\w+|"
    r"(?:an?|\w+) (?:days?|weeks?|months?) from (?:today|now|tomorrow)|(?:in|within) (?:\w+|a few|"
    r"a couple of) (?:days|weeks|months)|earlier (?:today|this \w+))),? "
    r"(?P<rest>(?:i|we|my|our|the (?!weather|sun|rain|sky|air)) ?.+)$"
)


# "My husband Anselm and I play": two people, one clause.
_A_PAIR = regex.compile(
    rf"^(?:(?:every|each|on|in|at|after|before|this|next|last|most|once|now)\b[^;]{{0,40}}?,? )?(?:my|our) "
    rf"(?:[\w-]+ ){{0,2}}{PERSON}(?: \p{{L}}+)?$",
    regex.IGNORECASE,
)


def matchable(text: str) -> str:
    """The clause as the rules read it: lower case, contractions written out."""
    text = text.lower()
    for pattern, written in _EXPANSIONS:
        text = pattern.sub(written, text)
    text = text.strip(" ,;.!")
    moved = _TIME_FIRST.match(text)
    return f"{moved['rest']} {moved['when']}" if moved else text


def clauses(text: str) -> list[Clause]:
    """The sentence cut where a clause with a subject of its own begins."""
    found, start, joint = [], 0, ""
    for match in _JOINTS.finditer(text):
        if match.start() > start and not _A_PAIR.match(text[start : match.start()]):
            found.append(Clause(joint, text[start : match.start()]))
            start, joint = match.end(), match.group()
    found.append(Clause(joint, text[start:]))
    return found
