"""The workspace files of an agent: what it is given, in order, with every earlier text."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from memoryapp.actions.file_text import checked_path
from memoryapp.actions.files import delete_file, load_file, restore_revision, set_prompt_files, write_file
from memoryapp.dashboard import file_additions, file_reasons, imports
from memoryapp.dashboard.actors import member_names, say_actor
from memoryapp.dashboard.file_revisions import compared
from memoryapp.dashboard.file_shelf import Shelf, load_shelf
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.merging import merge_texts
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound, PreconditionFailed
from memoryapp.models import FileRevision, FileSection, WorkspaceFile
from tenants.models import Role
from tenants.scoping import Scope, workspace_scope

VIEWS = {"edit": gettext_lazy("Edit"), "split": gettext_lazy("Split"), "preview": gettext_lazy("Preview")}
LONGEST_PREVIEW = 200_000


@page("files")
def show_files(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The list, with its first file open on wide screens."""
    shelf = load_shelf(visit)
    return _show(visit, shelf, shelf.first, listed=True)


@page("files")
def show_file(request: HttpRequest, visit: Visit, file_path: str, scope: str) -> HttpResponse:
    """One file to read and edit; saving checks that it is still the one that was read."""
    if request.method == "POST":
        return _save(visit, file_path, scope)
    file = load_file(principal=visit.principal, agent=visit.the_agent, path=file_path, scope=scope)
    return _show(visit, load_shelf(visit), file)


def _show(visit: Visit, shelf: Shelf, file: WorkspaceFile | None, **more: Any) -> HttpResponse:
    view = visit.request.GET.get("view", "edit")
    context = {
        "shelf": shelf,
        "file": file,
        "view": view if view in VIEWS else "edit",
        "views": VIEWS,
        "draft": file.content if file else "",
        "may_edit": file is not None and (file.scope == Scope.PERSONAL or visit.principal.can(Role.MEMBER)),
        "may_order": visit.principal.can(Role.MEMBER),
        **(compared(visit, file) if file and "revisions" in visit.request.GET else {}),
        **({"locked": _edited_sections(visit, file)} if file else {}),
        "budget": settings.MEMORY_SYSTEM_BLOCK_MAX_CHARS
        + settings.MEMORY_MEMORY_MD_MAX_CHARS
        + settings.MEMORY_PROFILE_MAX_CHARS,
        **more,
    }
    crumbs = [Crumb(file.path)] if file and not more.get("listed") else []
    return visit.render(
        "dashboard/files.html", context, crumbs=crumbs, status=409 if "conflict" in more else 200
    )


def _edited_sections(visit: Visit, file: WorkspaceFile) -> list[str]:
    rows = FileSection.objects.visible_to(visit.principal).filter(file=file, person_edited=True)
    return [heading or _("the beginning") for heading in rows.values_list("heading", flat=True)]


def _save(visit: Visit, file_path: str, scope: str) -> HttpResponse:
    typed = visit.request.POST.get("content", "").replace("\r\n", "\n")
    etag = visit.request.POST.get("etag", "")
    route = "files-personal" if scope == Scope.PERSONAL else "files-shared"
    try:
        written = write_file(
            content=typed, if_match=etag or None, **_write_arguments(visit, file_path, scope)
        )
    except PreconditionFailed:
        return _tell_conflict(visit, file_path, scope, typed, etag)
    except REFUSALS as error:
        with workspace_scope(visit.workspace):
            file = load_file(principal=visit.principal, agent=visit.the_agent, path=file_path, scope=scope)
            return _show(visit, load_shelf(visit), file, draft=typed, refusal=error)
    visit.toast(file_additions.words_for(written))
    return redirect(visit.url(route, file_path) + f"?view={visit.request.POST.get('view', 'edit')}")


def _write_arguments(visit: Visit, file_path: str, scope: str) -> dict[str, Any]:
    """Whose write it is and where it goes: a person's hand, which rewrites by a model respect."""
    return {
        "principal": visit.principal,
        "agent": visit.the_agent,
        "path": file_path,
        "scope": scope,
        "origin": "dashboard",
        "person": True,
    }


def _tell_conflict(visit: Visit, file_path: str, scope: str, typed: str, etag: str) -> HttpResponse:
    """What changed meanwhile and by whom, with the typed text kept and, where it can be done, both merged."""
    with workspace_scope(visit.workspace):
        file = load_file(principal=visit.principal, agent=visit.the_agent, path=file_path, scope=scope)
        revisions = FileRevision.objects.visible_to(visit.principal).filter(file=file)
        read = revisions.filter(number=_version_in(etag)).first()
        base = read.after if read else ""
        last = revisions.first()
        conflict = {
            "base": base,
            "theirs": file.content,
            "last": last,
            "by": say_actor(last.actor, member_names(visit), visit.principal.actor) if last else "",
            "merged": merge_texts(base, typed, file.content),
        }
        return _show(visit, load_shelf(visit), file, draft=typed, conflict=conflict)


def _version_in(etag: str) -> int:
    number = etag.strip('"').rpartition(".")[2]
    return int(number) if number.isdecimal() else 0


@page("files")
def preview(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The typed text as it reads, not saved."""
    return visit.render(
        "dashboard/files.html#preview", {"draft": request.POST.get("content", "")[:LONGEST_PREVIEW]}
    )


@page("files")
def create(request: HttpRequest, visit: Visit) -> HttpResponse:
    """A new, empty file."""
    name = request.POST.get("path", "").strip()
    scope = Scope.PERSONAL if request.POST.get("scope") == Scope.PERSONAL else Scope.TEAM
    try:
        file_path = checked_path(name if name.endswith(".md") else f"{name}.md")
        heading = f"# {file_path.removesuffix('.md')}\n"
        write_file(content=heading, base_version=0, **_write_arguments(visit, file_path, scope))
    except PreconditionFailed:
        visit.toast(_("This file exists already."))
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("files"))
    return redirect(visit.url("files-personal" if scope == Scope.PERSONAL else "files-shared", file_path))


@page("files")
def arrange(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Switch a shared file on or off for the prompt, or move it: one up or down, or to a place by its number."""
    file_path, wanted = request.POST.get("path", ""), request.POST.get("do", "")
    with workspace_scope(visit.workspace):
        paths = [file.path for file in load_shelf(visit).in_prompt]
    order = _arranged(paths, file_path, wanted, request.POST.get("at", ""))
    try:
        set_prompt_files(principal=visit.principal, agent=visit.the_agent, paths=order)
    except REFUSALS as error:
        visit.complain(error)
    back = request.POST.get("next", "")
    return redirect(back if back.startswith(visit.url("files")) else visit.url("files"))


def _arranged(paths: list[str], moved: str, wanted: str, at: str) -> list[str]:
    if wanted == "on":
        return [*paths, moved] if moved not in paths else paths
    if wanted == "off":
        return [name for name in paths if name != moved]
    if moved not in paths:
        return paths
    place = paths.index(moved)
    if wanted == "place":
        place = int(at) if at.isdecimal() and len(at) < 5 else place
    else:
        place = max(place + (-1 if wanted == "up" else 1), 0)
    rest = [name for name in paths if name != moved]
    return [*rest[:place], moved, *rest[place:]]


@page("files")
def restore(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Write an earlier text again, as a new revision."""
    file_path, scope = request.POST.get("path", ""), request.POST.get("scope", "")
    if scope not in {Scope.TEAM, Scope.PERSONAL}:
        raise NotFound
    restore_revision(
        principal=visit.principal, agent=visit.the_agent, path=file_path, number=number, scope=scope
    )
    visit.toast(_("Revision %(number)d has been restored as a new revision.") % {"number": number})
    return redirect(
        visit.url("files-personal" if scope == Scope.PERSONAL else "files-shared", file_path) + "?revisions=1"
    )


@page("files")
def remove(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Delete a file; its revisions stay."""
    scope = request.POST.get("scope", "")
    if scope not in {Scope.TEAM, Scope.PERSONAL}:
        raise NotFound
    delete_file(
        principal=visit.principal, agent=visit.the_agent, path=request.POST.get("path", ""), scope=scope
    )
    visit.toast(_("Deleted. Its revisions are kept."))
    return redirect(visit.url("files"))


urlpatterns = [
    *imports.urlpatterns,
    *file_additions.urlpatterns,
    *file_reasons.urlpatterns,
    path("", show_files, name="files"),
    path("new/", require_POST(create), name="files-new"),
    path("preview/", require_POST(preview), name="files-preview"),
    path("arrange/", require_POST(arrange), name="files-arrange"),
    path("delete/", require_POST(remove), name="files-delete"),
    path("restore/<int:number>/", require_POST(restore), name="files-restore"),
    path("shared/<path:file_path>", show_file, {"scope": Scope.TEAM.value}, name="files-shared"),
    path("personal/<path:file_path>", show_file, {"scope": Scope.PERSONAL.value}, name="files-personal"),
]
