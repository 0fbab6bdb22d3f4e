"""Ranking: scaled scores of the arms added, then what stands around a candidate, then small boosts.

The weights are one setting for short talk between people and for long answers of an assistant; docs/benchmarks.md
says how they were measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import regex

from memoryapp.retrieval.context import Features, Surroundings
from memoryapp.retrieval.questions import Question
from memoryapp.retrieval.times import TimeReference
from memoryapp.retrieval.vectors.calibration import Calibration

LEXICAL: Final = 0.4
VECTOR: Final = 0.6
# The band between unrelated and related cosines is this much wider for ranking than for the public score.
BAND: Final = 2.5

# How much of a neighbour's score counts, by how far after the candidate the neighbour was said.
NEIGHBOUR: Final = {-2: 0.15, -1: 0.1, 1: 0.3, 2: 0.15}
# More from a question just before: what follows is likely its answer.
AFTER_QUESTION: Final = 0.2
RUN: Final = 0.2
RUN_BEST: Final = 3
# A text that is longer than so many characters stands alone: it needs, and lends, less context.
SELF_CONTAINED: Final = 300

SPEAKER: Final = 0.2
FROM_PERSON: Final = 0.2
SAID_THEN: Final = 0.3
HAPPENED_THEN: Final = 0.2
DIRECTIVE: Final = 0.15
IMPORTANCE: Final = 0.1
RECENCY: Final = 0.03
RECENCY_HALF_LIFE_DAYS: Final = 30

STANDING_WORD: Final = regex.compile(
    r"^(?:[\w ]{1,20}: )?(?:(?:please|and|also|from now on|in future|going forward),? )*"
    r"(?:always|never|i(?:'d| would)? (?:always )?prefer|siempre|nunca|prefiero"
    r"|请?(?:总是|始终|永远|一律|从不|不要再))",
    regex.IGNORECASE,
)


@dataclass(slots=True)
class Candidate:
    """One row on its way to a rank."""

    id: str
    lexical: float = 0.0
    lexical_rank: int | None = None
    cosine: float | None = None
    vector_rank: int | None = None
    base: float = 0.0
    boosts: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        return self.base + sum(self.boosts.values())


class Ranking:
    """The candidates of one source for one question."""

    def __init__(self, question: Question, calibration: Calibration | None, best_coverage: float) -> None:
        self.question = question
        self.best_coverage = best_coverage
        self.calibration = calibration
        self.candidates: dict[str, Candidate] = {}

    def add_lexical(self, scores: Mapping[str, float]) -> None:
        for rank, (key, score) in enumerate(scores.items(), 1):
            candidate = self._candidate(key)
            candidate.lexical, candidate.lexical_rank = score, rank

    def add_cosines(self, cosines: Mapping[str, float]) -> None:
        for rank, (key, cosine) in enumerate(cosines.items(), 1):
            candidate = self._candidate(key)
            candidate.cosine, candidate.vector_rank = cosine, rank

    def _candidate(self, key: str) -> Candidate:
        return self.candidates.setdefault(key, Candidate(key))

    def _set_bases(self) -> None:
        """Add the scaled scores of both arms; a row without a vector gets what the least near one has."""
        positions = {
            each.id: self._position(each.cosine)
            for each in self.candidates.values()
            if each.cosine is not None
        }
        least = min(positions.values(), default=0.0)
        for each in self.candidates.values():
            words = each.lexical / self.best_coverage if self.best_coverage > 0 else 0.0
            each.base = LEXICAL * words + VECTOR * positions.get(each.id, least)

    def _position(self, cosine: float) -> float:
        return self.calibration.position(cosine) / BAND if self.calibration else 0.0

    def choose(self, count: int) -> list[str]:
        """The rows worth looking at closely: the best by the two arms alone."""
        self._set_bases()
        return self.best(count)

    def best(self, count: int) -> list[str]:
        ordered = sorted(self.candidates.values(), key=lambda each: (-each.score, each.id))
        return [each.id for each in ordered[:count]]

    def add_boosts(self, surroundings: Surroundings, speakers: Sequence[str]) -> None:
        """Everything beyond the two arms; rows that are no candidates yet become ones."""
        for key, row in surroundings.features.items():
            self._candidate(key).cosine = row.cosine
        self._set_bases()
        context = _context(self.candidates, surroundings)
        for key, features in surroundings.features.items():
            boosts = {"context": context.get(key, 0.0), **self._own_boosts(features, speakers)}
            self.candidates[key].boosts = {name: value for name, value in boosts.items() if value}
        self.candidates = {key: each for key, each in self.candidates.items() if key in surroundings.features}

    def _own_boosts(self, row: Features, speakers: Sequence[str]) -> dict[str, float]:
        times = self.question.times
        return {
            "speaker": SPEAKER * (len(speakers) == 1 and row.speaker.lower() == speakers[0]),
            "from_person": FROM_PERSON * row.from_person,
            "said_then": SAID_THEN * _time_match(times, row.said_at, row.said_at) if times else 0.0,
            "happened_then": HAPPENED_THEN * _event_match(times, row) if times else 0.0,
            "directive": DIRECTIVE * bool(row.from_person and STANDING_WORD.search(row.head)),
            "importance": IMPORTANCE * (row.importance - 0.5),
            "recency": RECENCY * 2.0 ** (-max(row.age_days, 0.0) / RECENCY_HALF_LIFE_DAYS),
        }


def _context(candidates: Mapping[str, Candidate], around: Surroundings) -> dict[str, float]:
    """What neighbours and the run's best rows lend each row."""
    features = around.features
    lends = {key: candidates[key].base * _need(row) for key, row in features.items()}
    gained: dict[str, float] = defaultdict(float)
    for (key, neighbour), step in _both_ways(around.steps).items():
        weight = NEIGHBOUR[step]
        if step == -1 and features[neighbour].asks:
            weight += AFTER_QUESTION
        gained[key] += weight * lends[neighbour]
    for key, share in _run_shares(candidates, features.values()).items():
        gained[key] += RUN * share
    return {key: value * _need(features[key]) for key, value in gained.items()}


def _both_ways(steps: Mapping[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    return {**{(second, first): -step for (first, second), step in steps.items()}, **steps}


def _need(row: Features) -> float:
    """How far a row depends on what stands around it: wholly while it is short."""
    return min(1.0, SELF_CONTAINED / max(row.characters, 1))


def _run_shares(candidates: Mapping[str, Candidate], rows: Iterable[Features]) -> dict[str, float]:
    """How good each row's run is among the runs, 0 to 1, by its best rows."""
    runs: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.run:
            runs[row.run].append(row.id)
    means = {run: _mean_of_best([candidates[key].base for key in keys]) for run, keys in runs.items()}
    low, high = min(means.values(), default=0.0), max(means.values(), default=0.0)
    if high <= low:
        return {}
    return {key: (means[run] - low) / (high - low) for run, keys in runs.items() for key in keys}


def _mean_of_best(values: list[float]) -> float:
    best = sorted(values, reverse=True)[:RUN_BEST]
    return sum(best) / len(best)


def _event_match(times: Sequence[TimeReference], row: Features) -> float:
    if row.event_from is None or row.event_to is None:
        return 0.0
    return _time_match(times, row.event_from, row.event_to - timedelta(microseconds=1))


def _time_match(times: Sequence[TimeReference], start: datetime | None, end: datetime | None) -> float:
    """1 for the very day the question names, less for the right week, month or year."""
    if start is None or end is None:
        return 0.0
    first, last = start.date(), max(start, end).date()
    return max((_precision(each) for each in times if each.meets(first, last)), default=0.0)


def _precision(time: TimeReference) -> float:
    if time.days <= 2:
        return 1.0
    return 0.75 if time.days <= 10 else 0.5 if time.days <= 31 else 0.15
