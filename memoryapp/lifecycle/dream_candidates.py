"""What may be promoted: scored, passed through the gates one after the other, each refusal with the gate that made it.

score = 0.30 frequency + 0.25 recency (half-life 7 d) + 0.20 query diversity + 0.15 freshness (30 d) + 0.10 velocity
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.statements import Statements
from memoryapp.actions.tombstones import ForgottenTexts
from memoryapp.lifecycle.dream_sources import DreamMaterial
from memoryapp.lifecycle.recall_signals import Signal
from memoryapp.llm.backends.offline.recurrence import Clause, find_recurring
from memoryapp.llm.language.wording import content_words, overlap, says_nothing_new

WEIGHTS = {"frequency": 0.30, "recency": 0.25, "diversity": 0.20, "freshness": 0.15, "velocity": 0.10}
HALF_LIFE_DAYS = 7.0
FRESH_DAYS = 30.0
# A subject named this often is worth mentioning as a near miss, though not yet as recurring.
NEARLY_RECURRING_DAYS = 2
MOST_NEAR_MISSES = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be promoted: its text, how it came up, its score, and the gate that stopped it if one did."""

    text: str
    day: date | None
    signal: Signal = field(default_factory=Signal)
    days: tuple[date, ...] = ()
    sources: tuple[dict[str, str], ...] = ()
    parts: dict[str, float] = field(default_factory=dict)
    score: float = 0.0
    gate: str = ""

    @property
    def recurs(self) -> bool:
        """Whether it was named on enough days to count even if nobody ever asked for it."""
        return len(self.days) >= settings.MEMORY_EMERGENCE_RECURRING_DAYS

    @property
    def why(self) -> str:
        """Why it is a candidate, in a few words."""
        if self.recurs:
            return f"named on {len(self.days)} of {settings.MEMORY_EMERGENCE_DAY_RANGE} days"
        if self.signal.recalls:
            return f"recalled {self.signal.recalls} times for {self.signal.queries} different questions"
        return f"named on {len(self.days)} days"

    def as_json(self) -> dict[str, Any]:
        """The candidate as the API shows it."""
        return {
            "text": self.text,
            "day": self.day.isoformat() if self.day else None,
            "score": round(self.score, 3),
            "parts": {name: round(value, 3) for name, value in self.parts.items()},
            "recallCount": self.signal.recalls,
            "queryCount": self.signal.queries,
            "lastRecalledAt": self.signal.last.isoformat() if self.signal.last else None,
            "days": [day.isoformat() for day in self.days],
            "sources": list(self.sources),
            "gate": self.gate,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates of a dream, best first: those that passed every gate, and those one of them stopped."""

    passed: tuple[Candidate, ...]
    stopped: tuple[Candidate, ...]

    @property
    def near_misses(self) -> tuple[Candidate, ...]:
        return self.stopped[:MOST_NEAR_MISSES]

    def without(self, forgotten: ForgottenTexts) -> Judged:
        """The candidates without what was forgotten since they were judged."""
        return Judged(
            tuple(one for one in self.passed if not forgotten.include(one.text)),
            tuple(one for one in self.stopped if not forgotten.include(one.text)),
        )


def judge_candidates(material: DreamMaterial, topic: str = "") -> Judged:
    """Everything that came up in a bucket, scored and put through the gates."""
    # What was forgotten is not even told as a near miss.
    found = [one for one in find_candidates(material) if not material.forgotten.include(one.text)]
    raw = [candidate for candidate in found if _is_about(candidate.text, topic)]
    scored = sorted(
        _scored(raw), key=lambda candidate: (not candidate.recurs, -candidate.score, candidate.text)
    )
    known = [line for line in material.memory.splitlines() if line.strip()]
    judged = [replace(candidate, gate=_gate_of(candidate, material, known)) for candidate in scored]
    passed = [candidate for candidate in judged if not candidate.gate]
    limit = settings.MEMORY_MAX_CANDIDATES_PER_DREAM or len(passed)
    over = [replace(candidate, gate="limit") for candidate in passed[limit:]]
    return Judged(tuple(passed[:limit]), (*over, *(one for one in judged if one.gate)))


def find_candidates(material: DreamMaterial) -> list[Candidate]:
    """What recurs in the notes and what was recalled, each statement once."""
    found = [
        Candidate(line.text, line.day, line.signal, sources=(line.source,)) for line in material.recalled
    ]
    least = min(NEARLY_RECURRING_DAYS, settings.MEMORY_EMERGENCE_RECURRING_DAYS)
    for recurring in find_recurring(material.notes, least_days=least, names=material.names):
        twin = next((one for one in found if _same(one.text, recurring.clause)), None)
        if twin is not None:
            found.remove(twin)
        found.append(_recurring(recurring.clause, recurring.days, twin))
    return found


def _same(text: str, clause: Clause) -> bool:
    return says_nothing_new(clause.text, text) or content_words(text) == content_words(clause.line)


def _recurring(clause: Clause, days: tuple[date, ...], twin: Candidate | None) -> Candidate:
    notes = tuple({"path": f"memory/{day.isoformat()}.md"} for day in days)
    return Candidate(
        clause.text,
        clause.day,
        twin.signal if twin else Signal(),
        days,
        sources=(*(twin.sources if twin else ()), *notes),
    )


def _is_about(text: str, topic: str) -> bool:
    return not topic or bool(overlap(text, topic))


def _scored(candidates: Sequence[Candidate]) -> Iterable[Candidate]:
    most_recalls = max((one.signal.recalls for one in candidates), default=0)
    most_queries = max((one.signal.queries for one in candidates), default=0)
    now = timezone.now()
    for one in candidates:
        parts = score_parts(one.signal, one.day, now, most_recalls, most_queries)
        yield replace(one, parts=parts, score=sum(WEIGHTS[name] * value for name, value in parts.items()))


def score_parts(
    signal: Signal, day: date | None, now: datetime, most_recalls: int, most_queries: int
) -> dict[str, float]:
    """The parts of a score, each from 0 to 1."""
    since = (now - signal.last).total_seconds() / 86400 if signal.last else None
    age = max((now.date() - day).days, 0) if day else None
    return {
        "frequency": signal.recalls / most_recalls if most_recalls else 0.0,
        "recency": 2.0 ** (-since / HALF_LIFE_DAYS) if since is not None else 0.0,
        "diversity": signal.queries / most_queries if most_queries else 0.0,
        "freshness": max(0.0, 1 - age / FRESH_DAYS) if age is not None else 0.5,
        "velocity": signal.today / signal.recalls if signal.recalls else 0.0,
    }


def _gate_of(candidate: Candidate, material: DreamMaterial, known: Sequence[str]) -> str:
    """The first gate that stops a candidate; empty when it passes all."""
    for gate, stops in _barriers(material, known):
        if stops(candidate):
            return gate
    if candidate.recurs:
        return ""
    return next((gate for gate, stops in THRESHOLDS if stops(candidate, material)), "")


def _barriers(
    material: DreamMaterial, known: Sequence[str]
) -> Iterable[tuple[str, Callable[[Candidate], bool]]]:
    """What keeps a candidate out however often it came up."""
    yield "outdated", lambda one: _says(material.outdated, one.text)
    yield "contradicted", lambda one: _says(material.contradicted, one.text)
    yield "reverted", lambda one: _says(material.reverted, one.text)
    yield "known", lambda one: any(says_nothing_new(one.text, line) for line in known)
    yield "standing", lambda one: _says(material.standing, one.text)


def _says(statements: Statements, text: str) -> bool:
    return bool(statements) and statements.made_by(text)


def _is_old(candidate: Candidate, material: DreamMaterial) -> bool:
    limit = settings.MEMORY_EMERGENCE_MAX_AGE_DAYS
    return bool(limit and candidate.day and (material.today - candidate.day).days > limit)


# What takes a recurrence or enough recalls, for enough different questions, lately enough.
THRESHOLDS: tuple[tuple[str, Callable[[Candidate, DreamMaterial], bool]], ...] = (
    ("recalls", lambda one, _: one.signal.recalls < settings.MEMORY_EMERGENCE_MIN_RECALL_COUNT),
    ("queries", lambda one, _: one.signal.queries < settings.MEMORY_EMERGENCE_MIN_UNIQUE_QUERIES),
    ("age", _is_old),
    ("score", lambda one, _: one.score < settings.MEMORY_EMERGENCE_SCORE_THRESHOLD),
)
