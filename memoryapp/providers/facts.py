"""Facts and file sections found for the query."""

from __future__ import annotations

from django.conf import settings

from memoryapp.providers.base import Kind, Provider, Snippet, TurnQuery
from memoryapp.retrieval.search import search_memories


class FactsProvider(Provider):
    name = "facts"

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        if not settings.MEMORY_RECALL_MAX_ITEMS:
            return []
        found = search_memories(
            turn.text,
            principal=turn.principal,
            agent=turn.agent,
            top_k=settings.MEMORY_RECALL_MAX_ITEMS,
            sources=("facts", "files"),
            query_vector=turn.vector,
            session=turn.conversation,
        )
        return [Snippet(Kind.RECALLED, hit.text, hit.source, hit=hit) for hit in found.items]
