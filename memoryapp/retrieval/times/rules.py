"""How a language writes time: patterns in order, each with what it means seen from a day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import regex

from memoryapp.retrieval.times.calendar import TimeReference

Meaning = Callable[["regex.Match[str]", date], TimeReference | None]
LEAST_YEAR, LAST_YEAR = 1000, 9990


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and the time it means."""

    pattern: regex.Pattern[str]
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Found:
    """An expression of time in a text: where it stands and what it means."""

    start: int
    end: int
    time: TimeReference


def rule(pattern: str, meaning: Meaning, *, case: bool = False) -> Rule:
    return Rule(regex.compile(pattern, 0 if case else regex.IGNORECASE), meaning)


def find(text: str, rules: Sequence[Rule], reference: date) -> list[Found]:
    """Every expression in the order of the text; where two overlap, the earlier rule's."""
    found: list[Found] = []
    for each in rules:
        for match in each.pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            time = _meaning(each, match, reference)
            if time is not None:
                found.append(Found(match.start(), match.end(), time))
    return sorted(found, key=lambda item: item.start)


def _meaning(each: Rule, match: regex.Match[str], reference: date) -> TimeReference | None:
    try:
        return each.meaning(match, reference)
    except (OverflowError, ValueError):  # a date that no calendar has
        return None


def number_in(word: str, words: Mapping[str, int]) -> int:
    """A number written in digits or as one of the language's words."""
    return int(word) if word.isdecimal() else words[word.lower()]


def year_in(digits: str | None) -> int | None:
    if digits is None:
        return None
    year = int(digits)
    if not LEAST_YEAR <= year <= LAST_YEAR:
        raise ValueError(digits)
    return year
