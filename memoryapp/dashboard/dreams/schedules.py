"""When the agent's recurring work runs next, in the reader's zone, and at which time of the workspace's."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from memoryapp.actions.schedules import RECURRENCES, cron_of, schedules_of, update_schedule
from memoryapp.dashboard.dreams.timeline import load_timeline
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.models import Schedule
from tenants.models import Role

WORDS = {
    "dream": (gettext_lazy("Dreaming"), gettext_lazy("Promotes what recurs and puts memory in order.")),
    "consolidation": (gettext_lazy("Consolidation"), gettext_lazy("Merges entries that say the same.")),
    "projection": (gettext_lazy("Fact projection"), gettext_lazy("Reads facts out of files.")),
    "archive": (gettext_lazy("Archive"), gettext_lazy("Packs reports older than a month.")),
}
ORDER = list(WORDS)


@dataclass(frozen=True, slots=True)
class Row:
    """One schedule as the table shows it."""

    schedule: Schedule

    @property
    def name(self) -> str:
        return str(WORDS[self.schedule.kind][0])

    @property
    def about(self) -> str:
        return str(WORDS[self.schedule.kind][1])

    @property
    def switched_off(self) -> bool:
        """Whether the whole installation has switched it off."""
        return not RECURRENCES[self.schedule.kind].enabled

    @property
    def runs(self) -> bool:
        return self.schedule.enabled and not self.switched_off

    @property
    def cron(self) -> str:
        return cron_of(self.schedule)


@page("dreams")
def show_schedule(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Every kind of recurring work of the agent."""
    rows = [row for row in schedules_of(visit.principal, visit.the_agent) if row.kind in WORDS]
    context = {
        "timeline": load_timeline(visit),
        "rows": [Row(row) for row in sorted(rows, key=lambda row: ORDER.index(row.kind))],
        "one_zone": str(visit.zone) == visit.workspace.time_zone,
        "may_dream": visit.principal.can(Role.MEMBER),
    }
    return visit.render("dashboard/dreams_schedule.html", context, crumbs=[Crumb(_("Schedule"))])


@require_POST
@page("dreams", role=Role.MEMBER)
def change(request: HttpRequest, visit: Visit, kind: str) -> HttpResponse:
    """Switch recurring work on or off, or give it a time of its own."""
    changes: dict[str, object] = {}
    if "do" in request.POST:
        changes["enabled"] = request.POST["do"] == "on"
    if "cron" in request.POST:
        changes["cron"] = request.POST["cron"]
    try:
        update_schedule(principal=visit.principal, agent=visit.the_agent, kind=kind, **changes)
    except REFUSALS as error:
        visit.complain(error)
    else:
        visit.toast(_("Saved."))
    return redirect(visit.url("dreams-schedule"))
