"""The arm of meaning: the nearest vectors among the rows the reader may find, as a piece of a statement.

A small owner's vectors are all compared, which is exact; thousands by themselves at first, since few of the nearest
of them are not for the reader. A large owner's are found through the index over everybody's, which is asked for more
until enough of them are the reader's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from memoryapp.retrieval.filters import EVERYTHING
from memoryapp.retrieval.prepared import Readable, vectors_of
from memoryapp.retrieval.statements import Piece, as_halfvec, fetch
from memoryapp.retrieval.vectors import Vector

# Comparing takes about a millisecond per thousand rows. The index takes as long whatever their number, but longer the
# smaller their share of everybody's: it pays for owners of this many rows and of no less than this share.
EXACT_ROWS: Final = 20_000
LEAST_SHARE: Final = 0.02
SEARCH_WIDTH: Final = 200
MOST_SCANNED: Final = 40_000
# Whoever asks without a filter may read most of an owner's rows: among so many times those wanted there are enough.
LIKELY: Final = 5

NOTHING: Final = "SELECT NULL::uuid AS id, NULL::float8 AS cosine WHERE false"
AMONG_NEAREST: Final = """
SELECT e.{kind}_id AS id, -distance AS cosine FROM (
  SELECT {kind}_id, vector <#> %s::halfvec AS distance FROM ({vectors}) AS own ORDER BY distance, {kind}_id LIMIT %s
) AS e CROSS JOIN LATERAL (SELECT 1 FROM ({rows}) AS r WHERE r.id = e.{kind}_id OFFSET 0) AS readable
ORDER BY distance, e.{kind}_id LIMIT %s
"""
ALL_COMPARED: Final = """
SELECT id, -distance AS cosine FROM (
  SELECT r.id, e.vector <#> %s::halfvec AS distance FROM ({rows}) AS r
  JOIN memoryapp_embedding AS e ON e.{kind}_id = r.id
  WHERE e.model = %s AND e.vector IS NOT NULL ORDER BY distance, r.id LIMIT %s
) AS nearest
"""
# The cast is what the index is over; the comparisons above lack it, so that no plan can ever take the index for them.
BY_INDEX: Final = """
SELECT e.{kind}_id AS id, -((e.vector::halfvec({dimensions})) <#> %s::halfvec({dimensions})) AS cosine
FROM ({vectors}) AS e CROSS JOIN LATERAL (SELECT 1 FROM ({rows}) AS r WHERE r.id = e.{kind}_id OFFSET 0) AS readable
ORDER BY (e.vector::halfvec({dimensions})) <#> %s::halfvec({dimensions}) LIMIT %s
"""
INDEX_SETTINGS: Final = """
SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true),
  set_config('hnsw.max_scan_tuples', %s, true)
"""
ROWS_OF_TABLE: Final = "SELECT reltuples FROM pg_class WHERE oid = 'memoryapp_embedding'::regclass"
CLOSE_PAIRS: Final = """
WITH chosen AS MATERIALIZED (
  SELECT coalesce(fact_id, section_id, message_id) AS id, vector FROM memoryapp_embedding
  WHERE model = %s AND vector IS NOT NULL
    AND (fact_id = ANY(%s::uuid[]) OR section_id = ANY(%s::uuid[]) OR message_id = ANY(%s::uuid[]))
)
SELECT one.id::text, other.id::text FROM chosen AS one
JOIN chosen AS other ON one.id < other.id AND one.vector <#> other.vector <= %s
"""


@dataclass(frozen=True)
class Nearness:
    """What the nearest are asked by: the question's vector under a model, and how many are wanted."""

    model: str
    vector: Vector
    limit: int

    @cached_property
    def literal(self) -> str:
        """The vector as PostgreSQL writes it."""
        return as_halfvec(self.vector)


Way: TypeAlias = Callable[[Readable, Nearness], Piece]


def quicker_way(readable: Readable, near: Nearness, rows: int) -> Way | None:
    """How the nearest of so many rows are found without looking at each row, if there is a way; it may find too few."""
    if index_pays(rows):
        return by_index
    are_many = rows > LIKELY * near.limit
    return among_nearest if are_many and readable.reading.node is EVERYTHING else None


def index_pays(rows: int) -> bool:
    """Whether an owner of so many rows is better served by the index over everybody's vectors."""
    return rows > EXACT_ROWS and rows >= LEAST_SHARE * fetch(ROWS_OF_TABLE, [])[0][0]


def all_compared(readable: Readable, near: Nearness | None) -> Piece:
    """The statement for the nearest among all rows of a reader; for none at all without a vector."""
    if near is None or readable.piece is None:
        return NOTHING, ()
    rows, parameters = readable.piece
    statement = ALL_COMPARED.format(rows=rows, kind=readable.source.kind)
    return statement, (near.literal, *parameters, near.model, near.limit)


def among_nearest(readable: Readable, near: Nearness) -> Piece:
    """The statement for the nearest that the reader may find among an owner's nearest, who may be too few."""
    vectors = vectors_of(readable.source, readable.reading, near.model)
    if readable.piece is None or vectors is None:
        return NOTHING, ()
    rows, parameters = readable.piece
    statement = AMONG_NEAREST.format(rows=rows, vectors=vectors[0], kind=readable.source.kind)
    return statement, (near.literal, *vectors[1], LIKELY * near.limit, *parameters, near.limit)


def by_index(readable: Readable, near: Nearness) -> Piece:
    """The statement for the nearest through the index, which may give up before it has enough."""
    vectors = vectors_of(readable.source, readable.reading, near.model)
    if readable.piece is None or vectors is None:
        return NOTHING, ()
    rows, parameters = readable.piece
    fetch(INDEX_SETTINGS, [str(SEARCH_WIDTH), str(MOST_SCANNED)])
    statement = BY_INDEX.format(
        rows=rows, vectors=vectors[0], kind=readable.source.kind, dimensions=len(near.vector)
    )
    return statement, (near.literal, *vectors[1], *parameters, near.literal, near.limit)


def close_pairs(ids: Sequence[str], model: str, least: float) -> set[frozenset[str]]:
    """The pairs of rows whose vectors have at least the given cosine."""
    found = fetch(CLOSE_PAIRS, [model, list(ids), list(ids), list(ids), -least])
    return {frozenset(pair) for pair in found}
