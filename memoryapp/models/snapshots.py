"""Snapshots: imports with what they would change and what they changed, receipts of erasure, and backups kept."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from memoryapp.models.agents import Agent
from tenants.scoping import OwnedModel, WorkspaceModel


class SnapshotImport(OwnedModel):
    """An archive that somebody brought for an agent: what it would change, and once applied, what it changed."""

    class Status(models.TextChoices):
        PREVIEWED = "previewed"
        APPLIED = "applied"
        UNDONE = "undone"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PREVIEWED)
    filename = models.CharField(max_length=200, blank=True)
    size = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_collation="C")
    with_personal = models.BooleanField(default=False)
    # What the archive says of itself, and the entries that are not applied with the reason for each.
    manifest: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    refused: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    notices: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    # Row ids and versions that undoing needs.
    changes: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    expires_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [*OwnedModel.Meta.constraints]
        indexes = [
            models.Index(
                fields=["workspace", "agent", "owner_key", "-created_at"], name="memoryapp_import_recent"
            )
        ]

    def __str__(self) -> str:
        return f"{self.status} import of {self.filename or self.digest[:12]}"


class ImportPart(OwnedModel):
    """One entry of an archive as it would be stored, masked and cut; gone once the import is applied or forgotten."""

    class Action(models.TextChoices):
        CREATE = "create"
        UPDATE = "update"
        SKIP = "skip"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    snapshot_import = models.ForeignKey(SnapshotImport, on_delete=models.CASCADE, related_name="parts")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=16)
    path = models.CharField(max_length=200, db_collation="C")
    target_scope = models.CharField(max_length=8)
    action = models.CharField(max_length=8, choices=Action.choices)
    reason = models.CharField(max_length=300, blank=True)
    # What stood at the target when the preview was made; 0 for nothing.
    base_version = models.PositiveIntegerField(default=0)
    text = models.TextField(blank=True)
    detail: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "snapshot_import", "position"],
                name="memoryapp_importpart_position_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.path}"


class ErasureReceipt(WorkspaceModel):
    """That somebody was erased: how much of theirs was in each place before and after, signed; no name, no word."""

    # Known again by a keyed hash, so that a later import of the same person can be refused.
    owner_digest = models.CharField(max_length=64, db_collation="C")
    actor = models.CharField(max_length=200)
    body: models.JSONField[Any, Any] = models.JSONField(default=dict)
    signature = models.CharField(max_length=64)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["workspace", "owner_digest"], name="memoryapp_erasure_owner")]

    def __str__(self) -> str:
        return f"erasure of {self.owner_digest[:12]}"


class Backup(WorkspaceModel):
    """One backup file of a workspace: where it lies and when it goes."""

    name = models.CharField(max_length=200)
    folder = models.CharField(max_length=500)
    size = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64, db_collation="C")
    expires_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    drilled_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "folder", "name"], name="memoryapp_backup_name_unique"
            )
        ]

    def __str__(self) -> str:
        return self.name
