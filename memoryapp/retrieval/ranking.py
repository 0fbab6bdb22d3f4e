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

from memoryapp.retrieval.evidence import Features, Weights
from memoryapp.retrieval.questions import Question
from memoryapp.retrieval.times import TimeReference
from memoryapp.retrieval.tokens import is_unspaced
from memoryapp.retrieval.vectors.calibration import Asked

LEXICAL: Final = 0.4
# The best hit by words counts in full when it has at least this share of the question: a single common word is no hit.
FULL_SHARE: Final = 0.6
VECTOR: Final = 0.6
# The band between unrelated and related texts is this much wider for ranking than for the public score.
BAND: Final = 2.5

# How much of a neighbour's score counts, by how far after the candidate the neighbour was said.
NEIGHBOUR: Final = {-2: 0.15, -1: 0.1, 1: 0.3, 2: 0.15}
# More from a question just before: what follows is likely its answer.
AFTER_QUESTION: Final = 0.2
RUN: Final = 0.2
RUN_BEST: Final = 3
# A text that is longer than so many characters stands alone: it needs, and lends, less context.
SELF_CONTAINED: Final = 300

SPEAKER: Final = 0.25
FROM_PERSON: Final = 0.2
SAID_THEN: Final = 0.3
HAPPENED_THEN: Final = 0.2
DIRECTIVE: Final = 0.15
# A standing instruction about something else gains nothing, one so far on the way to plainly related everything.
ON_SUBJECT: Final = 0.5
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
    # The inner product of its vector with the question's as it is compared.
    nearness: float | None = None
    # Whether it is in the other kind of script than the question.
    across: bool = False
    vector_rank: int | None = None
    base: float = 0.0
    boosts: dict[str, float] = field(default_factory=dict)
    # Where a reranker puts it, and its score there.
    reranked: tuple[int, float] | None = None

    @property
    def score(self) -> float:
        return self.base + sum(self.boosts.values())


class Ranking:
    """The candidates of one source for one question."""

    def __init__(self, question: Question, asked: Asked | None, shares: Mapping[str, float]) -> None:
        self.question = question
        self.asked = asked
        self.is_unspaced = is_unspaced(question.text)
        self.shares = shares
        self.places = {key: place for place, key in enumerate(shares, 1)}

    def weights(self, best_share: float, limit: int) -> Weights:
        """The two arms' weights over shares and nearnesses."""
        nearness = VECTOR / (BAND * self.asked.width) if self.asked else 0.0
        return Weights(LEXICAL / max(best_share, FULL_SHARE), nearness, limit)

    def rank(
        self, rows: Mapping[str, Features], weights: Weights, speakers: Sequence[str]
    ) -> list[Candidate]:
        """The rows as candidates, best first."""
        candidates = {key: self._candidate(row) for key, row in rows.items()}
        _set_places(candidates.values())
        self._set_bases(candidates, weights)
        context = _context(candidates, rows)
        for key, row in rows.items():
            boosts = {
                "context": context.get(key, 0.0),
                **self._own_boosts(row, candidates[key], speakers),
            }
            candidates[key].boosts = {name: value for name, value in boosts.items() if value}
        return sorted(candidates.values(), key=lambda each: (-each.score, each.id))

    def _candidate(self, row: Features) -> Candidate:
        across = is_unspaced(row.head) != self.is_unspaced
        return Candidate(row.id, self.shares.get(row.id, 0.0), self.places.get(row.id), row.nearness, across)

    def _set_bases(self, candidates: Mapping[str, Candidate], weights: Weights) -> None:
        """Add the scaled scores of both arms; a row without a vector gets what the least near one has."""
        above = {
            each.id: self.asked.above(each.nearness, across=each.across)
            for each in candidates.values()
            if self.asked and each.nearness is not None
        }
        least = min(above.values(), default=0.0)
        for each in candidates.values():
            each.base = weights.share * each.lexical + weights.nearness * above.get(each.id, least)

    def _directive(self, row: Features, candidate: Candidate) -> float:
        """What a standing instruction gains, the more the nearer it is to the subject."""
        if not (row.from_person and STANDING_WORD.match(row.head)):
            return 0.0
        if self.asked is None or row.nearness is None:
            return DIRECTIVE
        position = self.asked.position(row.nearness, across=candidate.across)
        return DIRECTIVE * min(max(position / ON_SUBJECT, 0.0), 1.0)

    def _own_boosts(self, row: Features, candidate: Candidate, speakers: Sequence[str]) -> dict[str, float]:
        times, said = self.question.times, self.question.said
        return {
            "speaker": SPEAKER * (len(speakers) == 1 and row.speaker.lower() == speakers[0]),
            "from_person": FROM_PERSON * row.from_person,
            "said_then": SAID_THEN * _time_match(said, row.said_at, row.said_at) if said else 0.0,
            "happened_then": HAPPENED_THEN * _event_match(times, row) if times else 0.0,
            "directive": self._directive(row, candidate),
            "importance": IMPORTANCE * (row.importance - 0.5),
            "recency": RECENCY * 2.0 ** (-max(row.age_days, 0.0) / RECENCY_HALF_LIFE_DAYS),
        }


def _set_places(candidates: Iterable[Candidate]) -> None:
    """The rank by meaning among the rows looked at."""
    near = [(each.nearness, each) for each in candidates if each.nearness is not None]
    for place, (_, each) in enumerate(sorted(near, key=lambda item: -item[0]), 1):
        each.vector_rank = place


def _context(candidates: Mapping[str, Candidate], rows: Mapping[str, Features]) -> dict[str, float]:
    """What neighbours and the run's best rows lend each row."""
    lends = {key: candidates[key].base * _need(row) for key, row in rows.items()}
    gained: dict[str, float] = defaultdict(float)
    for (key, neighbour), step in _steps(rows.values()).items():
        weight = NEIGHBOUR[step]
        if step == -1 and rows[neighbour].asks:
            weight += AFTER_QUESTION
        gained[key] += weight * lends[neighbour]
    for key, share in _run_shares(candidates, rows.values()).items():
        gained[key] += RUN * share
    return {key: value * _need(rows[key]) for key, value in gained.items()}


def _steps(rows: Iterable[Features]) -> dict[tuple[str, str], int]:
    """For both of two neighbours, how far after it the other was said."""
    steps: dict[tuple[str, str], int] = {}
    for row in rows:
        for step, key in enumerate(row.after or (), 1):
            steps[row.id, key], steps[key, row.id] = step, -step
        for step, key in enumerate(row.before or (), 1):
            steps[row.id, key], steps[key, row.id] = -step, step
    return steps


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
