"""Background work: what runs, what waits, what failed and why, and another try by hand."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from memoryapp.dashboard.machinery import database, deliveries, recurring_work, sources
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.work import work_state
from memoryapp.exceptions import NotFound
from memoryapp.jobs import retry_event, run_schedule_now
from memoryapp.models import Event, Schedule
from tenants.models import Role

PAGE_SIZE = 50
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
    "scrub": gettext_lazy("Purge of secrets"),
    "night": gettext_lazy("Night of an agent"),
    "consolidation": gettext_lazy("Consolidation"),
    "compare": gettext_lazy("Comparison of new facts"),
    "soul": gettext_lazy("Persona proposal"),
    "archive": gettext_lazy("Archive"),
    "project": gettext_lazy("Fact projection"),
    "project_file": gettext_lazy("Fact projection of a file"),
    "sweep": gettext_lazy("Sweep of what has expired"),
    "usage": gettext_lazy("Count of usage"),
    "backup": gettext_lazy("Backup"),
    "drill": gettext_lazy("Test of a backup"),
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
        return ("warn", "clock", "") if self.retrying else BADGES[self.event.status]

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
    work = work_state(visit.principal)
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
        "states": [(name, word, getattr(work, name.lower())) for name, word in STATES.items()],
        "may_retry": visit.principal.can(Role.MEMBER),
        "work": work,
        "recurring": recurring_work(visit),
        "sources": sources(visit),
        "deliveries": deliveries(visit),
        "is_admin": visit.principal.can(Role.ADMIN),
        "database": database(),
    }
    return visit.render("dashboard/operations.html", context)


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


@page("operations", role=Role.ADMIN)
def run_now(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have one recurring work done now, besides its own times."""
    key = _key(request.POST.get("schedule", ""))
    found = Schedule.objects.visible_to(visit.principal).filter(pk=key).first() if key else None
    if found is None:
        raise NotFound
    run_schedule_now(principal=visit.principal, schedule=found)
    visit.toast(_("It is being run now; see below how it goes."))
    return redirect(visit.url("operations"))


urlpatterns = [
    path("", show_operations, name="operations"),
    path("run/", require_POST(run_now), name="operations-run"),
    path("retry/", require_POST(retry), name="operations-retry"),
]
