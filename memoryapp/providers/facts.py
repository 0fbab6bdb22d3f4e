"""Facts and file sections found for the query."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Q
from django.db.models.functions import JSONObject

from memoryapp.models import Fact, FileSection
from memoryapp.models.files import in_every_prompt
from memoryapp.providers.base import BuiltIn, Kind, Snippet, StandingRows, TurnQuery, rows_of_agent
from memoryapp.providers.standing import written_once
from memoryapp.retrieval.search import Hit, search_memories
from tenants.principals import Principal

# A message may ask for a kind of memory and mean something else all the same.
KEPT_FOR_OTHERS = 5


class FactsProvider(BuiltIn):
    name = "facts"

    def standing_rows(self, principal: Principal) -> StandingRows:
        """One section that is not in the prompt anyway, if there is any: without one, only facts are searched."""
        return written_once(_one_section, principal)

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        if not settings.MEMORY_RECALL_MAX_ITEMS or not turn.plan.query:
            return []
        zone = turn.principal.workspace.zone
        return [
            Snippet(Kind.RECALLED, hit.text, _dated(hit, zone), group=_category(hit), hit=hit)
            for hit in self._found(turn)[: settings.MEMORY_RECALL_MAX_ITEMS]
        ]

    def _found(self, turn: TurnQuery) -> list[Hit]:
        """What fits the message; first, when it asks for a kind or a time, what is of that, but never only that."""
        limit, narrow = settings.MEMORY_RECALL_MAX_ITEMS, turn.plan.filter
        if narrow is None:
            return self._search(turn, limit)
        meant = self._search(turn, max(limit - KEPT_FOR_OTHERS, 1), narrow)
        ids = {hit.id for hit in meant}
        return meant + [hit for hit in self._search(turn, limit) if hit.id not in ids]

    def _search(self, turn: TurnQuery, limit: int, narrow: dict[str, Any] | None = None) -> list[Hit]:
        return search_memories(
            turn.plan.query,
            principal=turn.principal,
            agent=turn.agent,
            filters=narrow,
            top_k=limit,
            threshold=None if narrow else settings.MEMORY_RECALL_THRESHOLD,
            sources=("facts", "files") if turn.standing[self.name] else ("facts",),
            query_vector=turn.embedding,
            session=turn.conversation,
            beyond_prompt=True,
            explain=turn.explain,
        ).items


def _one_section(principal: Principal, _moment: datetime) -> StandingRows:
    sections = rows_of_agent(FileSection.objects.all(), principal).exclude(in_every_prompt("file__"))
    return ArraySubquery(
        sections.filter(~Q(text="")).order_by().values(row=JSONObject(position="position"))[:1]
    )


def _category(hit: Hit) -> str:
    return hit.object.category if isinstance(hit.object, Fact) else ""


def _dated(hit: Hit, zone: ZoneInfo) -> str:
    """Where a hit stands; of a fact, when it was said, without which “next week” says nothing."""
    return f"{hit.object.said_at.astimezone(zone):%Y-%m-%d}" if isinstance(hit.object, Fact) else hit.source
