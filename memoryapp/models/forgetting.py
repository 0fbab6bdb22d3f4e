"""Forgetting: acts of removal with what they removed where, and what must not come back afterwards."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from memoryapp.models.agents import Agent
from tenants.scoping import OwnedModel


class Forgetting(OwnedModel):
    """One act of forgetting and its receipt; what it removed can be put back until the window closes, then never."""

    class Kind(models.TextChoices):
        FORGET = "forget"
        DELETE = "delete"
        ERASE = "erase"

    agent = models.ForeignKey(Agent, null=True, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.FORGET)
    fact_ids = ArrayField(models.UUIDField(), default=list, blank=True)
    # Counts per place, never a word of what stood there.
    places: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    # What undoing needs, encrypted, emptied by the purge.
    sealed = models.TextField(blank=True)
    actor = models.CharField(max_length=200)
    undo_until = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    purged_at = models.DateTimeField(null=True, blank=True)
    signature = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [*OwnedModel.Meta.constraints]
        indexes = [
            models.Index(
                fields=["workspace", "agent", "owner_key", "-created_at"], name="memoryapp_forgetting_recent"
            ),
            models.Index(
                fields=["workspace", "undo_until"],
                condition=models.Q(purged_at=None, undone_at=None),
                name="memoryapp_forgetting_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {len(self.fact_ids)} facts"

    @property
    def undoable(self) -> bool:
        """Whether the window in which it can be taken back is still open."""
        still_there = self.undone_at is None and self.purged_at is None
        return still_there and self.undo_until is not None and timezone.now() < self.undo_until
