"""The routes of single memories and of several at once: read, change, delete, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.access import require_own
from memoryapp.actions.fact_lifecycle import delete_facts
from memoryapp.actions.facts import update_fact
from memoryapp.actions.masking import masked
from memoryapp.compat.mem0.adding import Adding
from memoryapp.compat.mem0.additions import read_expiration, read_timestamp
from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.conditions import labels_of, read_deletion
from memoryapp.compat.mem0.finding import load_memories, load_memory
from memoryapp.compat.mem0.histories import history_of
from memoryapp.compat.mem0.items import as_item
from memoryapp.compat.mem0.searching import Listed
from memoryapp.exceptions import ValidationFailed
from memoryapp.lifecycle.projection import project_file
from memoryapp.models import Agent, Fact, WorkspaceFile
from memoryapp.retrieval.filters import Node, compile_filter
from memoryapp.retrieval.indexing import embed_now
from tenants.principals import Principal
from tenants.scoping import workspace_scope

MOST_AT_ONCE: Final = 1_000
DELETED: Final = "Memory deleted successfully!"


def delete_matching(principal: Principal, node: Node) -> int:
    """Forget every memory of a condition with whatever agent, and say how many that were."""
    with workspace_scope(principal.workspace):
        agents = Agent.objects.visible_to(principal)
        found = list(agents.filter(pk=principal.agent_id) if principal.agent_id else agents)
    if not principal.integrator:
        _settle_files(principal, found)
    facts = Fact.objects.visible_to(principal).filter(compile_filter(node, mem0_names=True))
    return sum(delete_facts(principal=principal, agent=agent, facts=facts, undoable=True) for agent in found)


def _settle_files(principal: Principal, agents: Sequence[Agent]) -> None:
    """Have what the user's files say stand as memories first: else it would come back as such after the deletion."""
    by_id = {agent.pk: agent for agent in agents}
    with workspace_scope(principal.workspace):
        own = WorkspaceFile.objects.owned_by(principal).filter(agent__in=by_id)
        files = list(own.values_list("agent_id", "pk"))
    for agent_id, file_id in files:
        project_file(principal.workspace, by_id[agent_id], file_id)


class MemoriesView(Adding, Listed):
    """The collection as the first generation of the API has it."""

    def post(self, request: Request) -> Response:
        return self.add()

    def get(self, request: Request) -> Response:
        return self.list_page(self.query)

    def delete(self, request: Request) -> Response:
        """Forget the memories of the ids or filters given; without any, nothing."""
        node = read_deletion(self.query, self.body)
        count = delete_matching(self.acting(labels_of(node).user_id), node)
        return Response({"message": "Memories deleted successfully!", "deleted_count": count})


class MemoryView(Mem0View):
    def get(self, request: Request, memory_id: str) -> Response:
        return Response(as_item(load_memory(self.principal, memory_id)))

    def put(self, request: Request, memory_id: str) -> Response:
        """Change the text, the metadata or the dates of a memory; its history keeps what it was."""
        changes = read_changes(self.body)
        return Response(as_item(self.changed(load_memory(self.principal, memory_id), changes)))

    def changed(self, fact: Fact, changes: dict[str, Any]) -> Fact:
        return change_memory(self.acting_for(fact), fact, changes)

    def delete(self, request: Request, memory_id: str) -> Response:
        """Forget a memory everywhere; within ten minutes it can be taken back in the dashboard."""
        fact = load_memory(self.principal, memory_id)
        linked = self.query.get("delete_linked") == "true"
        facts = [fact, *_linked(self.principal, fact)] if linked else [fact]
        principal = self.acting_for(fact)
        count = _delete(principal, facts)
        return Response({"message": DELETED, **({"cascade_count": count - 1} if linked else {})})


class HistoryView(Mem0View):
    def get(self, request: Request, memory_id: str) -> Response:
        """Everything that happened to a memory, the oldest first; of a deleted one no text."""
        return Response(history_of(self.principal, memory_id))


class BatchView(Mem0View):
    """Several memories in one call: all of them, or none."""

    def put(self, request: Request) -> Response:
        wanted = _entries(self.body)
        changes = [read_changes(entry) for entry in wanted]
        facts = load_memories(self.principal, [entry.get("memory_id") for entry in wanted])
        with_texts = [
            (fact, _with_vector(self.principal, each)) for fact, each in zip(facts, changes, strict=True)
        ]
        with workspace_scope(self.principal.workspace):
            for fact, each in with_texts:
                change_memory(self.acting_for(fact), fact, each)
        return Response({"message": f"Successfully updated {len(facts)} memories"})

    def delete(self, request: Request) -> Response:
        wanted = _entries(self.body)
        facts = load_memories(self.principal, [entry.get("memory_id") for entry in wanted])
        with workspace_scope(self.principal.workspace):
            for theirs in _by_owner(facts):
                _delete(self.acting_for(theirs[0]), theirs)
        return Response({"message": f"Successfully deleted {len(facts)} memories"})


def _entries(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    given = body.get("memories")
    if not isinstance(given, list) or not given or not all(isinstance(each, Mapping) for each in given):
        raise ValidationFailed.of("memories", "memories is a list of objects with a memory_id.")
    if len(given) > MOST_AT_ONCE:
        raise ValidationFailed.of("memories", f"At most {MOST_AT_ONCE} memories in one call.")
    return given


def read_changes(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a body changes of a memory; null takes an expiry away. Raises ValidationFailed when that is nothing."""
    changes: dict[str, Any] = {}
    text = next((body[name] for name in ("text", "memory", "data") if body.get(name) is not None), None)
    if text is not None:
        changes["text"] = text
    if body.get("metadata") is not None:
        if not isinstance(body["metadata"], dict):
            raise ValidationFailed.of("metadata", "metadata is an object.")
        changes["metadata"] = body["metadata"]
    if body.get("timestamp") is not None:
        changes["said_at"] = read_timestamp(body["timestamp"])
    if "expiration_date" in body:
        changes["expires_at"] = read_expiration(body["expiration_date"])
    if not changes:
        raise ValidationFailed(
            "Send at least one of text, metadata, timestamp and expiration_date.", code="nothing_to_change"
        )
    return changes


def change_memory(principal: Principal, fact: Fact, changes: dict[str, Any]) -> Fact:
    """Apply changes; metadata is merged into what is there, and a key whose value is null goes."""
    if "metadata" in changes:
        merged = {**(fact.metadata or {}), **changes["metadata"]}
        changes = {**changes, "metadata": {key: value for key, value in merged.items() if value is not None}}
    if "text" in changes and "vector" not in changes:
        changes = _with_vector(principal, changes)
    return update_fact(principal=principal, fact=fact, **changes)


def _with_vector(principal: Principal, changes: dict[str, Any]) -> dict[str, Any]:
    """The changes with the vector of the new text, which must be asked for before a transaction begins."""
    text = changes.get("text")
    if not isinstance(text, str) or not text.strip():
        return changes
    return {**changes, "vector": embed_now([masked(text, principal.workspace)[0]])[0]}


def _linked(principal: Principal, fact: Fact) -> list[Fact]:
    """The memories that this one took the place of, and those before them."""
    linked: dict[Any, Fact] = {}
    with workspace_scope(principal.workspace):
        generation = [fact]
        while generation:
            older = Fact.objects.visible_to(principal).filter(
                superseded_by__in=[each.pk for each in generation]
            )
            generation = [
                each for each in older.exclude(status=Fact.Status.FORGOTTEN) if each.pk not in linked
            ]
            linked.update({each.pk: each for each in generation})
    linked.pop(fact.pk, None)
    return list(linked.values())


def _by_owner(facts: Sequence[Fact]) -> list[list[Fact]]:
    groups: dict[tuple[str, str, str], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((str(fact.agent_id), fact.scope, fact.owner_key), []).append(fact)
    return list(groups.values())


def _delete(principal: Principal, facts: Sequence[Fact]) -> int:
    """Forget facts of one owner with one agent; raises NotPermitted for shared ones, which members delete."""
    for fact in facts:
        require_own(principal, fact)
    with workspace_scope(principal.workspace):
        agent = Agent.objects.get(pk=facts[0].agent_id)
        chosen = Fact.objects.filter(pk__in=[fact.pk for fact in facts])
        delete_facts(principal=principal, agent=agent, facts=chosen, undoable=True)
    return len(facts)
