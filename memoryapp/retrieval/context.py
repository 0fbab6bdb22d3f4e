"""What ranking looks at beside the two arms: the candidates' features, and the rows said just before and after them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from memoryapp.retrieval.sources import Reading, Source
from memoryapp.retrieval.statements import as_piece, fetch

REACH: Final = 2
HEAD_CHARACTERS: Final = 80

FEATURES: Final = """
  id, {run} AS run, length(text) AS characters, position('?' IN text) > 0 OR position('？' IN text) > 0 AS asks,
  {speaker} AS speaker, {from_person} AS from_person, {said_at} AS said_at, {event_from} AS event_from,
  {event_to} AS event_to, {importance} AS importance, left(text, {head}) AS head
"""
NEIGHBOURS: Final = """
WITH readable AS NOT MATERIALIZED ({rows}),
picked AS (SELECT * FROM readable WHERE id = ANY(%s)),
near AS (
  SELECT id AS anchor, 0 AS step, id FROM picked
  UNION ALL
  SELECT picked.id, neighbour.step, neighbour.id FROM picked CROSS JOIN LATERAL (
    (SELECT id, row_number() OVER (ORDER BY {order}) AS step FROM readable AS other
     WHERE {same_run} AND ({other_order}) > ({picked_order}) ORDER BY {order} LIMIT {reach})
    UNION ALL
    (SELECT id, -row_number() OVER (ORDER BY {reversed}) AS step FROM readable AS other
     WHERE {same_run} AND ({other_order}) < ({picked_order}) ORDER BY {reversed} LIMIT {reach})
  ) AS neighbour WHERE {picked_run} <> ''
)
SELECT near.anchor, near.step, {features} FROM near JOIN readable USING (id)
"""
SAME: Final = ("workspace_id", "agent_id", "owner_key")


@dataclass(frozen=True, slots=True)
class Features:
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


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Features by id, and for each pair of neighbours how far after the first the second was said."""

    features: dict[UUID, Features]
    steps: dict[tuple[UUID, UUID], int]


def load_surroundings(source: Source, reading: Reading, ids: Sequence[UUID]) -> Surroundings:
    """The features of the rows and of up to two rows before and after each in the same run."""
    rows = as_piece(source.rows(reading), *_columns(source))
    if rows is None or not ids:
        return Surroundings({}, {})
    found = fetch(_statement(source, rows[0]), [*rows[1], list(ids)])
    features = {row[2]: Features(*row[2:]) for row in found}
    return Surroundings(features, {(row[0], row[2]): row[1] for row in found if row[1]})


def _columns(source: Source) -> list[str]:
    names = {field.column for field in source.model._meta.concrete_fields}
    return sorted(names & NEEDED)


NEEDED: Final = {
    "id", "workspace_id", "agent_id", "owner_key", "text", "run_id", "file_id", "conversation_id", "position", "number",
    "said_at", "updated_at", "event_from", "event_to", "speaker", "name", "attributed_to", "role", "importance",
}  # fmt: skip


def _statement(source: Source, rows: str) -> str:
    def columns(prefix: str) -> str:
        return ", ".join(f"{prefix}.{column}" for column in source.order)

    run = source.run.split("::")[0]
    return NEIGHBOURS.format(
        rows=rows,
        order=", ".join(source.order),
        reversed=", ".join(f"{column} DESC" for column in source.order),
        other_order=columns("other"),
        picked_order=columns("picked"),
        picked_run=f"picked.{source.run}",
        same_run=" AND ".join(f"other.{column} = picked.{column}" for column in (*SAME, run)),
        reach=REACH,
        features=FEATURES.format(
            run=source.run,
            speaker=source.speaker,
            from_person=source.from_person,
            said_at=source.said_at,
            event_from=source.event_from,
            event_to=source.event_to,
            importance=source.importance,
            head=HEAD_CHARACTERS,
        ),
    )
