"""Everything said about one thing becomes one fact."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from memoryapp.llm.backends.offline.introductions import goes_on_about_oneself
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.statements import Sentence, Statement
from memoryapp.llm.language.han import compile_both
from memoryapp.llm.language.wording import content_words, count_words, is_weak

_ABOUT_ONESELF = frozenset(("name", "work", "residence", "person data"))
_ROOM = 50
_NEEDS_NO_SUBJECT = frozenset(("need",))


def group_statements(statements: Iterable[Statement]) -> list[Statement]:
    """The statements with those about the same entity joined to the first of them."""
    grouped: list[Statement] = []
    for statement in statements:
        host = next((earlier for earlier in reversed(grouped) if belongs_to(statement, earlier)), None)
        if host is None:
            grouped.append(statement)
        else:
            host.further.append(statement)
            host.category, host.kind = _leading(host, statement)
    return grouped


def belongs_to(statement: Statement, earlier: Statement) -> bool:
    """Whether the statement says more about what the earlier one is about."""
    if (
        statement.sentence.speaker != earlier.sentence.speaker
        or statement.sentence.language != earlier.sentence.language
    ):
        return False
    if _words(statement) + _words(earlier) > _ROOM:
        return False
    near = statement.sentence.message == earlier.sentence.message
    if _says_more_of_the_same(statement, earlier, near=near):
        return True
    if near and _is_event(earlier) and _is_detail(statement, earlier):
        return True
    if statement.category != earlier.category and not _compatible(statement, earlier):
        return False
    if near and (statement.kind in _NEEDS_NO_SUBJECT or is_anaphoric(statement.sentence)):
        return True
    if near and earlier.category in _DETAILED and _is_detail(statement, earlier):
        return True
    return (
        near and bool(entity_words(statement) & entity_words(earlier)) and statement.category != "preference"
    )


def _says_more_of_the_same(statement: Statement, earlier: Statement, *, near: bool) -> bool:
    """Whether both are about oneself, one's health, one feeling, one switch, or what the earlier one names."""
    if statement.kind in _ABOUT_ONESELF and earlier.kind in _ABOUT_ONESELF:
        return True
    if statement.kind == earlier.kind == "health":
        return True
    return near and (
        (statement.kind == "feeling" and is_anaphoric(statement.sentence))
        or _says_what_instead(statement, earlier)
        or _subject(statement) in entity_words(earlier)
    )


def _is_event(statement: Statement) -> bool:
    return statement.category == "project" or EVENT_WORD.search(statement.words) is not None


def _is_detail(statement: Statement, earlier: Statement) -> bool:
    return pack_for(earlier.sentence.language).detail.match(statement.words) is not None


def _says_what_instead(statement: Statement, earlier: Statement) -> bool:
    """'I'm done with Notion. My notes live in text files now, Notion was too slow': the old and what follows it."""
    left = _LEFT.search(earlier.words)
    return bool(
        left and ("now" in statement.words.split() or entity_words(statement) & entity_words(earlier))
    )


_LEFT = regex.compile(
    r"\b(?:had it with|had enough of|done with|given up on|gave up on|sick of|fed up with|finished with|"
    r"moved off|off \w+ for good|"
    r"through with|"
    r"ditched|dropped|abandoned|quit|no longer (?:use|using|drink|eat|ride|drive|read))\b",
    regex.IGNORECASE,
)


def _subject(statement: Statement) -> str:
    """The stem of the first word, which names what a statement is about when it is a name."""
    first = statement.words.split(" ", 1)[0].rstrip(",")
    return next(iter(content_words(first)), "") if first[:1].isupper() else ""


def continues(sentence: Sentence, last: Statement) -> bool:
    """Whether a sentence without a rule of its own says more about the statement before it."""
    if (
        last.sentence.message != sentence.message
        or sentence.language != last.sentence.language
        or last.sentence.speaker != sentence.speaker
    ):
        return False
    if last.category == "rule" or (last.category == "decision" and _INCIDENT.search(sentence.text)):
        return True
    if last.category in _DETAILED and pack_for(sentence.language).detail.match(sentence.text):
        return True
    if last.kind in ("life event", "work", "project") and _FEELING.match(sentence.text):
        return True
    if last.kind in _LIFE and _STILL_FEELING.match(sentence.text):
        return True
    if goes_on_about_oneself(sentence, last):
        return True
    if is_anaphoric(sentence) or (
        last.kind == "project" and EVENT_WORD.search(last.words) and _TELLS.search(sentence.text)
    ):
        return True
    here = frozenset(word for word in content_words(sentence.text) if len(word) > 2 and not is_weak(word))
    return bool(here & entity_words(last))


def gives_reason(statement: Statement, last: Statement) -> bool:
    """Whether what looks like a fact of its own rather tells why the rule before it is there."""
    if last.kind in _LIFE and _STILL_FEELING.match(statement.sentence.text):
        return True
    if last.category != "rule" or statement.sentence.explicit:
        return False
    if statement.category in _DETAILED and _WHO_DEMANDS.match(statement.sentence.text):
        return True
    told = statement.kind in _CIRCUMSTANCES and _INCIDENT.search(statement.sentence.text)
    return statement.guessed or bool(told and not _MILESTONE.search(statement.sentence.text))


def is_why(opening: Sentence, statement: Statement) -> bool:
    """Whether what was said just before a wish or a rule tells how its opposite feels."""
    return (
        statement.category in ("preference", "rule")
        and opening.language == statement.sentence.language
        and opening.speaker == statement.sentence.speaker
        and bool(_EFFECT.search(opening.text))
    )


_EFFECT = regex.compile(
    r"\b(?:make|makes|look|looks|lose|loses|bore|bores|annoy|annoys|confuse|confuses|tire|tires|hurt|hurts|"
    r"drive|drives|give|"
    r"gives|slow|slows|distract|distracts|mean|means|take|takes|scare|scares)\b.*\b(?:me|my|like|us|nothing|"
    r"forever|ages)\b",
    regex.IGNORECASE,
)


def still_feels(sentence: Sentence, last: Statement) -> bool:
    """Whether the sentence tells how somebody feels about what they have just told."""
    return (
        last.kind in _LIFE
        and (last.sentence.message, last.sentence.speaker) == (sentence.message, sentence.speaker)
        and _STILL_FEELING.match(sentence.text) is not None
    )


def tells_incident(sentence: Sentence, last: Statement) -> bool:
    """Whether what reads like a status is what once went wrong without the rule before it."""
    return (
        last.category == "rule"
        and last.sentence.message == sentence.message
        and _ONE_DAY.search(sentence.text) is not None
    )


_ONE_DAY = regex.compile(
    r"\b(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:19|20)\d\d)|"
    r"last (?:year|week|month|time|spring|summer|autumn|winter|\w+day)|once|one day)\b[^?]*$",
    regex.IGNORECASE,
)


def leans_on(sentence: Sentence, opening: Sentence) -> bool:
    """Whether the sentence follows this opening and can only be understood with it."""
    return (
        (sentence.message, sentence.language, sentence.speaker)
        == (opening.message, opening.language, opening.speaker)
        and is_anaphoric(sentence)
        and len(opening.text.split()) > 2
    )


_LIFE = frozenset(("life event", "project", "plan"))
# A figure, a name or what everybody brings: not "talk to you later".
_TELLS = regex.compile(
    r"\d|(?<=[\p{Ll},] )(?!I\b)\p{Lu}|\b(?:we|we['’]ll|our|i|i['’]ll|my|everybody|no|nos|nuestr\p{L}+|"
    r"wir)\b|我",
    regex.IGNORECASE,
)
_STILL_FEELING = regex.compile(
    r"^(?:honestly |and |wow |oh )*(?:i keep |i can ?n[o']t believe|i could (?:cry|burst|scream|dance|hug|"
    r"kiss|jump|sing|explode)|i can ?not stop|i still can|it feels|"
    r"feels |i cried|"
    r"i'?(?: ha)?ve never|i have never|it'?s the first|it is the first|first time)",
    regex.IGNORECASE,
)
_DETAILED = frozenset(("project", "configuration", "technical"))
_WHO_DEMANDS = regex.compile(
    r"^the (?:\p{Ll}[\w'-]* ){1,3}(?:wants?|needs?|expects?|requires?|demands?|asks?|insists?|hates?|"
    r"complains?|charges?|reads?|"
    r"checks?|pays?|says?|keeps?|blocks?)\b",
    regex.IGNORECASE,
)
_CIRCUMSTANCES = frozenset(("project", "constraint", "set up", "life event", "feeling", "routine"))
_MILESTONE = regex.compile(
    r"\b(?:finished|completed|shipped|released|launched|signed|submitted|decided|chose|booked|started|"
    r"opened|due|deadline|"
    r"next \w+|tomorrow)\b",
    regex.IGNORECASE,
)
# What happened once is why the rule is there.
_INCIDENT = compile_both(
    r"\b(?:once|twice|last (?:year|week|month|time|spring|summer|autumn|winter)|because|were|was|had|lost|"
    r"broke|saw|got|went|\p{L}{3,}ed)\b|\b(?:una vez|porque|\p{L}+(?:ió|ó))\b|上次|曾经|因为|过",
    regex.IGNORECASE,
)
_FEELING = regex.compile(
    r"^(?:i|we)(?: finally| really| just| also| still)*(?:'m| am| feel|'re| are| felt| cried| could)\b",
    regex.IGNORECASE,
)
EVENT_WORD = compile_both(
    r"\b(?:turns \d+|wedding|party|fair|festival|conference|offsite|retreat|workshop|concert|exhibition|"
    r"graduation|"
    r"birthday|ceremony|reunion|dinner|trip|race|tournament|gala|funeral|boda|fiesta|feria|congreso|"
    r"concierto|hochzeit|feier)\b|婚礼|聚会|年会|展览|比赛|旅行",
    regex.IGNORECASE,
)


def is_anaphoric(sentence: Sentence) -> bool:
    """Whether the sentence can only be understood with the one before it."""
    return bool(pack_for(sentence.language).anaphoric.search(sentence.text))


def entity_words(statement: Statement) -> frozenset[str]:
    """The words that may name what the statement is about."""
    return frozenset(
        word
        for word in content_words(statement.words)
        if len(word) > 2 and not is_weak(word) and not word.isdigit()
    )


def _words(statement: Statement) -> int:
    return count_words(statement.words) + sum(count_words(other.words) for other in statement.further)


def _compatible(statement: Statement, earlier: Statement) -> bool:
    system = {"configuration", "technical"}
    if {statement.category, earlier.category} <= system | {"project"}:
        shared = entity_words(statement) & entity_words(earlier)
        return is_anaphoric(statement.sentence) or (
            bool(shared or _is_detail(statement, earlier))
            and statement.sentence.message == earlier.sentence.message
        )
    return {statement.category, earlier.category} <= system or (
        {statement.category, earlier.category} <= {"project", "relationship"} and statement.kind == "need"
    )


def _leading(host: Statement, statement: Statement) -> tuple[str, str]:
    """The category of the whole: a name makes it an identity, a rule stays a rule."""
    return (statement.category, statement.kind) if statement.kind == "name" else (host.category, host.kind)
