"""The eight memory tools of the triage protocol, over facts and background events."""

from __future__ import annotations

from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import Field

from memoryapp.actions.fact_lifecycle import delete_facts
from memoryapp.actions.facts import NewFact, load_fact, update_fact
from memoryapp.actions.forget import forget_facts
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.lifecycle.admission import Admission, admit_fact
from memoryapp.models import Agent, Event, Fact
from memoryapp.models.categories import FactCategory
from memoryapp.retrieval.search import Hit, search_memories
from memoryapp.tools.base import Arguments, OwnerArguments, Tool, ToolContext
from tenants.scoping import workspace_scope

LISTED = 100
DELETE_CANDIDATES = 5
# A query deletes by itself only what it means beyond doubt; else the model is shown the candidates.
CERTAIN = 0.9


class MemoryScope(StrEnum):
    """Which memories: all, those of this conversation only, or the lasting ones."""

    ALL = "all"
    SESSION = "session"
    LONG_TERM = "long-term"


class SearchArguments(OwnerArguments):
    query: str = Field(min_length=1, max_length=4_000, description="What to look for, in natural language.")
    limit: int = Field(10, ge=1, le=100, description="The most memories to return.")
    scope: MemoryScope = Field(MemoryScope.ALL, description="all, session (this conversation) or long-term.")
    categories: list[str] = Field(default_factory=list, description="Only memories of these categories.")
    filters: dict[str, Any] = Field(default_factory=dict, description="A filter in the filter language.")


class AddArguments(OwnerArguments):
    facts: list[str] = Field(
        default_factory=list,
        max_length=50,
        description="Facts to store, all of one category, in the third person.",
    )
    text: str = Field("", description="One fact, instead of facts.")
    category: str = Field("", description=f"One of {', '.join(FactCategory.proposable())}.")
    importance: float | None = Field(None, ge=0, le=1, description="0 to 1; omit for the category's own.")
    metadata: dict[str, Any] = Field(default_factory=dict)
    longTerm: bool = Field(True, description="false: lives with this conversation only.")


class GetArguments(Arguments):
    memoryId: str


class ListArguments(OwnerArguments):
    scope: MemoryScope = MemoryScope.ALL


class UpdateArguments(Arguments):
    memoryId: str
    text: str = Field(min_length=1, description="The new text, which replaces the old.")


class DeleteArguments(OwnerArguments):
    memoryId: str | None = None
    query: str | None = Field(None, min_length=1, max_length=4_000)
    all: bool = False
    confirm: bool = Field(False, description="Must be true to delete all.")


class EventArguments(Arguments):
    event_id: str


def _described(fact: Fact, score: float | None = None) -> dict[str, Any]:
    described = {
        "id": str(fact.pk),
        "memory": fact.text,
        "category": fact.category,
        "importance": fact.importance,
        "trust": round(fact.trust, 2),
        "createdAt": fact.created_at.isoformat(),
        "longTerm": fact.session_id is None,
    }
    return described if score is None else {**described, "score": round(score, 3)}


def _search(context: ToolContext, given: SearchArguments) -> dict[str, Any]:
    wanted: list[dict[str, Any]] = [given.filters] if given.filters else []
    if given.categories:
        wanted.append({"categories": {"in": given.categories}})
    if given.scope is MemoryScope.SESSION:
        wanted.append({"memory_ids": _session_ids(context)})
    result = search_memories(
        given.query,
        principal=context.principal,
        agent=context.agent_for(given),
        filters={"AND": wanted} if wanted else None,
        top_k=given.limit,
        sources=("facts",),
        session=None if given.scope is MemoryScope.LONG_TERM else context.conversation,
    )
    found = [_described(hit.object, hit.score) for hit in result.items if isinstance(hit.object, Fact)]
    return {"count": len(found), "memories": found, "degraded": result.degraded}


def _session_ids(context: ToolContext) -> list[str]:
    with workspace_scope(context.principal.workspace):
        facts = Fact.objects.visible_to(context.principal).filter(session=context.conversation)
        return [str(key) for key in facts.exclude(session=None).values_list("pk", flat=True)]


def _add(context: ToolContext, given: AddArguments) -> dict[str, Any]:
    texts = given.facts or ([given.text] if given.text.strip() else [])
    if not texts:
        raise ValidationFailed.of("facts", "Say what to store, as facts or as text.")
    if not given.longTerm and context.conversation is None:
        raise ValidationFailed.of("longTerm", "There is no conversation here that a memory could live with.")
    agent = context.agent_for(given)
    session = None if given.longTerm else context.conversation
    admitted = [
        admit_fact(
            principal=context.principal,
            agent=agent,
            new=NewFact(
                text=text,
                category=given.category,
                importance=given.importance,
                metadata=given.metadata,
                origin=Fact.Origin.TOOL,
                session=session,
                # Where a person reviews everything, what a model keeps waits for their word too.
                pending=agent.review_mode == Agent.ReviewMode.ALL,
            ),
        )
        for text in texts
    ]
    return {"stored": sum(one.kept for one in admitted), "results": [_told(one) for one in admitted]}


def _told(admission: Admission) -> dict[str, Any]:
    if admission.added is None:
        return {"event": "NONE", "gate": admission.gate, "reason": admission.reason}
    fact = admission.added.fact
    event = "ADD" if admission.added.created else "NONE"
    waiting = {"status": fact.status} if fact.status == Fact.Status.PENDING else {}
    return {**_described(fact), "event": event, "masked": admission.added.masked, **waiting}


def _get(context: ToolContext, given: GetArguments) -> dict[str, Any]:
    return _described(_load(context, given.memoryId))


def _load(context: ToolContext, memory_id: str) -> Fact:
    fact = load_fact(context.principal, context.agent, memory_id)
    if fact.session_id is not None and (
        context.conversation is None or fact.session_id != context.conversation.pk
    ):
        raise NotFound
    return fact


def _list(context: ToolContext, given: ListArguments) -> dict[str, Any]:
    agent = context.agent_for(given)
    with workspace_scope(context.principal.workspace):
        facts = _own(context, agent)
        if given.scope is MemoryScope.SESSION:
            facts = facts.exclude(session=None)
        elif given.scope is MemoryScope.LONG_TERM:
            facts = facts.filter(session=None)
        total = facts.count()
        rows = list(facts.order_by("-created_at", "-id")[:LISTED])
    return {"count": total, "memories": [_described(fact) for fact in rows]}


def _own(context: ToolContext, agent: Agent) -> Any:
    return Fact.objects.visible_to(context.principal).for_agent(agent).current(session=context.conversation)


def _update(context: ToolContext, given: UpdateArguments) -> dict[str, Any]:
    fact = _load(context, given.memoryId)
    changed = update_fact(
        principal=context.principal, fact=fact, text=given.text, by_model=True, origin=Fact.Origin.TOOL
    )
    return {**_described(changed), "event": "UPDATE"}


def _delete(context: ToolContext, given: DeleteArguments) -> dict[str, Any]:
    chosen = [given.memoryId is not None, given.query is not None, given.all]
    if sum(chosen) != 1:
        raise ValidationFailed.of("memoryId", "Give exactly one of memoryId, query or all.")
    agent = context.agent_for(given)
    if given.all:
        return _delete_all(context, agent, confirmed=given.confirm)
    if given.memoryId is not None:
        return _forgotten(context, [_load(context, given.memoryId)])
    return _delete_by_query(context, agent, given.query or "")


def _delete_all(context: ToolContext, agent: Agent, *, confirmed: bool) -> dict[str, Any]:
    if not confirmed:
        raise ValidationFailed.of("confirm", "Deleting all memories takes confirm: true.")
    own = Fact.objects.owned_by(context.principal).filter(agent=agent)
    return {"deleted": delete_facts(principal=context.principal, agent=agent, facts=own)}


def _delete_by_query(context: ToolContext, agent: Agent, query: str) -> dict[str, Any]:
    found = search_memories(
        query,
        principal=context.principal,
        agent=agent,
        top_k=DELETE_CANDIDATES,
        sources=("facts",),
        session=context.conversation,
    )
    hits = [hit for hit in found.items if isinstance(hit.object, Fact) and hit.object.scope == "PERSONAL"]
    certain = hits[:1] if len(hits) == 1 or (hits and hits[0].score > CERTAIN) else []
    if certain:
        return _forgotten(context, [hit.object for hit in certain if isinstance(hit.object, Fact)])
    return {"deleted": 0, "candidates": [_candidate(hit) for hit in hits]}


def _candidate(hit: Hit) -> dict[str, Any]:
    return {"id": str(hit.id), "memory": hit.text, "score": round(hit.score, 3)}


def _forgotten(context: ToolContext, facts: list[Fact]) -> dict[str, Any]:
    forget_facts(principal=context.principal, facts=facts)
    return {"deleted": len(facts), "ids": [str(fact.pk) for fact in facts]}


def _event_list(context: ToolContext, given: Arguments) -> dict[str, Any]:
    events = Event.objects.visible_to(context.principal).order_by("-created_at")[:LISTED]
    return {"events": [_event(event) for event in events]}


def _event_status(context: ToolContext, given: EventArguments) -> dict[str, Any]:
    try:
        key = UUID(given.event_id)
    except ValueError as error:
        raise NotFound from error
    event = Event.objects.visible_to(context.principal).filter(pk=key).first()
    if event is None:
        raise NotFound
    return _event(event)


def _event(event: Event) -> dict[str, Any]:
    return {
        "id": str(event.pk),
        "kind": event.kind,
        "status": event.status,
        "reason": event.reason,
        "createdAt": event.created_at.isoformat(),
    }


MEMORY_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "memory_search", "Search what is remembered about the person and the team.", SearchArguments, _search
    ),
    Tool(
        "memory_add",
        "Store facts that a new agent would need later. All facts of one call share a category. Never credentials.",
        AddArguments,
        _add,
        writes=True,
    ),
    Tool("memory_get", "Read one memory by its id.", GetArguments, _get),
    Tool("memory_list", "List what is remembered, newest first.", ListArguments, _list),
    Tool(
        "memory_update",
        "Replace the text of a memory that has materially changed; its history is kept.",
        UpdateArguments,
        _update,
        writes=True,
    ),
    Tool(
        "memory_delete",
        "Forget a memory by id, the one that a query means, or all with confirm: true.",
        DeleteArguments,
        _delete,
        writes=True,
    ),
    Tool("memory_event_list", "List recent background jobs on memory.", Arguments, _event_list),
    Tool("memory_event_status", "Read the state of one background job.", EventArguments, _event_status),
)
