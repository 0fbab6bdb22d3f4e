"""Who belongs to a workspace: invitations by link, roles, and leaving."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tenants.actions import record_audit
from tenants.exceptions import InvalidTenantInput, NotAllowed, UnknownWorkspace
from tenants.models import AccessToken, Invitation, Membership, Role
from tenants.principals import Principal, principal_for_member
from tenants.scoping import workspace_scope

if TYPE_CHECKING:
    from django.contrib.auth.models import User

INVITATION_LASTS = timedelta(days=7)


def invite(*, principal: Principal, role: Role, note: str = "") -> tuple[Invitation, str]:
    """Make an invitation and return it with its secret, which is shown this once. For admins; no role above theirs.

    Raises InvalidTenantInput for an overlong note.
    """
    principal.require(Role.ADMIN)
    _check_may_give(principal, role)
    if principal.user_id is None:
        raise NotAllowed("Only a person can invite.")
    if len(note) > 120:
        raise InvalidTenantInput("note", "A note has at most 120 characters.")
    secret = secrets.token_urlsafe(24)
    with workspace_scope(principal.workspace):
        invitation = Invitation.objects.create(
            workspace=principal.workspace,
            role=role,
            note=note.strip(),
            digest=_digest(secret),
            invited_by_id=principal.user_id,
            expires_at=timezone.now() + INVITATION_LASTS,
        )
        record_audit(principal=principal, action="member.invited", target=invitation.note, role=role.label)
    return invitation, secret


def open_invitations(principal: Principal) -> QuerySet[Invitation]:
    """The invitations that nobody has used yet, newest first."""
    return Invitation.objects.filter(workspace=principal.workspace, expires_at__gt=timezone.now()).order_by(
        "-created_at"
    )


def revoke_invitation(*, principal: Principal, invitation_id: UUID) -> None:
    """Make an invitation unusable. Admins only; raises UnknownWorkspace when there is none."""
    principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        invitation = open_invitations(principal).filter(pk=invitation_id).first()
        if invitation is None:
            raise UnknownWorkspace
        invitation.delete()
        record_audit(principal=principal, action="member.invitation_revoked", target=invitation.note)


def find_invitation(secret: str) -> Invitation:
    """The open invitation of a link; raises UnknownWorkspace for one that is used, revoked, too old or made up."""
    found = Invitation.objects.select_related("workspace").filter(digest=_digest(secret)).first()
    if found is None or not found.is_open:
        raise UnknownWorkspace
    return found


def accept_invitation(*, secret: str, user: User) -> Membership:
    """Make somebody a member by an invitation, which is used up; whoever is one already never loses by it."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update().filter(digest=_digest(secret)).first()
        if invitation is None or not invitation.is_open:
            raise UnknownWorkspace
        membership, created = Membership.objects.get_or_create(
            workspace_id=invitation.workspace_id, user=user, defaults={"role": invitation.role}
        )
        if not created and membership.role < invitation.role:
            membership.role = invitation.role
            membership.save(update_fields=["role"])
        invitation.delete()
        with workspace_scope(membership.workspace):
            record_audit(
                principal=principal_for_member(membership),
                action="member.joined",
                target=user.get_username(),
                role=Role(membership.role).label,
                invitedBy=f"user:{invitation.invited_by_id}",
            )
    return membership


def load_member(principal: Principal, membership_id: UUID) -> Membership:
    """The member of that id in the principal's workspace; raises UnknownWorkspace for any other."""
    members = Membership.objects.select_related("user", "workspace")
    found = members.filter(workspace=principal.workspace, pk=membership_id).first()
    if found is None:
        raise UnknownWorkspace
    return found


def change_role(*, principal: Principal, membership: Membership, role: Role) -> Membership:
    """Give a member another role. Admins only, who touch nobody above them and give no role above their own.

    Raises NotAllowed, also for the last owner: somebody must be able to do everything.
    """
    principal.require(Role.ADMIN)
    _check_may_give(principal, Role(max(role, membership.role)))
    with workspace_scope(principal.workspace):
        _keep_an_owner(membership, role)
        membership.role = role
        membership.save(update_fields=["role"])
        record_audit(
            principal=principal,
            action="member.role_changed",
            target=membership.user.get_username(),
            role=role.label,
        )
    return membership


def remove_member(*, principal: Principal, membership: Membership) -> None:
    """Take somebody's access away, and that of their tokens; what is remembered of them stays until it is erased.

    Oneself, or for admins anybody not above them. Raises NotAllowed, also for the last owner.
    """
    if membership.user_id != principal.user_id:
        principal.require(Role.ADMIN)
        _check_may_give(principal, Role(membership.role))
    with workspace_scope(principal.workspace):
        _keep_an_owner(membership, None)
        theirs = AccessToken.objects.filter(workspace=principal.workspace, user_id=membership.user_id)
        revoked = theirs.filter(revoked_at=None).update(revoked_at=timezone.now())
        membership.delete()
        record_audit(
            principal=principal,
            action="member.removed",
            target=membership.user.get_username(),
            tokensRevoked=revoked,
        )


def may_create_workspace(user: User) -> bool:
    """Whether somebody may make a workspace of their own: the operator, and whoever owns one."""
    return user.is_superuser or Membership.objects.filter(user=user, role=Role.OWNER).exists()


def _check_may_give(principal: Principal, role: Role) -> None:
    if role > principal.role:
        raise NotAllowed("Nobody can give or take a role above their own.")


def _keep_an_owner(membership: Membership, role: Role | None) -> None:
    """Refuse to leave a workspace without an owner; the lock makes two owners leaving at once wait for each other."""
    if membership.role != Role.OWNER or role == Role.OWNER:
        return
    owners = Membership.objects.select_for_update().filter(workspace=membership.workspace, role=Role.OWNER)
    if len(owners) < 2:
        raise NotAllowed("A workspace keeps at least one owner. Make somebody else one first.")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
