"""Recalls: that a memory was used in a turn. Dreaming learns from it what matters."""

from __future__ import annotations

from django.db import models

from memoryapp.models.agents import Agent
from memoryapp.models.conversations import Conversation
from memoryapp.models.facts import Fact
from memoryapp.models.files import FileSection
from tenants.scoping import OwnedModel


class Recall(OwnedModel):
    """One memory recalled for one query in one conversation."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(
        Conversation, null=True, on_delete=models.CASCADE, related_name="recalls"
    )
    fact = models.ForeignKey(Fact, null=True, on_delete=models.CASCADE, related_name="recalls")
    section = models.ForeignKey(FileSection, null=True, on_delete=models.CASCADE, related_name="recalls")
    # A digest is enough to count distinct queries, and holds nothing that would have to be forgotten.
    query_key = models.CharField(max_length=64, db_collation="C")
    # Which line of a section answered, as a keyed hash: a note holds many, and dreams promote line by line.
    line_key = models.CharField(max_length=64, blank=True, db_collation="C")
    score = models.FloatField(default=0)

    class Meta:
        constraints = [*OwnedModel.Meta.constraints]
        indexes = [
            models.Index(
                fields=["workspace", "agent", "owner_key", "-created_at"], name="memoryapp_recall_recent"
            )
        ]

    def __str__(self) -> str:
        return f"recall of {self.fact_id or self.section_id}"
