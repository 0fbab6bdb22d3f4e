"""Owners: the people a workspace's agents have met."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from tenants.scoping import WorkspaceModel


class Owner(WorkspaceModel):
    """Somebody whose memory is kept; made when they first speak. What is known of them hangs on the owner key."""

    owner_key = models.CharField(max_length=170, db_collation="C")
    display_name = models.CharField(max_length=120, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    first_seen_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "owner_key"], name="memoryapp_owner_key_unique")
        ]

    def __str__(self) -> str:
        return self.display_name or self.owner_key
