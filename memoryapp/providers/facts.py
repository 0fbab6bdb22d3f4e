"""Facts and file sections found for the query."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Q
from django.db.models.functions import JSONObject

from memoryapp.models import Fact, FileSection
from memoryapp.models.files import in_every_prompt
from memoryapp.providers.base import Kind, Provider, Snippet, TurnQuery, rows_of_agent
from memoryapp.retrieval.search import Hit, search_memories
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
        zone = turn.principal.workspace.zone
        return [Snippet(Kind.RECALLED, hit.text, _dated(hit, zone), hit=hit) for hit in found.items]


def _dated(hit: Hit, zone: ZoneInfo) -> str:
    """Where a hit stands; of a fact, when it was said, without which “next week” says nothing."""
    return f"{hit.object.said_at.astimezone(zone):%Y-%m-%d}" if isinstance(hit.object, Fact) else hit.source
