"""Facts and file sections found for the query."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Q
from django.db.models.functions import JSONObject

from memoryapp.models import FileSection
from memoryapp.models.files import in_every_prompt
from memoryapp.providers.base import Kind, Provider, Snippet, TurnQuery, rows_of_agent
from memoryapp.retrieval.search import search_memories
from tenants.principals import Principal


class FactsProvider(Provider):
    name = "facts"

    def standing_rows(self, principal: Principal) -> ArraySubquery:
        """One section that is not in the prompt anyway, if there is any: without one, only facts are searched."""
        sections = rows_of_agent(FileSection.objects.all(), principal).exclude(in_every_prompt("file__"))
        return ArraySubquery(sections.filter(~Q(text="")).values(row=JSONObject(position="position"))[:1])

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        if not settings.MEMORY_RECALL_MAX_ITEMS:
            return []
        found = search_memories(
            turn.text,
            principal=turn.principal,
            agent=turn.agent,
            top_k=settings.MEMORY_RECALL_MAX_ITEMS,
            sources=("facts", "files") if turn.standing[self.name] else ("facts",),
            query_vector=turn.vector,
            session=turn.conversation,
            beyond_prompt=True,
        )
        return [Snippet(Kind.RECALLED, hit.text, hit.source, hit=hit) for hit in found.items]
