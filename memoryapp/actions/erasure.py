"""Erasing somebody: everything of theirs in every table, then a second pass that looks for what should be gone.

It cannot be taken back. What stays is a signed receipt with counts, and a keyed hash by which a later import of the
same person is recognised.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone

from memoryapp.actions.erasure_places import (
    counts,
    mentions,
    owned_models,
    places,
    probes,
    rows_of,
    shared_places_with,
)
from memoryapp.actions.forget_facts import same_facts, strike_longer_facts, told_by
from memoryapp.actions.forget_files import strike_files
from memoryapp.actions.forget_reach import Reach, names_of
from memoryapp.actions.forget_texts import strike_texts
from memoryapp.actions.outside import tell_erased
from memoryapp.actions.purging import purge_facts
from memoryapp.actions.statements import Statements
from memoryapp.exceptions import NotPermitted
from memoryapp.models import Agent, Backup, ErasureReceipt, Fact, FactSource
from tenants.actions import record_audit
from tenants.models import Role, Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal, principal_for_job
from tenants.scoping import Scope, workspace_scope
from tenants.secrets import keyed_digest

ERASED = "erased"
OWNER_PURPOSE, RECEIPT_PURPOSE = "erased-owner", "erasure-receipt"


def erase_owner(*, principal: Principal, owner_key: str) -> ErasureReceipt:
    """Erase everything of an owner in the workspace at once and for good, and return the receipt.

    One's own, or anybody's for an admin; raises NotPermitted otherwise, and for the system.
    """
    if owner_key != principal.owner_key:
        principal.require(Role.ADMIN)
    if owner_key in {SYSTEM, ""}:
        raise NotPermitted("The system and the team cannot be erased.")
    workspace = principal.workspace
    with workspace_scope(workspace):
        before = counts(workspace, owner_key)
        searched = probes(workspace, owner_key)
        shared = _strike_shared(principal, owner_key)
        _remove_rows(workspace, owner_key)
        _remove_mentions(workspace, owner_key)
        body: dict[str, Any] = {
            "erasedAt": timezone.now().isoformat(),
            "workspace": str(workspace.pk),
            "owner": owner_digest(workspace, owner_key),
            "by": _by(principal, owner_key),
            "before": before,
            "removedFromShared": shared,
            "after": counts(workspace, owner_key),
            "verification": _verified(workspace, searched),
            "backups": _backups(workspace),
        }
        receipt = ErasureReceipt.objects.create(
            workspace=workspace,
            owner_digest=body["owner"],
            actor=body["by"],
            body=body,
            signature=signature_of(body),
        )
        _leave_word(principal, owner_key, receipt)
        tell_erased(workspace, owner_key)
    return receipt


def owner_digest(workspace: Workspace, owner_key: str) -> str:
    """How an erased owner is known again, by nobody without the installation's secret key."""
    return keyed_digest(f"{workspace.pk}:{owner_key}", purpose=OWNER_PURPOSE)


def signature_of(body: dict[str, Any]) -> str:
    """The signature of a receipt's body."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return keyed_digest(text, purpose=RECEIPT_PURPOSE)


def is_genuine(receipt: ErasureReceipt) -> bool:
    """Whether the receipt says what this installation signed."""
    return receipt.signature == signature_of(receipt.body)


def was_erased(workspace: Workspace, owner_key: str) -> bool:
    """Whether this owner was erased here once, so that an import must not simply bring them back."""
    with workspace_scope(workspace):
        receipts = ErasureReceipt.objects.filter(workspace=workspace)
        return bool(receipts.filter(owner_digest=owner_digest(workspace, owner_key)).exists())


def _by(principal: Principal, owner_key: str) -> str:
    return "the person themselves" if principal.owner_key == owner_key else principal.actor


def _strike_shared(principal: Principal, owner_key: str) -> dict[str, int]:
    """Take what is known of the person out of shared files, facts, dreams and histories too."""
    removed: Counter[str] = Counter()
    for agent in Agent.objects.filter(workspace=principal.workspace):
        told = told_by(_facts_of(agent, owner_key))
        if told:
            reach = Reach(agent.workspace_id, agent.pk, owner_key, team=True)
            statements = Statements(told, names_of(reach))
            removed.update(_strike(principal, statements, reach))
    return dict(removed)


def _facts_of(agent: Agent, owner_key: str) -> list[Fact]:
    """The owner's facts, but for those that the team knows by itself and not from this person."""
    theirs = Fact.objects.filter(agent=agent, scope=Scope.PERSONAL, owner_key=owner_key)
    from_them = FactSource.objects.filter(fact=OuterRef("pk"), message__owner_key=owner_key)
    team = Fact.objects.filter(agent=agent, scope=Scope.TEAM).filter(~Exists(from_them))
    return list(theirs.exclude(text_key__in=team.values("text_key")))


def _strike(principal: Principal, statements: Statements, reach: Reach) -> Counter[str]:
    removed: Counter[str] = Counter()
    gone = [fact for fact in same_facts(statements, reach, []) if fact.scope == Scope.TEAM]
    purge_facts(principal_for_job(principal.workspace), gone)
    removed["facts"] += len(gone)
    clerk = principal_for_job(principal.workspace)
    removals = [*strike_longer_facts(statements, reach), *strike_files(clerk, statements, reach)]
    removals += strike_texts(statements, reach)
    removed.update(removal.place for removal in removals if removal.scope == Scope.TEAM)
    return +removed


def _remove_rows(workspace: Workspace, owner_key: str) -> None:
    for model in owned_models():
        rows_of(model, workspace, owner_key).delete()
    for _, rows in places(workspace, owner_key):
        rows.delete()


def _remove_mentions(workspace: Workspace, owner_key: str) -> None:
    """Replace the owner's key in rows of others' and in the audit trail."""
    for row, column in list(mentions(workspace, owner_key)):
        value = getattr(row, column)
        changed = _without(value, owner_key)
        type(row)._default_manager.filter(pk=row.pk).update(**{column: changed})


def _without(value: Any, owner_key: str) -> Any:
    if isinstance(value, str):
        parts = [ERASED if part == owner_key else part for part in value.split(" as ")]
        return " as ".join(parts)
    if isinstance(value, list):
        return [_without(each, owner_key) for each in value if each != owner_key]
    if isinstance(value, dict):
        return {_without(key, owner_key): _without(each, owner_key) for key, each in value.items()}
    return value


def _verified(workspace: Workspace, searched: list[str]) -> dict[str, Any]:
    """The second pass: whether any shared place still says what was removed."""
    left = shared_places_with(workspace, searched)
    return {"textsSearched": len(searched), "found": sum(left.values()), "places": left}


def _backups(workspace: Workspace) -> list[dict[str, Any]]:
    """Backups made before, which still hold the person until they expire."""
    kept = Backup.objects.filter(workspace=workspace, removed_at=None).order_by("created_at")
    return [
        {"name": each.name, "expiresAt": each.expires_at.isoformat() if each.expires_at else None}
        for each in kept
    ]


def _leave_word(principal: Principal, owner_key: str, receipt: ErasureReceipt) -> None:
    """An entry in the audit trail that does not name who was erased, not even as the one who asked for it."""
    clerk = principal_for_job(principal.workspace) if principal.owner_key == owner_key else principal
    record_audit(
        principal=clerk, action="owner.erased", target=receipt.owner_digest[:16], receipt=str(receipt.pk)
    )
