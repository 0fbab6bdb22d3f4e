"""Everything that ranking looks at, in one statement: the nearest by meaning, joined with the hits by word, the best of
both with the rows said just before and after them, and what is to be known of each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from memoryapp.retrieval.prepared import Readable, piece_of
from memoryapp.retrieval.semantic import Nearness, all_compared, quicker_way
from memoryapp.retrieval.sources import Source
from memoryapp.retrieval.statements import Piece, fetch

REACH: Final = 2
HEAD_CHARACTERS: Final = 80
OWNER: Final = ("workspace_id", "agent_id", "owner_key")

EVIDENCE: Final = """
WITH near AS MATERIALIZED ({near}),
words AS (SELECT * FROM unnest(%s::uuid[], %s::float8[]) AS given (id, share)),
chosen AS MATERIALIZED (
  SELECT id FROM near FULL JOIN words USING (id)
  ORDER BY %s * coalesce(share, 0) + %s * coalesce(cosine, (SELECT min(cosine) FROM near), 0) DESC, id LIMIT %s
),
beside AS MATERIALIZED (
  SELECT picked.id,
    ARRAY(SELECT other.id FROM ({others}) AS other
      WHERE {same_run} AND ({other}) > ({picked}) ORDER BY {order} LIMIT {reach}) AS after,
    ARRAY(SELECT other.id FROM ({others}) AS other
      WHERE {same_run} AND ({other}) < ({picked}) ORDER BY {reverse} LIMIT {reach}) AS before
  FROM chosen JOIN {table} AS picked USING (id) WHERE picked.{run}::text <> ''
),
everything AS (
  SELECT id, max(after) AS after, max(before) AS before FROM (
    SELECT id, after, before FROM beside UNION ALL SELECT id, NULL, NULL FROM chosen
    UNION ALL SELECT unnest(after || before), NULL, NULL FROM beside
  ) AS named GROUP BY id
)
SELECT r.id::text, r.{run}::text, length(r.text), position('?' IN r.text) > 0 OR position('？' IN r.text) > 0,
  {speaker}, {from_person}, extract(epoch FROM %s - {said_at})::float8 / 86400, {times}, {importance},
  left(r.text, {head}), {cosine}, everything.after::text[], everything.before::text[], (SELECT count(*) FROM near)
FROM everything JOIN {table} AS r USING (id) {vectors}
"""
COSINE: Final = "-(e.vector <#> %s::halfvec)"
VECTORS: Final = "LEFT JOIN memoryapp_embedding AS e ON e.{kind}_id = r.id AND e.model = %s"
NO_TIMES: Final = "NULL::timestamptz, NULL::timestamptz, NULL::timestamptz"


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
    nearness: float | None
    after: list[str] | None
    before: list[str] | None
    found: int


class Weights(NamedTuple):
    """How the two arms are added when the best are chosen, and how many are."""

    share: float
    nearness: float
    limit: int


def load_evidence(
    readable: Readable,
    shares: Mapping[str, float],
    near: Nearness | None,
    weights: Weights,
    *,
    rows: int,
    times: bool,
) -> dict[str, Features]:
    """The rows worth ranking, by id; `rows` is how many the reader may find."""
    load = _Loading(readable, shares, near, weights, times)
    if near is not None and (quicker := quicker_way(readable, near, rows)):
        found = load.run(quicker(readable, near))
        if found and found[0].found == near.limit:
            return {row.id: row for row in found}
    return {row.id: row for row in load.run(all_compared(readable, near))}


class _Loading(NamedTuple):
    readable: Readable
    shares: Mapping[str, float]
    near: Nearness | None
    weights: Weights
    times: bool

    def run(self, nearest: Piece) -> list[Features]:
        source = self.readable.source
        columns = ("id", *OWNER, *dict.fromkeys([source.run, *source.order]))
        others = piece_of(source, self.readable.reading, columns, beside=True)
        if others is None:
            return []
        statement = EVIDENCE.format(near=nearest[0], others=others[0], **_names(source), **self._parts())
        return [Features(*row) for row in fetch(statement, self._values(nearest[1], others[1]))]

    def _parts(self) -> dict[str, str]:
        source = self.readable.source
        by_time = f"{source.said_at}, {source.event_from}, {source.event_to}"
        return {
            "times": by_time if self.times else NO_TIMES,
            "cosine": COSINE if self.near else "NULL::float8",
            "vectors": VECTORS.format(kind=source.kind) if self.near else "",
        }

    def _values(self, nearest: tuple[Any, ...], others: tuple[Any, ...]) -> list[Any]:
        given = [list(self.shares), list(self.shares.values()), *self.weights]
        vector = [self.near.literal] if self.near else []
        model = [self.near.model] if self.near else []
        return [*nearest, *given, *others, *others, self.readable.reading.moment, *vector, *model]


def _names(source: Source) -> dict[str, Any]:
    return {
        "table": source.table,
        "run": source.run,
        "same_run": " AND ".join(f"other.{column} = picked.{column}" for column in (*OWNER, source.run)),
        "other": ", ".join(f"other.{column}" for column in source.order),
        "picked": ", ".join(f"picked.{column}" for column in source.order),
        "order": ", ".join(source.order),
        "reverse": ", ".join(f"{column} DESC" for column in source.order),
        "reach": REACH,
        "head": HEAD_CHARACTERS,
        "speaker": source.speaker,
        "from_person": source.from_person,
        "said_at": source.said_at,
        "importance": source.importance,
    }
