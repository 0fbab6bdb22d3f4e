"""What ranking looks at beside the two arms: the candidates' features, and the rows said just before and after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from memoryapp.retrieval.sources import Readable, Source
from memoryapp.retrieval.statements import as_halfvec, as_piece, fetch
from memoryapp.retrieval.vectors import Vector

REACH: Final = 2
HEAD_CHARACTERS: Final = 80

NEIGHBOURS: Final = """
SELECT picked.id::text,
  ARRAY(SELECT id::text FROM ({rows}) AS other
    WHERE {same_run} AND ({other}) > ({picked}) ORDER BY {order} LIMIT {reach}),
  ARRAY(SELECT id::text FROM ({rows}) AS other
    WHERE {same_run} AND ({other}) < ({picked}) ORDER BY {reverse} LIMIT {reach})
FROM {table} AS picked WHERE picked.id = ANY(%s::uuid[]) AND picked.{run}::text <> ''
"""
FEATURES: Final = """
SELECT r.id::text, r.{run}::text, length(r.text), position('?' IN r.text) > 0 OR position('？' IN r.text) > 0,
  {speaker}, {from_person}, extract(epoch FROM %s - {said_at})::float8 / 86400, {times}, {importance},
  left(r.text, {head}), {cosine}
FROM {table} AS r {vectors} WHERE r.id = ANY(%s::uuid[])
"""
VECTORS: Final = "LEFT JOIN memoryapp_embedding AS e ON e.{kind}_id = r.id AND e.model = %s"
COSINE: Final = "-(e.vector <#> %s::halfvec)"
NO_TIMES: Final = "NULL::timestamptz, NULL::timestamptz, NULL::timestamptz"
OWNER: Final = ("workspace_id", "agent_id", "owner_key")


class Features(NamedTuple):
    """What ranking needs to know of one row."""

    id: str
    run: str
    characters: int
    asks: bool
    speaker: str
    from_person: bool
    age_days: float
    # Times only when the question names one.
    said_at: datetime | None
    event_from: datetime | None
    event_to: datetime | None
    importance: float
    head: str
    cosine: float | None


class Surroundings(NamedTuple):
    """Features by id, and for pairs of neighbours how far after the first the second was said."""

    features: Mapping[str, Features]
    steps: Mapping[tuple[str, str], int]


def load_surroundings(
    readable: Readable, ids: Sequence[str], model: str, vector: Vector | None, *, times: bool
) -> Surroundings:
    """The features of the rows and of up to two rows before and after each in their run; their times if asked."""
    if not ids:
        return Surroundings({}, {})
    steps = _steps(readable, ids)
    everything = list(dict.fromkeys([*ids, *(neighbour for _, neighbour in steps)]))
    features = _features(readable, everything, model, vector, times=times)
    return Surroundings({row.id: row for row in features}, steps)


def _steps(readable: Readable, ids: Sequence[str]) -> dict[tuple[str, str], int]:
    source = readable.source
    piece = as_piece(
        source.neighbours(readable.reading), "id", *OWNER, *dict.fromkeys([source.run, *source.order])
    )
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


def _features(
    readable: Readable, ids: Sequence[str], model: str, vector: Vector | None, *, times: bool
) -> list[Features]:
    source = readable.source
    statement = FEATURES.format(
        table=source.table,
        run=source.run,
        head=HEAD_CHARACTERS,
        speaker=source.speaker,
        from_person=source.from_person,
        said_at=source.said_at,
        times=f"{source.said_at}, {source.event_from}, {source.event_to}" if times else NO_TIMES,
        importance=source.importance,
        cosine="NULL::float8" if vector is None else COSINE,
        vectors="" if vector is None else VECTORS.format(kind=source.kind),
    )
    parameters = [] if vector is None else [as_halfvec(vector), model]
    found = fetch(statement, [readable.reading.moment, *parameters, list(ids)])
    return [Features(*row) for row in found]
