"""The job that reads conversations for what is worth keeping."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

from django.utils import timezone

from memoryapp.actions.events import request_job
from memoryapp.jobs.embedding import EMBEDDING
from memoryapp.jobs.outcomes import Deferred, Done, Failed, Outcome
from memoryapp.jobs.outside import enqueue_rest, enqueue_written
from memoryapp.lifecycle.extraction import Extracted, extract_conversation
from memoryapp.lifecycle.locks import ReadingRuns
from memoryapp.lifecycle.timing import (
    EXTRACTION,
    READ,
    never_read,
    reads_by_itself,
)
from memoryapp.llm.errors import ModelError
from memoryapp.llm.tasks import Operation
from memoryapp.models import Conversation, Event, Extraction
from memoryapp.retrieval.indexing import add_waiting_messages
from tenants.models import Workspace
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope

# Soon enough not to be noticed, late enough not to spin.
LOOK_AGAIN = timedelta(seconds=5)
ANSWER_COMES = timedelta(seconds=30)


def enqueue_extraction(conversation: Conversation, *, bypass: bool = False) -> Event | None:
    """Have a conversation read after this transaction; None when it is never read.

    Whoever asks while a reading is waiting joins it. The worker lets it wait for the end of the cooldown where there is
    one, which spares the turn the look-up; with `bypass` neither minimum nor cooldown holds.
    """
    workspace = conversation.workspace
    if never_read(conversation) or not (bypass or reads_by_itself(workspace)):
        return None
    principal = principal_for_job(workspace, conversation.owner_key)
    with workspace_scope(workspace):
        return request_job(
            principal=principal,
            kind=EXTRACTION,
            subject_id=conversation.pk,
            agent_id=conversation.agent_id,
            payload={"bypass": True} if bypass else {},
        )


def run_extraction(event: Event) -> Outcome:
    """Read the next stretch of the event's conversation, and ask for another reading when there is more."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    principal = principal_for_job(workspace, event.owner_key)
    with workspace_scope(workspace):
        own = Conversation.objects.owned_by(principal)
        conversation = own.filter(pk=event.subject_id).first() if event.subject_id else None
    if conversation is None:
        return Failed("The conversation does not exist any more.", retryable=False)
    try:
        extracted = extract_conversation(
            conversation, principal=principal, event_id=event.pk, bypass=event.payload.get("bypass", False)
        )
    except ReadingRuns as error:
        return Deferred(timezone.now() + LOOK_AGAIN, error.detail)
    except ModelError:
        _call_those_who_wait(event)
        raise
    _call_those_who_wait(event)
    _ask_for_more(principal, event, extracted)
    _tell_outside(principal, conversation, extracted)
    _ask_for_vectors(principal, conversation)
    if extracted.status == Extraction.Status.DEFERRED and extracted.until:
        return Deferred(extracted.until, extracted.reason)
    return Done(_earlier_result(workspace, event) or _result(extracted))


def _tell_outside(principal: Principal, conversation: Conversation, extracted: Extracted) -> None:
    """Have the memory sources outside hear of what was written, and of a talk that has been read to its end."""
    written = [str(change.fact.pk) for change in extracted.changes if change.op is not Operation.NONE]
    enqueue_written(principal, conversation.agent_id, written)
    if extracted.status in READ and not extracted.more and not extracted.unfinished:
        enqueue_rest(conversation)


def _earlier_result(workspace: Workspace, event: Event) -> dict[str, Any]:
    """What this event achieved already, before its worker was killed on the way to saying so; empty mostly."""
    if event.attempts == 1:
        return {}
    with workspace_scope(workspace):
        reading = Extraction.objects.filter(event_id=event.pk, status__in=READ).first()
    if reading is None:
        return {}
    operations = Counter(str(entry["op"]) for entry in reading.kept)
    return {
        "status": reading.status,
        "reason": reading.reason,
        "operations": dict(operations),
        "refused": len(reading.refused),
    }


def _call_those_who_wait(event: Event) -> None:
    """Make due what stood back while this reading ran: this worker takes it next, not the tick in a minute."""
    now = timezone.now()
    waiting = Event.objects.filter(
        workspace_id=event.workspace_id, agent_id=event.agent_id, owner_key=event.owner_key
    )
    soon = waiting.filter(
        kind=EXTRACTION, status=Event.Status.PENDING, run_after__range=(now, now + LOOK_AGAIN)
    )
    soon.exclude(pk=event.pk).update(run_after=now)


def _ask_for_more(principal: Principal, event: Event, extracted: Extracted) -> None:
    if not extracted.more and not extracted.unfinished:
        return
    until = None if extracted.more else timezone.now() + ANSWER_COMES
    with workspace_scope(principal.workspace):
        request_job(
            principal=principal,
            kind=EXTRACTION,
            subject_id=event.subject_id,
            agent_id=event.agent_id,
            payload=event.payload,
            run_after=until,
        )


def _ask_for_vectors(principal: Principal, conversation: Conversation) -> None:
    """Have what was said found by its meaning too; a turn itself does not stop for that."""
    with workspace_scope(principal.workspace):
        if add_waiting_messages(conversation):
            agent_id = conversation.agent_id
            request_job(principal=principal, kind=EMBEDDING, subject_id=agent_id, agent_id=agent_id)


def _result(extracted: Extracted) -> dict[str, Any]:
    """What the event shows: counts and reasons, no text."""
    operations = Counter(change.op.value for change in extracted.changes)
    return {
        "status": extracted.status.value,
        "reason": extracted.reason,
        "operations": dict(operations),
        "refused": len(extracted.refusals),
    }
