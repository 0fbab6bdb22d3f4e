"""Keeping backups: one file per workspace and run in a folder, old ones removed, and a test that they restore."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import IO
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.exceptions import NotFound
from memoryapp.models import Backup
from memoryapp.snapshots.backup import Progress, write_backup
from memoryapp.snapshots.backup_reading import rows_of
from memoryapp.snapshots.backup_restoring import restore_backup
from tenants.models import GLOBAL_WORKSPACE_ID, Role, Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal
from tenants.scoping import workspace_scope

SUFFIX = ".backup.gz"
PIECE = 1024 * 1024
DRILL_SLUG = "restore-drill"
NAME = re.compile(r"[a-z0-9-]{1,60}-\d{8}T\d{12}\.backup\.gz")


def operator_of(workspace: Workspace) -> Principal:
    """The operator of the installation at work in a workspace."""
    return Principal(workspace=workspace, owner_key=SYSTEM, role=Role.OWNER)


def all_workspaces() -> list[Workspace]:
    """Every workspace but the reserved one."""
    return list(Workspace.objects.exclude(pk=GLOBAL_WORKSPACE_ID).order_by("created_at"))


def backup_folder() -> Path:
    """Where backups go: the folder of the settings, else one beside the data."""
    return Path(settings.BACKUP_DIR or settings.DATA_DIR / "backups").expanduser()


def back_up_all() -> int:
    """Back up every workspace to the folder of the settings and remove what is too old; the scheduled task."""
    folder = backup_folder()
    workspaces = all_workspaces()
    for workspace in workspaces:
        keep_backup(workspace, folder, settings.BACKUP_KEEP_DAYS)
        remove_expired(workspace)
    return len(workspaces)


def keep_backup(
    workspace: Workspace, folder: Path, keep_days: int | None = None, progress: Progress = int
) -> Backup:
    """Write a backup into the folder, for nobody else to read, and note it with the day on which it goes.

    The file has its name only once it is whole.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    now = timezone.now()
    path = folder / f"{workspace.slug}-{now:%Y%m%dT%H%M%S%f}{SUFFIX}"
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        try:
            write_backup(principal=operator_of(workspace), target=file, progress=progress)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            Path(file.name).unlink()
            raise
    Path(file.name).rename(path)
    with workspace_scope(workspace):
        return Backup.objects.create(
            workspace=workspace,
            name=path.name,
            folder=str(folder),
            size=path.stat().st_size,
            digest=_digest(path),
            expires_at=now + timedelta(days=keep_days) if keep_days else None,
        )


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def remove_expired(workspace: Workspace) -> int:
    """Remove backups whose day has come, and return how many; the newest one stays whatever its age."""
    with workspace_scope(workspace):
        kept = list(kept_backups(workspace))
        overdue = [each for each in kept[1:] if each.expires_at and each.expires_at <= timezone.now()]
        for backup in overdue:
            if NAME.fullmatch(backup.name):
                path_of(backup).unlink(missing_ok=True)
            backup.removed_at = timezone.now()
            backup.save(update_fields=["removed_at", "updated_at"])
    return len(overdue)


def kept_backups(workspace: Workspace) -> QuerySet[Backup]:
    """The backups that are still there, newest first. To be asked inside the workspace's scope."""
    return Backup.objects.filter(workspace=workspace, removed_at=None).order_by("-created_at")


def path_of(backup: Backup) -> Path:
    """Where a backup's file lies."""
    return Path(backup.folder) / backup.name


def load_backup(workspace: Workspace, backup_id: UUID) -> Backup:
    """The workspace's backup of that id; NotFound when it is not there any more."""
    with workspace_scope(workspace):
        found = kept_backups(workspace).filter(pk=backup_id).first()
    if found is None:
        raise NotFound
    return found


def newest_backup(workspace: Workspace) -> Backup:
    """The newest backup there is; NotFound without one."""
    with workspace_scope(workspace):
        found = kept_backups(workspace).first()
    if found is None:
        raise NotFound
    return found


class DrillFailed(RuntimeError):
    """A backup that does not bring back what it holds."""


def drill(backup: Backup) -> Counter[str]:
    """Prove that a backup restores: bring all of it back as another workspace, count it, and let go of it again.

    Returns the rows by table; raises DrillFailed or what restoring raises. Nothing of it stays.
    """
    path = path_of(backup)
    if _digest(path) != backup.digest:
        raise DrillFailed(f"{path} is not the file that was written.")
    with path.open("rb") as file, transaction.atomic():
        held = Counter(label for label, _ in _rows(file))
        restored = restore_backup(file, slug=f"{DRILL_SLUG}-{backup.pk.hex[-12:]}", new_ids=True)
        missing = sum(held.values()) - sum(restored.counts.values()) - restored.left_out
        transaction.set_rollback(True)
    if missing:
        raise DrillFailed(f"{missing} rows of {path} did not come back.")
    with workspace_scope(backup.workspace_id):
        Backup.objects.filter(pk=backup.pk).update(drilled_at=timezone.now())
    return restored.counts


def _rows(file: IO[bytes]) -> Iterator[tuple[str, object]]:
    yield from rows_of(file)
