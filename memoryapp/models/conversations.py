"""Conversations: what was said, by whom, in order, and what extraction made of it."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils import timezone

from memoryapp.models.agents import Agent
from tenants.scoping import OwnedModel


class Conversation(OwnedModel):
    """One exchange between an agent and one owner; its external id is the caller's own word for it."""

    class Trigger(models.TextChoices):
        CHAT = "chat"
        IMPORT = "import"
        API = "api"
        JOB = "job"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="conversations")
    external_id = models.CharField(max_length=128, db_collation="C")
    channel = models.CharField(max_length=32, default="api")
    title = models.CharField(max_length=160, blank=True)
    trigger = models.CharField(max_length=8, choices=Trigger.choices, default=Trigger.CHAT)
    message_count = models.PositiveIntegerField(default=0)
    last_message_at = models.DateTimeField(null=True, blank=True)
    # The number of the last message that extraction has finished with: nothing is read twice, nothing is lost.
    extracted_through = models.PositiveIntegerField(default=0)
    summary = models.TextField(blank=True)
    summary_through = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "owner_key", "external_id"],
                name="memoryapp_conversation_external_id_unique",
            ),
        ]
        indexes = [
            models.Index(
                fields=["workspace", "agent", "owner_key", "-last_message_at"], name="memoryapp_conv_recent"
            )
        ]

    def __str__(self) -> str:
        return self.title or self.external_id


class Message(OwnedModel):
    """One thing said in a conversation, with credentials masked."""

    class Role(models.TextChoices):
        USER = "user"
        ASSISTANT = "assistant"
        SYSTEM = "system"
        TOOL = "tool"

    class State(models.TextChoices):
        COMPLETE = "complete"
        STREAMING = "streaming"
        PARTIAL = "partial"
        FAILED = "failed"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role.choices)
    name = models.CharField(max_length=120, blank=True)
    text = models.TextField()
    reasoning = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.COMPLETE)
    # What a client sent as Idempotency-Key: a retry finds its turn instead of making another.
    idempotency_key = models.CharField(max_length=128, blank=True, db_collation="C")
    detail: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    said_at = models.DateTimeField(default=timezone.now)
    lexemes = SearchVectorField(null=True, editable=False)
    length = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "conversation", "number"], name="memoryapp_message_number_unique"
            ),
            models.UniqueConstraint(
                fields=["workspace", "conversation", "idempotency_key", "role"],
                condition=~models.Q(idempotency_key=""),
                name="memoryapp_message_idempotency_unique",
            ),
        ]
        indexes = [
            models.Index(
                fields=["workspace", "agent", "owner_key", "-said_at"], name="memoryapp_message_recent"
            ),
            GinIndex(fields=["lexemes"], name="memoryapp_message_lexemes"),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.text[:60]}"


class Extraction(OwnedModel):
    """One reading of a stretch of a conversation: what was kept, what was refused at which gate, or why nothing was."""

    class Status(models.TextChoices):
        SUCCEEDED = "succeeded"
        NO_UPDATE = "no_update"
        DEFERRED = "deferred"
        SKIPPED = "skipped"
        FAILED = "failed"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="extractions")
    event_id = models.UUIDField(null=True, blank=True)
    first_number = models.PositiveIntegerField()
    last_number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices)
    reason = models.TextField(blank=True)
    kept: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    refused: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    # Which files it wrote, with the version it made of each.
    files: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    usage: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "conversation", "last_number"],
                condition=models.Q(status__in=["succeeded", "no_update"]),
                name="memoryapp_extraction_once",
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "conversation", "-created_at"], name="memoryapp_extract_recent")
        ]

    def __str__(self) -> str:
        return f"{self.status}: {self.reason}"
