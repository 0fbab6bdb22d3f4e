"""Restoring a backup as a workspace: all of it in one transaction, without whoever was erased in the meantime."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone

from memoryapp.actions.erasure import owner_digest
from memoryapp.exceptions import Conflict
from memoryapp.models import ErasureReceipt, Fact, FileSection, Forgetting, Message
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from memoryapp.snapshots.backup import BATCH, Progress, backed_up_models, columns_of
from memoryapp.snapshots.backup_reading import BadBackup, Header, Renaming, checked_header, rows_of
from tenants.ids import new_id
from tenants.models import Membership, Workspace
from tenants.scoping import workspace_scope


@dataclass(slots=True)
class Restored:
    """What came of restoring a backup."""

    workspace: Workspace
    counts: Counter[str] = field(default_factory=Counter)
    new_users: list[str] = field(default_factory=list)
    # Rows of people who were erased after the backup was made, and what hung on those.
    left_out: int = 0


def restore_backup(
    stream: IO[bytes], *, slug: str = "", new_ids: bool = False, force: bool = False, progress: Progress = int
) -> Restored:
    """Restore a backup as a workspace of its own; for the operator.

    Raises BadBackup for a damaged file and Conflict when its workspace or slug is there already: with `new_ids` it
    becomes another workspace. `force` brings erased people back too.
    """
    header, _ = checked_header(stream)
    source = UUID(header.workspace["id"])
    erased = frozenset() if force else _erased(source)
    renaming = Renaming(new_id() if new_ids else None)
    restored = Restored(_new_workspace(header, renaming, slug))
    with workspace_scope(restored.workspace):
        restored.workspace.save(force_insert=True)
        _add_members(header, renaming, restored)
        restorer = _Restorer(restored, renaming, erased, source)
        for model, rows in _batches(rows_of(stream)):
            restorer.restore(model, rows)
            progress(len(rows))
    return restored


def _erased(source: UUID) -> frozenset[str]:
    """The hashes of everybody erased from the workspace since, where it is known here."""
    with workspace_scope(source):
        return frozenset(
            ErasureReceipt.objects.filter(workspace_id=source).values_list("owner_digest", flat=True)
        )


def _new_workspace(header: Header, renaming: Renaming, slug: str) -> Workspace:
    told = header.workspace
    workspace = Workspace(
        id=renaming.space or UUID(told["id"]),
        name=told["name"],
        slug=slug or told["slug"],
        time_zone=told["timeZone"],
        language=told["language"],
        settings=told["settings"],
    )
    if Workspace.objects.filter(pk=workspace.pk).exists():
        raise Conflict(
            "This workspace is here already; restore it as another one with new ids.", code="exists"
        )
    if Workspace.objects.filter(slug__iexact=workspace.slug).exists():
        raise Conflict(f"There is a workspace {workspace.slug} already; choose another slug.", code="taken")
    return workspace


def _add_members(header: Header, renaming: Renaming, restored: Restored) -> None:
    """Members by their user names; who is unknown here gets an account without a password."""
    for member in header.members:
        user, created = User.objects.get_or_create(username=member["username"])
        if created:
            user.set_unusable_password()
            user.save(update_fields=["password"])
            restored.new_users.append(user.username)
        renaming.users[int(member["id"])] = user.pk
        Membership.objects.create(workspace=restored.workspace, user=user, role=member["role"])


def _batches(
    rows: Iterator[tuple[str, dict[str, Any]]],
) -> Iterator[tuple[type[Model], list[dict[str, Any]]]]:
    known = {model._meta.label: model for model in backed_up_models()}
    label = ""
    batch: list[dict[str, Any]] = []
    for name, row in rows:
        if name not in known:
            raise BadBackup(f"The backup has a table {name[:80]!r} that is not known here.")
        if batch and (name != label or len(batch) >= BATCH):
            yield known[label], batch
            batch = []
        label = name
        batch.append(row)
    if batch:
        yield known[label], batch


@dataclass(slots=True)
class _Restorer:
    restored: Restored
    renaming: Renaming
    erased: frozenset[str]
    source: UUID
    gone: set[str] = field(default_factory=set)
    digests: dict[str, bool] = field(default_factory=dict)

    def restore(self, model: type[Model], rows: Sequence[dict[str, Any]]) -> None:
        kept = [row for row in rows if self._stays(model, row)]
        objects = [self._object(model, row) for row in kept]
        if model in {Fact, FileSection, Message}:
            for each in objects:
                each.workspace = self.restored.workspace  # type: ignore[attr-defined] # for its time zone
            prepare_rows(objects)  # type: ignore[arg-type] # checked above
        model._default_manager.bulk_create(objects)
        if model in {Fact, FileSection}:
            store_vectors(objects)  # type: ignore[arg-type] # checked above
        self.restored.counts[model._meta.label] += len(objects)

    def _stays(self, model: type[Model], row: dict[str, Any]) -> bool:
        """Whether a row comes back: not one of somebody erased, nor one that cannot be without such a one."""
        if self._is_erased(row.get("owner_key", "")) or self._hangs_on_gone(model, row):
            self.gone.add(str(row[model._meta.pk.attname]))
            self.restored.left_out += 1
            return False
        return True

    def _is_erased(self, owner_key: str) -> bool:
        if not owner_key or not self.erased:
            return False
        if owner_key not in self.digests:
            digest = owner_digest(Workspace(pk=self.source), owner_key)
            self.digests[owner_key] = digest in self.erased
        return self.digests[owner_key]

    def _hangs_on_gone(self, model: type[Model], row: dict[str, Any]) -> bool:
        for column in columns_of(model):
            if column.many_to_one and row.get(column.attname) in self.gone:
                if not column.null:
                    return True
                row[column.attname] = None
        return False

    def _object(self, model: type[Model], row: dict[str, Any]) -> Model:
        values = {
            column.attname: self.renaming.column(column, row[column.attname]) for column in columns_of(model)
        }
        if model is Forgetting and values["purged_at"] is None:
            # What undoing needs was sealed and stayed behind; the next sweep makes the act final.
            values["undo_until"] = timezone.now()
        return model(workspace_id=self.restored.workspace.pk, **values)
