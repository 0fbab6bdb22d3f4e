"""The arm of meaning: the nearest vectors among the rows the reader may find.

A small owner's vectors are all compared, which is exact. A large owner's are found through the index over everybody's,
which is asked for more until enough of them are the reader's; should it give up before, all are compared after all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from pgvector.django import MaxInnerProduct

from memoryapp.models import Embedding
from memoryapp.retrieval.sources import Reading, Source
from memoryapp.retrieval.statements import fetch
from memoryapp.retrieval.vectors import Vector

# Comparing takes about a millisecond per thousand rows; the index a few milliseconds, and more the rarer the owner's
# rows are among everybody's.
EXACT_ROWS: Final = 20_000
SEARCH_WIDTH: Final = 200

NEAREST_BY_INDEX: Final = """
SELECT near.{key}, near.distance FROM (
  SELECT {key}, (vector::halfvec({dimensions})) <#> %s::halfvec({dimensions}) AS distance
  FROM memoryapp_embedding WHERE model = %s AND {key} IS NOT NULL AND workspace_id = ANY(%s) AND owner_key = ANY(%s)
  ORDER BY (vector::halfvec({dimensions})) <#> %s::halfvec({dimensions})
) AS near CROSS JOIN LATERAL ({row} OFFSET 0) AS visible LIMIT %s
"""


CLOSE_PAIRS: Final = """
WITH chosen AS MATERIALIZED (
  SELECT coalesce(fact_id, section_id, message_id) AS id, vector FROM memoryapp_embedding
  WHERE model = %s AND vector IS NOT NULL
    AND (fact_id = ANY(%s) OR section_id = ANY(%s) OR message_id = ANY(%s))
)
SELECT one.id, other.id FROM chosen AS one
JOIN chosen AS other ON one.id < other.id AND one.vector <#> other.vector <= %s
"""


def search_vectors(
    source: Source, reading: Reading, model: str, vector: Vector, limit: int, rows_known: int
) -> dict[UUID, float]:
    """Up to `limit` rows with their cosines, nearest first."""
    return _all_compared(source, reading, model, vector, limit)


def cosines_of(source: Source, ids: Sequence[UUID], model: str, vector: Vector) -> dict[UUID, float]:
    """The cosines of certain rows, as far as they have a vector."""
    found = (
        Embedding.objects.filter(**{f"{source.kind}__in": ids}, model=model)
        .exclude(vector=None)
        .annotate(distance=MaxInnerProduct("vector", vector))
    )
    return {key: -distance for key, distance in found.values_list(f"{source.kind}_id", "distance")}


def close_pairs(ids: Sequence[UUID], model: str, least: float) -> set[frozenset[UUID]]:
    """The pairs of rows whose vectors have at least the given cosine."""
    found = fetch(CLOSE_PAIRS, [model, list(ids), list(ids), list(ids), -least])
    return {frozenset(pair) for pair in found}


def _all_compared(
    source: Source, reading: Reading, model: str, vector: Vector, limit: int
) -> dict[UUID, float]:
    found = (
        source.rows(reading)
        .filter(embeddings__model=model, embeddings__vector__isnull=False)
        .annotate(distance=MaxInnerProduct("embeddings__vector", vector))
        .order_by("distance", "pk")
        .values_list("pk", "distance")
    )
    return {key: -distance for key, distance in found[:limit]}


def _literal(vector: Vector) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"
