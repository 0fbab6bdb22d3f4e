"""An agent at a glance: is it well, what was kept lately, what waits for somebody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models import Count, F, Func, IntegerField
from django.db.models.functions import TruncDate
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryapp.dashboard.bands import day_band
from memoryapp.dashboard.charts import bars, columns, spark
from memoryapp.dashboard.frame import is_offline
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.tags import LOW_TRUST
from memoryapp.dashboard.trust import trust_now
from memoryapp.dashboard.work import WorkState, work_state
from memoryapp.models import Contradiction, Extraction, Fact, Owner

DAYS_SHOWN = 14
WEEK = timedelta(days=7)
FADING_BELOW = LOW_TRUST + 0.06
CATEGORIES_SHOWN = 5


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
    """The board of one agent."""
    facts = Fact.objects.visible_to(visit.principal).for_agent(visit.the_agent)
    work = work_state(visit.principal)
    context = {
        **_kept_lately(visit),
        **_what_is_known(facts),
        "work": work,
        "offline": is_offline(visit.workspace),
        "waiting": _waiting(visit, facts, work),
        "people": Owner.objects.visible_to(visit.principal).filter(erased_at=None).count(),
        "clock": f"{timezone.localtime():%H:%M}",
    }
    return visit.render("dashboard/overview.html", context)


def _kept_lately(visit: Visit) -> dict[str, Any]:
    """What extraction kept and refused, for the sentence, the band and the figure."""
    now = timezone.now()
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
        "band": day_band(timezone.localtime(), acts=[run[0] for run in runs]),
    }


def _what_is_known(facts: Any) -> dict[str, Any]:
    """Counts of the facts one can see: by category, by trust, by day."""
    current = facts.current()
    by_category: dict[str, int] = dict(current.values_list("category").annotate(n=Count("pk")).order_by("-n"))
    total = sum(by_category.values())
    shown = dict(list(by_category.items())[:CATEGORIES_SHOWN])
    named = {(name.capitalize() or _("Without one")): count for name, count in shown.items()}
    if total > sum(shown.values()):
        named[_("Others")] = total - sum(shown.values())
    start = timezone.now() - timedelta(days=DAYS_SHOWN)
    daily = dict(
        current.filter(created_at__gte=start)
        .annotate(day=TruncDate("created_at"))
        .values_list("day")
        .annotate(n=Count("pk"))
    )
    new = [
        daily.get((timezone.localtime() - timedelta(days=ago)).date(), 0)
        for ago in range(DAYS_SHOWN - 1, -1, -1)
    ]
    growth = [total - sum(new[i + 1 :]) for i in range(len(new))]
    trusted = current.annotate(now=trust_now())
    histogram = _histogram(trusted)
    return {
        "total": total,
        "new_in_week": sum(new[-7:]),
        "growth": spark(growth),
        "categories": bars(named),
        "trust": histogram,
        "fading": list(
            trusted.filter(pinned=False, now__gte=LOW_TRUST, now__lt=FADING_BELOW).order_by("now")[:3]
        ),
    }


def _histogram(trusted: Any) -> Any:
    tenths = trusted.annotate(
        tenth=Func(F("now"), 0.0, 1.0, 10, function="width_bucket", output_field=IntegerField())
    )
    counts: dict[int, int] = {}
    for tenth, count in tenths.values_list("tenth").annotate(n=Count("pk")):
        counts[min(tenth, 10)] = counts.get(min(tenth, 10), 0) + count
    return columns([counts.get(i, 0) for i in range(1, 11)], [f"{(i - 1) / 10:.1f}" for i in range(1, 11)])


def _waiting(visit: Visit, facts: Any, work: WorkState) -> list[Waiting]:
    """What needs somebody: facts to review, contradictions, failed work."""
    contradictions = Contradiction.objects.visible_to(visit.principal).filter(
        agent=visit.the_agent, resolution=Contradiction.Resolution.OPEN
    )
    open_pairs, pending = contradictions.count(), facts.filter(status=Fact.Status.PENDING).count()
    rows = [
        (
            "git-compare-arrows",
            open_pairs,
            ngettext("contradiction", "contradictions", open_pairs),
            visit.url("facts"),
        ),
        (
            "circle-dashed",
            pending,
            ngettext("fact to review", "facts to review", pending),
            visit.url("facts") + "?status=pending",
        ),
        (
            "repeat-2",
            work.failed_this_week,
            ngettext("job failed this week", "jobs failed this week", work.failed_this_week),
            visit.url("operations") + "?state=FAILED",
        ),
    ]
    return [Waiting(*row) for row in rows if row[1]]


urlpatterns = [path("", show_overview, name="overview")]
