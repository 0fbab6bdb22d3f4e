"""The one entry to what is remembered: facts, file sections and messages that answer a question, best first."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.utils import timezone

from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Agent, Conversation
from memoryapp.retrieval.context import load_surroundings
from memoryapp.retrieval.filters import And, Comparison, Node, Not, Or, parse_filter
from memoryapp.retrieval.lexical import LexicalHits, WordSearch
from memoryapp.retrieval.questions import Question, read_question
from memoryapp.retrieval.ranking import Ranking
from memoryapp.retrieval.results import (
    Hit,
    Ranked,
    SearchResult,
    as_hit,
    boost_by_trust,
    public_scores,
    without_repeats,
)
from memoryapp.retrieval.semantic import close_pairs, search_vectors
from memoryapp.retrieval.sources import SOURCES, Readable, Reading, Source
from memoryapp.retrieval.vectors import EmbedderUnavailable, Vector, get_embedder, normalised
from memoryapp.retrieval.vectors.calibration import Calibration, load_calibration
from tenants.principals import Principal
from tenants.scoping import workspace_scope

__all__ = ["Hit", "SearchResult", "search_memories"]

logger = logging.getLogger(__name__)

MOST_RESULTS: Final = 1_000
LEAST_POOL: Final = 200
LEAST_RANKED: Final = 50
SPARE: Final = 10
# Names that messages carry for a part in the talk rather than for somebody.
ROLE_WORDS: Final = frozenset(["user", "assistant", "system", "agent", "ai", "bot", "tool", "human"])


def search_memories(
    query: str,
    *,
    principal: Principal,
    agent: Agent,
    filters: Node | Mapping[str, Any] | None = None,
    top_k: int = 10,
    threshold: float | None = None,
    sources: Iterable[str] = ("facts", "files"),
    explain: bool = False,
    show_expired: bool = False,
    latest_only: bool = True,
    reference_date: datetime | None = None,
    query_vector: Sequence[float] | Vector | None = None,
    mem0_names: bool = False,
    session: Conversation | None = None,
) -> SearchResult:
    """What the principal may see and the question asks for, best first.

    Not to be called inside a workspace scope: the embedder may be at the other end of a network. Without it the answer
    is by words alone and says so. `threshold` is the least score; `reference_date` is the “now” of relative times.
    Raises ValidationFailed for a bad filter, number or source.
    """
    started = time.perf_counter()
    _check(top_k, threshold)
    node = filters if isinstance(filters, And | Or | Not | Comparison) else parse_filter(filters)
    moment = reference_date or timezone.now()
    question = read_question(query, moment)
    if question.is_blank:
        return SearchResult(took_ms=_since(started))
    reading = Reading(principal, agent, node, moment, show_expired, latest_only, mem0_names, session)
    search = _Search(question, reading, _chosen(sources), top_k)
    with workspace_scope(principal.workspace):
        search.read_words()
        ranked = search.rank() if search.knows_vector(query_vector) else None
    if ranked is None:
        search.embed()
        with workspace_scope(principal.workspace):
            ranked = search.rank()
    scores = public_scores(ranked, search.calibration)
    items = [as_hit(each, score, explain=explain) for each, score in zip(ranked, scores, strict=True)]
    kept = [item for item in items if threshold is None or item.score >= threshold]
    return SearchResult(kept, degraded=search.vector is None, took_ms=_since(started))


class _Search:
    """One search on its way: words, then the vector, then the ranking."""

    def __init__(self, question: Question, reading: Reading, sources: Sequence[Source], top_k: int) -> None:
        self.question = question
        self.reading = reading
        self.readables = [Readable.by(reading, source) for source in sources]
        self.top_k = top_k
        self.pool = max(LEAST_POOL, 2 * top_k)
        self.embedder = get_embedder()
        self.model = self.embedder.name
        self.words: dict[str, LexicalHits] = {}
        self.vector: Vector | None = None

    def read_words(self) -> None:
        names = [name for name in self.question.possible_names() if name not in ROLE_WORDS]
        for readable in self.readables:
            search = WordSearch(readable, self.question.terms, names, self.pool)
            self.words[readable.source.kind] = search.run()

    @property
    def asked(self) -> str:
        """The question as it is embedded."""
        return self.question.for_embedding(name for hits in self.words.values() for name in hits.speakers)

    def knows_vector(self, given: Sequence[float] | Vector | None) -> bool:
        """Take the vector that was given, or one that was computed lately; False when it must be asked for."""
        self.vector = normalised(given) if given is not None else self.embedder.known_query(self.asked)
        return self.vector is not None

    def embed(self) -> None:
        """Ask for the vector; none at all when the embedder is down."""
        try:
            self.vector = self.embedder.embed_query(self.asked)
        except EmbedderUnavailable as error:
            logger.warning("Searching by words alone: %s", error)

    @cached_property
    def calibration(self) -> Calibration | None:
        """What a cosine is worth for this question; None without vectors."""
        return None if self.vector is None else load_calibration(self.embedder.inner, self.question.language)

    def rank(self) -> list[Ranked]:
        """The rows of all sources in one order, at most as many as were asked for."""
        best = max((share for hits in self.words.values() for share in hits.coverage.values()), default=0.0)
        pool = [each for readable in self.readables for each in self._ranked(readable, best)]
        pool.sort(key=lambda each: (-each.score, each.candidate.id))
        return without_repeats(pool, self._close)[: self.top_k]

    def _ranked(self, readable: Readable, best_coverage: float) -> list[Ranked]:
        words, kind = self.words[readable.source.kind], readable.source.kind
        ranking = Ranking(self.question, self.calibration, best_coverage)
        ranking.add_lexical(words.coverage)
        if self.vector is not None:
            ranking.add_cosines(search_vectors(readable, self.model, self.vector, self.pool, words.rows_read))
        chosen = ranking.choose(max(LEAST_RANKED, 2 * self.top_k))
        times = bool(self.question.times)
        around = load_surroundings(readable, chosen, self.model, self.vector, times=times)
        ranking.add_boosts(around, words.speakers)
        rows = readable.source.load(ranking.best(self.top_k + SPARE))
        pool = [Ranked(kind, ranking.candidates[str(key)], row) for key, row in rows.items()]
        for each in pool:
            boost_by_trust(each, self.reading.moment)
        return pool

    def _close(self, ids: Sequence[str]) -> set[frozenset[str]]:
        """The pairs of rows whose vectors nearly coincide."""
        return set() if self.calibration is None else close_pairs(ids, self.model, self.calibration.same)


def _chosen(names: Iterable[str]) -> list[Source]:
    unknown = [name for name in names if name not in SOURCES]
    if unknown:
        raise ValidationFailed.of("sources", f"Unknown source “{unknown[0]}”. Allowed: {', '.join(SOURCES)}.")
    return [SOURCES[name] for name in dict.fromkeys(names)]


def _check(top_k: int, threshold: float | None) -> None:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or not 1 <= top_k <= MOST_RESULTS:
        raise ValidationFailed.of("topK", f"A whole number from 1 to {MOST_RESULTS}.")
    if threshold is not None and not 0 <= threshold <= 1:
        raise ValidationFailed.of("threshold", "A number from 0 to 1.")


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
