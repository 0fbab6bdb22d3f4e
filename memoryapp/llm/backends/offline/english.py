"""English: tidying, clauses, and how a recognised statement is written down."""

from __future__ import annotations

from functools import partial

import regex

from memoryapp.llm.backends.offline.english_guess import guess
from memoryapp.llm.backends.offline.english_nouns import FAMILY
from memoryapp.llm.backends.offline.english_noise import NOISE
from memoryapp.llm.backends.offline.english_rules import RULES
from memoryapp.llm.backends.offline.finishing import Phrasing, finish_fact
from memoryapp.llm.backends.offline.statements import Clause, LanguagePack, Statement
from memoryapp.llm.language.english_person import third_person

_SPELLING = tuple(
    (regex.compile(pattern, regex.IGNORECASE), written)
    for pattern, written in (
        (r"[’‘]", "'"),
        (r"\bim\b", "I'm"), (r"\bive\b", "I've"), (r"\bdont\b", "don't"), (r"\bcant\b", "can't"), (r"\bwont\b", "won't"),
        (r"\bdoesnt\b", "doesn't"), (r"\bisnt\b", "isn't"), (r"\bdidnt\b", "didn't"), (r"\bthats\b", "that's"), (r"\bwere(?= (?:using|moving|going))", "we're"),
        (r"\b(?:plz|pls|plss+)\b", "please"), (r"\bu(?= (?:can|should|must|know|are)\b)", "you"), (r"\bcuz\b|\bcoz\b|\bbc\b|\b'cause\b", "because"), (r"\bw/(?=\s)", "with"), (r"\bi(?='|\b(?!\.|/))", "I"),
        (r"\btmrw\b|\btmr\b|\b2moro\b", "tomorrow"), (r"\bgonna\b", "going to"), (r"\bwanna\b", "want to"), (r"\bgotta\b", "have to"),
    )
)  # fmt: skip
_STRETCHED = regex.compile(r"(\p{L})\1{2,}")
_FILLERS = regex.compile(
    r"(?:(?<=^|[\s,(])(?:u+h+m*|u+m+|e+r+m*|a+h+|lol|lmao|haha\w*|hehe\w*|xd|tbh|imo|imho|ngl|y'?know)(?=$|[\s,.!?)])[,.]?\s*)|"
    r"(?:(?<=^)(?:you know|i mean|like|sort of|kind of|well|so|yeah)(?=,),?\s*)",
    regex.IGNORECASE,
)
_ASIDE = regex.compile(r",\s*(?:you know|i mean|like|well|um+|uh+|so to speak|kind of|sort of)\s*,\s*", regex.IGNORECASE)
_LEAD = regex.compile(
    r"^(?:(?:(?:hi+|hey+|heyo+|heya|hello+|hiya|hullo|ayo|yo+|greetings|good (?:morning|afternoon|evening)|morning)(?: (?:there|again|all|everyone|team|\p{Lu}\p{L}+))?(?=[\s,.!:–—-]|$)|"
    r"so|well|ok|okay|right|yeah|yes|yep|no|nope|oh|ah|and|but|also|anyway|anyways|honestly|frankly|actually|basically|look|listen|sorry|oops|wait|hmm+|heads[- ]up|plus|besides|alright|btw|fyi|p\.?s\.?|"
    r"by the way|for what it's worth|to be honest|to be clear|as (?:i said|you know|mentioned|always|usual|before|every time)|like (?:always|every time|last time|before|usual)|same as always|just so you know|just to let you know|just fyi|for (?:the )?(?:context|record|reference|background)|for your information|"
    r"(?:a )?(?:quick|little|small|short|fun|tiny) (?:intro(?:duction)?|note|thing|fact|update|question|context|one|heads-up|background)(?: (?:so|about|for|on) [^:,]{2,40})?|some (?:context|background)|context|background|update|note|reminder|news|correction|"
    r"one (?:more )?thing|another thing|first(?: of all| off)?|second(?:ly)?|also|next|finally|lastly|guess what|good news|bad news|"
    r"(?:that's|that is|this is|you've got that|you have that|you got that|you have it|you got it|you've got it|i'm afraid that's|i'm afraid you have it|i'm afraid you've got (?:it|that)|you're) (?:wrong|not right|not correct|incorrect|mistaken|not true|outdated)|small correction|correction|you(?:'ve)? (?:mixed|got) (?:that|it|this|me) (?:up|wrong)|i'm afraid not|i meant(?: to say)?|i mean|let me (?:introduce myself|correct that|clarify)|"
    r"nice to meet you|pleased to meet you|thanks|thank you|thx|cheers|perfect|great|awesome|cool|sure|got it|makes sense)"
    r"(?:\s*[,:;.!–—-]+\s*|\s+(?=(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|please|never|always|don't|the|this|it|it's|that|that's|there|quick|fun|btw|fyi|by the way|also|well|ok|okay|heads[- ]up|so|just|can't)\b)|\s*$))+",
    regex.IGNORECASE,
)
_HEAD = regex.compile(r"^(?!(?:I|I'm|I've|we|we've|we're|my|our|the)\b)[^:.?!]{0,60}:\s+(?=(?:I|I'm|I've|I'd|my|we|we're|we've|our)\b)", regex.IGNORECASE)
_TAIL = regex.compile(
    r"(?:[\s,;.!–—-]+(?:thanks?(?: (?:a lot|so much|in advance|again))?|thank you|thx|cheers|please|ok(?:ay)?|lol|right|yeah|you know|by the way|btw|fyi|as you know|if that helps|just so you know|for what it's worth|sorry|haha\w*))+[\s.!]*$",
    regex.IGNORECASE,
)
KEEP_IN_MIND = regex.compile(
    r"(?:^|[,;.!]\s*|\s+(?=so |and |but |please ))(?:so |and |but )?(?:please |do |just |could you |can you )*(?:keep (?:that|this|it) in mind|remember (?:that|this|it)(?=$|[.!,;]| (?:for|when|in))|(?:make|take) (?:a )?note(?: of (?:that|this|it))?|note (?:that|this|it) down|"
    r"write (?:that|this|it) down|don't forget (?:that|this|it)(?=$|[.!,;])|bear (?:that|this|it) in mind|save (?:that|this|it)(?: for later)?|store (?:that|this|it))(?: (?:for|when|in|whenever) [^.!;]*)?[.!]*\s*$",
    regex.IGNORECASE,
)
EXPLICIT = regex.compile(
    r"^(?:(?:please|pls|and|also|so|can you|could you|i want you to|i'd like you to) )*(?:remember|keep in mind|bear in mind|note|take note|make a note|don't forget|do not forget|never forget|save|store|memori[sz]e|write down|jot down|add to (?:your )?memory|for future reference)"
    r"(?:\s+(?:this|the following|that down|for later|in memory|to memory|for the future))*(?:\s*[:,–—-]\s*|\s+that\s+|\s+(?=(?:i|i'm|my|we|our|the|never|always|not)\b))",
    regex.IGNORECASE,
)
CHANGED = regex.compile(
    r"\b(?:no longer|not any ?more|anymore|any more|actually|instead|now|switched|changed|moved|replaced|upgraded|updated|downgraded|migrated|given up|gave up|quit|stopped|used to|not \p{L}+ but|rather than|"
    r"instead of|from \S+ to|these days|nowadays|finished|completed|cancel\w+|done|shipped|bumped|relocated|postponed|promoted|wrong|outdated|correction|is now|are now|done with|sold|broke up|divorced|renamed|left|ditched|dropped|retired|over to|back to|new)\b|\bnot (?:\p{L}+ )?\p{L}+\s*$|, not ",
    regex.IGNORECASE,
)
ANAPHORIC = regex.compile(
    r"^(?:and |but |so |also )?(?:it|its|it's|this|that|that's|these|those|they|they're|their|he|she|he's|she's|his|her|there|there's|there'll|because|otherwise|last time|once|tastes|feels|smells|looks like|sounds|so none|so no|then|we're|we'll|we need|we had|i need|the same|both|one of them|each|status|budget|reason)\b|"
    r"\b(?:because of (?:that|this|it)|that is why|that's why|for that reason|the reason)\b",
    regex.IGNORECASE,
)
CORRECTED = regex.compile(
    r"^(?:(?:no|sorry|oops|wait|argh|correction|my (?:mistake|bad)|hold on|actually|ah|oh|i misspoke|typo)[,.!:\s–—-]+)*(?:(?:sorry|actually|no)[,\s]+)*"
    r"(?:i meant(?: to say)?|make (?:that|it)|i should have said|it(?:'s| is) (?:actually )?|that should be|should be|correction:)\s+(?P<value>(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\. )?[^.!?]+?)(?:,? (?:sorry|not [^.!?]+|instead|my bad|of course))*[.!]*$",
    regex.IGNORECASE,
)
_JOINTS = regex.compile(
    r"(?P<joint>\s*;\s*|:\s+(?=(?:I|I'm|I've|my|we)\b)|,?\s+(?:and|so|but)\s+(?=(?:can you|could you|would you|what|how|which|where|should (?:i|we)|do you|is there|are there|was wondering|am wondering)\b)|,?\s+which (?:is|are|was) (?=(?:why|how)\b)|\s+[–—-]\s+|,?\s+(?:and|but|so|also|plus)\s+(?=(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our|please|never|always|don't)\b)|"
    r",\s+(?=(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our|please|never|always|don't|can you|could you|would you|will you|do you|does|should (?:i|we)|is (?:that|it|this|there)|are there|what|how|which|where|when (?:should|can|do)|why|any (?:tips|ideas?|advice|suggestions)|the|it|he|she|they|that's|nobody|no|[\p{Lu}][\p{L}'-]+ (?:is|was|has|owns|handles|leads|lives|works))\b)|"
    r"\s+(?=(?:PLEASE|please) (?:always|never|don't|ALWAYS|NEVER|use)\b)|,?\s+(?:and|so|but|because)\s+(?=(?:the|it|he|she|they|that's|nobody|\p{Lu}[\p{L}'-]+) (?:\w+ ){0,3}(?:is|was|has|owns|handles|leads|lives|works|takes|manages|runs|looks)\b))",
    regex.IGNORECASE | regex.V0,
)
_MASK = str.maketrans("", "")
_EXPANSIONS = tuple(
    (regex.compile(pattern), written)
    for pattern, written in (
        (r"\bcan't\b|\bcannot\b", "can not"), (r"\bwon't\b", "will not"), (r"n't\b", " not"), (r"'m\b", " am"), (r"'re\b", " are"), (r"'ve\b", " have"),
        (r"'ll\b", " will"), (r"\b(i|we|you|he|she|they)'d\b", r"\1 would"), (r"\b(he|she|it|that|there|what|where|who|how|here|everyone|nobody)'s\b", r"\1 is"),
        (r"\blet's\b", "let us"), (r"\s+", " "),
    )
)  # fmt: skip
_ELIDED = regex.compile(
    r"^(?:(?:so |also |really |just |definitely |finally |honestly )*)(?=(?:can't wait|can't stand|can't (?:hike|run|swim|walk|eat|drink|play|work|sleep|drive|climb|cycle)|want to|wanna|love|hate|adore|prefer|enjoy|dislike|moved to|broke (?:my|a|an)|hurt my|sprained|twisted|tore|"
    r"(?:just |finally )?(?:got (?:a|the|my|engaged|married|promoted|accepted)|decided|finished|started|bought|sold|adopted|quit|switched|installed|upgraded|configured|passed|signed|submitted|shipped|launched|retired|graduated)|"
    r"looking forward|been (?:working|living|learning|playing)|working (?:on|as|at)|living in|trying to|planning (?:to|a)|hoping to|thinking of|allergic to|born in|based in|currently|done with|tired of|sick of|fed up with|over with)\b)",
    regex.IGNORECASE,
)


def matchable(text: str) -> str:
    """The clause as the rules read it: lower case, contractions written out."""
    text = text.lower()
    for pattern, written in _EXPANSIONS:
        text = pattern.sub(written, text)
    return text.strip(" ,;.!")


def tidy(text: str) -> str:
    """The sentence without greetings, fillers, stretched letters and thanks."""
    letters = [char for char in text if char.isalpha()]
    if len(letters) > 12 and sum(char.isupper() for char in letters) > 0.8 * len(letters):
        text = text.lower()
    text = _STRETCHED.sub(r"\1", text)
    for pattern, written in _SPELLING:
        text = pattern.sub(written, text)
    text = _REPEATED.sub(r"\1", _ASIDE.sub(" ", _FILLERS.sub("", text)))
    text = _HEAD.sub("", _LEAD.sub("", text))
    text = KEEP_IN_MIND.sub("", text)
    text = _TAIL.sub("", text).strip(" ,;–—-")
    return _with_subject(text)


def _with_subject(text: str) -> str:
    """'Broke my wrist' is said of oneself."""
    match = _ELIDED.match(text)
    if not match:
        return text
    rest = text[match.end() :]
    lower = rest[:1].lower() + rest[1:]
    being = regex.match(r"(?:looking|working|living|trying|planning|hoping|thinking|allergic|based|born|currently|done with|tired|sick|fed)\b", lower)
    having = regex.match(r"been\b", lower)
    return f"{match.group()}I {'am ' if being else 'have ' if having else ''}{lower}" if match.group() else (
        f"I {'am ' if being else 'have ' if having else ''}{lower}"
    )


def clauses(text: str) -> list[Clause]:
    """The sentence cut where a clause with a subject of its own begins."""
    found, start, joint = [], 0, ""
    for match in _JOINTS.finditer(text):
        if match.start() > start:
            found.append(Clause(joint, text[start : match.start()]))
            start, joint = match.end(), match.group()
    found.append(Clause(joint, text[start:]))
    return found


_TEAM = frozenset(("decision", "configuration", "technical", "rule", "project", "relationship"))
_PRIVATE = regex.compile(
    rf"\b(?:{FAMILY}|wedding|birthday|holiday|vacation|trip|honeymoon|cake|family|kids?|child|baby|house|flat|apartment|home|dog|cat|garden|dinner|anniversary|christmas)\b",
    regex.IGNORECASE,
)
_REPEATED = regex.compile(r"\b(\p{L}+(?:'s)?)(?:\s+\1\b)+", regex.IGNORECASE)
_HAS = regex.compile(r"\b(he|she|it)'s(?= (?:been|got|had|become|gone|taken|made)\b)", regex.IGNORECASE)
_CALLED = regex.compile(
    r"^(?:(?:you|people|everyone|everybody|friends|they|folks|colleagues|please|just|all|can|may|could|usually|mostly|always) )*calls? me (?:just )?(?=(?-i:\p{Lu}))",
    regex.IGNORECASE,
)
_IS = regex.compile(r"\b(he|she|it)'s\b", regex.IGNORECASE)
_LEADING_PRONOUN = regex.compile(r"^(?:it|he|she|they|this|that|there)(?:'s|'re|'ll)?\s+", regex.IGNORECASE)
_JOINED_PRONOUN = regex.compile(r"(?:^|[;,.]\s+|\band )(he|she)(?='s|\s)", regex.IGNORECASE)
_POSSESSIVE_PRONOUN = regex.compile(r"\b(?:his|her)\b(?=\s+\p{L})", regex.IGNORECASE)
# "User is Dag, user lives in Bergen": naming the subject once is enough.
_SAID_AGAIN = regex.compile(r", user (?=(?:is|has|\p{L}+s)\b)")
_YOU = ((regex.compile(r"\byou(?:'re| are)\b", regex.I), "the assistant is"), (regex.compile(r"\byour\b", regex.I), "the assistant's"), (regex.compile(r"\byou\b", regex.I), "the assistant"))


def render(statement: Statement, companion: bool) -> str:
    """The statement in the third person, without its date."""
    sentence = statement.sentence
    owner = sentence.speaker or "user"
    private = companion or bool(_PRIVATE.search(statement.words))
    group = f"{owner}'s team" if statement.category in _TEAM and not private and not sentence.speaker else owner
    told = third_person(_without_pronouns(statement), owner=owner, group=group)
    if statement.category == "identity":
        told = _SAID_AGAIN.sub(", ", told) if told.startswith(f"{owner} ") else told
    if statement.category == "rule":
        told = _as_rule(told, statement)
    return told.strip(" ,;").rstrip(".!")


def _without_pronouns(statement: Statement) -> str:
    """The words with he, she and it as subjects left out."""
    words = _HAS.sub(r"\1 has", statement.words)
    words = _CALLED.sub("I go by ", _IS.sub(r"\1 is", words))
    return _JOINED_PRONOUN.sub(lambda match: match.group()[: -len(match[1])].rstrip() or "", words)


def _as_rule(told: str, statement: Statement) -> str:
    for pattern, written in _YOU:
        told = pattern.sub(written, told)
    return told


def join(bodies: list[str], category: str) -> str:
    """Several rendered sentences about one thing as one; what follows a rule is its reason."""
    head, *rest = bodies
    told = head
    for body in rest:
        plain = _LEADING_PRONOUN.sub("", regex.sub(r"^(?:user|and|also|so)\s+(?=(?:is|has|\w+s)\b)", "", body))
        told += f". Reason: {plain}" if category == "rule" and "Reason:" not in told else f"; {plain}"
    return told


PHRASING = Phrasing(
    language="en",
    rule="User rule: {text}",
    dated="As of {day}, {text}",
    noted="{text} (as of {day})",
    unknown="{text} (date unknown; noted {day})",
    action=regex.compile(r"\b(?:\w+ed|set up|put|moved|now|new|switch\w*|chang\w*)\b", regex.IGNORECASE),
    unknown_date=regex.compile(
        r"\b(?:a while ago|some time ago|at some point|no idea when|long ago|ages ago|not sure when|don't know when|can't remember when)\b",
        regex.IGNORECASE,
    ),
    past=regex.compile(r"\b\w+ed\b|\b(?:went|got|was|had|met|bought|sold|began|left|came|took|won|lost)\b"),
    keeps_capital=False,
)


PACK = LanguagePack(
    code="en", rules=RULES, noise=NOISE, explicit=EXPLICIT, keep_in_mind=KEEP_IN_MIND, changed=CHANGED, anaphoric=ANAPHORIC,
    corrected=CORRECTED, matchable=matchable, guess=guess, tidy=tidy, clauses=clauses, render=render, join=join, finish=partial(finish_fact, PHRASING),
)  # fmt: skip
