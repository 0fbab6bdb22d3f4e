"""Post-chat extraction: a stretch of conversation is read once, and what is worth keeping is kept.

Load, ask, judge, apply: what is said and known is loaded in short transactions, the model is asked outside any, every
candidate passes the triage gates, and all that passed is applied in one transaction together with the reading's
record and the conversation's cursor. So a reading happens wholly or not at all, and never twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.access import require_own
from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.events import request_job
from memoryapp.actions.turns import checked_key, conversation_name
from memoryapp.lifecycle.applying import apply_reading
from memoryapp.lifecycle.asking import ask_model
from memoryapp.lifecycle.background import load_background
from memoryapp.lifecycle.changes import Change
from memoryapp.lifecycle.judging import judge_reply
from memoryapp.lifecycle.locks import one_reading_at_a_time
from memoryapp.lifecycle.off_record import take_off_record
from memoryapp.lifecycle.reading import Reading
from memoryapp.lifecycle.records import record_failure, record_not_now
from memoryapp.lifecycle.timing import EXTRACTION, NotNow, why_not_now
from memoryapp.lifecycle.transcripts import Stretch, load_stretch, owner_zone, readable, transcribe
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ModelError
from memoryapp.llm.tasks import Refusal
from memoryapp.model_settings import client_for
from memoryapp.models import Agent, Conversation, Event, Extraction, Message
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope

LATER = timedelta(minutes=2)
OVERTAKEN = NotNow("Somebody else read this meanwhile.")


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one reading came to; `more` when the conversation goes on beyond what was read."""

    status: Extraction.Status
    reason: str = ""
    until: datetime | None = None
    changes: tuple[Change, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    more: bool = False
    unfinished: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message that somebody hands in to be read and kept."""

    role: str
    text: str
    name: str = ""
    said_at: datetime | None = None
    # What was given beside it, as its row keeps it.
    detail: dict[str, Any] = field(default_factory=dict)


def extract_conversation(
    conversation: Conversation,
    *,
    principal: Principal,
    event_id: UUID | None = None,
    bypass: bool = False,
    wait: bool = False,
) -> Extracted:
    """Read the next unread stretch of a conversation and keep what is worth keeping.

    Raises ModelError when the model could not answer, which is recorded and changes nothing; ReadingRuns while another
    conversation of the same person is being read.
    """
    with one_reading_at_a_time(conversation, wait=wait):
        client = client_for(principal.workspace)
        stretch, not_now = _next_stretch(
            principal, conversation, event_id, bypass=bypass, cooldown=cooldown_of(client)
        )
        if not_now is not None:
            return _not_read(stretch, not_now)
        reading = _load(principal, stretch, event_id)
        try:
            judged = judge_reply(reading, ask_model(reading, client))
        except ModelError as error:
            record_failure(reading, error)
            raise
        applied = apply_reading(reading, judged)
    if applied is None:
        return _not_read(stretch, OVERTAKEN)
    return Extracted(
        applied.status,
        judged.reason,
        changes=tuple(applied.changes),
        refusals=tuple(applied.refusals),
        more=stretch.more,
        unfinished=stretch.unfinished,
    )


def cooldown_of(client: LLMClient) -> timedelta:
    """How long a person's conversations rest after a reading: a limit on what models cost, so none without one."""
    return timedelta() if client.is_offline else timedelta(minutes=settings.MEMORY_COOLDOWN_MINUTES)


def _next_stretch(
    principal: Principal,
    conversation: Conversation,
    event_id: UUID | None,
    *,
    bypass: bool,
    cooldown: timedelta,
) -> tuple[Stretch, NotNow | None]:
    """The next stretch to read, and why it is not read now if it is not, which is then on record."""
    with workspace_scope(principal.workspace):
        # Waits for whoever is adding a message at this moment: what they asked to be read is read now.
        current = Conversation.objects.select_for_update().get(pk=conversation.pk)
        stretch = load_stretch(current, owner_zone(principal))
        not_now = why_not_now(stretch, principal.workspace, bypass=bypass, cooldown=cooldown)
        if not_now is not None and stretch.messages:
            record_not_now(principal, stretch, not_now, event_id)
    return stretch, not_now


def _not_read(stretch: Stretch, not_now: NotNow) -> Extracted:
    return Extracted(not_now.status, not_now.reason, until=not_now.until, unfinished=stretch.unfinished)


def _load(principal: Principal, stretch: Stretch, event_id: UUID | None) -> Reading:
    with workspace_scope(principal.workspace):
        agent = Agent.objects.get(pk=stretch.conversation.agent_id)
    day = stretch.day_in(principal.workspace.zone)
    background = load_background(principal, agent, stretch.user_texts, day)
    transcript = transcribe(stretch, principal.workspace)
    off_record = take_off_record(transcript, [fact.text for fact in background.facts])
    return Reading(principal, agent, stretch, background, off_record, event_id)


def extract_now(*, principal: Principal, conversation: Conversation, bypass: bool = True) -> Extracted:
    """Read all of a conversation that is unread yet, at once, for somebody who waits for it.

    Raises NotFound for a conversation that is not the principal's, ModelError, ReadingRuns.
    """
    require_own(principal, conversation)
    worker = principal_for_job(principal.workspace, conversation.owner_key)
    extracted = extract_conversation(conversation, principal=worker, bypass=bypass, wait=True)
    while extracted.more:
        further = extract_conversation(conversation, principal=worker, bypass=bypass, wait=True)
        if further.status not in (Extraction.Status.SUCCEEDED, Extraction.Status.NO_UPDATE):
            return replace(extracted, more=False)
        extracted = _together(extracted, further)
    return extracted


def _together(earlier: Extracted, later: Extracted) -> Extracted:
    succeeded = Extraction.Status.SUCCEEDED in (earlier.status, later.status)
    return replace(
        later,
        status=Extraction.Status.SUCCEEDED if succeeded else later.status,
        changes=(*earlier.changes, *later.changes),
        refusals=(*earlier.refusals, *later.refusals),
    )


def extract_messages(
    *,
    principal: Principal,
    agent: Agent,
    messages: Iterable[NewMessage],
    conversation_id: str | None = None,
    idempotency_key: str = "",
) -> tuple[Conversation, Extracted]:
    """Keep messages as a conversation of the principal's own and read them at once, whatever their number.

    Should that fail, or the process die over it, the workers read them a little later. Sent again under their key they
    are not kept twice.
    """
    with workspace_scope(principal.workspace):
        conversation = keep_messages(
            principal=principal,
            agent=agent,
            messages=messages,
            conversation_id=conversation_id,
            idempotency_key=idempotency_key,
        )
        later = request_job(
            principal=principal,
            kind=EXTRACTION,
            subject_id=conversation.pk,
            agent_id=agent.pk,
            payload={"bypass": True},
            run_after=timezone.now() + LATER,
        )
    extracted = extract_now(principal=principal, conversation=conversation)
    _drop_if_read(later, conversation)
    return conversation, extracted


def keep_messages(
    *,
    principal: Principal,
    agent: Agent,
    messages: Iterable[NewMessage],
    conversation_id: str | None = None,
    idempotency_key: str = "",
) -> Conversation:
    """Add messages to a conversation of the principal's own, for somebody to have it read.

    With a key, which their first one bears, they are added once.
    """
    with workspace_scope(principal.workspace):
        conversation = open_conversation(
            principal=principal,
            agent=agent,
            external_id=conversation_name(conversation_id, checked_key(idempotency_key)),
            trigger=Conversation.Trigger.API,
        )
        if idempotency_key and _has_messages_of(conversation, idempotency_key):
            return conversation
        for place, message in enumerate(messages):
            add_message(
                principal=principal,
                conversation=conversation,
                role=message.role,
                text=message.text,
                name=message.name,
                said_at=message.said_at,
                detail=message.detail,
                idempotency_key=idempotency_key if place == 0 else "",
            )
    return conversation


def _has_messages_of(conversation: Conversation, key: str) -> bool:
    """Whether the messages of a key are there; its twin waits here until the first request has stored them."""
    Conversation.objects.select_for_update().get(pk=conversation.pk)
    return Message.objects.filter(conversation=conversation, idempotency_key=key).exists()


def _drop_if_read(later: Event, conversation: Conversation) -> None:
    """Take back a request whose work is done; whoever added a message meanwhile may have joined it, so look first."""
    with workspace_scope(conversation.workspace_id):
        current = Conversation.objects.select_for_update().get(pk=conversation.pk)
        if not readable(current).filter(number__gt=current.extracted_through).exists():
            Event.objects.filter(pk=later.pk, status=Event.Status.PENDING).delete()
