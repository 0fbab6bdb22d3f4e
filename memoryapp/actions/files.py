"""Every change to workspace files: one door for REST, tools, extraction, dreams, imports and the dashboard.

A write is cleaned, masked, cut to its ceiling, checked against the version its author read, and keeps what it replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memoryapp.actions.access import require_own, require_team_role, writing_scope
from memoryapp.actions.file_names import is_note
from memoryapp.actions.file_revisions import (
    check_version,
    keep_revision,
    next_version,
    revisions_of,
    store_text,
)
from memoryapp.actions.file_text import ceiling_of, checked_path, cut_to_ceiling, with_entry, with_replacement
from memoryapp.actions.masking import masked
from memoryapp.actions.sections import rebuild_sections
from memoryapp.actions.tombstones import load_forgotten
from memoryapp.exceptions import Conflict, NotFound, TooLarge, ValidationFailed
from memoryapp.models import Agent, WorkspaceFile
from tenants.actions import record_audit
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

MAX_FILE_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class FileWrite:
    """What became of a write."""

    file: WorkspaceFile
    created: bool
    changed: bool
    truncated: bool
    masked: bool


def load_file(*, principal: Principal, agent: Agent, path: str, scope: str = Scope.TEAM) -> WorkspaceFile:
    """The file of that path, shared or the principal's own; NotFound when there is none."""
    with workspace_scope(principal.workspace):
        file = _find(principal, agent, checked_path(path), scope)
    if file is None:
        raise NotFound
    return file


def _find(
    principal: Principal, agent: Agent, path: str, scope: str, *, lock: bool = False
) -> WorkspaceFile | None:
    owner_key = principal.owner_key if scope == Scope.PERSONAL else ""
    files = WorkspaceFile.objects.visible_to(principal).filter(
        agent=agent, path=path, scope=scope, owner_key=owner_key
    )
    found: WorkspaceFile | None = (files.select_for_update() if lock else files).first()
    return found


def write_file(
    *,
    principal: Principal,
    agent: Agent,
    path: str,
    content: str,
    scope: str = Scope.TEAM,
    if_match: str | None = None,
    base_version: int | None = None,
    origin: str = "api",
    reason: str = "",
    person: bool = False,
    enabled: bool | None = None,
) -> FileWrite:
    """Create or replace a file.

    Raises ValidationFailed for a bad path, TooLarge, NotPermitted, and PreconditionFailed when `if_match` (an ETag) or
    `base_version` (0: must not exist yet) is not what is stored. `person` marks the changed sections as edited by one.
    """
    path = checked_path(path)
    wanted, _ = writing_scope(principal, scope)
    require_team_role(principal, wanted)
    text, was_masked, truncated = _prepared(principal, path, content)
    with workspace_scope(principal.workspace):
        if not person:
            # No model, import or job writes back what somebody asked to be forgotten; a person's own hand may.
            text = load_forgotten(principal=principal, agent=agent, scope=wanted).without(text)
        file = _find(principal, agent, path, wanted, lock=True)
        check_version(file, if_match, base_version)
        if file is None:
            file = new_file(
                principal=principal, agent=agent, path=path, content=text, scope=wanted, enabled=bool(enabled),
                version=next_version(principal, agent, path, wanted), origin=origin, reason=reason, person=person,
            )  # fmt: skip
            return FileWrite(file, True, True, truncated, was_masked)
        if changed := text != file.content:
            before = file.content
            store_text(principal, file, text, before=before, origin=origin, reason=reason, person=person)
        _switch(file, enabled)
    return FileWrite(file, False, changed, truncated, was_masked)


def _switch(file: WorkspaceFile, enabled: bool | None) -> None:
    if enabled is not None and file.enabled != enabled:
        file.enabled = enabled
        file.save(update_fields=["enabled", "updated_at"])


def _prepared(principal: Principal, path: str, content: str) -> tuple[str, bool, bool]:
    """The text as it may be stored: masked before it is cut, so that no half of a secret is left."""
    if not isinstance(content, str):
        raise ValidationFailed.of("content", "A file's content is a string.")
    if len(content) > MAX_FILE_CHARS:
        raise TooLarge(f"A file has at most {MAX_FILE_CHARS} characters.")
    text, was_masked = masked(content, principal.workspace)
    cut = cut_to_ceiling(text, ceiling_of(path))
    return cut, was_masked, cut != text


def new_file(
    *,
    principal: Principal,
    agent: Agent,
    path: str,
    content: str,
    scope: str,
    version: int = 1,
    enabled: bool = False,
    sort_order: int = 100,
    origin: str = "seed",
    reason: str = "",
    person: bool = False,
) -> WorkspaceFile:
    """Store a file that does not exist yet, with its first revision; the caller has checked path and permission."""
    owner_key = principal.owner_key if scope == Scope.PERSONAL else ""
    file = WorkspaceFile(
        workspace=principal.workspace,
        agent=agent,
        owner_key=owner_key,
        scope=scope,
        path=path,
        content=content,
        version=version,
        enabled=enabled,
        sort_order=sort_order,
    )
    # Of two writers creating the same file at once, one must lose loudly.
    if (
        not WorkspaceFile.objects.bulk_create([file], ignore_conflicts=True)
        or not WorkspaceFile.objects.filter(pk=file.pk).exists()
    ):
        raise Conflict("The file was created by somebody else just now.", code="file_exists")
    keep_revision(principal, file, "", origin, reason)
    rebuild_sections(principal=principal, file=file, person=person)
    return file


def edit_file(
    *,
    principal: Principal,
    agent: Agent,
    path: str,
    old_text: str,
    new_text: str,
    scope: str = Scope.TEAM,
    replace_all: bool = False,
    if_match: str | None = None,
    origin: str = "api",
    person: bool = False,
) -> tuple[FileWrite, int]:
    """Replace a piece of a file's text and return what became of the write and the number of replacements.

    Raises ValidationFailed and AmbiguousEdit, see with_replacement, and whatever write_file raises.
    """
    file = load_file(principal=principal, agent=agent, path=path, scope=scope)
    content, replacements = with_replacement(file.content, old_text, new_text, everywhere=replace_all)
    written = write_file(
        principal=principal,
        agent=agent,
        path=path,
        content=content,
        scope=scope,
        if_match=if_match,
        base_version=file.version,
        origin=origin,
        person=person,
    )
    return written, replacements


def append_note(
    *,
    principal: Principal,
    agent: Agent,
    day: date,
    entry: str,
    scope: str = Scope.PERSONAL,
    origin: str = "extraction",
    reason: str = "",
) -> FileWrite:
    """Append an entry to the note of a day, which is created with its heading when missing.

    An entry that already stands there line for line is not appended again.
    """
    path = f"memory/{day.isoformat()}.md"
    wanted, _ = writing_scope(principal, scope)
    with workspace_scope(principal.workspace):
        file = _find(principal, agent, path, wanted, lock=True)
        content = with_entry(
            file.content if file else f"# {day.isoformat()}\n", masked(entry, principal.workspace)[0]
        )
        return write_file(
            principal=principal,
            agent=agent,
            path=path,
            content=content,
            scope=wanted,
            origin=origin,
            reason=reason,
        )


def delete_file(
    *, principal: Principal, agent: Agent, path: str, scope: str = Scope.TEAM, if_match: str | None = None
) -> None:
    """Delete a file; its revisions stay, so that it can be restored."""
    with workspace_scope(principal.workspace):
        file = _find(principal, agent, checked_path(path), scope, lock=True)
        if file is None:
            raise NotFound
        require_own(principal, file)
        check_version(file, if_match, None)
        before, file.content = file.content, ""
        file.version += 1
        keep_revision(principal, file, before, "api", "deleted")
        record_audit(principal=principal, action="file.deleted", target=file.path, scope=file.scope)
        file.delete()


def restore_revision(
    *,
    principal: Principal,
    agent: Agent,
    path: str,
    number: int,
    scope: str = Scope.TEAM,
    if_match: str | None = None,
) -> FileWrite:
    """Write the text of an earlier revision again, as a new revision."""
    with workspace_scope(principal.workspace):
        revisions = revisions_of(principal, agent, checked_path(path), scope)
        revision = revisions.filter(number=number).order_by("-created_at").first()
        if revision is None:
            raise NotFound
        return write_file(
            principal=principal,
            agent=agent,
            path=path,
            content=revision.after,
            scope=scope,
            reason=f"restored revision {number}",
            if_match=if_match,
            person=True,
        )


def set_prompt_files(*, principal: Principal, agent: Agent, paths: list[str]) -> list[WorkspaceFile]:
    """Enable exactly these shared files for the prompt, in this order; ValidationFailed for one that does not exist."""
    require_team_role(principal, Scope.TEAM)
    wanted = [checked_path(path) for path in paths]
    if len(set(wanted)) != len(wanted):
        raise ValidationFailed.of("files", "Each file can be named once.")
    if any(map(is_note, wanted)):
        raise ValidationFailed.of("files", "The note of a day is never part of the prompt.")
    with workspace_scope(principal.workspace):
        shared = (
            WorkspaceFile.objects.visible_to(principal)
            .filter(agent=agent, scope=Scope.TEAM)
            .select_for_update()
        )
        files = {file.path: file for file in shared}
        missing = [path for path in wanted if path not in files]
        if missing:
            raise ValidationFailed.of("files", f"There is no shared file {missing[0]}.")
        for path, file in files.items():
            file.enabled = path in wanted
            file.sort_order = wanted.index(path) if file.enabled else max(file.sort_order, 100)
        WorkspaceFile.objects.bulk_update(files.values(), ["enabled", "sort_order"])
    return [files[path] for path in wanted]
