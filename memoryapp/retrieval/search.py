"""The one entry to what is remembered: facts, file sections and messages that answer a question, best first."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.utils import timezone

from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Agent, Conversation
from memoryapp.retrieval.evidence import load_evidence
from memoryapp.retrieval.filters import And, Comparison, Node, Not, Or, parse_filter
from memoryapp.retrieval.lexical import LexicalHits, WordSearch
from memoryapp.retrieval.prepared import Readable
from memoryapp.retrieval.questions import Question, read_question
from memoryapp.retrieval.ranking import Ranking
from memoryapp.retrieval.reranking import get_reranker
from memoryapp.retrieval.results import (
    Hit,
    Ranked,
    SearchResult,
    as_hit,
    boost_by_trust,
    moved_back,
    public_scores,
    ranked_again,
    without_repeats,
)
from memoryapp.retrieval.semantic import Nearness, close_pairs
from memoryapp.retrieval.sources import SOURCES, Reading, Source
from memoryapp.retrieval.tokens import is_unspaced, tokenize
from memoryapp.retrieval.tracing import (
    EMBEDDING,
    LOADING,
    NEAREST,
    REPEATS,
    RERANKING,
    WEIGHING,
    WORDS,
    Trace,
)
from memoryapp.retrieval.vectors import EmbedderUnavailable, Vector, get_embedder, normalised
from memoryapp.retrieval.vectors.calibration import Asked, load_calibration
from tenants.principals import Principal
from tenants.scoping import workspace_scope

__all__ = ["Hit", "SearchResult", "search_memories"]

GivenVector: TypeAlias = Sequence[float] | Vector | Future[Vector | None] | None

logger = logging.getLogger(__name__)

MOST_RESULTS: Final = 1_000
LEAST_POOL: Final = 200
LEAST_RANKED: Final = 40
SPARE: Final = 5
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
    query_vector: GivenVector = None,
    mem0_names: bool = False,
    session: Conversation | None = None,
    beyond_prompt: bool = False,
) -> SearchResult:
    """What the principal may see and the question asks for, best first.

    Not to be called inside a workspace scope: the embedder may be at the other end of a network. Without it the answer
    is by words alone and says so. A `query_vector` that is still being computed is waited for after the words have been
    looked up. `threshold` is the least score; `reference_date` is the “now” of relative times;
    `beyond_prompt` leaves out file sections that every prompt holds; `explain` adds the reasons of each hit and the
    search's trace. Raises ValidationFailed for a bad filter, number or source.
    """
    started = time.perf_counter()
    _check(top_k, threshold)
    node = filters if isinstance(filters, And | Or | Not | Comparison) else parse_filter(filters)
    moment = reference_date or timezone.now()
    question = read_question(query, moment)
    if question.is_blank:
        return SearchResult(took_ms=_since(started))
    reading = Reading(
        principal, agent, node, moment, show_expired, latest_only, mem0_names, session, beyond_prompt
    )
    search = _Search(question, reading, _chosen(sources), top_k)
    ranked = search.run(query_vector)[:top_k]
    scores = public_scores(ranked, search.asked)
    items = [
        as_hit(each, score, search.asked, explain=explain) for each, score in zip(ranked, scores, strict=True)
    ]
    kept = [item for item in items if threshold is None or item.score >= threshold]
    search.trace.asked = search.asked
    trace = search.trace if explain else None
    return SearchResult(kept, degraded=search.asked is None, took_ms=_since(started), trace=trace)


class _Search:
    """One search on its way: words, then the vector, then the ranking."""

    def __init__(self, question: Question, reading: Reading, sources: Sequence[Source], top_k: int) -> None:
        self.question = question
        self.reading = reading
        self.readables = [Readable.by(reading, source) for source in sources]
        self.reranker = get_reranker()
        self.top_k = max(top_k, self.reranker.depth if self.reranker else 0)
        self.pool = max(LEAST_POOL, 2 * top_k)
        self.embedder = get_embedder()
        self.model = self.embedder.name
        self.words: dict[str, LexicalHits] = {}
        self.asked: Asked | None = None
        # Read now, before any transaction: an embedder behind a network may have to be measured.
        self.calibration = load_calibration(self.embedder.inner)
        self.trace = Trace(question.terms, self.model)

    def run(self, given: GivenVector) -> list[Ranked]:
        """The rows, best first; the vector is waited for between two scopes, never inside one."""
        workspace = self.reading.principal.workspace
        with workspace_scope(workspace):
            with self.trace.step(WORDS):
                self.read_words()
            ranked = self.rank() if self.knows_vector(given) else None
        if ranked is None:
            with self.trace.step(EMBEDDING):
                self.embed(given)
            with workspace_scope(workspace):
                ranked = self.rank()
        if self.reranker is not None:
            with self.trace.step(RERANKING):
                ranked = self.look_again(ranked)
        return ranked

    def read_words(self) -> None:
        names = [name for name in self.question.possible_names() if name not in ROLE_WORDS]
        for readable in self.readables:
            terms = self.question.terms
            found = WordSearch(readable, terms, names, self.pool).run()
            spoken = {term for name in found.speakers for term in tokenize(name)}
            others = [term for term in terms if term not in spoken]
            if found.speakers and others:
                # Whose words are meant is judged by who said them, not by who is spoken of.
                unnamed = WordSearch(readable, others, [], self.pool).run()
                found = replace(unnamed, speakers=found.speakers)
            self.words[readable.source.kind] = found
        self.trace.note_words(self.words)

    @property
    def embedded_text(self) -> str:
        """The question as it is embedded."""
        return self.question.for_embedding(name for hits in self.words.values() for name in hits.speakers)

    def knows_vector(self, given: GivenVector) -> bool:
        """Take the vector that was given, or one that was computed lately; False when it must be waited for."""
        if isinstance(given, Future):
            if not given.done():
                return False
            given = given.result()
        known = normalised(given) if given is not None else self.embedder.known_query(self.embedded_text)
        self.asked = None if known is None else self._ask(known)
        return known is not None

    def embed(self, given: GivenVector) -> None:
        """Wait for the vector that is on its way, or ask for one; none at all when the embedder is down."""
        if isinstance(given, Future):
            given.result()
            if self.knows_vector(given):
                return
        try:
            self.asked = self._ask(self.embedder.embed_query(self.embedded_text))
        except EmbedderUnavailable as error:
            logger.warning("Searching by words alone: %s", error)

    def _ask(self, vector: Vector) -> Asked:
        return self.calibration.ask(vector, unspaced=is_unspaced(self.question.text))

    def rank(self) -> list[Ranked]:
        """The rows of all sources in one order, at most as many as were asked for."""
        shares = self.trace.shares
        best = max((share for each in shares.values() for share in each.values()), default=0.0)
        pool = [each for one in self.readables for each in self._ranked(one, shares[one.source.kind], best)]
        pool.sort(key=lambda each: (-each.score, each.candidate.id))
        with self.trace.step(REPEATS):
            ordered = without_repeats(pool, self._close)
        self.trace.repeats = moved_back(ordered)
        return ordered[: self.top_k]

    def look_again(self, ranked: list[Ranked]) -> list[Ranked]:
        """The best in the order of the reranker, where there is one; not to be called inside a scope."""
        if self.reranker is None or len(ranked) < 2:
            return ranked
        best = ranked[: self.reranker.depth]
        scores = self.reranker.scores(self.question.text, [each.row.text for each in best])
        return ranked if scores is None else ranked_again(best, scores) + ranked[len(best) :]

    def _ranked(self, readable: Readable, shares: Mapping[str, float], best: float) -> list[Ranked]:
        words = self.words[readable.source.kind]
        ranking = Ranking(self.question, self.asked, shares)
        weights = ranking.weights(best, max(LEAST_RANKED, 2 * self.top_k))
        near = None if self.asked is None else Nearness(self.model, self.asked.vector, self.pool)
        times = bool(self.question.times)
        with self.trace.step(NEAREST):
            rows = load_evidence(readable, shares, near, weights, rows=words.rows_read, times=times)
        with self.trace.step(WEIGHING):
            ordered = ranking.rank(rows, weights, words.speakers)
        self.trace.ranked[readable.source.kind] = ordered
        first = ordered[: self.top_k + SPARE]
        with self.trace.step(LOADING):
            loaded = readable.source.load([each.id for each in first])
        pool = [
            Ranked(readable.source.kind, each, loaded[UUID(each.id)])
            for each in first
            if UUID(each.id) in loaded
        ]
        for ranked in pool:
            boost_by_trust(ranked, self.reading.moment)
        return pool

    def _close(self, ids: Sequence[str]) -> set[frozenset[str]]:
        """The pairs of rows whose vectors nearly coincide."""
        return set() if self.asked is None else close_pairs(ids, self.model, self.calibration.same)


def _chosen(names: Iterable[str]) -> list[Source]:
    names = list(names)
    unknown = [name for name in names if name not in SOURCES]
    if unknown:
        raise ValidationFailed.of("sources", f"Unknown source “{unknown[0]}”. Allowed: {', '.join(SOURCES)}.")
    return [SOURCES[name] for name in dict.fromkeys(names)]


def _check(top_k: object, threshold: float | None) -> None:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or not 1 <= top_k <= MOST_RESULTS:
        raise ValidationFailed.of("topK", f"A whole number from 1 to {MOST_RESULTS}.")
    if threshold is not None and not 0 <= threshold <= 1:
        raise ValidationFailed.of("threshold", "A number from 0 to 1.")


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
