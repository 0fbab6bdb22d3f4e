"""Applying a preview: exactly what was shown, in one transaction, or a conflict when the target moved meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.utils import timezone

from memoryapp.actions.files import delete_file, write_file
from memoryapp.exceptions import Conflict, NotFound, PreconditionFailed
from memoryapp.models import Agent, FileRevision, ImportPart, SnapshotImport, WorkspaceFile
from memoryapp.snapshots.foreign.talks import MESSAGES, ConversationImport, bring_talk, remove_talks
from memoryapp.snapshots.preview import load_import
from memoryapp.snapshots.restoring import Restoring, remove_restored
from tenants.actions import record_audit
from tenants.models import Role
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

ORDER = {"file": 0, "facts": 1, "history": 2, "contradictions": 3, "dreams": 4, MESSAGES: 5}
UNCHANGED = "unchanged"


class TargetMoved(Conflict):
    """409: what an import would change is no longer what its preview saw."""

    code = "target_moved"

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} changed here since the preview. Make a new one.")


def apply_import(
    *,
    principal: Principal,
    agent: Agent,
    import_id: UUID,
    digest: str = "",
    only: frozenset[str] | None = None,
    progress: Callable[[int], object] = int,
) -> SnapshotImport:
    """Write exactly what the preview showed, all or nothing; `only` leaves out files that are not named.

    What a file that is left out states is left out with it.

    Raises Conflict when the target moved, when the preview is used or too old, and when the archive sent along (its
    digest) is another one.
    """
    principal.require(Role.MEMBER)
    with workspace_scope(principal.workspace):
        row = load_import(principal, agent, import_id, lock=True)
        _check_usable(row, digest)
        row.changes = _write_all(principal, agent, row, only, progress)
        row.status, row.applied_at = SnapshotImport.Status.APPLIED, timezone.now()
        row.save()
        # What was written is in its place now; a second copy of it would only have to be forgotten.
        ImportPart.objects.filter(snapshot_import=row).update(text="", detail={})
        record_audit(
            principal=principal,
            action="snapshot.imported",
            target=agent.slug,
            importId=str(row.pk),
            digest=row.digest,
            **row.changes["counts"],
        )
    return row


def _check_usable(row: SnapshotImport, digest: str) -> None:
    if row.status != SnapshotImport.Status.PREVIEWED:
        raise Conflict("This preview was applied already.", code="already_applied")
    if row.expires_at <= timezone.now():
        raise Conflict("This preview is too old. Make a new one.", code="preview_expired")
    if digest and digest != row.digest:
        raise Conflict("This is not the archive that the preview shows.", code="archive_differs")


def _write_all(
    principal: Principal,
    agent: Agent,
    row: SnapshotImport,
    only: frozenset[str] | None,
    progress: Callable[[int], object],
) -> dict[str, Any]:
    restoring = Restoring(principal, agent)
    talks = ConversationImport(principal.workspace, agent, enqueue=True)
    files: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    parts = ImportPart.objects.filter(snapshot_import=row)
    offered = parts.filter(kind="file").exclude(action=ImportPart.Action.SKIP)
    left_out = set(offered.values_list("path", flat=True)) - only if only is not None else set()
    places = parts.exclude(path__in=left_out).order_by("position").values_list("kind", "position", "pk")
    for kind, _, pk in sorted(places, key=lambda place: (ORDER[place[0]], place[1])):
        part = parts.get(pk=pk)
        if kind == "file":
            files += _write_file(principal, agent, part, counts)
        elif kind == MESSAGES:
            bring_talk(talks, part.text)
        else:
            restoring.restore(kind, part.target_scope, part.text, part.path)
        progress(1)
    if talks.conversations:
        counts.update(messages=talks.added, conversations=len(talks.made))
    return {
        "files": files,
        **restoring.finish(),
        "conversations": [str(pk) for pk in talks.made],
        "counts": {**counts, **restoring.counts},
    }


def _write_file(
    principal: Principal, agent: Agent, part: ImportPart, counts: Counter[str]
) -> list[dict[str, Any]]:
    counts[part.action] += 1
    if part.action == ImportPart.Action.SKIP:
        if part.reason == UNCHANGED:
            _check_still(principal, agent, part)
        return []
    try:
        written = write_file(
            principal=principal,
            agent=agent,
            path=part.path,
            content=part.text,
            scope=part.target_scope,
            base_version=part.base_version,
            origin="import",
            reason=f"import {part.snapshot_import_id}",
            enabled=True if part.action == ImportPart.Action.CREATE and _is_seed(part) else None,
        )
    except PreconditionFailed as error:
        raise TargetMoved(part.path) from error
    if written.file.content != part.text:
        raise TargetMoved(part.path)
    return [
        {
            "path": part.path,
            "scope": part.target_scope,
            "created": written.created,
            "version": written.file.version,
        }
    ]


def _is_seed(part: ImportPart) -> bool:
    """Whether it is one of the shared files that an agent starts with, which are part of the prompt."""
    return part.path in WorkspaceFile.PROMPT_FILES and part.target_scope == Scope.TEAM


def _check_still(principal: Principal, agent: Agent, part: ImportPart) -> None:
    file = _file(principal, agent, part.path, part.target_scope)
    if file is None or file.version != part.base_version:
        raise TargetMoved(part.path)


def _file(principal: Principal, agent: Agent, path: str, scope: str) -> WorkspaceFile | None:
    owner_key = principal.owner_key if scope == Scope.PERSONAL else ""
    found: WorkspaceFile | None = WorkspaceFile.objects.filter(
        agent=agent, path=path, scope=scope, owner_key=owner_key
    ).first()
    return found


def undo_import(*, principal: Principal, agent: Agent, import_id: UUID) -> dict[str, Any]:
    """Put everything back as it was before an import, but for what changed since; that is told and kept."""
    principal.require(Role.MEMBER)
    with workspace_scope(principal.workspace):
        row = load_import(principal, agent, import_id, lock=True)
        if row.status != SnapshotImport.Status.APPLIED:
            raise Conflict("There is nothing to undo.", code="nothing_to_undo")
        results = [(entry["path"], _put_back(principal, agent, row, entry)) for entry in row.changes["files"]]
        facts, kept = remove_restored(principal, row.changes)
        remove_talks(principal, row.changes.get("conversations", ()))
        row.status, row.undone_at = SnapshotImport.Status.UNDONE, timezone.now()
        row.save(update_fields=["status", "undone_at", "updated_at"])
        outcome = {
            "restored": [path for path, done in results if done],
            "kept": [path for path, done in results if not done],
            "factsRemoved": facts,
            "factsKept": kept,
        }
        record_audit(
            principal=principal, action="snapshot.import_undone", target=agent.slug, importId=str(row.pk)
        )
    return outcome


def _put_back(principal: Principal, agent: Agent, row: SnapshotImport, entry: dict[str, Any]) -> bool:
    """Whether the file is again what it was; one that changed after the import stays as it is."""
    path, scope, version = entry["path"], entry["scope"], entry["version"]
    file = _file(principal, agent, path, scope)
    if file is None or file.version != version:
        return False
    place: dict[str, Any] = {"principal": principal, "agent": agent, "path": path, "scope": scope}
    if entry["created"]:
        delete_file(**place)
        return True
    revision = FileRevision.objects.filter(file=file, number=version).first()
    if revision is None:
        raise NotFound
    write_file(
        **place,
        content=revision.before,
        base_version=version,
        origin="import",
        reason=f"import {row.pk} undone",
    )
    return True
