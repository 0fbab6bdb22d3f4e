"""An agent at a glance: is it well, what was kept lately, what waits for somebody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models import Func, IntegerField
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import ngettext

from memoryapp.actions.contradictions import open_contradictions
from memoryapp.actions.reviews import pending_facts
from memoryapp.dashboard.bands import day_band
from memoryapp.dashboard.counting import count_up_to_limit
from memoryapp.dashboard.dreams.timeline import group, latest_dreams
from memoryapp.dashboard.frame import is_offline
from memoryapp.dashboard.known import current_facts, what_is_known
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.work import WorkState, work_state
from memoryapp.models import Extraction, Owner, SoulProposal
from tenants.models import Role

DAYS_SHOWN = 14
WEEK = timedelta(days=7)
DREAMS_MARKED = 12


class Waiting(NamedTuple):
    """One thing that needs somebody."""

    icon: str
    number: int
    words: str
    url: str


class JsonLength(Func):
    """How many entries a JSON list has."""

    function = "jsonb_array_length"
    output_field = IntegerField()


@page("overview")
def show_overview(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The board of one agent; its charts follow by themselves, since they read many facts."""
    work = work_state(visit.principal)
    context = {
        **_lately(visit),
        "work": work,
        "offline": is_offline(visit.workspace),
        "waiting": _waiting(visit, work),
        "may_dream": visit.principal.can(Role.MEMBER),
        "total": current_facts(visit.principal, visit.the_agent).count(),
        "people": count_up_to_limit(Owner.objects.visible_to(visit.principal).filter(erased_at=None)),
        "clock": f"{timezone.localtime():%H:%M}",
        **(what_is_known(visit.principal, visit.the_agent) if "charts" in request.GET else {}),
    }
    return visit.render("dashboard/overview.html", context)


@page("overview")
def show_charts(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What is known, by trust and by category, and what is fading."""
    return visit.render("dashboard/overview.html#charts", what_is_known(visit.principal, visit.the_agent))


def _lately(visit: Visit) -> dict[str, Any]:
    """What extraction kept and refused and what was dreamt, for the sentence, the band and the figure."""
    now = timezone.now()
    dreams = list(latest_dreams(visit)[:DREAMS_MARKED])
    due = getattr(visit.the_agent, "next_dream", None)
    rows = Extraction.objects.visible_to(visit.principal).filter(
        agent=visit.the_agent, created_at__gte=now - DAYS_SHOWN * timedelta(1)
    )
    runs = list(
        rows.annotate(kept_count=JsonLength("kept"), refused_count=JsonLength("refused")).values_list(
            "created_at", "kept_count", "refused_count"
        )
    )
    week = [run for run in runs if run[0] > now - WEEK]
    kept, refused = sum(run[1] for run in week), sum(run[2] for run in week)
    day = [run for run in runs if run[0] > now - timedelta(days=1)]
    return {
        "kept_today": sum(run[1] for run in day),
        "refused_today": sum(run[2] for run in day),
        "kept": kept,
        "refused": refused,
        "kept_share": round(100 * kept / (kept + refused)) if kept + refused else None,
        "night": next(iter(group(dreams)), None),
        "next_dream": due,
        "band": day_band(
            timezone.localtime(),
            acts=[run[0] for run in runs],
            dreams=[dream.created_at for dream in dreams],
            due=due,
        ),
    }


def _waiting(visit: Visit, work: WorkState) -> list[Waiting]:
    """What needs somebody: what the inbox holds for them, and failed work."""
    principal, agent, inbox = visit.principal, visit.the_agent, visit.url("inbox")
    pairs = open_contradictions(principal, agent).count()
    pending = count_up_to_limit(pending_facts(principal, agent))
    personas = SoulProposal.objects.visible_to(principal).filter(
        agent=agent, status=SoulProposal.Status.PENDING
    )
    proposed = personas.count() if principal.can(Role.MEMBER) else 0
    failed = work.failed_this_week
    rows = [
        Waiting("git-compare-arrows", pairs, ngettext("contradiction", "contradictions", pairs), inbox),
        Waiting(
            "circle-dashed",
            pending,
            ngettext("fact to review", "facts to review", pending),
            visit.url("facts") + "?status=pending",
        ),
        Waiting(
            "file-text",
            proposed,
            ngettext("proposal for its persona", "proposals for its persona", proposed),
            inbox,
        ),
        Waiting(
            "repeat-2",
            failed,
            ngettext("job failed this week", "jobs failed this week", failed),
            visit.url("operations") + "?state=FAILED",
        ),
    ]
    return [row for row in rows if row.number]


urlpatterns = [
    path("", show_overview, name="overview"),
    path("charts/", show_charts, name="overview-charts"),
]
