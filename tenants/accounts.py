"""What concerns a person rather than a workspace, noted in the audit trail of each workspace they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tenants.actions import record_audit
from tenants.models import Membership
from tenants.principals import principal_for_member
from tenants.scoping import workspace_scope

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def audit_account(user: User, action: str, **detail: Any) -> None:
    """Tell every workspace of a person what happened to their account: its admins rely on how they sign in."""
    for membership in Membership.objects.select_related("workspace").filter(user=user):
        with workspace_scope(membership.workspace):
            record_audit(
                principal=principal_for_member(membership),
                action=action,
                target=user.get_username(),
                **detail,
            )
