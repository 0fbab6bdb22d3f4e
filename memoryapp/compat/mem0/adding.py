"""The routes that add memories: word for word at once, or read for what is worth keeping, now or a little later."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.fact_batches import add_facts
from memoryapp.actions.facts import AddedFact, add_fact
from memoryapp.actions.masking import masked, masked_tree
from memoryapp.compat.mem0.additions import Addition, read_addition
from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.items import as_item
from memoryapp.compat.mem0.places import choose_agent
from memoryapp.compat.mem0.project import project_of
from memoryapp.exceptions import ValidationFailed
from memoryapp.jobs.extraction import enqueue_extraction
from memoryapp.lifecycle.extraction import Extracted, NewMessage, extract_messages, keep_messages
from memoryapp.lifecycle.given import Given
from memoryapp.llm.tasks import Operation
from memoryapp.models import Agent, Event
from memoryapp.retrieval.indexing import embed_now
from tenants.principals import Principal
from tenants.scoping import workspace_scope

# More texts than this are found by their words at once and embedded by the worker.
EMBEDDED_INLINE = 10
QUEUED = "Memory processing has been queued for background execution"
STORED = "Memories have been stored"
EVENTS = {
    Operation.ADD: "ADD",
    Operation.UPDATE: "UPDATE",
    Operation.DELETE: "DELETE",
    Operation.NONE: "NONE",
}


class Adding(Mem0View):
    """A view that adds memories, with how its generation of the API words the answer."""

    @property
    def waits(self) -> bool:
        """Whether messages are read while the caller waits, where the caller does not say."""
        return False

    def add(self) -> Response:
        """Store messages word for word, or have them read for what is worth keeping."""
        project = project_of(self.principal)
        addition = read_addition(self.body, project.rules)
        principal = self.acting(addition.labels.user_id)
        agent = choose_agent(principal, addition.labels.agent_id)
        if not addition.infer:
            return self.done(_stored(principal, agent, addition, project.retention))
        _require_user(addition)
        given = _masked(addition.given(project.retention), principal)
        if not addition.messages:
            return self.done([])
        if self._is_to_wait(waits=self.waits or project.waits):
            return self.done(_read_now(principal, agent, addition, given))
        return self.queued(_read_later(principal, agent, addition, given))

    def _is_to_wait(self, *, waits: bool) -> bool:
        wanted = self.body.get("async_mode")
        if self.request.headers.get("Prefer", "").strip().lower().startswith("wait"):
            return True
        return waits if not isinstance(wanted, bool) else not wanted

    def done(self, results: list[dict[str, Any]]) -> Response:
        return self.listed(results)

    def queued(self, event: Event) -> Response:
        return self.listed([pending(event)])


class AddView(Adding):
    """The newest generation of adding: one object that says how it stands."""

    def post(self, request: Request) -> Response:
        return self.add()

    def done(self, results: list[dict[str, Any]]) -> Response:
        return Response({"message": STORED, "status": "SUCCEEDED", "event_id": None, "results": results})

    def queued(self, event: Event) -> Response:
        return Response({**pending(event), "results": []})


def pending(event: Event) -> dict[str, Any]:
    return {"message": QUEUED, "status": "PENDING", "event_id": str(event.pk)}


def _require_user(addition: Addition) -> None:
    if not addition.labels.user_id:
        raise ValidationFailed.of("user_id", "Messages are read for a user: send user_id, or infer: false.")


def _masked(given: Given, principal: Principal) -> Given:
    """What was given beside the messages, without a credential: it waits in the messages' rows."""
    return replace(
        given,
        metadata=masked_tree(given.metadata, principal.workspace),
        rules=masked_tree(given.rules, principal.workspace),
    )


def _stored(
    principal: Principal, agent: Agent, addition: Addition, retention: dict[str, int]
) -> list[dict[str, Any]]:
    """Keep every message word for word, and say of each what came of it and whether its vector is there yet."""
    news = addition.as_facts(retention)
    if len(news) > EMBEDDED_INLINE:
        many = add_facts(principal=principal, agent=agent, news=news, lift_tombstones=True)
        return [_added(each, embedded=not each.created) for each in many]
    # Masked first: an embedder may be at the other end of a network, and a vector tells what it was made of.
    vectors = embed_now([masked(new.text, principal.workspace)[0] for new in news])
    with workspace_scope(principal.workspace):
        # All or none: a text that cannot be stored must not leave the ones before it behind.
        added = [
            add_fact(principal=principal, agent=agent, new=new, vector=vector, lift_tombstone=True)
            for new, vector in zip(news, vectors, strict=True)
        ]
    ready = [vector is not None or not each.created for each, vector in zip(added, vectors, strict=True)]
    return [_added(each, embedded=embedded) for each, embedded in zip(added, ready, strict=True)]


def _added(added: AddedFact, *, embedded: bool) -> dict[str, Any]:
    item = as_item(added.fact)
    told = {"status": "SUCCEEDED", "indexing": "ready" if embedded else "pending"}
    return {**item, "event": "ADD" if added.created else "NONE", **told, "data": {"memory": item["memory"]}}


def _messages(addition: Addition, given: Given) -> list[NewMessage]:
    return [
        NewMessage(
            role="assistant" if said.role == "agent" else said.role,
            text=said.text,
            name=said.name,
            said_at=addition.said_at,
            detail=given.as_detail(),
        )
        for said in addition.messages
    ]


def _read_now(principal: Principal, agent: Agent, addition: Addition, given: Given) -> list[dict[str, Any]]:
    """Have the messages read while the caller waits, and say what that changed."""
    _, extracted = extract_messages(
        principal=principal,
        agent=agent,
        messages=_messages(addition, given),
        conversation_id=addition.labels.run_id or None,
    )
    return changes_of(extracted)


def changes_of(extracted: Extracted) -> list[dict[str, Any]]:
    """What a reading did, as mem0 tells it."""
    return [
        {
            **as_item(change.fact),
            "event": EVENTS[change.op],
            "previous_memory": change.before or None,
            "status": "SUCCEEDED",
            "data": {"memory": change.fact.text},
        }
        for change in extracted.changes
        if change.op is not Operation.NONE
    ]


def _read_later(principal: Principal, agent: Agent, addition: Addition, given: Given) -> Event:
    """Keep the messages as a conversation and have it read soon, however short it is."""
    with workspace_scope(principal.workspace):
        conversation = keep_messages(
            principal=principal,
            agent=agent,
            messages=_messages(addition, given),
            conversation_id=addition.labels.run_id or None,
        )
        event = enqueue_extraction(conversation, bypass=True)
    if event is None:
        raise ValidationFailed.of("infer", "This conversation is not read for memory.")
    return event
