"""The arm of meaning: the nearest vectors among the rows the reader may find.

A small owner's vectors are all compared, which is exact. A large owner's are found through the index over everybody's,
which is asked for more until enough of them are the reader's; should it give up before, all are compared after all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from memoryapp.models import Embedding
from memoryapp.retrieval.sources import Readable, narrowed
from memoryapp.retrieval.statements import as_halfvec, as_piece, fetch
from memoryapp.retrieval.vectors import Vector

# Comparing takes about a millisecond per thousand rows. The index takes as long whatever their number, but longer the
# smaller their share of everybody's: it pays for owners of this many rows and of no less than this share.
EXACT_ROWS: Final = 20_000
LEAST_SHARE: Final = 0.02
SEARCH_WIDTH: Final = 200
MOST_SCANNED: Final = 40_000

ALL_COMPARED: Final = """
SELECT r.id::text, -(e.vector <#> %s::halfvec) FROM ({rows}) AS r JOIN memoryapp_embedding AS e ON e.{kind}_id = r.id
WHERE e.model = %s AND e.vector IS NOT NULL ORDER BY e.vector <#> %s::halfvec, r.id LIMIT %s
"""
# The cast is what the index is over; the comparison above lacks it, so that no plan can ever take the index for it.
BY_INDEX: Final = """
SELECT e.{kind}_id::text, -((e.vector::halfvec({dimensions})) <#> %s::halfvec({dimensions})) FROM ({vectors}) AS e
CROSS JOIN LATERAL (SELECT 1 FROM ({rows}) AS r WHERE r.id = e.{kind}_id OFFSET 0) AS readable
ORDER BY (e.vector::halfvec({dimensions})) <#> %s::halfvec({dimensions}) LIMIT %s
"""
INDEX_SETTINGS: Final = """
SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true),
  set_config('hnsw.max_scan_tuples', %s, true), set_config('enable_sort', 'off', true)
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


def search_vectors(readable: Readable, model: str, vector: Vector, limit: int, rows: int) -> dict[str, float]:
    """Up to `limit` rows with their cosines, nearest first; `rows` is how many the reader may find."""
    if rows > EXACT_ROWS and rows >= LEAST_SHARE * fetch(ROWS_OF_TABLE, [])[0][0]:
        found = _by_index(readable, model, vector, limit)
        if len(found) == limit:
            return found
    return _all_compared(readable, model, vector, limit)


def close_pairs(ids: Sequence[str], model: str, least: float) -> set[frozenset[str]]:
    """The pairs of rows whose vectors have at least the given cosine."""
    found = fetch(CLOSE_PAIRS, [model, list(ids), list(ids), list(ids), -least])
    return {frozenset(pair) for pair in found}


def _all_compared(readable: Readable, model: str, vector: Vector, limit: int) -> dict[str, float]:
    if readable.piece is None:
        return {}
    rows, parameters = readable.piece
    literal = as_halfvec(vector)
    statement = ALL_COMPARED.format(rows=rows, kind=readable.source.kind)
    return _as_cosines(fetch(statement, [literal, *parameters, model, literal, limit]))


def _by_index(readable: Readable, model: str, vector: Vector, limit: int) -> dict[str, float]:
    rows = readable.piece
    key = f"{readable.source.kind}_id"
    embeddings = narrowed(Embedding.objects.all(), readable.reading).filter(
        model=model, **{f"{key}__isnull": False}
    )
    vectors = as_piece(embeddings, key, "vector")
    if rows is None or vectors is None:
        return {}
    literal = as_halfvec(vector)
    statement = BY_INDEX.format(
        rows=rows[0], vectors=vectors[0], kind=readable.source.kind, dimensions=len(vector)
    )
    fetch(INDEX_SETTINGS, [str(SEARCH_WIDTH), str(MOST_SCANNED)])
    return _as_cosines(fetch(statement, [literal, *vectors[1], *rows[1], literal, limit]))


def _as_cosines(found: Sequence[tuple[Any, ...]]) -> dict[str, float]:
    return dict(found)
