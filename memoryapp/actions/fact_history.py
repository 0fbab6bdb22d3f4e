"""The history of facts: every change keeps what was, who changed it and why."""

from __future__ import annotations

from typing import Any

from django.utils.dateparse import parse_datetime

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.masking import masked
from memoryapp.actions.webhooks import note_of_facts
from memoryapp.models import Fact, FactRevision, Webhook
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from tenants.principals import Principal

KEPT_FIELDS = ("text", "category", "labels", "importance", "metadata", "status")
KEPT_TIMES = ("valid_from", "valid_to", "expires_at", "said_at")


def snapshot(fact: Fact) -> dict[str, Any]:
    """What a revision keeps of a fact, ready for JSON."""
    times = {name: moment.isoformat() if (moment := getattr(fact, name)) else None for name in KEPT_TIMES}
    rest = {
        "immutable": fact.immutable,
        "run_id": fact.run_id,
        "app_id": fact.app_id,
        "language": fact.language,
        "confidence": fact.confidence,
    }
    return {**{name: getattr(fact, name) for name in KEPT_FIELDS}, **times, **rest}


def keep_revision(
    principal: Principal,
    fact: Fact,
    operation: FactRevision.Operation,
    *,
    before: dict[str, Any] | None,
    reason: str = "",
    origin: str = "",
    with_text: bool = True,
) -> FactRevision:
    """Write one line of a fact's history; without text for a purge, of which only id, time and actor may stay."""
    for happening in _happenings(fact, operation, before):
        note_of_facts(principal.workspace, happening, [fact])
    return FactRevision.objects.create(
        workspace_id=fact.workspace_id,
        agent_id=fact.agent_id,
        owner_key=fact.owner_key,
        scope=fact.scope,
        fact=fact,
        operation=operation,
        before=before,
        after=snapshot(fact) if with_text and operation != FactRevision.Operation.DELETE else None,
        actor=principal.actor,
        origin=origin or fact.origin,
        reason=masked(reason, principal.workspace)[0][:300],
    )


def _happenings(
    fact: Fact, operation: FactRevision.Operation, before: dict[str, Any] | None
) -> list[Webhook.Happening]:
    """The event by which others are notified of a change of a fact."""
    if operation == FactRevision.Operation.DELETE:
        return [Webhook.Happening.MEMORY_DELETE]
    if operation == FactRevision.Operation.ADD:
        return added_happenings(fact)
    recategorised = before is not None and before.get("category") != fact.category
    return [
        Webhook.Happening.MEMORY_UPDATE,
        *([Webhook.Happening.MEMORY_CATEGORIZE] if recategorised else []),
    ]


def added_happenings(fact: Fact) -> list[Webhook.Happening]:
    """What the arrival of a fact is: one that waits for a person's word is no memory yet."""
    if fact.status == Fact.Status.PENDING:
        return [Webhook.Happening.REVIEW_PENDING]
    return [Webhook.Happening.MEMORY_ADD, *([Webhook.Happening.MEMORY_CATEGORIZE] if fact.category else [])]


def restore_snapshot(principal: Principal, fact: Fact, kept: dict[str, Any], *, reason: str) -> Fact:
    """Make a fact what a revision says it was, as a new revision; inside the workspace's scope."""
    before = snapshot(fact)
    new_text = kept["text"] != fact.text
    for name in KEPT_FIELDS:
        setattr(fact, name, kept[name])
    for name in KEPT_TIMES:
        setattr(fact, name, parse_datetime(kept[name]) if kept[name] else None)
    fact.superseded_by, fact.version = None, fact.version + 1
    if new_text:
        fact.text_key = text_key(fact.text)
        prepare_rows([fact])
        fact.embeddings.all().delete()
        store_vectors([fact])
    fact.save()
    keep_revision(principal, fact, FactRevision.Operation.RESTORE, before=before, reason=reason)
    return fact
