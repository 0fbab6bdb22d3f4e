"""What a search looked at on its way and how long each step took, for whoever asks why it answered as it did."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from memoryapp.retrieval.lexical import LexicalHits
from memoryapp.retrieval.ranking import Candidate
from memoryapp.retrieval.vectors.calibration import Asked

# The steps in their order; a step that was not needed is missing from a trace's times.
WORDS, EMBEDDING, NEAREST, WEIGHING, LOADING, REPEATS, RERANKING = (
    "words",
    "embedding",
    "nearest",
    "weighing",
    "loading",
    "repeats",
    "reranking",
)


@dataclass(slots=True)
class Trace:
    """One search as it went: its words, its model, every row it ranked, and the milliseconds of each step."""

    terms: Sequence[str]
    model: str
    times: dict[str, float] = field(default_factory=dict)
    # Per kind: the hits by word with their shares of the question, best first, and the ranked rows, best first.
    shares: dict[str, dict[str, float]] = field(default_factory=dict)
    ranked: dict[str, Sequence[Candidate]] = field(default_factory=dict)
    # How many rows of each kind the reader may find at all.
    readable: dict[str, int] = field(default_factory=dict)
    # The question's vector as it is compared; None where the embedder was down.
    asked: Asked | None = None
    # Rows moved behind all others because a better one says the same.
    repeats: frozenset[str] = frozenset()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Add what happens inside to the time of a step."""
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - started) * 1000
            self.times[name] = self.times.get(name, 0.0) + spent

    def note_words(self, words: Mapping[str, LexicalHits]) -> None:
        self.shares = {kind: hits.shares() for kind, hits in words.items()}
        self.readable = {kind: hits.rows_read for kind, hits in words.items()}
