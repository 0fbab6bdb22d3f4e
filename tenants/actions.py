"""Every change to workspaces, members and tokens, each with its permission, transaction and audit entry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from tenants.exceptions import InvalidTenantInput, NotAllowed
from tenants.models import AccessToken, AuditEvent, Membership, Role, TokenScope, Workspace
from tenants.owners import checked_sender, end_user_owner_key
from tenants.principals import Principal, principal_for_member
from tenants.scoping import workspace_scope
from tenants.token_format import new_token

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SLUG_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def record_audit(*, principal: Principal, action: str, target: str = "", **detail: Any) -> AuditEvent:
    """Write one entry of the workspace's audit trail."""
    return AuditEvent.objects.create(
        workspace=principal.workspace,
        actor=principal.actor,
        action=action,
        target=target[:240],
        detail=detail,
    )


def create_workspace(
    *, name: str, slug: str, owner: User, time_zone: str | None = None, language: str = "en"
) -> Principal:
    """Create a workspace with its first member as owner, and return the principal of that member.

    Raises InvalidTenantInput for a blank name, an unusable or taken slug, or an unknown time zone.
    """
    if not name.strip():
        raise InvalidTenantInput("name", "A workspace needs a name.")
    if not SLUG_PATTERN.fullmatch(slug) or len(slug) > 60:
        raise InvalidTenantInput("slug", "A slug has lower-case letters, digits and single hyphens.")
    zone = checked_time_zone(time_zone or settings.DEFAULT_WORKSPACE_TIME_ZONE)
    try:
        with transaction.atomic():
            workspace = Workspace.objects.create(
                name=name.strip(), slug=slug, time_zone=zone, language=language
            )
            membership = Membership.objects.create(workspace=workspace, user=owner, role=Role.OWNER)
    except IntegrityError as error:
        raise InvalidTenantInput("slug", "This slug is taken.") from error
    principal = principal_for_member(membership)
    with workspace_scope(workspace):
        record_audit(principal=principal, action="workspace.created", target=slug)
    return principal


def update_workspace(
    *, principal: Principal, secrets: dict[str, str] | None = None, **changes: Any
) -> Workspace:
    """Change a workspace's name, zone, language or settings, and seal secrets such as a model key. Admins only."""
    principal.require(Role.ADMIN)
    workspace = Workspace.objects.get(pk=principal.workspace.pk)
    if "time_zone" in changes:
        changes["time_zone"] = checked_time_zone(changes["time_zone"])
    if not str(changes.get("name", workspace.name)).strip():
        raise InvalidTenantInput("name", "A workspace needs a name.")
    workspace.settings = {**workspace.settings, **changes.pop("settings", {})}
    for field in ("name", "time_zone", "language"):
        setattr(workspace, field, changes.get(field, getattr(workspace, field)))
    for name, secret in (secrets or {}).items():
        workspace.seal(name, secret)
    with workspace_scope(workspace):
        workspace.save()
        record_audit(
            principal=principal,
            action="workspace.changed",
            target=workspace.slug,
            fields=sorted([*changes, *(secrets or {})]),
        )
    return workspace


def checked_time_zone(name: str) -> str:
    """The name, once it is known to be an IANA time zone."""
    try:
        ZoneInfo(name)
    except (ValueError, LookupError, OSError) as error:
        raise InvalidTenantInput(
            "timeZone", "This is not a time zone; write one such as Europe/Amsterdam."
        ) from error
    return name


def issue_token(
    *,
    principal: Principal,
    name: str,
    scopes: Iterable[str] | None = None,
    agent_id: UUID | None = None,
    end_user: str | None = None,
    expires_at: datetime | None = None,
) -> tuple[AccessToken, str]:
    """Issue a token for the principal's own user and return it with its plain text, which is shown this once.

    Raises NotAllowed for scopes beyond the principal's own, InvalidTenantInput for bad fields.
    """
    if principal.user_id is None or principal.end_user:
        raise NotAllowed("Only a person can issue a token.")
    wanted = sorted(set(scopes if scopes is not None else principal.scopes))
    _check_token_fields(principal, name, wanted, expires_at)
    if end_user is not None:
        end_user_owner_key(checked_sender(end_user))
    plain = new_token()
    with workspace_scope(principal.workspace):
        token = AccessToken.objects.create(
            workspace=principal.workspace,
            user_id=principal.user_id,
            name=name.strip(),
            prefix=plain.prefix,
            digest=AccessToken.digest_of(plain.text),
            scopes=wanted,
            agent_id=agent_id or principal.agent_id,
            end_user=end_user or "",
            expires_at=expires_at,
        )
        record_audit(
            principal=principal, action="token.issued", target=token.name, prefix=token.prefix, scopes=wanted
        )
    return token, plain.text


def _check_token_fields(
    principal: Principal, name: str, scopes: list[str], expires_at: datetime | None
) -> None:
    if not name.strip() or len(name) > 120:
        raise InvalidTenantInput("name", "A token needs a name of at most 120 characters.")
    unknown = [scope for scope in scopes if scope not in TokenScope.values]
    if unknown or not scopes:
        raise InvalidTenantInput("scopes", f"Scopes are {', '.join(TokenScope.values)}.")
    if not set(scopes) <= principal.scopes:
        raise NotAllowed("A token cannot be given more scopes than its issuer has.")
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidTenantInput("expiresAt", "The expiry must lie in the future.")


def revoke_token(*, principal: Principal, token: AccessToken) -> None:
    """Make a token unusable at once. One's own, or anybody's for an admin."""
    if token.user_id != principal.user_id:
        principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        AccessToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
        record_audit(principal=principal, action="token.revoked", target=token.name, prefix=token.prefix)


def tokens_visible_to(principal: Principal) -> Any:
    """The tokens a principal may list: their own, or the whole workspace's for an admin."""
    tokens = AccessToken.objects.select_related("user").filter(workspace=principal.workspace, revoked_at=None)
    return tokens if principal.can(Role.ADMIN) else tokens.filter(user_id=principal.user_id or 0)
