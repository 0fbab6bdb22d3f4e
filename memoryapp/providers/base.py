"""What a memory source looks like to a turn. One file here is one provider; `MEMORY_PROVIDERS` names those in use."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet

from memoryapp.models import Agent, Conversation
from memoryapp.retrieval.recall_plan import RecallPlan
from memoryapp.retrieval.search import Hit
from memoryapp.retrieval.vectors import Vector
from tenants.models import GLOBAL_WORKSPACE_ID
from tenants.principals import Principal


class Kind(Enum):
    """What a snippet is, which decides the budget it falls under."""

    FILE = "file"  # a whole file, cut at a section when it is over its ceiling
    STANDING = "standing"  # a fact of an always-on category
    RECALLED = "recalled"  # found for this query


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of memory offered to a turn, with the group it is counted in and how many that group has in all."""

    kind: Kind
    text: str
    source: str
    group: str = ""
    group_size: int = 0
    hit: Hit | None = None


@dataclass(frozen=True, slots=True)
class TurnQuery:
    """What a turn asks its memory sources for: as whom, of which agent, about what (credentials masked), where."""

    principal: Principal
    agent: Agent
    text: str
    vector: Vector | None = None
    conversation: Conversation | None = None
    # What came along with the agent, by the name of the provider that wanted it.
    standing: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    # How the message is searched for; the vector is that of its query.
    plan: RecallPlan = field(default_factory=lambda: RecallPlan(""))


def rows_of_agent(rows: Any, principal: Principal) -> QuerySet[Any]:
    """An agent's rows of an owned model that the principal may see, for a subquery of the agent's own query.

    The second condition says no more than the read door does, but in the columns that the indexes begin with.
    """
    mine = Q(workspace=principal.workspace, agent=OuterRef("pk"), owner_key__in=["", principal.owner_key])
    reach = mine | Q(workspace_id=GLOBAL_WORKSPACE_ID)
    visible: QuerySet[Any] = rows.visible_to(principal).filter(reach)
    return visible


class Provider:
    """A memory source. A new one overrides what it has to offer; everything else says nothing."""

    name = ""

    def standing_rows(self, principal: Principal) -> ArraySubquery | None:
        """Rows, as JSON, to be loaded with the agent (its key is `OuterRef("pk")`), so that they cost no query."""
        return None

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        """Shared memory for the system prompt: the same for everybody, and the same bytes until it changes."""
        return []

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        """What is known to this owner, for this query."""
        return []
