"""Embeddings: vectors of what can be recalled, kept apart from it so that counters never touch an index of vectors."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from memoryapp.models.agents import Agent
from memoryapp.models.conversations import Message
from memoryapp.models.facts import Fact
from memoryapp.models.files import FileSection
from tenants.scoping import OwnedModel


class Embedding(OwnedModel):
    """The vector of one text under one model; an installation that changes models keeps both until it is done."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(Fact, null=True, on_delete=models.CASCADE, related_name="embeddings")
    section = models.ForeignKey(FileSection, null=True, on_delete=models.CASCADE, related_name="embeddings")
    message = models.ForeignKey(Message, null=True, on_delete=models.CASCADE, related_name="embeddings")
    model = models.CharField(max_length=120)
    # Without dimensions: each model has its own, and the index over it is made for those. Null while it waits for the
    # worker, and for good once the embedder refused the text.
    vector = HalfVectorField(null=True)
    refused = models.BooleanField(default=False)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.CheckConstraint(
                condition=(
                    Q(fact__isnull=False, section=None, message=None)
                    | Q(fact=None, section__isnull=False, message=None)
                    | Q(fact=None, section=None, message__isnull=False)
                ),
                name="memoryapp_embedding_of_one_thing",
            ),
            models.UniqueConstraint(
                fields=["fact", "model"], condition=~Q(fact=None), name="memoryapp_embedding_fact_unique"
            ),
            models.UniqueConstraint(
                fields=["section", "model"],
                condition=~Q(section=None),
                name="memoryapp_embedding_section_unique",
            ),
            models.UniqueConstraint(
                fields=["message", "model"],
                condition=~Q(message=None),
                name="memoryapp_embedding_message_unique",
            ),
        ]
        indexes = [
            models.Index(
                fields=["workspace", "agent", "owner_key", "model"], name="memoryapp_embedding_owner"
            ),
            models.Index(
                fields=["workspace", "model", "id"],
                condition=Q(vector=None, refused=False),
                name="memoryapp_embedding_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} vector"
