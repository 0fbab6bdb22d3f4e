"""The record of readings: what each conversation says for itself about what was kept of it, or why nothing was."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memoryapp.actions.masking import masked, masked_tree
from memoryapp.lifecycle.reading import Applied, Reading
from memoryapp.lifecycle.timing import NotNow
from memoryapp.lifecycle.transcripts import Stretch
from memoryapp.llm.errors import BadReply, ModelError
from memoryapp.llm.tasks import Operation, Refusal
from memoryapp.llm.types import Usage
from memoryapp.models import Extraction
from tenants.principals import Principal
from tenants.scoping import workspace_scope

RAW_REPLY_CHARS = 2_000


def record_reading(reading: Reading, applied: Applied, *, reason: str, usage: Usage) -> Extraction:
    """Write down what a reading kept and refused; of what was kept no text, which would outlive its forgetting."""
    kept = [change.as_json() for change in applied.changes if change.op is not Operation.NONE]
    return _create(
        reading.principal,
        reading.stretch,
        status=applied.status,
        reason=reason,
        event_id=reading.event_id,
        kept=kept,
        files=applied.files,
        refusals=applied.refusals,
        usage={"promptTokens": usage.prompt_tokens, "completionTokens": usage.completion_tokens},
    )


def record_failure(reading: Reading, error: ModelError) -> Extraction:
    """Write down that a reading failed and why, with what the model wrote unless it may tell something private."""
    raw = error.raw if isinstance(error, BadReply) and not reading.off_record.private_words else ""
    # Masked before it is cut: half a secret would not be recognised any more.
    text = masked(raw, reading.principal.workspace)[0][:RAW_REPLY_CHARS]
    with workspace_scope(reading.principal.workspace):
        return _create(
            reading.principal,
            reading.stretch,
            status=Extraction.Status.FAILED,
            reason=error.detail,
            event_id=reading.event_id,
            refusals=[Refusal(text, "reply", error.detail)] if text else [],
        )


def record_not_now(
    principal: Principal, stretch: Stretch, not_now: NotNow, event_id: UUID | None
) -> Extraction:
    """Write down why a conversation was not read."""
    return _create(principal, stretch, status=not_now.status, reason=not_now.reason, event_id=event_id)


def _create(
    principal: Principal,
    stretch: Stretch,
    *,
    reason: str,
    refusals: list[Refusal] | None = None,
    **fields: Any,
) -> Extraction:
    conversation = stretch.conversation
    # Why it had to wait is of interest only for as long as it waits, and then the latest reason.
    waiting = [Extraction.Status.SKIPPED, Extraction.Status.DEFERRED]
    outdated = Extraction.objects.filter(conversation=conversation, first_number=stretch.first_number)
    outdated.filter(status__in=waiting).delete()
    refused = [
        {"text": refusal.text, "gate": refusal.gate, "reason": refusal.reason} for refusal in refusals or []
    ]
    return Extraction.objects.create(
        workspace=principal.workspace,
        agent_id=conversation.agent_id,
        owner_key=conversation.owner_key,
        scope=conversation.scope,
        conversation=conversation,
        first_number=stretch.first_number,
        last_number=stretch.last_number,
        reason=masked(reason, principal.workspace)[0],
        refused=masked_tree(refused, principal.workspace),
        **fields,
    )
