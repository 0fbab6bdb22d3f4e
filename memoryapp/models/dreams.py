"""Dreams: a night's work on one bucket of memory, and the changes it made."""

from __future__ import annotations

from typing import Any

from django.db import models

from memoryapp.models.agents import Agent
from memoryapp.models.facts import Fact
from tenants.scoping import OwnedModel


class Dream(OwnedModel):
    """One run over the shared bucket or one owner's, with what it saw and concluded."""

    class Kind(models.TextChoices):
        NIGHTLY = "nightly"
        MANUAL = "manual"
        FOCUSED = "focused"
        CONSOLIDATION = "consolidation"

    class Status(models.TextChoices):
        RUNNING = "running"
        # Worked out but not applied: it would remove so much that a person has to say yes.
        PROPOSED = "proposed"
        SUCCEEDED = "succeeded"
        SKIPPED = "skipped"
        FAILED = "failed"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="dreams")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    # The local night a run belongs to; with kind and bucket it makes a night happen once.
    slot = models.CharField(max_length=40, blank=True)
    # The job that runs it, so that a second attempt of the job finds it again.
    event_id = models.UUIDField(null=True, blank=True)
    topic = models.CharField(max_length=200, blank=True)
    dry_run = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    statistics: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    diary = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Set on reports that came with a snapshot: they are no news to anybody.
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "scope", "owner_key", "kind", "slot"],
                condition=~models.Q(slot=""),
                name="memoryapp_dream_slot_unique",
            ),
        ]
        indexes = [
            models.Index(
                fields=["workspace", "agent", "owner_key", "-created_at"], name="memoryapp_dream_recent"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} dream, {self.status}"


class DreamEntry(OwnedModel):
    """One change of a dream with its text before and after, score and reason, so that it can be judged and reverted."""

    class Operation(models.TextChoices):
        ADD = "add"
        MERGE = "merge"
        SUPERSEDE = "supersede"
        DROP = "drop"
        KEEP = "keep"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    dream = models.ForeignKey(Dream, on_delete=models.CASCADE, related_name="entries")
    fact = models.ForeignKey(Fact, null=True, on_delete=models.SET_NULL, related_name="+")
    position = models.PositiveIntegerField()
    operation = models.CharField(max_length=10, choices=Operation.choices)
    path = models.CharField(max_length=200, blank=True)
    # The heading of the section it stands under, hashes included.
    heading = models.CharField(max_length=300, blank=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    score = models.FloatField(null=True, blank=True)
    score_parts: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    # Where it came from: notes by path, facts and messages by id.
    sources: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    gate = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    verdict = models.CharField(max_length=10, blank=True)
    reverted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position"]
        verbose_name_plural = "dream entries"
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "dream", "position"], name="memoryapp_dreamentry_position_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.operation}: {self.after or self.before}"
