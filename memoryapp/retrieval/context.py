"""What ranking looks at beside the two arms: the candidates' features, and the rows said just before and after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from memoryapp.retrieval.sources import Readable, Source
from memoryapp.retrieval.statements import as_halfvec, fetch
from memoryapp.retrieval.vectors import Vector

REACH: Final = 2
HEAD_CHARACTERS: Final = 80

NEIGHBOURS: Final = """
SELECT picked.id,
  ARRAY(SELECT id FROM ({rows}) AS other WHERE {same_run} AND ({other}) > ({picked}) ORDER BY {order} LIMIT {reach}),
  ARRAY(SELECT id FROM ({rows}) AS other WHERE {same_run} AND ({other}) < ({picked}) ORDER BY {reverse} LIMIT {reach})
FROM {table} AS picked WHERE picked.id = ANY(%s) AND picked.{run}::text <> ''
"""
FEATURES: Final = """
SELECT r.id, r.{run}::text, length(r.text), position('?' IN r.text) > 0 OR position('？' IN r.text) > 0, {speaker},
  {from_person}, {said_at}, {event_from}, {event_to}, {importance}, left(r.text, {head}), {cosine}
FROM {table} AS r {vectors} WHERE r.id = ANY(%s)
"""
VECTORS: Final = "LEFT JOIN memoryapp_embedding AS e ON e.{kind}_id = r.id AND e.model = %s"
COSINE: Final = "-(e.vector <#> %s::halfvec)"
OWNER: Final = ("workspace_id", "agent_id", "owner_key")


class Features(NamedTuple):
    """What ranking needs to know of one row."""

    id: UUID
    run: str
    characters: int
    asks: bool
    speaker: str
    from_person: bool
    said_at: datetime
    event_from: datetime | None
    event_to: datetime | None
    importance: float
    head: str
    cosine: float | None


class Surroundings(NamedTuple):
    """Features by id, and for pairs of neighbours how far after the first the second was said."""

    features: Mapping[UUID, Features]
    steps: Mapping[tuple[UUID, UUID], int]


def load_surroundings(
    readable: Readable, ids: Sequence[UUID], model: str, vector: Vector | None
) -> Surroundings:
    """The features of the rows and of up to two rows before and after each in the same run."""
    if not ids:
        return Surroundings({}, {})
    steps = _steps(readable, ids)
    everything = list(dict.fromkeys([*ids, *(neighbour for _, neighbour in steps)]))
    return Surroundings({row.id: row for row in _features(readable.source, everything, model, vector)}, steps)


def _steps(readable: Readable, ids: Sequence[UUID]) -> dict[tuple[UUID, UUID], int]:
    source = readable.source
    piece = readable.piece("id", *OWNER, *dict.fromkeys([source.run, *source.order]))
    if piece is None:
        return {}
    rows, parameters = piece
    statement = NEIGHBOURS.format(
        rows=rows,
        table=source.table,
        run=source.run,
        same_run=" AND ".join(f"other.{column} = picked.{column}" for column in (*OWNER, source.run)),
        other=_columns("other", source),
        picked=_columns("picked", source),
        order=", ".join(source.order),
        reverse=", ".join(f"{column} DESC" for column in source.order),
        reach=REACH,
    )
    found = fetch(statement, [*parameters, *parameters, list(ids)])
    after = {(row[0], key): step for row in found for step, key in enumerate(row[1], 1)}
    before = {(row[0], key): -step for row in found for step, key in enumerate(row[2], 1)}
    return {**after, **before}


def _columns(prefix: str, source: Source) -> str:
    return ", ".join(f"{prefix}.{column}" for column in source.order)


def _features(source: Source, ids: Sequence[UUID], model: str, vector: Vector | None) -> list[Features]:
    statement = FEATURES.format(
        table=source.table,
        run=source.run,
        head=HEAD_CHARACTERS,
        speaker=source.speaker,
        from_person=source.from_person,
        said_at=source.said_at,
        event_from=source.event_from,
        event_to=source.event_to,
        importance=source.importance,
        cosine="NULL::float8" if vector is None else COSINE,
        vectors="" if vector is None else VECTORS.format(kind=source.kind),
    )
    parameters = [] if vector is None else [as_halfvec(vector), model]
    return [Features(*row) for row in fetch(statement, [*parameters, list(ids)])]
