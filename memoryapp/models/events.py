"""Events: the backlog of background work, and its record as the API shows it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from tenants.ids import new_id
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal


class EventQuerySet(models.QuerySet["Event"]):
    """Chainable vocabulary over events."""

    def visible_to(self, principal: Principal) -> Self:
        """The principal's own events and the workspace's system ones."""
        rows = self.filter(workspace_id=principal.workspace.pk)
        mine = Q(owner_key=principal.owner_key)
        return rows.filter(
            mine | Q(owner_key__startswith="api:") if principal.integrator else mine | Q(owner_key=SYSTEM)
        )

    def due(self, at: datetime | None = None) -> Self:
        """What may be worked on: waiting and ripe, or left behind by a worker that died."""
        moment = at or timezone.now()
        waiting = Q(status=Event.Status.PENDING, run_after__lte=moment)
        abandoned = Q(status=Event.Status.RUNNING, leased_until__lt=moment)
        return self.filter(waiting | abandoned)


class Event(models.Model):
    """One background job. It stands outside row-level security, since workers read it before they know a workspace."""

    class Status(models.TextChoices):
        PENDING = "PENDING"
        RUNNING = "RUNNING"
        SUCCEEDED = "SUCCEEDED"
        FAILED = "FAILED"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    agent_id = models.UUIDField(null=True, blank=True)
    owner_key = models.CharField(max_length=170, default=SYSTEM, db_collation="C")
    kind = models.CharField(max_length=40)
    # What the job is about: a conversation, a file, a dream. Never text.
    subject_id = models.UUIDField(null=True, blank=True)
    payload: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    run_after = models.DateTimeField(default=timezone.now)
    leased_until = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    result: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = models.Manager.from_queryset(EventQuerySet)()

    class Meta:
        constraints = [
            # At most one job of a kind waits for a subject; whoever asks again joins it.
            models.UniqueConstraint(
                fields=["workspace", "kind", "subject_id"],
                condition=Q(status="PENDING") & ~Q(subject_id=None),
                name="memoryapp_event_pending_unique",
            )
        ]
        indexes = [
            models.Index(
                fields=["run_after"],
                condition=Q(status__in=["PENDING", "RUNNING"]),
                name="memoryapp_event_due",
            ),
            models.Index(fields=["workspace", "-created_at"], name="memoryapp_event_recent"),
            # What somebody may have to look at; what went well is nearly all there is.
            models.Index(
                fields=["workspace", "status"],
                condition=Q(status__in=["PENDING", "RUNNING", "FAILED"]),
                name="memoryapp_event_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"


class Heartbeat(models.Model):
    """When a part of the installation last showed that it works; a worker's is written by a task, not by its parent."""

    name = models.CharField(primary_key=True, max_length=60)
    beat_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name
