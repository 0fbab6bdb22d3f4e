"""The review inbox: facts that wait for a person's approval and are in no prompt and no search until they have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.actions.access import require_own
from memoryapp.actions.comparing import request_comparison
from memoryapp.actions.fact_lifecycle import retire_fact
from memoryapp.actions.facts import update_fact
from memoryapp.actions.forget import forget_fact, load_forgetting, undo_forget
from memoryapp.exceptions import Conflict, MemoryAppError, NotFound, ValidationFailed
from memoryapp.models import Agent, Fact, FactRevision
from tenants.actions import record_audit
from tenants.principals import Principal
from tenants.scoping import workspace_scope

APPROVED, DECLINED = "approved", "declined"
# More than this are decided in several calls, so that none holds its locks for long.
MOST_AT_ONCE = 200


def pending_facts(principal: Principal, agent: Agent) -> QuerySet[Fact]:
    """What waits for the principal's word, the oldest first. Inside the workspace's scope."""
    waiting = Fact.objects.visible_to(principal).unexpired()
    return waiting.filter(agent=agent, status=Fact.Status.PENDING).order_by("created_at", "pk")


def approve_fact(*, principal: Principal, fact: Fact, text: str = "") -> Fact:
    """Let a waiting fact count, in better words if given. Raises Conflict for one that does not wait."""
    with workspace_scope(principal.workspace):
        _require_pending(principal, fact)
        approved = update_fact(
            principal=principal,
            fact=fact,
            status=Fact.Status.ACTIVE,
            text=text if text.strip() else fact.text,
            reason=APPROVED,
        )
        request_comparison(principal, approved)
        record_audit(principal=principal, action="fact.approved", target=str(fact.pk))
    return approved


def edit_pending_fact(*, principal: Principal, fact: Fact, text: str = "") -> Fact:
    """Give a waiting fact better words; it goes on waiting."""
    if not text.strip():
        raise ValidationFailed.of("text", "Write what it should say.")
    with workspace_scope(principal.workspace):
        _require_pending(principal, fact)
        return update_fact(principal=principal, fact=fact, text=text)


def decline_fact(*, principal: Principal, fact: Fact, text: str = "") -> Fact:
    """Let a waiting fact never count: it is forgotten, and no model proposes it again."""
    with workspace_scope(principal.workspace):
        _require_pending(principal, fact)
        if settings.MEMORY_FACT_FORGET_ENABLED:
            forget_fact(principal=principal, fact=fact)
            fact.refresh_from_db()
            return fact
        return retire_fact(
            principal,
            fact,
            Fact.Status.SUPERSEDED,
            FactRevision.Operation.SUPERSEDE,
            into=None,
            ended_at=timezone.now(),
            reason=DECLINED,
        )


def undo_review(*, principal: Principal, fact: Fact, text: str = "") -> Fact:
    """Take a decision back: the fact waits again. Raises Conflict when there is none that can be taken back."""
    require_own(principal, fact)
    with workspace_scope(principal.workspace):
        if fact.status == Fact.Status.FORGOTTEN:
            agent = Agent.objects.get(pk=fact.agent_id)
            undo_forget(principal=principal, forgetting=load_forgetting(principal, agent, fact.pk))
            fact.refresh_from_db()
            return fact
        last = FactRevision.objects.filter(fact=fact).order_by("-created_at", "-pk").first()
        if fact.status != Fact.Status.ACTIVE or last is None or last.reason != APPROVED:
            raise Conflict("There is no decision to take back.", code="not_decided")
        return update_fact(principal=principal, fact=fact, status=Fact.Status.PENDING)


def _require_pending(principal: Principal, fact: Fact) -> None:
    require_own(principal, fact)
    if fact.status == Fact.Status.FORGOTTEN:
        raise NotFound
    if fact.status != Fact.Status.PENDING:
        raise Conflict("This fact is not waiting for a decision.", code="not_pending")


REVIEW_ACTIONS: dict[str, Callable[..., Fact]] = {
    "approve": approve_fact,
    "decline": decline_fact,
    "edit": edit_pending_fact,
    "undo": undo_review,
}


def load_reviewed(principal: Principal, agent: Agent, fact_id: UUID) -> Fact:
    """A fact that waits or was decided, whatever became of it; NotFound when it is not the principal's to see."""
    with workspace_scope(principal.workspace):
        fact = Fact.objects.visible_to(principal).filter(agent=agent, pk=fact_id).first()
    if fact is None:
        raise NotFound
    return fact


def review_fact(*, principal: Principal, fact: Fact, action: str, text: str = "") -> Fact:
    """Do one of the things a reviewer can do; raises ValidationFailed for any other word."""
    if action not in REVIEW_ACTIONS:
        raise ValidationFailed.of("action", f"One of {', '.join(REVIEW_ACTIONS)}.")
    return REVIEW_ACTIONS[action](principal=principal, fact=fact, text=text)


def review_facts(
    *, principal: Principal, agent: Agent, fact_ids: Iterable[UUID], action: str
) -> dict[str, str]:
    """Decide several facts, each by itself, and say for each how it went."""
    ids = list(dict.fromkeys(fact_ids))
    if len(ids) > MOST_AT_ONCE:
        raise ValidationFailed.of("ids", f"At most {MOST_AT_ONCE} at once.")
    outcome = {}
    for fact_id in ids:
        try:
            # A savepoint: one that cannot be decided undoes none of the others.
            with transaction.atomic():
                review_fact(principal=principal, fact=load_reviewed(principal, agent, fact_id), action=action)
            outcome[str(fact_id)] = "done"
        except ValidationFailed:
            raise
        except MemoryAppError as error:
            outcome[str(fact_id)] = error.code
    return outcome
