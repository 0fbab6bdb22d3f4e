"""The eleven tools of mem0's hosted MCP server by their names and arguments, each done by a tool of ours.

A model may name a user only to say whom it means: it must be the one the connection is for.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Count
from pydantic import Field

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.masking import masked_tree
from memoryapp.exceptions import ValidationFailed
from memoryapp.jobs.extraction import enqueue_extraction
from memoryapp.lifecycle.extraction import NewMessage, extract_messages, keep_messages
from memoryapp.lifecycle.given import Given
from memoryapp.llm.tasks import Operation
from memoryapp.model_settings import client_for
from memoryapp.models import Fact
from memoryapp.retrieval.filters import compile_filter, parse_filter
from memoryapp.tools import TOOLS, Tool, ToolContext
from memoryapp.tools.base import Arguments, OwnerArguments
from memoryapp.tools.memory import (
    DeleteArguments,
    EventArguments,
    GetArguments,
    SearchArguments,
    UpdateArguments,
)
from tenants.owners import end_user_of
from tenants.scoping import workspace_scope

MAX_PAGE_SIZE: Final = 200
KINDS: Final = {"agent": "agent_label", "app": "app_id", "run": "run_id"}


class Entities(Arguments):
    """The ids that mem0's tools take, and what else their callers send and nobody needs."""

    user_id: str | None = Field(None, description="Leave out: it is known whose memory this is.")
    agent_id: str | None = None
    app_id: str | None = None
    run_id: str | None = None
    enable_graph: bool | None = None

    def check(self, context: ToolContext) -> None:
        """Raise NotFound when a model names somebody else than the person the connection is for."""
        context.agent_for(OwnerArguments(userId=self.user_id))

    @property
    def labels(self) -> dict[str, Any]:
        return {"agent_label": self.agent_id or "", "app_id": self.app_id or "", "run_id": self.run_id or ""}

    @property
    def conditions(self) -> list[dict[str, Any]]:
        given = {"agent_id": self.agent_id, "app_id": self.app_id, "run_id": self.run_id}
        return [{name: value} for name, value in given.items() if value]


class AddMemory(Entities):
    text: str = Field("", description="What to remember, as it was said.")
    messages: list[dict[str, Any]] = Field(default_factory=list, description="Or a conversation.")
    metadata: dict[str, Any] = Field(default_factory=dict)
    infer: bool = Field(True, description="false: store word for word.")


class SearchMemories(Entities):
    query: str = Field(min_length=1, max_length=4_000)
    filters: dict[str, Any] = Field(default_factory=dict)
    limit: int = Field(10, ge=1, le=100)


class GetMemories(Entities):
    filters: dict[str, Any] = Field(default_factory=dict)
    page: int = Field(1, ge=1, le=100_000)
    page_size: int = Field(50, ge=1, le=MAX_PAGE_SIZE)


class OneMemory(Arguments):
    memory_id: str


class NewText(OneMemory):
    text: str = Field(min_length=1)


class DeleteAll(Entities):
    confirm: bool = Field(False, description="Must be true: everything that fits is forgotten.")


class Page(Arguments):
    page: int = Field(1, ge=1, le=100_000)
    page_size: int = Field(50, ge=1, le=MAX_PAGE_SIZE)


def _add(context: ToolContext, given: AddMemory) -> dict[str, Any]:
    given.check(context)
    messages = _messages(context, given)
    if not given.infer:
        return {"results": [_stored(context, given, each) for each in messages if each.role != "system"]}
    if client_for(context.principal.workspace).is_offline:
        _, read = extract_messages(principal=context.principal, agent=context.agent, messages=messages)
        changes = [change for change in read.changes if change.op is not Operation.NONE]
        results = [
            {"id": str(each.fact.pk), "memory": each.fact.text, "event": each.op.value} for each in changes
        ]
        return {"results": results, "status": "SUCCEEDED", "reason": read.reason}
    # A language model takes its time, and an agent must not wait for it.
    with workspace_scope(context.principal.workspace):
        conversation = keep_messages(principal=context.principal, agent=context.agent, messages=messages)
        event = enqueue_extraction(conversation, bypass=True)
    return {"results": [], "status": "PENDING", "event_id": str(event.pk) if event else None}


def _messages(context: ToolContext, given: AddMemory) -> list[NewMessage]:
    said = given.messages or ([{"role": "user", "content": given.text}] if given.text.strip() else [])
    texts = [(str(each.get("role", "user")), each.get("content")) for each in said]
    messages = [(role, text) for role, text in texts if isinstance(text, str) and text.strip()]
    if not messages or any(role not in {"user", "assistant", "system"} for role, _ in messages):
        raise ValidationFailed.of("text", "Give a text, or messages with a role and a content.")
    labels = Given(**given.labels, metadata=masked_tree(given.metadata, context.principal.workspace))
    return [NewMessage(role=role, text=text, detail=labels.as_detail()) for role, text in messages]


def _stored(context: ToolContext, given: AddMemory, message: NewMessage) -> dict[str, Any]:
    source = Fact.Source.USER if message.role == "user" else Fact.Source.AGENT
    new = NewFact(
        text=message.text,
        metadata=given.metadata,
        attributed_to=source,
        origin=Fact.Origin.TOOL,
        **given.labels,
    )
    added = add_fact(principal=context.principal, agent=context.agent, new=new, lift_tombstone=True)
    return {**_item(added.fact), "event": "ADD" if added.created else "NONE"}


def _item(fact: Fact) -> dict[str, Any]:
    return {
        "id": str(fact.pk),
        "memory": fact.text,
        "user_id": end_user_of(fact.owner_key) or fact.owner_key or None,
        "agent_id": fact.agent_label or None,
        "app_id": fact.app_id or None,
        "run_id": fact.run_id or None,
        "metadata": fact.metadata or None,
        "categories": [name for name in (fact.category, *fact.labels) if name] or None,
        "created_at": fact.said_at.isoformat(),
        "updated_at": fact.updated_at.isoformat(),
    }


def _search(context: ToolContext, given: SearchMemories) -> dict[str, Any]:
    given.check(context)
    wanted = [*given.conditions, *([given.filters] if given.filters else [])]
    asked = SearchArguments(query=given.query, limit=given.limit, filters={"AND": wanted} if wanted else {})
    found = TOOLS["memory_search"].run(context, asked)
    return {"results": found["memories"], "degraded": found["degraded"]}


def _own(context: ToolContext, given: Entities, filters: dict[str, Any] | None = None) -> Any:
    """The memories of the person, with this agent, that the ids and filters let through."""
    given.check(context)
    wanted = [*given.conditions, *([filters] if filters else [])]
    node = parse_filter({"AND": wanted} if wanted else None)
    own = Fact.objects.owned_by(context.principal).filter(agent=context.agent).current()
    return own.filter(compile_filter(node))


def _list(context: ToolContext, given: GetMemories) -> dict[str, Any]:
    with workspace_scope(context.principal.workspace):
        rows = _own(context, given, given.filters).order_by("-created_at", "-id")
        start = (given.page - 1) * given.page_size
        return {
            "count": rows.count(),
            "results": [_item(each) for each in rows[start : start + given.page_size]],
        }


def _get(context: ToolContext, given: OneMemory) -> dict[str, Any]:
    return TOOLS["memory_get"].run(context, GetArguments(memoryId=given.memory_id))


def _update(context: ToolContext, given: NewText) -> dict[str, Any]:
    changed = UpdateArguments(memoryId=given.memory_id, text=given.text)
    return TOOLS["memory_update"].run(context, changed)


def _delete(context: ToolContext, given: OneMemory) -> dict[str, Any]:
    return TOOLS["memory_delete"].run(context, DeleteArguments(memoryId=given.memory_id))


def _delete_all(context: ToolContext, given: DeleteAll) -> dict[str, Any]:
    given.check(context)
    if not given.confirm:
        raise ValidationFailed.of("confirm", "Say confirm: true to forget all of it.")
    with workspace_scope(context.principal.workspace):
        facts = list(_own(context, given).values_list("pk", flat=True))
    for key in facts:
        TOOLS["memory_delete"].run(context, DeleteArguments(memoryId=str(key)))
    return {"message": "Memories deleted successfully!", "deleted": len(facts)}


def _entities(context: ToolContext, given: Arguments) -> dict[str, Any]:
    with workspace_scope(context.principal.workspace):
        own = Fact.objects.owned_by(context.principal).filter(agent=context.agent).current()
        found = [
            {"type": kind, "name": row[column], "total_memories": row["count"]}
            for kind, column in KINDS.items()
            for row in own.exclude(**{column: ""}).values(column).annotate(count=Count("pk")).order_by(column)
        ]
        owner = context.principal.end_user_id or context.principal.owner_key
        found.insert(0, {"type": "user", "name": owner, "total_memories": own.count()})
    return {"count": len(found), "results": found}


def _events(context: ToolContext, given: Page) -> dict[str, Any]:
    events = TOOLS["memory_event_list"].run(context, Arguments())["events"]
    start = (given.page - 1) * given.page_size
    return {"count": len(events), "results": events[start : start + given.page_size]}


def _event(context: ToolContext, given: EventArguments) -> dict[str, Any]:
    return TOOLS["memory_event_status"].run(context, given)


HOSTED_TOOLS: Final[tuple[Tool[Any], ...]] = (
    Tool(
        "add_memory",
        "Remember something about the person, or what a conversation says.",
        AddMemory,
        _add,
        writes=True,
    ),
    Tool("search_memories", "Search the person's memories by meaning and words.", SearchMemories, _search),
    Tool("get_memories", "List the person's memories, page by page.", GetMemories, _list),
    Tool("get_memory", "Read one memory by its id.", OneMemory, _get),
    Tool(
        "update_memory", "Replace the text of a memory; its history is kept.", NewText, _update, writes=True
    ),
    Tool("delete_memory", "Forget one memory by its id.", OneMemory, _delete, writes=True),
    Tool("delete_all_memories", "Forget all of the person's memories.", DeleteAll, _delete_all, writes=True),
    Tool(
        "delete_entities", "Forget all memories of an agent, app or run.", DeleteAll, _delete_all, writes=True
    ),
    Tool("list_entities", "List the agents, apps and runs there are memories of.", Arguments, _entities),
    Tool("list_events", "List recent background jobs on memory.", Page, _events),
    Tool("get_event_status", "Read the state of one background job.", EventArguments, _event),
)
