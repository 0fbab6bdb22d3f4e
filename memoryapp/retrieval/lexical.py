"""The arm of words: BM25 over PostgreSQL's text search, with the statistics of the rows the reader may find.

A small owner's rows are all read. Of a large owner's only those are scored that have one of the question's rarest
words, found by the index; the first rows read tell how rare a word is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from memoryapp.retrieval.prepared import Readable
from memoryapp.retrieval.sizes import SIZES
from memoryapp.retrieval.statements import Piece, fetch
from memoryapp.retrieval.tokens import quoted

# Measured on two sets of conversations with short and with long texts; flat around these values.
K1: Final = 1.2
B: Final = 0.8

# Up to so many rows of a reader every one is read; beyond, they are a sample that says how common a word is.
SMALL: Final = 5_000
SAMPLE: Final = 1_000
# Rows scored of a large owner: the question's rarest words decide which. With 5,000 instead it takes 1.6 times as long,
# and of the first 40 of 10,000 facts 99 % are the same.
MAX_CANDIDATES: Final = 2_000

SCORED: Final = """
WITH visible AS MATERIALIZED ({rows} LIMIT {limit}),
size AS (SELECT count(*) AS n, greatest(avg(length), 1)::float8 AS mean FROM visible),
terms AS MATERIALIZED (
  SELECT lexeme, once::tsquery, again::tsquery
  FROM unnest(%s::text[], %s::text[], %s::text[]) AS given (lexeme, once, again)
),
hits AS MATERIALIZED (
  SELECT id, length, lexeme, CASE WHEN lexemes @@ again
    THEN (SELECT cardinality(term.positions) FROM unnest(lexemes) AS term WHERE term.lexeme = terms.lexeme)
    ELSE 1 END::float8 AS tf
  FROM (SELECT * FROM visible WHERE lexemes @@ %s::tsquery OFFSET 0) AS found JOIN terms ON lexemes @@ once
),
weights AS ({weights}),
scores AS (
  SELECT id, sum(weight * tf * {k1_plus_1} / (tf + {k1} * ({one_minus_b} + {b} * length / mean))) AS score
  FROM hits JOIN weights USING (lexeme) CROSS JOIN size GROUP BY id ORDER BY score DESC, id LIMIT %s
)
SELECT (SELECT n FROM size), ARRAY(SELECT lexeme FROM weights), ARRAY(SELECT df::float8 FROM weights),
  ARRAY(SELECT id::text FROM scores), ARRAY(SELECT score FROM scores),
  ARRAY(SELECT DISTINCT lower({speaker}) FROM visible WHERE lower({speaker}) = ANY(%s))
"""
MATCHING: Final = "SELECT * FROM ({rows}) AS searched WHERE lexemes @@ %s::tsquery"
OWN_WEIGHTS: Final = """
  SELECT lexeme, count(*) AS df, ln(1 + (n - count(*) + 0.5) / (count(*) + 0.5))::float8 AS weight
  FROM hits CROSS JOIN size GROUP BY lexeme, n
"""
GIVEN_WEIGHTS: Final = (
    "SELECT * FROM unnest(%s::text[], %s::float8[], %s::float8[]) AS given (lexeme, df, weight)"
)


@dataclass(frozen=True, slots=True)
class LexicalHits:
    """Rows by their BM25 score, best first, and what else the reading told."""

    scores: dict[str, float] = field(default_factory=dict)
    # Rows the reader may find.
    rows_read: int = 0
    # Speakers of those rows whom the question names, in lower case.
    speakers: tuple[str, ...] = ()
    # The score of a text that would have every word of the question.
    ideal: float = 0.0

    def shares(self) -> dict[str, float]:
        """The scores as shares of the ideal, which makes those of different sources comparable."""
        return {key: score / self.ideal for key, score in self.scores.items()} if self.ideal > 0 else {}


class WordSearch:
    """One question's words against one source."""

    def __init__(self, readable: Readable, terms: Sequence[str], names: Sequence[str], limit: int) -> None:
        self.terms = list(terms)
        self.names = list(names)
        self.limit = limit
        self.readable = readable
        self.speaker = readable.source.speaker_column or "''"
        self.piece = readable.piece

    def run(self) -> LexicalHits:
        """Up to `limit` rows that have words of the question, and the speakers it names."""
        if self.piece is None:
            return LexicalHits()
        read = SMALL if SIZES.known(self.readable) is None else SAMPLE
        hits, frequencies = self._score(self.piece, read + 1, OWN_WEIGHTS, [])
        if hits.rows_read <= read or not self.terms:
            return self._with_ideal(hits, frequencies)
        return self._run_large(self.piece, hits, frequencies)

    def _score(
        self, rows: Piece, row_limit: int, weights: str, given: list[Any]
    ) -> tuple[LexicalHits, dict[str, float]]:
        sql, parameters = rows
        statement = SCORED.format(
            rows=sql,
            limit=row_limit,
            weights=weights,
            speaker=self.speaker,
            k1=K1,
            k1_plus_1=K1 + 1,
            b=B,
            one_minus_b=1 - B,
        )
        values = [*parameters, *self._asked(), *given, self.limit, self.names]
        count, words, frequencies, ids, scores, speakers = fetch(statement, values)[0]
        return LexicalHits(dict(zip(ids, scores, strict=True)), count, tuple(speakers)), dict(
            zip(words, frequencies, strict=True)
        )

    def _asked(self) -> list[Any]:
        """Each term with the query for it, and for it occurring again, and the query for any of them.

        A term's positions are 1 to the number of times it occurs, so it follows itself when it occurs again: asking a
        text for that takes a tenth of the time of taking it apart.
        """
        terms = list(dict.fromkeys(self.terms))
        once = [quoted(term) for term in terms]
        return [terms, once, [f"{term} <-> {term}" for term in once], _any_of(terms)]

    def _run_large(self, rows: Piece, sample: LexicalHits, in_sample: Mapping[str, float]) -> LexicalHits:
        total = max(SIZES.count(self.readable), sample.rows_read)
        frequencies = {term: in_sample.get(term, 0) * total / sample.rows_read for term in self.terms}
        # The planner looks through the inner statement: the words are asked of the index, the rest of what it finds.
        matching = MATCHING.format(rows=rows[0]), (*rows[1], _any_of(_rarest(frequencies)))
        weights = [
            list(frequencies),
            list(frequencies.values()),
            [_weight(df, total) for df in frequencies.values()],
        ]
        hits, _ = self._score(matching, MAX_CANDIDATES, GIVEN_WEIGHTS, weights)
        return self._with_ideal(LexicalHits(hits.scores, total, sample.speakers), frequencies)

    def _with_ideal(self, hits: LexicalHits, frequencies: Mapping[str, float]) -> LexicalHits:
        """A text of average length that has every word once; a word nobody used weighs most."""
        ideal = sum(_weight(frequencies.get(term, 0), hits.rows_read) for term in self.terms)
        return replace(hits, ideal=ideal)


def _any_of(terms: Sequence[str]) -> str:
    return " | ".join(map(quoted, terms))


def _weight(frequency: float, rows: int) -> float:
    return math.log(1 + (rows - frequency + 0.5) / (frequency + 0.5))


def _rarest(frequencies: Mapping[str, float]) -> list[str]:
    """The rarest words, as many as the index may find rows for; always one."""
    chosen: list[str] = []
    expected = 0.0
    for term, frequency in sorted(frequencies.items(), key=lambda item: item[1]):
        expected += frequency
        if chosen and expected > MAX_CANDIDATES:
            break
        chosen.append(term)
    return chosen
