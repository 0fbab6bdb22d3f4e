"""Exporting an agent's memory: the same content gives the same bytes, and no more than a piece is in memory at once."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO

from memoryapp.exceptions import NotPermitted, TooLarge, ValidationFailed
from memoryapp.models import Agent
from memoryapp.snapshots.collecting import Bucket, bucket_entries, buckets_of
from memoryapp.snapshots.limits import MEGABYTE, SNAPSHOT_LIMITS
from memoryapp.snapshots.manifest import Listed, written
from memoryapp.snapshots.names import MANIFEST
from tenants.actions import record_audit
from tenants.models import Role, TokenScope
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

INCLUDES = ("shared", "personal", "all")
# Every entry is as old as time, so that the same content is the same archive.
LONG_AGO = (1980, 1, 1, 0, 0, 0)
# The manifest and the archive's own records need room below the upload limit too.
HEADROOM = 256 * 1024
IN_MEMORY = MEGABYTE


@dataclass(slots=True)
class _Pile:
    """The contents of an archive to be, one after the other in a temporary file."""

    file: IO[bytes]
    listed: list[Listed] = field(default_factory=list)
    size: int = 0
    newest: datetime | None = None

    def add(self, path: str, content: bytes) -> None:
        self.size += len(content)
        limits = SNAPSHOT_LIMITS
        too_large = len(content) > limits.entry_bytes or self.size > limits.total_bytes - HEADROOM
        if too_large or len(self.listed) >= limits.entries - 1:
            raise _too_large()
        self.file.write(content)
        self.listed.append(Listed.of(path, content))

    def note(self, moment: datetime | None) -> None:
        if moment is not None and (self.newest is None or moment > self.newest):
            self.newest = moment


def _too_large() -> TooLarge:
    return TooLarge(
        "This memory is too large for a snapshot that could be imported again. "
        "Move it with a workspace backup: manage.py export_workspace.",
        code="snapshot_too_large",
    )


def export_snapshot(*, principal: Principal, agent: Agent, include: str = "shared") -> IO[bytes]:
    """The agent's snapshot as an open temporary file, from its beginning: shared memory, the principal's own, or all.

    Raises TooLarge when our own import would refuse it, NotPermitted unless an admin asks for everybody's.
    """
    _check_include(principal, include)
    with tempfile.TemporaryFile() as contents:
        with workspace_scope(principal.workspace):
            buckets = buckets_of(principal, agent, include)
            pile = _collected(agent, buckets, _Pile(contents))
            record_audit(principal=principal, action="snapshot.exported", target=agent.slug, include=include)
        owners = {bucket.prefix.rstrip("/"): bucket.owner_key for bucket in buckets if bucket.is_of_others}
        manifest = written(
            {"name": agent.name, "slug": agent.slug}, pile.newest, include, entries=pile.listed, owners=owners
        )
        return _packed(manifest, pile)


def _check_include(principal: Principal, include: str) -> None:
    if include not in INCLUDES:
        raise ValidationFailed.of("include", f"One of {', '.join(INCLUDES)}.")
    if include == "all":
        principal.require(Role.ADMIN, TokenScope.ADMIN)
        if principal.end_user:
            raise NotPermitted("A token bound to one end user cannot export everybody's memory.")


def _collected(agent: Agent, buckets: Iterable[Bucket], pile: _Pile) -> _Pile:
    for bucket in buckets:
        for path, content in bucket_entries(agent, bucket, pile.note):
            pile.add(bucket.prefix + path, content)
    return pile


def _packed(manifest: bytes, pile: _Pile) -> IO[bytes]:
    target: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 # its reader closes it
    pile.file.seek(0)
    with zipfile.ZipFile(target, "w") as archive:
        _add(archive, MANIFEST, manifest)
        for entry in pile.listed:
            _add(archive, entry.path, pile.file.read(entry.size))
    if target.tell() > SNAPSHOT_LIMITS.upload_bytes:
        target.close()
        raise _too_large()
    target.seek(0)
    return target


def _add(archive: zipfile.ZipFile, path: str, content: bytes) -> None:
    info = zipfile.ZipInfo(path, LONG_AGO)
    info.create_system, info.external_attr = 3, 0o100644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content, compresslevel=6)


def export_owner(*, principal: Principal, owner_key: str) -> IO[bytes]:
    """Everything personal of one owner, over all agents, as an archive to keep: files, facts, history, messages.

    One's own, or anybody's for an admin, which is audited; raises NotPermitted otherwise. No import reads it.
    """
    if owner_key != principal.owner_key:
        principal.require(Role.ADMIN)
    target: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 # its reader closes it
    bucket = Bucket(Scope.PERSONAL, owner_key, "")
    about = {"owner": owner_key, "workspace": principal.workspace.name}
    with zipfile.ZipFile(target, "w") as archive, workspace_scope(principal.workspace):
        _add(archive, "about.json", json.dumps(about, ensure_ascii=False, indent=2).encode())
        agents = Agent.objects.filter(workspace=principal.workspace).order_by("created_at")
        for agent in agents if principal.agent_id is None else agents.filter(pk=principal.agent_id):
            for path, content in bucket_entries(agent, bucket, _nobody_minds, everything=True):
                _add(archive, f"{agent.slug}/{path}", content)
        record_audit(principal=principal, action="owner.exported", target=owner_key)
    target.seek(0)
    return target


def _nobody_minds(moment: datetime | None) -> None:
    """For whom the time of the newest change is of no interest."""
