"""Backups of the workspace: the list, making one, and testing that one restores."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.jobs.handlers import BACKUP, DRILL
from memoryapp.models import Event
from memoryapp.snapshots.background import enqueue_backup, enqueue_drill
from memoryapp.snapshots.keeping import backup_folder, kept_backups, load_backup, path_of
from memoryapp.snapshots.sending import file_response
from tenants.actions import record_audit
from tenants.models import Role
from tenants.scoping import workspace_scope

SHOWN = 100
UNFINISHED = (Event.Status.PENDING, Event.Status.RUNNING)


@page("settings", role=Role.ADMIN)
def show_backups(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The backups there are, with what is being written or proved right now."""
    jobs = Event.objects.filter(workspace=visit.workspace, status__in=UNFINISHED)
    failed = Event.objects.filter(
        workspace=visit.workspace, kind__in=(BACKUP, DRILL), status=Event.Status.FAILED
    )
    context = {
        "backups": kept_backups(visit.workspace)[:SHOWN],
        "writing": jobs.filter(kind=BACKUP).exists(),
        "proving": set(jobs.filter(kind=DRILL).values_list("subject_id", flat=True)),
        "failed": failed.order_by("-created_at").first(),
        "folder": backup_folder(),
        "scheduled_hours": settings.BACKUP_EVERY_HOURS if settings.BACKUP_DIR else 0,
        "keep_days": settings.BACKUP_KEEP_DAYS,
    }
    return visit.render("dashboard/settings_backups.html", context, crumbs=[Crumb(_("Backups"))])


@page("settings", role=Role.ADMIN)
def back_up(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Ask for a backup now."""
    enqueue_backup(principal=visit.principal)
    visit.toast(_("The backup is being written. You don’t have to wait here."))
    return redirect(visit.url("settings-backups"))


@page("settings", role=Role.ADMIN)
def prove(request: HttpRequest, visit: Visit, backup_id: UUID) -> HttpResponse:
    """Ask for the proof that a backup restores."""
    enqueue_drill(principal=visit.principal, backup_id=backup_id)
    visit.toast(_("The backup is being restored beside the workspace, checked, and removed again."))
    return redirect(visit.url("settings-backups"))


@page("settings", role=Role.ADMIN, scoped=False)
def download(request: HttpRequest, visit: Visit, backup_id: UUID) -> StreamingHttpResponse:
    """The backup as a file; it holds everybody's memory, so the audit log says who took it."""
    backup = load_backup(visit.workspace, backup_id)
    try:
        file = path_of(backup).open("rb")
    except OSError as error:
        raise NotFound from error
    with workspace_scope(visit.workspace):
        record_audit(principal=visit.principal, action="backup.downloaded", target=backup.name)
    return file_response(request, file, backup.name, "application/gzip")
