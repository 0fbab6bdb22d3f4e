"""From a request to a principal: an access token in any of the three spellings clients use, or a logged-in session."""

from __future__ import annotations

import hmac
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django.db.models import OuterRef, Subquery
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from tenants.exceptions import InvalidCredentials, UnknownWorkspace
from tenants.limits import count_call
from tenants.models import AccessToken, Membership, Role
from tenants.principals import Principal, principal_for_member, principal_for_token
from tenants.token_format import read_prefix

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SESSION_WORKSPACE = "workspace"
LAST_USED_PRECISION = timedelta(minutes=5)
INVALID = "This access token is invalid, expired or revoked."


def token_of(request: HttpRequest) -> str | None:
    """The token a request carries: `Authorization: Bearer|Token …` or `X-API-Key: …`."""
    scheme, _, value = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() in {"bearer", "token"}:
        return value.strip()
    return request.headers.get("X-API-Key")


def principal_from_token(plain: str) -> Principal:
    """The principal of a usable token; raises InvalidCredentials, saying the same whatever was wrong."""
    prefix = read_prefix(plain)
    if prefix is None:
        raise InvalidCredentials(INVALID)
    # One query: every request that carries a token pays for it.
    held_by = Membership.objects.filter(
        workspace=OuterRef("workspace"), user=OuterRef("user"), user__is_active=True
    )
    tokens = AccessToken.objects.select_related("workspace").annotate(role=Subquery(held_by.values("role")))
    token = tokens.filter(prefix=prefix).first()
    if (
        token is None
        or not hmac.compare_digest(token.digest, AccessToken.digest_of(plain))
        or not token.usable
        or token.role is None
    ):
        raise InvalidCredentials(INVALID)
    count_call(token.workspace)
    _note_use(token)
    return principal_for_token(token, Role(token.role))


def _note_use(token: AccessToken) -> None:
    """Remember when a token was last used, at most once in a few minutes, so that reading stays free of writes."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > LAST_USED_PRECISION:
        AccessToken.objects.filter(pk=token.pk).update(last_used_at=now)


def membership_for_session(request: HttpRequest, slug: str | None = None) -> Membership:
    """The logged-in person's membership in the workspace named, else in the one last used, else in their oldest.

    Raises UnknownWorkspace for a workspace that is missing or not theirs.
    """
    memberships = Membership.objects.select_related("workspace").filter(user=cast("User", request.user))
    wanted = slug or request.headers.get("X-Workspace")
    if wanted:
        found = memberships.filter(workspace__slug=wanted).first()
    else:
        last_used = request.session.get(SESSION_WORKSPACE)
        found = max(
            memberships.order_by("-created_at"), key=lambda one: one.workspace.slug == last_used, default=None
        )
    if found is None:
        raise UnknownWorkspace
    return found


class TokenAuthentication(BaseAuthentication):
    """Authenticates API requests that carry a token."""

    def authenticate(self, request: Request) -> tuple[Any, Principal] | None:
        plain = token_of(request)
        if plain is None:
            return None
        principal = principal_from_token(plain)
        request._request.principal = principal  # type: ignore[attr-defined]
        return principal.user_id, principal

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class WorkspaceSessionAuthentication(SessionAuthentication):
    """Authenticates API requests of the dashboard's own pages, with the CSRF check of a session."""

    def authenticate(self, request: Request) -> tuple[Any, Principal] | None:
        authenticated = super().authenticate(request)
        if authenticated is None:
            return None
        principal = principal_for_member(membership_for_session(request._request))
        request._request.principal = principal  # type: ignore[attr-defined]
        return authenticated[0], principal
