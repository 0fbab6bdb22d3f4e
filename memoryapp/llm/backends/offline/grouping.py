"""Everything said about one thing becomes one fact."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.statements import Sentence, Statement
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
    if statement.kind in _ABOUT_ONESELF and earlier.kind in _ABOUT_ONESELF:
        return True
    if statement.kind == earlier.kind == "health":
        return True
    if (
        statement.kind == "feeling"
        and statement.sentence.message == earlier.sentence.message
        and is_anaphoric(statement.sentence)
    ):
        return True
    if statement.sentence.message == earlier.sentence.message and _subject(statement) in entity_words(
        earlier
    ):
        return True
    if statement.category != earlier.category and not _compatible(statement, earlier):
        return False
    near = statement.sentence.message == earlier.sentence.message
    if near and (statement.kind in _NEEDS_NO_SUBJECT or is_anaphoric(statement.sentence)):
        return True
    return (
        near and bool(entity_words(statement) & entity_words(earlier)) and statement.category != "preference"
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
    if last.category == "rule" and _INCIDENT.search(sentence.text):
        return True
    if last.kind in ("life event", "work", "project") and _FEELING.match(sentence.text):
        return True
    if is_anaphoric(sentence) or (last.kind == "project" and EVENT_WORD.search(last.words)):
        return True
    here = frozenset(word for word in content_words(sentence.text) if len(word) > 2 and not is_weak(word))
    return bool(here & entity_words(last))


# What happened once is why the rule is there.
_INCIDENT = regex.compile(
    r"\b(?:once|twice|last (?:year|week|month|time|spring|summer|autumn|winter)|because|were|was|had|lost|"
    r"broke|saw|got|went|\p{L}{3,}ed)\b|\b(?:una vez|porque|\p{L}+(?:ió|ó))\b|上次|曾经|因为|过",
    regex.IGNORECASE,
)
_FEELING = regex.compile(r"^(?:i|we)(?:'m| am| feel|'re| are| felt| cried| could)\b", regex.IGNORECASE)
EVENT_WORD = regex.compile(
    r"\b(?:wedding|party|fair|festival|conference|offsite|retreat|workshop|concert|exhibition|graduation|"
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
            bool(shared) and statement.sentence.message == earlier.sentence.message
        )
    return {statement.category, earlier.category} <= system or (
        {statement.category, earlier.category} <= {"project", "relationship"} and statement.kind == "need"
    )


def _leading(host: Statement, statement: Statement) -> tuple[str, str]:
    """The category of the whole: a name makes it an identity, a rule stays a rule."""
    return (statement.category, statement.kind) if statement.kind == "name" else (host.category, host.kind)
