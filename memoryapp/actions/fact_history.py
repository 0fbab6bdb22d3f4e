"""The history of facts: every change keeps what was, who changed it and why."""

from __future__ import annotations

from typing import Any

from django.utils.dateparse import parse_datetime

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.masking import masked
from memoryapp.models import Fact, FactRevision
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
