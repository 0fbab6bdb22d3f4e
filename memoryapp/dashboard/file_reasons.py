"""Why each line of a file is there: who or which night wrote it, and the messages and notes behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from memoryapp.actions.files import load_file
from memoryapp.dashboard.actors import member_names, say_actor
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.provenance import Trace, Traced, trace_lines
from memoryapp.models import DreamEntry, FileRevision, WorkspaceFile
from tenants.scoping import Scope

LINES_SHOWN = 200
REVISIONS_READ = 60
ENTRIES_READ = 500


@dataclass(frozen=True, slots=True)
class Reason:
    """One line with the heading it stands under and where it comes from."""

    text: str
    heading: str
    entry: DreamEntry | None
    written: FileRevision | None
    trace: Trace
    by: str = ""


@page("files")
def show_reasons(request: HttpRequest, visit: Visit, file_path: str, scope: str) -> HttpResponse:
    """The lines of a file in their order, each with its story."""
    file = load_file(principal=visit.principal, agent=visit.the_agent, path=file_path, scope=scope)
    own = scope == Scope.PERSONAL
    file_url = visit.url("files-personal" if own else "files-shared", file.path)
    context = {"file": file, "reasons": _reasons(visit, file), "own": own, "file_url": file_url}
    crumbs = [Crumb(file.path, file_url), Crumb(_("Why"))]
    return visit.render("dashboard/file_reasons.html", context, crumbs=crumbs)


def _reasons(visit: Visit, file: WorkspaceFile) -> list[Reason]:
    lines = list(_telling_lines(file.content))[:LINES_SHOWN]
    entries = _entries(visit, file)
    revisions = list(FileRevision.objects.visible_to(visit.principal).filter(file=file)[:REVISIONS_READ])
    traced = [_traced(text, entries.get(text)) for text, _heading in lines]
    traces = trace_lines(visit.principal, visit.the_agent, traced)
    names = member_names(visit)
    told = []
    for (text, heading), trace in zip(lines, traces, strict=True):
        written = _writer_of(text, revisions)
        by = say_actor(written.actor, names, visit.principal.actor) if written else ""
        told.append(Reason(text, heading, entries.get(text), written, trace, by))
    return told


def _telling_lines(content: str) -> Any:
    """The lines that say something, each with the heading above it."""
    heading = ""
    for line in content.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ").strip()
        elif line.strip():
            yield line, heading


def _entries(visit: Visit, file: WorkspaceFile) -> dict[str, DreamEntry]:
    """The change that put each line where it is, the latest one where several did."""
    rows = DreamEntry.objects.visible_to(visit.principal).filter(
        agent=visit.the_agent,
        scope=file.scope,
        owner_key=file.owner_key,
        path=file.path,
        reverted_at=None,
        dream__dry_run=False,
    )
    changes = rows.exclude(operation="keep").exclude(after="").select_related("dream")
    latest = list(changes.order_by("-created_at", "-pk")[:ENTRIES_READ])
    return {line: entry for entry in reversed(latest) for line in entry.after.splitlines()}


def _traced(text: str, entry: DreamEntry | None) -> Traced:
    return replace(Traced.of_entry(entry), text=text) if entry else Traced(text)


def _writer_of(text: str, revisions: Sequence[FileRevision]) -> FileRevision | None:
    """The latest write that brought the line in, of those that are read."""
    for revision in revisions:
        if text in revision.after.splitlines() and text not in revision.before.splitlines():
            return revision
    return None


urlpatterns = [
    path("why/shared/<path:file_path>", show_reasons, {"scope": Scope.TEAM.value}, name="files-why"),
    path(
        "why/personal/<path:file_path>",
        show_reasons,
        {"scope": Scope.PERSONAL.value},
        name="files-why-personal",
    ),
]
