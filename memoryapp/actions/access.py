"""Where a write lands and whether its principal may make it: shared by every action."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from memoryapp.exceptions import NotFound, NotPermitted
from tenants.models import GLOBAL_WORKSPACE_ID, Role
from tenants.principals import Principal
from tenants.scoping import Scope

# Its name in a workspace's settings.
PER_OWNER = "per_owner"


def remembers_per_owner(principal: Principal) -> bool:
    """Whether each person's memory is kept separate here; if not, everything goes to the team."""
    return bool(settings.MEMORY_PER_OWNER and principal.workspace.setting(PER_OWNER, True))


def writing_scope(principal: Principal, scope: str) -> tuple[Scope, str]:
    """The scope and owner key a write gets; raises NotPermitted when the principal may not write there."""
    wanted = Scope(scope)
    if wanted is Scope.PERSONAL and not remembers_per_owner(principal):
        wanted = Scope.TEAM
    if wanted is Scope.PERSONAL:
        if principal.is_system:
            raise NotPermitted("The system has no personal memory.")
        return wanted, principal.owner_key
    if wanted is Scope.GLOBAL and principal.workspace.pk != GLOBAL_WORKSPACE_ID:
        raise NotPermitted("Only the operator of the installation can change global memory.")
    return wanted, ""


def require_team_role(principal: Principal, scope: str) -> None:
    """Shared memory is written by members; a person's own needs no role."""
    if scope != Scope.PERSONAL and not principal.can(Role.MEMBER):
        raise NotPermitted("Only members of the workspace can change shared memory.")


def require_own(principal: Principal, row: Any) -> None:
    """Raise unless the principal may change this row; somebody else's personal row does not exist for them."""
    if row.scope == Scope.PERSONAL:
        visible = row.owner_key == principal.owner_key or (
            principal.integrator and row.owner_key.startswith("api:")
        )
        if row.workspace_id != principal.workspace.pk or not visible:
            raise NotFound
        return
    if row.workspace_id != principal.workspace.pk:
        raise NotFound if row.scope != Scope.GLOBAL else NotPermitted("Global memory is read-only here.")
    require_team_role(principal, row.scope)
