"""What a memory source looks like to a turn. One file here is one provider; `MEMORY_PROVIDERS` names those in use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Expression, OuterRef, Q, QuerySet, Subquery

from memoryapp.models import Agent, Conversation
from memoryapp.retrieval.recall_plan import RecallPlan
from memoryapp.retrieval.search import Hit
from memoryapp.retrieval.vectors import Vector
from tenants.models import GLOBAL_WORKSPACE_ID, Workspace
from tenants.principals import Principal

# An expression over an agent: an array of JSON.
StandingRows: TypeAlias = Expression | Subquery


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
    # The vector of the query on its way; its result is None while the embedder is down, and words alone must do.
    embedding: Future[Vector | None] | None = None
    conversation: Conversation | None = None
    # What came along with the agent, by the name of the provider that wanted it.
    standing: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    # How the message is searched for.
    plan: RecallPlan = field(default_factory=lambda: RecallPlan(""))
    # Whether somebody wants to know why each thing was found.
    explain: bool = False


def rows_of_agent(rows: Any, principal: Principal) -> QuerySet[Any]:
    """An agent's rows of an owned model that the principal may see, for a subquery of the agent's own query.

    The second condition says no more than the read door does, but in the columns that the indexes begin with.
    """
    mine = Q(workspace=principal.workspace, agent=OuterRef("pk"), owner_key__in=["", principal.owner_key])
    reach = mine | Q(workspace_id=GLOBAL_WORKSPACE_ID)
    visible: QuerySet[Any] = rows.visible_to(principal).filter(reach)
    return visible


@dataclass(frozen=True, slots=True)
class Exchanged:
    """One finished turn: what the person said (credentials masked) and what they were answered."""

    principal: Principal
    agent: Agent
    conversation_id: str
    said: str
    reply: str


@dataclass(frozen=True, slots=True)
class Written:
    """Memory that was written, in its own words."""

    principal: Principal
    agent: Agent
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a person asked to be forgotten; with `everything` all that is known of them."""

    workspace: Workspace
    owner_key: str
    agent_id: UUID | None
    texts: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class ProviderTool:
    """A function that a memory source lets the model call: given the turn and the arguments, it answers with JSON."""

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[[TurnQuery, dict[str, Any]], dict[str, Any]]


class Provider:
    """A memory source. A new one overrides what it has to offer; everything else says nothing.

    Whatever it raises is logged and ends nothing. With `waits` it may wait for a network: it is then called on a thread
    of its own, never inside a transaction, and left behind when it takes too long.
    """

    name = ""
    waits = True

    def is_set_up(self, workspace: Workspace) -> bool:
        """Whether there is all it needs to work for a workspace; without that it is not asked."""
        return True

    def standing_rows(self, principal: Principal) -> StandingRows | None:
        """Rows, as an array of JSON, to be loaded with the agent (its key is `OuterRef("pk")`): they cost no query."""
        return None

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        """Shared memory for the system prompt: the same for everybody, and the same bytes until it changes."""
        return []

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        """What is known to this owner, for this query."""
        return []

    def sync_turn(self, turn: Exchanged) -> None:
        """Take in a finished turn. Called by a worker, after the reply has gone out."""

    def on_session_end(self, principal: Principal, agent: Agent, conversation_id: str) -> None:
        """Note that a conversation has come to rest: all of it has been read for memory. Called by a worker."""

    def on_pre_compress(self, principal: Principal, agent: Agent, messages: Sequence[str]) -> list[str]:
        """Lines that the summary of these messages must carry on; they are about to leave the model's window."""
        return []

    def on_memory_write(self, written: Written) -> None:
        """Take note of memory that was written, by the extractor or a tool. Called by a worker."""

    def on_forget(self, forgotten: Forgotten) -> None:
        """Remove what was forgotten. Called by a worker; what it raises makes it be called again later."""

    def tools(self, agent: Agent) -> list[ProviderTool]:
        """What the model may call in a turn, beside the built-in tools; the names must be its own."""
        return []

    @classmethod
    def hears(cls, hook: str) -> bool:
        """Whether it does anything at a hook, so that nobody is called for nothing."""
        return getattr(cls, hook) is not getattr(Provider, hook)


class BuiltIn(Provider):
    """A source in our own database: asked at once, within the turn's own statements."""

    waits = False
