"""When two facts cannot both hold, told by rules: same subject, same question, another answer.

Better one conflict missed than a person asked about two things that are both true: only questions with a single answer
count, of the same subject, over the same time, and nothing that is said to be temporary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memoryapp.llm.backends.offline.conflict_words import (
    ANTONYMS,
    ATTRIBUTES,
    FAR_PAST,
    NOT_HAN,
    ONE_ANSWER,
    PREFERENCE,
    TEMPORARY,
    VALUE_KINDS,
)
from memoryapp.llm.language.wording import NEGATION, content_words, is_weak
from memoryapp.llm.night_tasks import ConflictInput, ConflictReply, DatedFact, FoundConflict

LIKING, DISLIKING = "like", "dislike"
OWNER = frozenset({"user", "person", "用户"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a fact answers: a question with a single answer, about whom, and the answer."""

    question: str
    subject: frozenset[str]
    value: str


def find_conflicts(task: ConflictInput) -> ConflictReply:
    """The pairs of the task that contradict each other."""
    facts = {fact.number: fact for fact in task.facts}
    names = frozenset().union(*(content_words(name) for name in task.names))
    found = []
    for a, b in task.pairs:
        reason = why_conflicting(facts[a], facts[b], names)
        if reason:
            found.append(FoundConflict(a=a, b=b, reason=reason))
    return ConflictReply(conflicts=found)


def why_conflicting(one: DatedFact, other: DatedFact, names: frozenset[str] = frozenset()) -> str:
    """Why the two cannot both hold, in a few words; empty when they can."""
    if not at_the_same_time(one, other) or any(_is_passing(fact.text) for fact in (one, other)):
        return ""
    rules: Sequence[Callable[[str, str, frozenset[str]], str]] = (
        _other_answer,
        _denial,
        _other_taste,
        _other_value,
    )
    return next((reason for rule in rules if (reason := rule(one.text, other.text, names))), "")


def at_the_same_time(one: DatedFact, other: DatedFact) -> bool:
    """Whether the periods over which two facts hold overlap, as far as they are known."""
    starts = [moment for moment in (one.valid_from, other.valid_from) if moment is not None]
    ends = [moment for moment in (one.valid_to, other.valid_to) if moment is not None]
    return not starts or not ends or max(starts) < min(ends)


def _is_passing(text: str) -> bool:
    return bool(TEMPORARY.search(text) or FAR_PAST.search(text))


def _other_answer(one: str, other: str, names: frozenset[str]) -> str:
    """Both answer a question that has one answer, and differ."""
    theirs = {(answer.question, answer.subject): answer for answer in answers_of(other, names)}
    for mine in answers_of(one, names):
        answer = theirs.get((mine.question, mine.subject))
        if answer is not None and _differ(mine.value, answer.value):
            return f"{mine.question}: “{mine.value}” or “{answer.value}”"
    return ""


def answers_of(text: str, names: frozenset[str]) -> Iterator[Answer]:
    """The questions with a single answer that a fact answers."""
    for question, pattern in ATTRIBUTES:
        match = pattern.search(text)
        if match:
            yield Answer(question, _subject(match["subject"] or "", names), match["value"].strip(" .,;，。"))


def _subject(words: str, names: frozenset[str]) -> frozenset[str]:
    return content_words(words) - names - OWNER


def _differ(one: str, other: str) -> bool:
    a, b = content_words(one), content_words(other)
    return bool(a) and bool(b) and not (a <= b or b <= a)


def _denial(one: str, other: str, names: frozenset[str]) -> str:
    """One says what the other denies."""
    a, b = _without_han_denial(one) - names, _without_han_denial(other) - names
    if (NEGATION in a) == (NEGATION in b) and not _likes_and_dislikes(a, b):
        return ""
    same = a - {NEGATION, LIKING, DISLIKING} == b - {NEGATION, LIKING, DISLIKING}
    says_something = any(not is_weak(word) for word in a - {NEGATION})
    return f"“{one.strip()}” or “{other.strip()}”" if same and says_something else ""


def _without_han_denial(text: str) -> frozenset[str]:
    """The words of a text, a Chinese denial told like one of other languages."""
    told = text.replace("讨厌", "不喜欢")
    plain = NOT_HAN.sub("", told)
    return content_words(text) if plain == text else content_words(plain) | {NEGATION}


def _likes_and_dislikes(a: frozenset[str], b: frozenset[str]) -> bool:
    return (LIKING in a and DISLIKING in b) or (DISLIKING in a and LIKING in b)


def _other_taste(one: str, other: str, names: frozenset[str]) -> str:
    """Two preferences that exclude each other: the same but for one word and its opposite."""
    if not (PREFERENCE.search(one) and PREFERENCE.search(other)):
        return ""
    a, b = content_words(one) - names, content_words(other) - names
    mine, theirs = a - b, b - a
    for left in mine:
        for right in theirs:
            if frozenset((left, right)) in ANTONYMS and _little(mine - {left}) and _little(theirs - {right}):
                return f"“{one.strip()}” or “{other.strip()}”"
    return ""


def _little(words: frozenset[str]) -> bool:
    return all(is_weak(word) for word in words)


def _other_value(one: str, other: str, names: frozenset[str]) -> str:
    """The same sentence about a thing that happens or costs once, with another day, time or amount."""
    if not (ONE_ANSWER.search(one) and ONE_ANSWER.search(other)):
        return ""
    for kind, pattern in VALUE_KINDS:
        mine, theirs = pattern.findall(one), pattern.findall(other)
        if len(mine) != 1 or len(theirs) != 1 or mine == theirs:
            continue
        a, b = (content_words(pattern.sub(" ", text)) - names for text in (one, other))
        if a == b and any(not is_weak(word) for word in a):
            return f"{kind}: “{mine[0].strip()}” or “{theirs[0].strip()}”"
    return ""
