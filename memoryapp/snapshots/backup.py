"""Backups of a whole workspace: every row of every table of it, as compressed lines of JSON; secrets never.

Tables are found by themselves and sorted so that what is referred to comes first. Vectors and search columns are made
again from the texts, the backlog of jobs and previews of imports stay behind, tokens and keys are never written.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import IO, Any
from uuid import UUID

from django.apps import apps
from django.contrib.postgres.search import SearchVectorField
from django.db.models import Field, Model

from memoryapp.models import Backup, Embedding, Event, ImportPart, SnapshotImport
from tenants.actions import record_audit
from tenants.models import AccessToken, Membership, Role, Workspace
from tenants.principals import Principal
from tenants.scoping import workspace_scope

FORMAT, VERSION = "memoryapp-workspace", 1
LEFT_OUT: frozenset[type[Model]] = frozenset(
    {AccessToken, Membership, Event, Embedding, SnapshotImport, ImportPart, Backup}
)
# Sealed under this installation's key, so that no other could open it.
SEALED = "sealed"
MADE_AGAIN = frozenset({"updated_at", "length"})
BATCH = 500
Progress = Callable[[int], Any]


def backed_up_models() -> list[type[Model]]:
    """Every table of a workspace that a backup holds, referred-to ones first."""
    waiting = [model for model in apps.get_models() if _has_workspace(model) and model not in LEFT_OUT]
    ordered: list[type[Model]] = []
    while waiting:
        ready = [model for model in waiting if not _needs(model) & set(waiting) - {model}]
        ordered += sorted(ready, key=lambda model: model._meta.label)
        waiting = [model for model in waiting if model not in ready]
    return ordered


def _has_workspace(model: type[Model]) -> bool:
    return any(field.many_to_one and field.related_model is Workspace for field in model._meta.get_fields())


def _needs(model: type[Model]) -> set[Any]:
    return {field.related_model for field in model._meta.concrete_fields if field.many_to_one}


def columns_of(model: type[Model]) -> list[Field[Any, Any]]:
    """The columns of a table that a backup holds."""
    return [
        field
        for field in model._meta.concrete_fields
        if field.name not in MADE_AGAIN
        and field.name != SEALED
        and not isinstance(field, SearchVectorField)
        and field.related_model is not Workspace
    ]


def encoded(value: Any) -> Any:
    """A column's value as JSON."""
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, list):
        return [encoded(each) for each in value]
    return value


class BackupWriter:
    """Lines of a backup on their way into a compressed file, counted and digested."""

    def __init__(self, target: IO[bytes]) -> None:
        self._file = gzip.GzipFile(fileobj=target, mode="wb", compresslevel=6, mtime=0)
        self._digest = hashlib.sha256()
        self.rows = 0

    def write(self, value: dict[str, Any]) -> None:
        line = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        self._digest.update(line)
        self._file.write(line)

    def finish(self) -> None:
        """Write how many rows there are and what all lines together must hash to."""
        self.write({"end": {"rows": self.rows, "sha256": self._digest.hexdigest()}})
        self._file.close()


def count_rows(workspace: Workspace) -> int:
    """How many rows a backup of the workspace has."""
    with workspace_scope(workspace):
        return sum(_rows(model, workspace).count() for model in backed_up_models())


def write_backup(*, principal: Principal, target: IO[bytes], progress: Progress = int) -> int:
    """Write a backup of the principal's workspace and return the number of rows. For owners and the operator."""
    principal.require(Role.OWNER)
    workspace = Workspace.objects.get(pk=principal.workspace.pk)
    writer = BackupWriter(target)
    with workspace_scope(workspace):
        writer.write({"format": FORMAT, "version": VERSION, **_about(workspace)})
        for line in _lines(workspace):
            writer.write(line)
            writer.rows += 1
            progress(1)
        record_audit(
            principal=principal, action="workspace.backed_up", target=workspace.slug, rows=writer.rows
        )
    writer.finish()
    return writer.rows


def _about(workspace: Workspace) -> dict[str, Any]:
    members = Membership.objects.filter(workspace=workspace).select_related("user").order_by("created_at")
    return {
        "workspace": {
            "id": str(workspace.pk),
            "name": workspace.name,
            "slug": workspace.slug,
            "timeZone": workspace.time_zone,
            "language": workspace.language,
            "settings": workspace.settings,
        },
        "members": [
            {"id": member.user_id, "username": member.user.get_username(), "role": member.role}
            for member in members
        ],
    }


def _lines(workspace: Workspace) -> Iterator[dict[str, Any]]:
    for model in backed_up_models():
        columns = [field.attname for field in columns_of(model)]
        for row in _rows(model, workspace).order_by("pk").values(*columns).iterator(BATCH):
            yield {"model": model._meta.label, "row": {name: encoded(value) for name, value in row.items()}}


def _rows(model: type[Model], workspace: Workspace) -> Any:
    return model._default_manager.filter(workspace=workspace)
