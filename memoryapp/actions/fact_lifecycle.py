"""What happens to existing facts: superseded, merged, judged, pinned, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from memoryapp.actions.access import require_own
from memoryapp.actions.fact_history import keep_revision, snapshot
from memoryapp.actions.fact_sources import inherit_sources
from memoryapp.actions.facts import update_fact
from memoryapp.actions.forget import erase_facts, forget_facts
from memoryapp.exceptions import Conflict, NotFound, ValidationFailed
from memoryapp.models import Agent, Fact, FactFeedback, FactRevision
from tenants.actions import record_audit
from tenants.models import Role
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

DELETE_BATCH = 2_000


def supersede_fact(
    *, principal: Principal, old: Fact, new: Fact, ended_at: datetime | None = None, reason: str = ""
) -> Fact:
    """Let a newer fact take the place of an older one, which stays in history as ended.

    Raises Conflict when the “newer” one was said earlier: an older event imported late supersedes nothing.
    """
    require_own(principal, old)
    if new.said_at < old.said_at:
        raise Conflict("An older fact cannot supersede a newer one.", code="older_fact")
    with workspace_scope(principal.workspace):
        return retire_fact(
            principal,
            old,
            Fact.Status.SUPERSEDED,
            FactRevision.Operation.SUPERSEDE,
            into=new,
            ended_at=ended_at or new.said_at,
            reason=reason,
        )


def merge_facts(
    *,
    principal: Principal,
    keep: Fact,
    absorbed: Sequence[Fact],
    text: str,
    reason: str = "",
    by_model: bool = False,
) -> Fact:
    """Rewrite one fact so that it says what several said, and retire the others into it with their provenance.

    Raises Conflict when a model would merge an immutable fact, or facts of different owners.
    """
    for fact in (keep, *absorbed):
        require_own(principal, fact)
        if (fact.agent_id, fact.scope, fact.owner_key) != (keep.agent_id, keep.scope, keep.owner_key):
            raise Conflict("Only facts of one owner can be merged.", code="different_owners")
        if by_model and fact.immutable:
            raise Conflict("This fact is immutable: no model merges it.", code="immutable")
    with workspace_scope(principal.workspace):
        merged = update_fact(principal=principal, fact=keep, text=text, reason=reason, by_model=by_model)
        for fact in absorbed:
            retire_fact(
                principal,
                fact,
                Fact.Status.MERGED,
                FactRevision.Operation.MERGE,
                into=merged,
                ended_at=None,
                reason=reason,
            )
        inherit_sources(heir=merged, ancestors=absorbed)
    return merged


def retire_fact(
    principal: Principal,
    fact: Fact,
    status: Fact.Status,
    operation: FactRevision.Operation,
    *,
    into: Fact | None,
    ended_at: datetime | None,
    reason: str,
) -> Fact:
    """Take a fact out of what is known, for another or for none; it stays in history. Raises Conflict when gone."""
    row = (
        Fact.objects.select_for_update()
        .filter(pk=fact.pk, status__in=[Fact.Status.ACTIVE, Fact.Status.PENDING])
        .first()
    )
    if row is None:
        raise Conflict("This fact is not active any more.", code="not_active")
    before = snapshot(row)
    row.status, row.superseded_by, row.version = status, into, row.version + 1
    row.valid_to = ended_at or row.valid_to
    row.save(update_fields=["status", "superseded_by", "version", "valid_to", "updated_at"])
    keep_revision(principal, row, operation, before=before, reason=reason)
    return row


def confirm_fact(*, principal: Principal, fact: Fact) -> Fact:
    """Say that a fact still holds: its trust is fresh again, and its retention starts anew."""
    require_own(principal, fact)
    now = timezone.now()
    expires_at = (
        now + (fact.expires_at - fact.confirmed_at)
        if fact.expires_at and fact.expires_at > now
        else fact.expires_at
    )
    return _changed(principal, fact, confirmed_at=now, expires_at=expires_at)


def pin_fact(*, principal: Principal, fact: Fact, pinned: bool) -> Fact:
    """Pin a fact, which then does not decay, or let it go again."""
    require_own(principal, fact)
    return _changed(principal, fact, pinned=pinned)


def give_feedback(*, principal: Principal, fact: Fact, kind: str | None) -> Fact:
    """Judge a fact helpful or unhelpful, or take it back with None; one judgement per person and fact, the latest."""
    if kind is not None and kind not in FactFeedback.Kind.values:
        raise ValidationFailed.of("kind", f"One of {', '.join(FactFeedback.Kind.values)}.")
    if fact.scope == Scope.PERSONAL:
        require_own(principal, fact)
    with workspace_scope(principal.workspace):
        locked = (
            Fact.objects.select_for_update().filter(pk=fact.pk).exclude(status=Fact.Status.FORGOTTEN).first()
        )
        if locked is None:
            raise NotFound
        mine = FactFeedback.objects.filter(fact=locked, given_by=principal.owner_key)
        if kind is None:
            mine.delete()
        else:
            row = {
                "workspace_id": locked.workspace_id,
                "agent_id": locked.agent_id,
                "owner_key": locked.owner_key,
                "scope": locked.scope,
            }
            FactFeedback.objects.update_or_create(
                fact=locked,
                given_by=principal.owner_key,
                defaults={"kind": kind},
                create_defaults={**row, "kind": kind},
            )
        counts = FactFeedback.objects.filter(fact=locked).aggregate(
            helpful=Count("pk", filter=Q(kind=FactFeedback.Kind.HELPFUL)),
            unhelpful=Count("pk", filter=Q(kind=FactFeedback.Kind.UNHELPFUL)),
        )
        changes: dict[str, Any] = {"helpful_count": counts["helpful"], "unhelpful_count": counts["unhelpful"]}
        if kind == FactFeedback.Kind.HELPFUL:
            changes["confirmed_at"] = timezone.now()
        return _changed(principal, locked, **changes)


def _changed(principal: Principal, fact: Fact, **changes: Any) -> Fact:
    with workspace_scope(principal.workspace):
        updated = Fact.objects.filter(pk=fact.pk).exclude(status=Fact.Status.FORGOTTEN).update(**changes)
    if not updated:
        raise NotFound
    for name, value in changes.items():
        setattr(fact, name, value)
    return fact


def delete_fact(*, principal: Principal, fact: Fact) -> None:
    """Remove a fact everywhere, at once and for good; what stays is that it was there and who removed it."""
    erase_facts(principal=principal, facts=[fact])


def delete_facts(*, principal: Principal, agent: Agent, facts: QuerySet[Fact], undoable: bool = False) -> int:
    """Remove all facts of a query that the principal may change, in batches, and return how many.

    The caller's query is narrowed to what is the principal's own; nobody else's row is touched whatever it says.
    With `undoable` they are forgotten, which can be taken back for a while, unless forgetting is switched off.
    """
    removed = 0
    remove = forget_facts if undoable and settings.MEMORY_FACT_FORGET_ENABLED else erase_facts
    while True:
        with workspace_scope(principal.workspace):
            own = (
                Fact.objects.visible_to(principal).exclude(scope=Scope.GLOBAL)
                if principal.can(Role.MEMBER)
                else Fact.objects.owned_by(principal)
            )
            chosen = own.filter(agent=agent, pk__in=facts.order_by().values("pk"))
            first = chosen.exclude(status=Fact.Status.FORGOTTEN).first()
            if first is None:
                break
            bucket = chosen.filter(scope=first.scope, owner_key=first.owner_key)
            batch = list(bucket.exclude(status=Fact.Status.FORGOTTEN)[:DELETE_BATCH])
            remove(principal=principal, facts=batch)
            removed += len(batch)
    with workspace_scope(principal.workspace):
        record_audit(principal=principal, action="facts.deleted", target=agent.slug, count=removed)
    return removed
