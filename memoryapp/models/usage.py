"""Usage: what a workspace used on each day, counted from its rows by a job, so that no page has to."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from tenants.scoping import WorkspaceModel


class UsageDay(WorkspaceModel):
    """One day of a workspace in its own zone: model calls and tokens, what was kept and refused, what is stored."""

    day = models.DateField()
    counted_at = models.DateTimeField(default=timezone.now)
    messages = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)
    answer_tokens = models.PositiveBigIntegerField(default=0)
    readings = models.PositiveIntegerField(default=0)
    reading_tokens = models.PositiveBigIntegerField(default=0)
    dreams = models.PositiveIntegerField(default=0)
    dream_tokens = models.PositiveBigIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    # How many candidates were refused at which gate.
    refused: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    # What was stored when the day was counted last.
    stored_facts = models.PositiveIntegerField(default=0)
    stored_messages = models.PositiveIntegerField(default=0)
    stored_files = models.PositiveIntegerField(default=0)
    stored_vectors = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-day"]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "day"], name="memoryapp_usage_day_unique")
        ]

    def __str__(self) -> str:
        return f"usage of {self.day}"

    @property
    def calls(self) -> int:
        return self.answers + self.readings + self.dreams

    @property
    def tokens(self) -> int:
        return self.answer_tokens + self.reading_tokens + self.dream_tokens

    @property
    def refusals(self) -> int:
        return sum(self.refused.values())
