"""From ranked rows to what a caller gets: repeats moved back, and a score that means the same for every question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

import regex

from memoryapp.models import Fact, FileSection, Message
from memoryapp.retrieval.ranking import Candidate
from memoryapp.retrieval.tokens import tokenize
from memoryapp.retrieval.tracing import Trace
from memoryapp.retrieval.vectors.calibration import Asked

TRUST: Final = 0.1
# The likelihood where related texts begin: clients send fixed thresholds up to this.
LEAST_RELATED: Final = 0.4
# Two texts say the same when they share this much of their terms, or this much and their vectors nearly coincide:
# vectors alone take any two greetings for one.
SAME_TERMS: Final = 0.8
LIKE_TERMS: Final = 0.4
COMPARED: Final = 60
COMPARED_CHARACTERS: Final = 500
PUNCTUATION: Final = ".,;:!?\"'()"
ClosePairs: TypeAlias = Callable[[Sequence[str]], Collection[frozenset[str]]]
NUMBERS: Final = regex.compile(r"\d+(?:[.,:/-]\d+)*")
NEGATIONS: Final = regex.compile(
    r"\b(?:not?|never|cannot|without|nunca|sin)\b|n['’]t\b|[不没无别]", regex.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found: what kind, which row, its text, where it stands, and how well it fits (0 to 1)."""

    kind: str
    id: UUID
    text: str
    source: str
    score: float
    explain: dict[str, Any] | None = None
    object: Fact | FileSection | Message | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found; degraded when it had to do without vectors; with a trace when reasons were asked for."""

    items: list[Hit] = field(default_factory=list)
    degraded: bool = False
    took_ms: float = 0.0
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row with how it came to its rank."""

    kind: str
    candidate: Candidate
    row: Fact | FileSection | Message

    @property
    def score(self) -> float:
        return self.candidate.score


def boost_by_trust(ranked: Ranked, moment: datetime) -> None:
    if isinstance(ranked.row, Fact):
        ranked.candidate.boosts["trust"] = TRUST * (ranked.row.trust_at(moment) - 0.5)


def ranked_again(ordered: Sequence[Ranked], scores: Sequence[float]) -> list[Ranked]:
    """The rows in the order of a reranker's scores, which are noted on them."""
    again = sorted(zip(ordered, scores, strict=True), key=lambda pair: -pair[1])
    for place, (ranked, score) in enumerate(again, 1):
        ranked.candidate.reranked = place, score
    return [ranked for ranked, _ in again]


def without_repeats(ordered: Sequence[Ranked], close: ClosePairs) -> list[Ranked]:
    """The rows in order, those that say what a better one says moved behind all others: nothing is lost.

    `close` tells which pairs of rows have vectors that nearly coincide. Texts with other numbers or another negation
    never count as the same, however alike they look.
    """
    said = [_Said.of(each) for each in ordered]
    alike = {
        (later, earlier): shared
        for later in range(min(len(said), COMPARED))
        for earlier in range(later)
        if (shared := said[later].shared_with(said[earlier])) >= LIKE_TERMS
    }
    near = (
        close([ordered[place].candidate.id for place in sorted({place for pair in alike for place in pair})])
        if alike
        else ()
    )
    repeats: set[int] = set()
    for (later, earlier), shared in alike.items():
        pair = frozenset((ordered[later].candidate.id, ordered[earlier].candidate.id))
        if earlier not in repeats and (shared >= SAME_TERMS or pair in near):
            repeats.add(later)
    kept = [each for place, each in enumerate(ordered) if place not in repeats]
    return kept + [ordered[place] for place in sorted(repeats)]


def moved_back(ordered: Sequence[Ranked]) -> frozenset[str]:
    """The rows that stand behind less good ones, being repeats."""
    moved: list[str] = []
    least = float("inf")
    for ranked in ordered:
        if ranked.score > least:
            moved.append(ranked.candidate.id)
        least = min(least, ranked.score)
    return frozenset(moved)


@dataclass(frozen=True, slots=True)
class _Said:
    """What of a text counts when it is held against another."""

    words: frozenset[str]
    marks: tuple[frozenset[str], bool]

    @classmethod
    def of(cls, ranked: Ranked) -> _Said:
        text = ranked.row.text[:COMPARED_CHARACTERS]
        marks = frozenset(NUMBERS.findall(text)), bool(NEGATIONS.search(text))
        return cls(frozenset(_compared(text)), marks)

    def shared_with(self, other: _Said) -> float:
        """The share of common words, 0 where number or negation differ."""
        union = len(self.words | other.words) if self.marks == other.marks else 0
        return len(self.words & other.words) / union if union else 0.0


def _compared(text: str) -> list[str]:
    """Words, or pairs of characters where there are none, cut to what endings leave alone."""
    words = text.lower().split()
    return [word.strip(PUNCTUATION)[:5] for word in words] if len(words) > 2 else tokenize(text)


def public_scores(ordered: Sequence[Ranked], asked: Asked | None) -> list[float]:
    """Scores from 0 to 1 in the order of the ranking: how sure each row is to be meant.

    Where the ranking, which also looks around a row, puts a less sure row first, both get what lies between.
    """
    return _falling([_confidence(each.candidate, asked) for each in ordered])


def _falling(values: Iterable[float]) -> list[float]:
    """The nearest values that never rise: neighbours that do are averaged until none does."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while blocks and blocks[-1][0] < mean:
            before, size = blocks.pop()
            mean, count = (before * size + mean * count) / (size + count), size + count
        blocks.append((mean, count))
    return [mean for mean, count in blocks for _ in range(count)]


def _confidence(candidate: Candidate, asked: Asked | None) -> float:
    """How likely a row is to be what was meant: by its words, by its meaning, or by both together."""
    words = min(candidate.lexical, 1.0)
    return 1 - (1 - words) * (1 - (meaning_of(candidate, asked) or 0.0))


def meaning_of(candidate: Candidate, asked: Asked | None) -> float | None:
    """How likely a row is to be meant by what it means alone; None without a vector."""
    if asked is None or candidate.nearness is None:
        return None
    return _likelihood(asked.position(candidate.nearness, across=candidate.across))


def _likelihood(position: float) -> float:
    """A place between unrelated (0) and plainly related (1) as a likelihood."""
    slope = 1 - LEAST_RELATED if position > 0 else LEAST_RELATED
    return min(max(LEAST_RELATED + slope * position, 0.0), 1.0)


def as_hit(ranked: Ranked, score: float, asked: Asked | None, *, explain: bool) -> Hit:
    row = ranked.row
    reasons = _explanation(ranked.candidate, asked) if explain else None
    return Hit(ranked.kind, row.pk, row.text, _place(row), score, reasons, row)


def _place(row: Fact | FileSection | Message) -> str:
    """Where a row stands, in words a person understands."""
    if isinstance(row, FileSection):
        return f"{row.file.path} · {row.heading}" if row.heading else row.file.path
    if isinstance(row, Message):
        return f"conversation {row.conversation.external_id}"
    return row.category or "fact"


def _explanation(candidate: Candidate, asked: Asked | None) -> dict[str, Any]:
    meaning = meaning_of(candidate, asked)
    place, again = candidate.reranked or (None, None)
    return {
        "lexical": {"rank": candidate.lexical_rank, "score": round(candidate.lexical, 4)},
        "vector": {
            "rank": candidate.vector_rank,
            "score": None if meaning is None else round(meaning, 4),
        },
        **({} if place is None else {"rerank": {"rank": place, "score": again}}),
        "base": round(candidate.base, 4),
        "boosts": {name: round(value, 4) for name, value in candidate.boosts.items()},
        "total": round(candidate.score, 4),
    }
