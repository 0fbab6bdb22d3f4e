"""Webhooks: where a workspace wants to be notified of what happens, and how each delivery went."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from tenants.scoping import WorkspaceModel


class Webhook(WorkspaceModel):
    """An address that is notified of events."""

    class Happening(models.TextChoices):
        MEMORY_ADD = "memory_add"
        MEMORY_UPDATE = "memory_update"
        MEMORY_DELETE = "memory_delete"
        MEMORY_CATEGORIZE = "memory_categorize"
        DREAM_COMPLETED = "dream_completed"
        CONTRADICTION_OPENED = "contradiction_opened"
        REVIEW_PENDING = "review_pending"

    name = models.CharField(max_length=120)
    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=32, choices=Happening.choices))
    enabled = models.BooleanField(default=True)
    # The key that signs, encrypted: it must be read again.
    sealed_secret = models.TextField()

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(WorkspaceModel):
    """One telling of one happening. It keeps ids; words are looked up when it is sent, so that none outlive them."""

    class Status(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        FAILED = "failed"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    # The job that noted the happening: it is told once to each webhook, however often that job is run.
    event_id = models.UUIDField()
    happening = models.CharField(max_length=32, choices=Webhook.Happening.choices)
    payload: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    status_code = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    next_attempt_at = models.DateTimeField(null=True, blank=True, default=timezone.now)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "webhook", "event_id"], name="memoryapp_webhook_delivery_once"
            )
        ]
        indexes = [
            models.Index(fields=["workspace", "webhook", "-created_at"], name="memoryapp_delivery_recent")
        ]

    def __str__(self) -> str:
        return f"{self.happening}: {self.status}"
