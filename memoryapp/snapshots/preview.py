"""Previewing an import: everything is read, judged and kept as it would be written, and nothing is changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import BinaryIO
from uuid import UUID

from django.utils import timezone

from memoryapp.actions.access import remembers_per_owner
from memoryapp.actions.erasure import was_erased
from memoryapp.exceptions import NotFound, NotPermitted
from memoryapp.models import Agent, ImportPart, SnapshotImport
from memoryapp.snapshots.archive import Archive
from memoryapp.snapshots.diffs import DiffBudget
from memoryapp.snapshots.fact_states import FactStates
from memoryapp.snapshots.foreign import Source
from memoryapp.snapshots.foreign.packing import PACKED
from memoryapp.snapshots.foreign.talks import MESSAGES
from memoryapp.snapshots.limits import ArchiveRefused
from memoryapp.snapshots.manifest import Manifest, read_manifest
from memoryapp.snapshots.names import Contents, Part, Placed, shown
from memoryapp.snapshots.parts import (
    FilePart,
    RefusedPart,
    prepare_data,
    prepare_file,
    prepare_messages,
    prepare_told,
    readable_text,
)
from tenants.models import Role
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

KEPT_FOR = timedelta(hours=1)
PIECE = 256 * 1024
NOT_LISTED = "not listed in the archive's manifest"
OTHERS = "somebody else's memory: everybody's moves by workspace backup only"
NOT_ASKED_FOR = "personal memory, which was not asked for"
NOT_BACK = "this person was erased here; force it to bring their memory back"
NOT_APART = "personal memory is not kept apart in this workspace"


@dataclass(slots=True)
class Previewing:
    """One preview in the making."""

    principal: Principal
    agent: Agent
    archive: Archive
    manifest: Manifest
    with_personal: bool
    row: SnapshotImport
    barred: bool = False
    progress: Callable[[int], object] = int
    budget: DiffBudget = field(default_factory=DiffBudget)
    states: dict[str, FactStates] = field(default_factory=dict)
    parts: int = 0

    def states_of(self, scope: str) -> FactStates:
        if scope not in self.states:
            self.states[scope] = FactStates.of(self.principal, self.agent, scope)
        return self.states[scope]


def preview_import(
    *,
    principal: Principal,
    agent: Agent,
    upload: BinaryIO,
    filename: str = "",
    with_personal: bool = False,
    force: bool = False,
    source: Source = Source(),  # noqa: B008 - frozen
    progress: Callable[[int], object] = int,
) -> SnapshotImport:
    """Judge an archive against the agent and keep the result for an hour, so that exactly it can be applied.

    `with_personal` brings a snapshot's personal part in too, and all of another product's archive as the acting
    owner's own. `force` brings back the personal memory of somebody who was erased. Raises ArchiveRefused and TooLarge
    for an archive that cannot be used; then nothing is kept.
    """
    principal.require(Role.MEMBER)
    if principal.is_system and with_personal:
        raise NotPermitted("Personal memory is somebody's: say whose.")
    with source.opened(upload, filename) as archive:
        contents = source.placed(archive, with_personal=with_personal)
        manifest = (
            read_manifest(archive.read(contents.manifest)) if contents.manifest else Manifest(version=0)
        )
        if not contents.placed and not contents.refused:
            raise ArchiveRefused("There is nothing of a snapshot in this archive.", "nothing_to_import")
        with workspace_scope(principal.workspace):
            _drop_expired(principal)
            row = _described(principal, agent, contents, manifest, source)
            row.filename, row.with_personal = shown(filename)[:200], with_personal
            row.size, row.digest = upload.seek(0, 2), digest_of(upload)
            row.save(force_insert=True)
            barred = not force and was_erased(principal.workspace, principal.owner_key)
            preview = Previewing(principal, agent, archive, manifest, with_personal, row, barred, progress)
            _keep_parts(preview, contents)
    return row


def _described(
    principal: Principal, agent: Agent, contents: Contents, manifest: Manifest, source: Source
) -> SnapshotImport:
    """The row of a preview with what the archive says of itself, and what of it is not applied."""
    refused = [
        {"name": each.name, "reason": each.reason, "ignored": each.ignored} for each in contents.refused
    ]
    return SnapshotImport(
        workspace=principal.workspace,
        agent=agent,
        owner_key=principal.owner_key,
        scope=Scope.PERSONAL,
        manifest={**manifest.facts(), "format": source.format},
        refused=refused,
        notices=_notices(contents, manifest, source),
        expires_at=timezone.now() + KEPT_FOR,
    )


def digest_of(upload: BinaryIO) -> str:
    """The hex SHA-256 of a whole upload."""
    upload.seek(0)
    digest = hashlib.sha256()
    while piece := upload.read(PIECE):
        digest.update(piece)
    return digest.hexdigest()


def _drop_expired(principal: Principal) -> None:
    """Previews that nobody applied go when the next one is made; what was applied stays on record."""
    SnapshotImport.objects.filter(
        workspace=principal.workspace, status=SnapshotImport.Status.PREVIEWED, expires_at__lt=timezone.now()
    ).delete()


def _notices(contents: Contents, manifest: Manifest, source: Source) -> list[str]:
    notices = []
    if contents.manifest is None and source.is_snapshot:
        notices.append("The archive has no manifest; its files are taken by their names.")
    if contents.top_folder and contents.top_folder != PACKED:
        notices.append(
            f"Everything stood in one folder, {shown(contents.top_folder)}, which was looked through."
        )
    if manifest.entries is not None:
        present = {entry.record.name.removeprefix(contents.top_folder) for entry in contents.placed}
        missing = sorted(set(manifest.entries) - present)
        notices += [
            f"The manifest lists {shown(name)}, which is not in the archive." for name in missing[:20]
        ]
    return notices


def _keep_parts(preview: Previewing, contents: Contents) -> None:
    changed = 0
    for entry in contents.placed:
        name = entry.record.name.removeprefix(contents.top_folder)
        preview.progress(1)
        try:
            part = _part(preview, entry, name)
        except RefusedPart as refusal:
            reason = {"name": shown(entry.record.name), "reason": str(refusal), "ignored": False}
            # A note is both a file and what it states, and refused once.
            preview.row.refused += [reason] if reason not in preview.row.refused else []
            continue
        if part is None:
            continue
        changed += part.edited
        _save(preview, entry, part)
    if changed:
        preview.row.notices.append(f"{changed} entries were changed after the snapshot was made.")
    preview.row.save(update_fields=["refused", "notices", "updated_at"])


def _part(preview: Previewing, entry: Placed, name: str) -> FilePart | None:
    skipped = _reason_to_skip(preview, entry)
    if skipped:
        return FilePart(ImportPart.Action.SKIP, reason=skipped)
    edited = False
    content = preview.archive.read(entry.record)
    if preview.manifest.entries is not None:
        listed = preview.manifest.entries.get(name)
        if listed is None:
            raise RefusedPart(NOT_LISTED)
        edited = listed.sha256 != hashlib.sha256(content).hexdigest()
    scope = scope_of(entry.part)
    if entry.kind == MESSAGES:
        return prepare_messages(preview.principal, preview.agent, entry.path, content)
    if entry.tells is not None:
        told = entry.tells(readable_text(content))
        return prepare_told(preview.principal, preview.agent, told, scope, preview.states_of(scope))
    if entry.kind == "file":
        part = prepare_file(
            preview.principal, preview.agent, entry.path, scope=scope, content=content, budget=preview.budget
        )
    else:
        part = prepare_data(preview.principal, entry.kind, content, preview.states_of(scope))
    part.edited = edited
    return part


def _reason_to_skip(preview: Previewing, entry: Placed) -> str:
    if entry.part is Part.OTHERS:
        return OTHERS
    if entry.part is Part.PERSONAL and not preview.with_personal:
        return NOT_ASKED_FOR
    if entry.part is Part.PERSONAL and preview.barred:
        return NOT_BACK
    if entry.part is Part.PERSONAL and not remembers_per_owner(preview.principal):
        return NOT_APART
    return ""


def scope_of(part: Part) -> Scope:
    """Where a part of an archive goes; whose it is there, the acting owner alone decides."""
    return Scope.PERSONAL if part is Part.PERSONAL else Scope.TEAM


def _save(preview: Previewing, entry: Placed, part: FilePart) -> None:
    ImportPart.objects.create(
        workspace=preview.principal.workspace,
        agent=preview.agent,
        owner_key=preview.principal.owner_key,
        scope=Scope.PERSONAL,
        snapshot_import=preview.row,
        position=preview.parts,
        kind=entry.kind,
        path=entry.path if entry.part is not Part.OTHERS else shown(entry.record.name)[:200],
        target_scope=scope_of(entry.part),
        action=part.action,
        reason=part.reason[:300],
        base_version=part.base_version,
        text=part.text,
        detail=part.detail,
    )
    preview.parts += 1


def load_import(
    principal: Principal, agent: Agent, import_id: UUID | str, *, lock: bool = False
) -> SnapshotImport:
    """The principal's own import of that id; NotFound for anybody else's."""
    mine = {"workspace": principal.workspace, "owner_key": principal.owner_key}
    rows = SnapshotImport.objects.filter(agent=agent, pk=import_id, **mine)
    with workspace_scope(principal.workspace):
        found: SnapshotImport | None = (rows.select_for_update() if lock else rows).first()
    if found is None:
        raise NotFound
    return found
