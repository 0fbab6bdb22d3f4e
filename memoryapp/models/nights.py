"""Nights: when background work on memory is due and how far it has come."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memoryapp.models.agents import Agent
from tenants.ids import new_id
from tenants.models import Workspace
from tenants.principals import Principal
from tenants.scoping import OwnedModel


class ScheduleQuerySet(models.QuerySet["Schedule"]):
    """Chainable vocabulary over schedules."""

    def visible_to(self, principal: Principal) -> Self:
        return self.filter(workspace_id=principal.workspace.pk)

    def due(self) -> Self:
        return self.filter(next_run__lte=timezone.now())


class Schedule(models.Model):
    """When one kind of nightly work of an agent, or of a workspace, runs next, in the workspace's zone.

    It stands outside row-level security like events do: the tick reads it before it knows a workspace.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, null=True, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=24)
    enabled = models.BooleanField(default=True)
    # Empty: the installation's own time for this kind.
    cron = models.CharField(max_length=60, blank=True)
    # What next_run was computed from; when it changes, the next run moves and nothing fires.
    computed_for = models.CharField(max_length=140, blank=True)
    next_run = models.DateTimeField(null=True, blank=True)
    last_slot = models.CharField(max_length=40, blank=True)
    last_run = models.DateTimeField(null=True, blank=True)

    objects = models.Manager.from_queryset(ScheduleQuerySet)()

    class Meta:
        ordering = ["kind"]
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "agent", "kind"], nulls_distinct=False, name="memoryapp_schedule_unique"
            )
        ]
        indexes = [
            models.Index(fields=["next_run"], condition=Q(enabled=True), name="memoryapp_schedule_due")
        ]

    def __str__(self) -> str:
        return f"{self.kind} next at {self.next_run}"


class Bucket(OwnedModel):
    """The memory of one owner with one agent, or of the team: when the night last worked on it and what it had seen."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    dreamed_at = models.DateTimeField(null=True, blank=True)
    consolidated_at = models.DateTimeField(null=True, blank=True)
    # A digest of the entries that were looked at last: the same again need no second look.
    consolidation_seen = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "scope", "owner_key"], name="memoryapp_bucket_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.owner_key or "shared"


class MorningCard(OwnedModel):
    """When somebody was last shown what an agent's nights changed for them, and up to when they have seen it."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    shown_on = models.DateField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "owner_key"], name="memoryapp_morningcard_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"morning card of {self.owner_key}"
