"""Who may see that a person exists: the person, members for test end users, admins for everybody."""

from __future__ import annotations

from uuid import UUID

from memoryapp.dashboard.pages import Visit
from memoryapp.dashboard.people.counts import with_counts
from memoryapp.exceptions import NotFound
from memoryapp.models import Owner
from tenants.models import Role
from tenants.owners import is_test_owner
from tenants.scoping import workspace_scope

COUNTED = ("facts", "files", "conversations")


def known_owner(visit: Visit, owner_id: UUID, *, counted: bool = False) -> Owner:
    """The owner of an address; raises NotFound for whom the visitor may not know of."""
    with workspace_scope(visit.workspace):
        rows = Owner.objects.visible_to(visit.principal).filter(pk=owner_id, erased_at=None)
        owner: Owner | None = (with_counts(rows, *COUNTED) if counted else rows).first()
    if owner is None or not _may_know(visit, owner):
        raise NotFound
    return owner


def _may_know(visit: Visit, owner: Owner) -> bool:
    if owner.owner_key == visit.principal.owner_key or visit.principal.can(Role.ADMIN):
        return True
    return is_test_owner(owner.owner_key) and visit.principal.can(Role.MEMBER)
