"""Making rows findable: words and length when a row is written, vectors then or soon after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.postgres.search import SearchVector
from django.db.models import Value

from memoryapp.models import Embedding, Fact, FileSection, Message
from memoryapp.retrieval.vectors import get_embedder


def prepare_rows(rows: Sequence[Fact | FileSection | Message]) -> None:
    """Fill in the index columns of rows that are about to be saved."""
    for row in rows:
        row.lexemes = SearchVector(Value(row.text), config="simple")
        row.length = len(row.text.split())


def store_vector(fact: Fact, vector: Any) -> None:
    """Store the embedding of a fact that was just written."""
    Embedding.objects.create(
        workspace_id=fact.workspace_id,
        agent_id=fact.agent_id,
        owner_key=fact.owner_key,
        scope=fact.scope,
        fact=fact,
        model=get_embedder().name,
        vector=vector,
    )
