"""The words of the rule tables: sentences, rules, what was recognised, and what a language brings along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

import regex

Pattern = regex.Pattern[str]
NOTHING: Pattern = regex.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One tidied sentence of what a person said; an empty speaker is the owner."""

    text: str
    language: str
    message: int
    day: date
    speaker: str = ""
    explicit: bool = False
    correction: bool = False
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of saying something worth keeping.

    `opens` starts a fact of its own inside a sentence about something else, `directive` may be an imperative,
    `cased` looks at capitals, `companion` counts with the companion overlay only.
    """

    category: str
    kind: str
    pattern: Pattern
    opens: bool = False
    directive: bool = False
    cased: bool = False
    companion: bool = False


@dataclass(frozen=True, slots=True)
class Noise:
    """A way of saying something that is never worth keeping, with the gate that stops it."""

    gate: str
    reason: str
    pattern: Pattern
    cased: bool = False
    spares_rules: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence and the punctuation or conjunction that joins it to the part before."""

    joint: str
    text: str


@dataclass(slots=True)
class Statement:
    """Something recognised: the user's own words, by clause, and what they are about."""

    category: str
    kind: str
    sentence: Sentence
    clauses: list[Clause]
    further: list[Statement] = field(default_factory=list)
    guessed: bool = False

    @property
    def words(self) -> str:
        return "".join(f"{clause.joint}{clause.text}" for clause in self.clauses).strip(" ,;")

    @property
    def sentences(self) -> list[Sentence]:
        return [self.sentence, *(sentence for other in self.further for sentence in other.sentences)]


@dataclass(frozen=True, slots=True)
class LanguagePack:
    """Everything the shared steps need to know of one language."""

    code: str
    rules: tuple[Rule, ...]
    noise: tuple[Noise, ...]
    explicit: Pattern
    keep_in_mind: Pattern
    changed: Pattern
    anaphoric: Pattern
    corrected: Pattern
    matchable: Callable[[str], str]
    tidy: Callable[[str], str]
    clauses: Callable[[str], list[Clause]]
    guess: Callable[[str, str, bool], tuple[str, str] | None]
    render: Callable[[Statement, bool], str]
    join: Callable[[list[str], str], str]
    finish: Callable[[str, str, date, bool], str]
    # A side of the thing spoken of before; by default nothing is.
    detail: Pattern = NOTHING
    # An order about all of a kind, with its reason; read on the whole sentence.
    standing_order: Pattern = NOTHING


def no_guess(text: str, plain: str, companion: bool) -> tuple[str, str] | None:
    """A language whose rules are all there is."""
    return None


def rules(category: str, kind: str, *patterns: str, **flags: bool) -> tuple[Rule, ...]:
    """Rules of one kind, one pattern each."""
    options = regex.IGNORECASE if not flags.get("cased") else regex.UNICODE
    return tuple(Rule(category, kind, regex.compile(pattern, options), **flags) for pattern in patterns)


def noise(
    gate: str, reason: str, *patterns: str, cased: bool = False, spares_rules: bool = False
) -> tuple[Noise, ...]:
    """Kinds of noise stopped by one gate for one reason."""
    options = regex.UNICODE if cased else regex.IGNORECASE
    return tuple(
        Noise(gate, reason, regex.compile(pattern, options), cased, spares_rules) for pattern in patterns
    )
