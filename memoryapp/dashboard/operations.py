"""Background work: what runs, what waits, what failed and why, and another try by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from memoryapp.dashboard.pages import Visit, page
from memoryapp.jobs import retry_event
from memoryapp.models import Event, Heartbeat
from tenants.models import Role

PAGE_SIZE = 50
DAY = timedelta(days=1)
WORKER_SILENCE = timedelta(minutes=3)
STATES = {
    Event.Status.FAILED.value: gettext_lazy("Failed"),
    Event.Status.RUNNING.value: gettext_lazy("Running"),
    Event.Status.PENDING.value: gettext_lazy("Waiting"),
}
KIND_WORDS = {
    "extraction": gettext_lazy("Extraction"),
    "embed": gettext_lazy("Embedding"),
    "projection": gettext_lazy("Fact projection"),
    "forget_purge": gettext_lazy("End of an undo time"),
    "dream": gettext_lazy("Dream"),
}
# Badge class, icon and word of each state.
BADGES = {
    Event.Status.SUCCEEDED.value: ("ok", "circle-check", gettext_lazy("Done")),
    Event.Status.RUNNING.value: ("accent", "circle-dashed", gettext_lazy("Running")),
    Event.Status.PENDING.value: ("", "clock", gettext_lazy("Waiting")),
    Event.Status.FAILED.value: ("bad", "ban", gettext_lazy("Failed")),
}


@dataclass(frozen=True, slots=True)
class Job:
    """One background job as the table shows it."""

    event: Event
    agent: str
    opened: bool

    @property
    def name(self) -> str:
        return str(KIND_WORDS.get(self.event.kind, self.event.kind.replace("_", " ").capitalize()))

    @property
    def retrying(self) -> bool:
        return self.event.status == Event.Status.PENDING and self.event.attempts > 0

    @property
    def badge(self) -> tuple[str, str, object]:
        if self.retrying:
            return (
                "warn",
                "clock",
                _("Retry %(clock)s") % {"clock": f"{timezone.localtime(self.event.run_after):%H:%M}"},
            )
        return BADGES[self.event.status]

    @property
    def took(self) -> str:
        start, end = self.event.started_at, self.event.finished_at
        if start is None or end is None:
            return "–"
        seconds = max((end - start).total_seconds(), 0.0)
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:,.0f} s"


@page("operations")
def show_operations(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The figures, then the jobs, a failed one opened by itself."""
    state = request.GET.get("state", "")
    events = Event.objects.visible_to(visit.principal)
    counts: dict[str, int] = dict(events.values_list("status").annotate(n=Count("pk")))
    shown = events.filter(status=state) if state in STATES else events
    before = _key(request.GET.get("before", ""))
    rows = list((shown.filter(pk__lt=before) if before else shown).order_by("-pk")[: PAGE_SIZE + 1])
    names = {agent.pk: agent.name for agent in visit.agents}
    opened = _key(request.GET.get("open", "")) or next(
        (row.pk for row in rows if row.status == Event.Status.FAILED), None
    )
    context = {
        "jobs": [
            Job(row, names.get(row.agent_id, "") if row.agent_id else "", row.pk == opened)
            for row in rows[:PAGE_SIZE]
        ],
        "older": rows[PAGE_SIZE - 1].pk if len(rows) > PAGE_SIZE else "",
        "state": state if state in STATES else "",
        "states": [(name, word, counts.get(name, 0)) for name, word in STATES.items()],
        "may_retry": visit.principal.can(Role.MEMBER),
        **_figures(events, counts),
    }
    return visit.render("dashboard/operations.html", context)


def _figures(events: Any, counts: dict[str, int]) -> dict[str, Any]:
    beat: datetime | None = Heartbeat.objects.order_by("-beat_at").values_list("beat_at", flat=True).first()
    now = timezone.now()
    oldest: datetime | None = None
    if counts.get(Event.Status.PENDING):
        due = events.filter(status=Event.Status.PENDING, run_after__lte=now)
        oldest = due.order_by("run_after").values_list("run_after", flat=True).first()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size = cursor.fetchone()[0]
    return {
        "beat": beat,
        "worker_is_well": beat is not None and now - beat < WORKER_SILENCE,
        "waiting": counts.get(Event.Status.PENDING, 0),
        "oldest": oldest,
        "is_stuck": oldest is not None and now - oldest > timedelta(minutes=10),
        "failed_today": events.filter(status=Event.Status.FAILED, finished_at__gte=now - DAY).count()
        if counts.get(Event.Status.FAILED)
        else 0,
        "done": counts.get(Event.Status.SUCCEEDED, 0),
        "size_mb": size / 1_000_000,
    }


def _key(value: str) -> UUID | None:
    try:
        return UUID(value)
    except ValueError:
        return None


@page("operations", role=Role.MEMBER)
def retry(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Give one failed job, or all of them, another try."""
    failed = Event.objects.visible_to(visit.principal).filter(status=Event.Status.FAILED)
    one = _key(request.POST.get("event", ""))
    chosen = list(failed.filter(pk=one) if one else failed[:PAGE_SIZE])
    for event in chosen:
        retry_event(principal=visit.principal, event=event)
    visit.toast(
        ngettext("%(count)d job will be tried again.", "%(count)d jobs will be tried again.", len(chosen))
        % {"count": len(chosen)}
    )
    return redirect(visit.url("operations"))


urlpatterns = [
    path("", show_operations, name="operations"),
    path("retry/", require_POST(retry), name="operations-retry"),
]
