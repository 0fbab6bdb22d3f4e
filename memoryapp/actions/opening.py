"""Opening somebody's personal memory: for admins only, with a reason, and never without a trace the person can see."""

from __future__ import annotations

from typing import NamedTuple

from memoryapp.actions.masking import masked
from memoryapp.exceptions import NotFound, NotPermitted, ValidationFailed
from memoryapp.models import Owner
from tenants.actions import record_audit
from tenants.models import AuditEvent, Role
from tenants.principals import Principal
from tenants.scoping import workspace_scope

OPENED, CLOSED = "memory.opened", "memory.closed"
SHORTEST_REASON, LONGEST_REASON = 5, 300


class Opening(NamedTuple):
    """Whom an admin opened, and why, as the audit log has it."""

    owner: Owner
    reason: str


def open_memory(*, principal: Principal, owner_key: str, reason: str) -> Opening:
    """Note that an admin looks at an owner's memory, and why.

    Raises NotFound for nobody, ValidationFailed without a reason.
    """
    principal.require(Role.ADMIN)
    if principal.end_user:
        raise NotPermitted("A token bound to one end user cannot open anybody else's memory.")
    said = masked(" ".join(reason.split()), principal.workspace)[0][:LONGEST_REASON]
    if len(said) < SHORTEST_REASON:
        raise ValidationFailed.of("reason", "Say in a few words why: the person will read it.")
    with workspace_scope(principal.workspace):
        owner: Owner | None = Owner.objects.filter(
            workspace=principal.workspace, owner_key=owner_key, erased_at=None
        ).first()
        if owner is None:
            raise NotFound
        record_audit(principal=principal, action=OPENED, target=owner_key, reason=said)
    return Opening(owner, said)


def close_memory(*, principal: Principal, owner_key: str) -> None:
    """Note that an admin has stopped looking."""
    with workspace_scope(principal.workspace):
        record_audit(principal=principal, action=CLOSED, target=owner_key)


def openings_of(principal: Principal, limit: int = 20) -> list[AuditEvent]:
    """Who opened the principal's own memory, latest first."""
    rows = AuditEvent.objects.filter(
        workspace=principal.workspace, action=OPENED, target=principal.owner_key[:240]
    )
    return list(rows.order_by("-at")[:limit])
