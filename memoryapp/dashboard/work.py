"""How the background work of a workspace stands, in two queries: for the overview's health and for operations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q
from django.utils import timezone

from memoryapp.models import Event, Heartbeat
from tenants.principals import Principal

SILENCE = timedelta(minutes=3)
STUCK_AFTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class WorkState:
    """Counts of the jobs one may see, and the worker's last sign of life."""

    pending: int
    running: int
    failed: int
    failed_today: int
    failed_this_week: int
    abandoned: int
    oldest_due: datetime | None
    beat: datetime | None

    @property
    def worker_is_well(self) -> bool:
        return self.beat is not None and timezone.now() - self.beat < SILENCE

    @property
    def is_stuck(self) -> bool:
        """Whether a job waits or hangs for so long that somebody should look."""
        waits = self.oldest_due is not None and timezone.now() - self.oldest_due > STUCK_AFTER
        return waits or self.abandoned > 0


def work_state(principal: Principal) -> WorkState:
    """The state of the work that a principal may see."""
    now = timezone.now()
    failed = Q(status=Event.Status.FAILED)
    waits = Q(status=Event.Status.PENDING)
    # Named one by one, so that the index over them is used: there may be very many that went well.
    unfinished = (Event.Status.PENDING, Event.Status.RUNNING, Event.Status.FAILED)
    counts = (
        Event.objects.visible_to(principal)
        .filter(status__in=unfinished)
        .aggregate(
            pending=Count("pk", filter=waits),
            running=Count("pk", filter=Q(status=Event.Status.RUNNING)),
            failed=Count("pk", filter=failed),
            failed_today=Count("pk", filter=failed & Q(finished_at__gte=now - timedelta(days=1))),
            failed_this_week=Count("pk", filter=failed & Q(finished_at__gte=now - timedelta(days=7))),
            abandoned=Count("pk", filter=Q(status=Event.Status.RUNNING, leased_until__lt=now - STUCK_AFTER)),
            oldest_due=Min("run_after", filter=waits & Q(run_after__lte=now)),
        )
    )
    beat = Heartbeat.objects.order_by("-beat_at").values_list("beat_at", flat=True).first()
    return WorkState(**counts, beat=beat)
