"""Contradictions: two facts that cannot both hold, waiting for somebody to decide."""

from __future__ import annotations

from typing import Any

from django.db import models

from memoryapp.models.agents import Agent
from memoryapp.models.facts import Fact
from tenants.scoping import OwnedModel


class Contradiction(OwnedModel):
    """A pair of conflicting facts of one owner; both stay until somebody resolves it."""

    class Resolution(models.TextChoices):
        OPEN = "open"
        KEEP_A = "KEEP_A"
        KEEP_B = "KEEP_B"
        MERGE = "MERGE"
        IGNORE = "IGNORE"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="contradictions")
    fact_a = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="+")
    fact_b = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="+")
    reason = models.TextField(blank=True)
    resolution = models.CharField(max_length=8, choices=Resolution.choices, default=Resolution.OPEN)
    # The two texts as one keyed hash: a pair that was dismissed is known again whatever its rows are called by then.
    pair_key = models.CharField(max_length=64, blank=True, db_collation="C")
    # What undoing needs: the revisions that the resolution made, by id.
    changes: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    # File lines that went with the losing side, encrypted.
    sealed = models.TextField(blank=True)
    resolved_by = models.CharField(max_length=200, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "fact_a", "fact_b"], name="memoryapp_contradiction_pair_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.reason or f"{self.fact_a_id} against {self.fact_b_id}"


class DismissedPair(OwnedModel):
    """That somebody said of two texts that both are true, so that they are never held against each other again."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    pair_key = models.CharField(max_length=64, db_collation="C")

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "scope", "owner_key", "pair_key"],
                name="memoryapp_dismissedpair_unique",
            ),
        ]

    def __str__(self) -> str:
        return self.pair_key[:12]
