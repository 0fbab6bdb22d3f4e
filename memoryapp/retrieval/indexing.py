"""Making rows findable: words, length and event times when a row is written, vectors then or soon after.

A row without a vector yet has an Embedding row that waits for one, so that finding what is missing costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.models import Conversation, Embedding, Fact, FileSection, Message
from memoryapp.retrieval.statements import fetch
from memoryapp.retrieval.times import event_interval
from memoryapp.retrieval.tokens import index_terms
from memoryapp.retrieval.vectors import EmbedderUnavailable, TextRefused, Vector, get_embedder
from tenants.models import Workspace
from tenants.scoping import workspace_scope

Row: TypeAlias = Fact | FileSection | Message

# When a fact was true as far as known, which is not when what it tells takes place.
ANCHOR: Final = re.compile(r"\(?\bas of \d{4}-\d{2}-\d{2}\b,?\)?", re.IGNORECASE)
# What is left of a text that the embedder refuses at its usual length: a second try, the last one.
SECOND_TRY_CHARACTERS: Final = 1_000


TABLES: Final = {"fact": "memoryapp_fact", "section": "memoryapp_filesection", "message": "memoryapp_message"}
ADD_WAITING: Final = """
WITH added AS (INSERT INTO memoryapp_embedding
  (id, workspace_id, agent_id, owner_key, scope, {kind}_id, model, refused, created_at, updated_at)
SELECT gen_random_uuid(), r.workspace_id, r.agent_id, r.owner_key, r.scope, r.id, %s, false, moment, moment
FROM {table} AS r CROSS JOIN (SELECT %s::timestamptz AS moment) AS now
WHERE r.workspace_id = %s AND r.text <> '' {which} AND NOT EXISTS (
  SELECT 1 FROM memoryapp_embedding AS e WHERE e.{kind}_id = r.id AND e.model = %s
) ON CONFLICT DO NOTHING RETURNING 1)
SELECT count(*) FROM added
"""
OF_CONVERSATION: Final = (
    "AND r.conversation_id = %s AND r.role IN ('user', 'assistant') AND r.state = 'complete'"
)


@dataclass(frozen=True, slots=True)
class EmbedProgress:
    """What one round of embedding did, and how many rows still wait."""

    embedded: int
    refused: int
    left: int


def prepare_rows(rows: Sequence[Row], zone: str = "") -> None:
    """Fill in the index columns of rows about to be saved; relative times are the zone's, else the workspace's."""
    for row in rows:
        terms = index_terms(searched_text(row))
        row.lexemes, row.length = terms.as_tsvector(), terms.length
        if isinstance(row, Fact):
            told = ANCHOR.sub("", row.text)
            interval = event_interval(told, row.said_at, ZoneInfo(zone or row.workspace.time_zone))
            row.event_from, row.event_to = interval or (None, None)


def searched_text(row: Row) -> str:
    """The words a row is found by and the text its vector is of."""
    if isinstance(row, FileSection):
        return row.text if row.heading in row.text else f"{row.heading}\n{row.text}"
    return row.text


def store_vectors(rows: Sequence[Row], vectors: Sequence[Vector | None] | None = None) -> None:
    """Give just written rows their vectors; those without one wait for `embed_missing`."""
    model = get_embedder().name
    Embedding.objects.bulk_create(
        _embedding(row, model, vector) for row, vector in zip(rows, vectors or repeat(None), strict=False)
    )


def _embedding(row: Row, model: str, vector: Vector | None) -> Embedding:
    return Embedding(
        workspace_id=row.workspace_id,
        agent_id=row.agent_id,
        owner_key=row.owner_key,
        scope=row.scope,
        fact=row if isinstance(row, Fact) else None,
        section=row if isinstance(row, FileSection) else None,
        message=row if isinstance(row, Message) else None,
        model=model,
        vector=vector,
    )


def add_waiting(workspace: Workspace, *, retry: bool = False) -> int:
    """Have every row of a workspace that lacks a vector of this embedder wait for one; how many rows now do.

    With `retry` those whose text it refused wait again too.
    """
    model = get_embedder().name
    with workspace_scope(workspace):
        for kind, table in TABLES.items():
            statement = ADD_WAITING.format(kind=kind, table=table, which="")
            fetch(statement, [model, timezone.now(), workspace.pk, model])
        if retry:
            Embedding.objects.filter(workspace=workspace, model=model, vector=None).update(refused=False)
        return waiting_for_vectors(workspace).count()


def add_waiting_messages(conversation: Conversation) -> int:
    """Have the messages of a conversation that lack a vector wait for one, and return how many now do."""
    model = get_embedder().name
    statement = ADD_WAITING.format(kind="message", table=TABLES["message"], which=OF_CONVERSATION)
    values = [model, timezone.now(), conversation.workspace_id, conversation.pk, model]
    with workspace_scope(conversation.workspace):
        return int(fetch(statement, values)[0][0])


def embed_missing(workspace: Workspace, limit: int = 64) -> EmbedProgress:
    """Give vectors to up to `limit` rows of a workspace that wait for one.

    A text that the embedder refuses is tried once more in short, then left to be found by words; it holds up nobody.
    Raises EmbedderUnavailable when the embedder does not work at all. Not to be called inside a workspace scope.
    """
    with workspace_scope(workspace):
        waiting = list(
            waiting_for_vectors(workspace).select_related("fact", "section", "message").order_by("id")[:limit]
        )
    vectors = _vectors([searched_text(_row_of(each)) for each in waiting])
    for embedding, vector in zip(waiting, vectors, strict=True):
        embedding.vector, embedding.refused = vector, vector is None
    with workspace_scope(workspace):
        Embedding.objects.bulk_update(waiting, ["vector", "refused"])
        left = waiting_for_vectors(workspace).count()
    refused = sum(embedding.refused for embedding in waiting)
    return EmbedProgress(len(waiting) - refused, refused, left)


def waiting_for_vectors(workspace: Workspace) -> QuerySet[Embedding]:
    """What is found by words only so far. To be asked inside the workspace's scope."""
    return Embedding.objects.filter(
        workspace=workspace, vector=None, refused=False, model=get_embedder().name
    )


def _row_of(embedding: Embedding) -> Row:
    row = embedding.fact or embedding.section or embedding.message
    if row is None:  # the database's constraint says it never is
        raise LookupError(f"Embedding {embedding.pk} is of nothing.")
    return row


def _vectors(texts: Sequence[str]) -> Sequence[Vector | None]:
    if not texts:
        return []
    try:
        return get_embedder().embed_passages(texts)
    except TextRefused:
        return [_vector_alone(text) for text in texts]


def _vector_alone(text: str) -> Vector | None:
    for attempt in (text, text[:SECOND_TRY_CHARACTERS]):
        try:
            return get_embedder().embed_passages([attempt])[0]
        except TextRefused:
            continue
    return None


def embed_now(texts: Sequence[str]) -> list[Vector | None]:
    """The vectors of texts about to be stored; None for all when the embedder is down, and the worker fills them in."""
    try:
        return list(get_embedder().embed_passages(texts))
    except EmbedderUnavailable:
        return [None] * len(texts)
