"""Telling memory sources outside what happened here: turns, memory written and forgotten, conversations at rest.

Payloads hold ids; the texts of what was forgotten, whose rows are gone when the job runs, are sealed in them.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from uuid import UUID

from memoryapp.actions.events import request_job
from memoryapp.actions.outside import on_forgetting
from memoryapp.jobs.outcomes import Done, Failed, Outcome
from memoryapp.models import Agent, Conversation, Event, Fact, Message
from memoryapp.providers import is_heard, providers_for, providers_of
from memoryapp.providers.base import Exchanged, Forgotten, Provider, Written
from memoryapp.providers.chain import guarded
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope
from tenants.secrets import decrypt, encrypt

SYNC, WROTE, FORGOT, RESTED = "provider_sync", "provider_write", "provider_forget", "provider_rest"
DONE = "done"


def enqueue_sync(conversation: Conversation, said: Message, reply: Message) -> None:
    """Have the sources that want it told of a finished turn."""
    if is_heard("sync_turn"):
        payload = {"conversation": str(conversation.pk), "said": str(said.pk), "reply": str(reply.pk)}
        _request(SYNC, conversation.workspace, conversation.owner_key, conversation.agent_id, payload)


def enqueue_written(principal: Principal, agent_id: UUID, fact_ids: list[str]) -> None:
    """Have the sources that want it told of memory that was written."""
    if fact_ids and is_heard("on_memory_write"):
        _request(WROTE, principal.workspace, principal.owner_key, agent_id, {"facts": fact_ids})


def enqueue_rest(conversation: Conversation) -> None:
    """Have the sources that want it told that a conversation has come to rest."""
    if is_heard("on_session_end"):
        payload = {"conversation": str(conversation.pk)}
        _request(RESTED, conversation.workspace, conversation.owner_key, conversation.agent_id, payload)


@on_forgetting
def enqueue_forgotten(
    workspace: Workspace, owner_key: str, agent_id: UUID | None, texts: list[str], everything: bool
) -> None:
    """Have the sources outside remove what was forgotten here; called by the act of forgetting, in its transaction."""
    if is_heard("on_forget"):
        sealed = encrypt(json.dumps({"texts": texts, "owner": owner_key})).decode()
        payload = {"sealed": sealed, "everything": everything}
        # Of somebody who was erased not even the key stays.
        _request(FORGOT, workspace, SYSTEM if everything else owner_key, agent_id, payload)


def _request(
    kind: str, workspace: Workspace, owner_key: str, agent_id: UUID | None, payload: dict[str, Any]
) -> None:
    principal = principal_for_job(workspace, owner_key)
    with workspace_scope(workspace):
        request_job(principal=principal, kind=kind, agent_id=agent_id, payload=payload)


def run_outside(event: Event) -> Outcome:
    """Tell each source separately; only those that failed are told again later."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    principal = principal_for_job(workspace, event.owner_key)
    with workspace_scope(workspace):
        agent = Agent.objects.filter(pk=event.agent_id).first() if event.agent_id else None
        told = _told(event, principal, agent)
    if told is None:
        return Done({"told": []})
    listening = [one for one in _listening(event, workspace, agent) if one.name not in _done(event)]
    hook = HOOKS[event.kind]
    heard = [one.name for one in listening if guarded(one, hook, partial(_tell, one, told))]
    silent = [one.name for one in listening if one.name not in heard]
    done = sorted({*_done(event), *heard})
    payload = {**event.payload, DONE: done}
    if not silent:
        payload.pop("sealed", None)
    Event.objects.filter(pk=event.pk).update(payload=payload)
    event.payload = payload
    return Failed(f"Not told yet: {', '.join(silent)}.") if silent else Done({"told": done})


def _done(event: Event) -> list[str]:
    return list(event.payload.get(DONE, []))


HOOKS = {SYNC: "sync_turn", WROTE: "on_memory_write", FORGOT: "on_forget", RESTED: "on_session_end"}


def _listening(event: Event, workspace: Workspace, agent: Agent | None) -> list[Provider]:
    """The sources in use that do something at the event's hook; what is forgotten, also those an agent does without."""
    sources = (
        providers_of(workspace) if event.kind == FORGOT or agent is None else providers_for(agent, workspace)
    )
    return [provider for provider in sources if provider.hears(HOOKS[event.kind])]


Told = Exchanged | Written | Forgotten | tuple[Principal, Agent, str]


def _told(event: Event, principal: Principal, agent: Agent | None) -> Told | None:
    """What there is to tell; None when it is gone meanwhile."""
    payload = event.payload
    if event.kind == FORGOT:
        opened = json.loads(decrypt(str(payload.get("sealed", "")).encode()) or "{}")
        texts, owner = tuple(opened.get("texts", ())), opened.get("owner", "")
        return Forgotten(principal.workspace, owner, event.agent_id, texts, bool(payload.get("everything")))
    if agent is None:
        return None
    if event.kind == WROTE:
        facts = Fact.objects.visible_to(principal).active().filter(pk__in=payload.get("facts", []))
        texts = tuple(facts.values_list("text", flat=True))
        return Written(principal, agent, texts) if texts else None
    talk = Conversation.objects.owned_by(principal).filter(pk=payload.get("conversation")).first()
    if talk is None:
        return None
    if event.kind == RESTED:
        return principal, agent, talk.external_id
    rows = Message.objects.owned_by(principal).filter(pk__in=[payload.get("said"), payload.get("reply")])
    by_role = {message.role: message.text for message in rows}
    if Message.Role.USER not in by_role:
        return None
    reply = by_role.get(Message.Role.ASSISTANT, "")
    return Exchanged(principal, agent, talk.external_id, by_role[Message.Role.USER], reply)


def _tell(provider: Provider, told: Told) -> bool:
    match told:
        case Exchanged():
            provider.sync_turn(told)
        case Written():
            provider.on_memory_write(told)
        case Forgotten():
            provider.on_forget(told)
        case (principal, agent, conversation_id):
            provider.on_session_end(principal, agent, conversation_id)
    return True


OUTSIDE_HANDLERS = dict.fromkeys(HOOKS, run_outside)
