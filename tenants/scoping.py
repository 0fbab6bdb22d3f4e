"""The one read door (`visible_to`) and the database's own wall behind it (`workspace_scope`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self, TypeVar
from uuid import UUID

from django.db import connection, models, transaction
from django.db.models import Q
from django.utils import timezone

from tenants.ids import new_id
from tenants.models import GLOBAL_WORKSPACE_ID, Workspace
from tenants.principals import Principal

Row = TypeVar("Row", bound=models.Model, covariant=True)


class Scope(models.TextChoices):
    """Who may read an owned row."""

    PERSONAL = "PERSONAL"
    TEAM = "TEAM"
    GLOBAL = "GLOBAL"


class ScopeMismatch(RuntimeError):
    """Code inside one workspace's scope tried to enter another's."""


@contextmanager
def workspace_scope(workspace: Workspace | UUID) -> Iterator[None]:
    """One short transaction in which the database shows one workspace's rows, and outside of which it shows none.

    Entering the same workspace again joins the open transaction. Never wait on the network inside.
    """
    wanted = str(workspace.pk if isinstance(workspace, Workspace) else workspace)
    current = getattr(connection, "workspace_scope", "")
    if current and current != wanted:
        raise ScopeMismatch("A workspace scope is open for another workspace.")
    with transaction.atomic(savepoint=not current):
        if current:
            yield
            return
        _set_workspace(wanted)
        try:
            yield
        except BaseException:
            # The rollback that follows undoes the setting in the database by itself.
            connection.workspace_scope = ""  # type: ignore[attr-defined]
            raise
        _leave_scope()


def _leave_scope() -> None:
    """Close the view even when the scope sits inside a longer transaction, as it does in tests."""
    connection.workspace_scope = ""  # type: ignore[attr-defined]
    if connection.savepoint_ids:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('app.workspace_id', '', true)")


def _set_workspace(workspace_id: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.workspace_id', %s, true)", [workspace_id])
    connection.workspace_scope = workspace_id  # type: ignore[attr-defined]


class WorkspaceQuerySet(models.QuerySet[Row]):
    """Rows that belong to a workspace as a whole."""

    def visible_to(self, principal: Principal) -> Self:
        return self.filter(workspace_id=principal.workspace.pk)


class OwnedQuerySet(models.QuerySet[Row]):
    """Rows that belong to an owner inside a workspace; `visible_to` is how they are read."""

    def visible_to(self, principal: Principal) -> Self:
        """Global rows, the workspace's team rows, and the principal's own personal ones; nothing else, ever."""
        shared = Q(workspace_id=GLOBAL_WORKSPACE_ID, scope=Scope.GLOBAL) | Q(
            workspace_id=principal.workspace.pk, scope=Scope.TEAM
        )
        rows = self.filter(shared | self._personal(principal))
        if principal.agent_id is not None:
            rows = rows.filter(Q(agent_id=principal.agent_id) | Q(scope=Scope.GLOBAL))
        return rows

    def owned_by(self, principal: Principal) -> Self:
        """The principal's own personal rows."""
        return self.filter(self._personal(principal))

    def for_agent(self, agent: Any) -> Self:
        """Rows of one agent, and those meant for every agent."""
        return self.filter(Q(agent_id=agent.pk) | Q(scope=Scope.GLOBAL))

    @staticmethod
    def _personal(principal: Principal) -> Q:
        if principal.is_system:
            return Q(pk__in=[])
        mine = Q(workspace_id=principal.workspace.pk, scope=Scope.PERSONAL)
        if principal.integrator:
            return mine & Q(owner_key__startswith="api:")
        return mine & Q(owner_key=principal.owner_key)


class WorkspaceModel(models.Model):
    """A row of one workspace, for everyone in it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    objects: ClassVar[models.Manager[Any]] = models.Manager.from_queryset(WorkspaceQuerySet)()

    class Meta:
        abstract = True


class OwnedModel(models.Model):
    """A row of one owner, or of the team when the owner key is empty."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    owner_key = models.CharField(max_length=170, blank=True, db_collation="C")
    scope = models.CharField(max_length=8, choices=Scope.choices)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    objects: ClassVar[models.Manager[Any]] = models.Manager.from_queryset(OwnedQuerySet)()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=(Q(scope=Scope.PERSONAL) & ~Q(owner_key=""))
                | (~Q(scope=Scope.PERSONAL) & Q(owner_key="")),
                name="%(app_label)s_%(class)s_owner_matches_scope",
            )
        ]
