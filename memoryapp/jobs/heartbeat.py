"""Whether the workers work, told by themselves: a cluster can look alive while its tasks hang."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memoryapp.models import Heartbeat

WORKER = "worker"


def beat(name: str = WORKER) -> None:
    """Note that a worker works: at every wake-up, before every job, and while a long one runs."""
    Heartbeat.objects.bulk_create(
        [Heartbeat(name=name, beat_at=timezone.now())],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["beat_at"],
    )


def worker_heartbeat_age() -> timedelta | None:
    """How long ago a worker last showed that it works; None when none ever did."""
    beat_at = Heartbeat.objects.filter(name=WORKER).values_list("beat_at", flat=True).first()
    return None if beat_at is None else timezone.now() - beat_at
