"""Backups and restore drills that somebody asks for; the scheduled ones have a task of their own."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings

from memoryapp.actions.events import request_job
from memoryapp.exceptions import MemoryAppError
from memoryapp.jobs.handlers import BACKUP, DRILL
from memoryapp.jobs.outcomes import Done, Failed, Outcome
from memoryapp.models import Event
from memoryapp.snapshots.keeping import (
    DrillFailed,
    backup_folder,
    drill,
    keep_backup,
    load_backup,
    remove_expired,
)
from tenants.actions import record_audit
from tenants.models import Role, Workspace
from tenants.principals import Principal
from tenants.scoping import workspace_scope


def enqueue_backup(*, principal: Principal) -> Event:
    """Have the workspace backed up now; whoever asks while one waits joins it. For admins."""
    principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        record_audit(principal=principal, action="backup.requested", target=principal.workspace.slug)
        return request_job(principal=principal, kind=BACKUP, subject_id=principal.workspace.pk)


def enqueue_drill(*, principal: Principal, backup_id: UUID) -> Event:
    """Have it proved that a backup restores; NotFound for a backup that is not there. For admins."""
    principal.require(Role.ADMIN)
    backup = load_backup(principal.workspace, backup_id)
    with workspace_scope(principal.workspace):
        return request_job(principal=principal, kind=DRILL, subject_id=backup.pk)


def run_backup(event: Event) -> Outcome:
    """Write a backup of the event's workspace."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    try:
        backup = keep_backup(workspace, backup_folder(), settings.BACKUP_KEEP_DAYS)
    except OSError as error:
        return Failed(f"The backup could not be written: {error.strerror or error}.")
    return Done({"backup": backup.name, "size": backup.size, "removed": remove_expired(workspace)})


def run_drill(event: Event) -> Outcome:
    """Restore the event's backup as another workspace, count, and let go of it again."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    backup = load_backup(workspace, UUID(str(event.subject_id)))
    try:
        counts = drill(backup)
    except (MemoryAppError, DrillFailed, OSError) as error:
        return Failed(f"The backup does not restore: {error}", retryable=False)
    return Done({"backup": backup.name, "rows": sum(counts.values())})
