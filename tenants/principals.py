"""The principal: who is asking, on whose behalf, and how much they may."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from uuid import UUID

from tenants.exceptions import EndUserBound, NotAllowed
from tenants.models import AccessToken, Membership, Role, TokenScope, Workspace
from tenants.owners import SYSTEM, end_user_of, end_user_owner_key, user_owner_key

ALL_SCOPES = frozenset(TokenScope.values)


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody acting in one workspace as one owner; every read and write is judged by it."""

    workspace: Workspace
    owner_key: str
    role: Role = Role.VIEWER
    scopes: frozenset[str] = field(default=ALL_SCOPES)
    user_id: int | None = None
    token_id: UUID | None = None
    agent_id: UUID | None = None
    end_user: str = ""
    integrator: bool = False

    @property
    def actor(self) -> str:
        """Who did it, for revisions and the audit trail: the person or job behind, then the owner acted for."""
        behind = user_owner_key(self.user_id) if self.user_id is not None else SYSTEM
        return behind if behind == self.owner_key else f"{behind} as {self.owner_key}"

    @property
    def is_system(self) -> bool:
        return self.owner_key == SYSTEM

    def can(self, role: Role) -> bool:
        return self.role >= role

    def has_scope(self, scope: str) -> bool:
        return scope in self.scopes

    def require(self, role: Role, scope: str | None = None) -> None:
        """Raise NotAllowed unless the role suffices and, with a token, the scope was granted."""
        if not self.can(role):
            raise NotAllowed(f"This needs the role {role.label} in this workspace.")
        if scope is not None and not self.has_scope(scope):
            raise NotAllowed(f"This token lacks the scope {scope}.")

    def acting_as(self, end_user: str | None, channel: str = "api") -> Principal:
        """The same principal on behalf of an end user; raises EndUserBound when its token is bound to another one."""
        if end_user is None:
            return self
        owner_key = end_user_owner_key(end_user, channel)
        if self.end_user and owner_key != self.owner_key:
            raise EndUserBound("This token is bound to another end user.")
        return replace(self, owner_key=owner_key, integrator=False)

    def reading_as(self, owner_key: str) -> Principal:
        """The same principal looking at somebody's memory, with the rights of a mere reader; opening it comes first."""
        return replace(
            self, owner_key=owner_key, role=Role.VIEWER, scopes=frozenset([TokenScope.MEMORY_READ])
        )

    def as_integrator(self) -> Principal:
        """The same principal seeing every API end user of its workspace, which only an unbound token may."""
        return self if self.end_user else replace(self, integrator=True)

    @property
    def end_user_id(self) -> str | None:
        return end_user_of(self.owner_key)


def principal_for_member(membership: Membership) -> Principal:
    """The principal of a logged-in member acting as themselves."""
    return Principal(
        workspace=membership.workspace,
        owner_key=user_owner_key(membership.user_id),
        role=Role(membership.role),
        user_id=membership.user_id,
    )


def principal_for_token(token: AccessToken, role: Role) -> Principal:
    """The principal of a token: its user's role, narrowed by the token's scopes and bindings."""
    owner_key = end_user_owner_key(token.end_user) if token.end_user else user_owner_key(token.user_id)
    return Principal(
        workspace=token.workspace,
        owner_key=owner_key,
        role=role,
        scopes=frozenset(token.scopes),
        user_id=token.user_id,
        token_id=token.id,
        agent_id=token.agent_id,
        end_user=token.end_user,
    )


def principal_for_job(workspace: Workspace, owner_key: str = SYSTEM) -> Principal:
    """The principal a background job works as: one owner's memory and nothing of anybody else's."""
    return Principal(workspace=workspace, owner_key=owner_key, role=Role.MEMBER)
