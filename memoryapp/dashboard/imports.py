"""Exporting an agent's memory from its files page, and importing an archive: first what would change, then doing it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.models import SnapshotImport
from memoryapp.snapshots.apply import apply_import, undo_import
from memoryapp.snapshots.export import export_snapshot
from memoryapp.snapshots.foreign import FORMATS, SNAPSHOT, Source
from memoryapp.snapshots.preview import NOT_ASKED_FOR, load_import, preview_import
from memoryapp.snapshots.sending import file_response
from memoryapp.snapshots.summaries import summary_of
from tenants.models import Role
from tenants.scoping import workspace_scope


@page("files", scoped=False)
def export(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """The agent's snapshot as a download."""
    agent = visit.the_agent
    include = request.GET.get("include", "shared")
    try:
        file = export_snapshot(principal=visit.principal, agent=agent, include=include)
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("files"))
    return file_response(request, file, f"memory-agent-{agent.slug}.zip")


@page("files", role=Role.MEMBER)
def bring(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Read an uploaded archive and show what it would change."""
    upload = request.FILES.get("file")
    if upload is None or upload.file is None:
        return redirect(visit.url("files"))
    try:
        row = preview_import(
            principal=visit.principal,
            agent=visit.the_agent,
            upload=upload.file,  # type: ignore[arg-type] # as bytes it is read
            filename=upload.name or "",
            with_personal="personal" in request.POST,
            source=Source(format_of(request), request.POST.get("user", "").strip()),
        )
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("files"))
    return redirect(visit.url("files-import", row.pk))


def format_of(request: HttpRequest) -> str:
    """The product an upload is said to be from; a snapshot of ours where nothing known is said."""
    given = request.POST.get("format", SNAPSHOT)
    return given if given in FORMATS else SNAPSHOT


@page("files", role=Role.MEMBER, scoped=False)
def show_import(request: HttpRequest, visit: Visit, import_id: UUID) -> HttpResponse:
    """What an archive would change here, file by file; a second step writes it."""
    if request.method == "POST":
        return _apply(visit, import_id)
    row = load_import(visit.principal, visit.the_agent, import_id)
    with workspace_scope(visit.workspace):
        summary = summary_of(row)
    context = {
        "summary": summary,
        "row": row,
        "open": row.status == SnapshotImport.Status.PREVIEWED,
        "left_personal": any(part["reason"] == NOT_ASKED_FOR for part in summary.skip),
    }
    return visit.render("dashboard/import.html", context, crumbs=[Crumb(_("Import"))])


def _apply(visit: Visit, import_id: UUID) -> HttpResponse:
    chosen = frozenset(visit.request.POST.getlist("file"))
    try:
        row = apply_import(principal=visit.principal, agent=visit.the_agent, import_id=import_id, only=chosen)
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("files-import", import_id))
    files, facts = len(row.changes["files"]), len(row.changes["facts"])
    said = _("Imported %(files)s and %(facts)s.") % {
        "files": ngettext("%(n)d file", "%(n)d files", files) % {"n": files},
        "facts": ngettext("%(n)d fact", "%(n)d facts", facts) % {"n": facts},
    }
    if "messages" in row.changes["counts"]:
        count = row.changes["counts"]["messages"]
        said = ngettext(
            "Imported %(n)d message, which is being read.",
            "Imported %(n)d messages, which are being read.",
            count,
        ) % {"n": count}
    visit.toast(said, undo=visit.url("files-import-undo", row.pk))
    return redirect(visit.url("files"))


@page("files", role=Role.MEMBER)
def undo(request: HttpRequest, visit: Visit, import_id: UUID) -> HttpResponse:
    """Put back what an import replaced."""
    try:
        outcome = undo_import(principal=visit.principal, agent=visit.the_agent, import_id=import_id)
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("files"))
    if outcome["kept"]:
        kept = ", ".join(outcome["kept"])
        visit.toast(_("Taken back, except what changed since: %(files)s.") % {"files": kept})
    else:
        visit.toast(_("The import is taken back."))
    return redirect(visit.url("files"))


urlpatterns = [
    path("export/", export, name="files-export"),
    path("import/", require_POST(bring), name="files-bring"),
    path("import/<uuid:import_id>/", show_import, name="files-import"),
    path("import/<uuid:import_id>/undo/", require_POST(undo), name="files-import-undo"),
]
