"""Proposals and archives: new personas waiting for a person's decision, and the dreams of past months."""

from __future__ import annotations

from django.db import models

from memoryapp.models.agents import Agent
from tenants.scoping import OwnedModel


class SoulProposal(OwnedModel):
    """A new text for an agent's SOUL.md, grown from what it has learnt; a person accepts or declines it."""

    class Status(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        OUTDATED = "outdated"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="soul_proposals")
    base_version = models.PositiveIntegerField()
    before = models.TextField(blank=True)
    after = models.TextField()
    reason = models.TextField(blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    decided_by = models.CharField(max_length=200, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent"],
                condition=models.Q(status="pending"),
                name="memoryapp_soulproposal_one_pending",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} proposal for {self.agent_id}"


class DreamArchive(OwnedModel):
    """The dream reports of one month of one bucket, compressed."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    month = models.CharField(max_length=7)
    reports = models.PositiveIntegerField(default=0)
    packed = models.BinaryField()

    class Meta:
        ordering = ["-month"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "scope", "owner_key", "month"],
                name="memoryapp_dreamarchive_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"dreams of {self.month}"
