"""An agent at a glance: is it well, what was kept lately, what waits for somebody."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models import Func, IntegerField
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryapp.dashboard.bands import day_band
from memoryapp.dashboard.charts import Bar, bars, columns
from memoryapp.dashboard.counting import count_up_to_limit
from memoryapp.dashboard.frame import is_offline
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.tags import LOW_TRUST
from memoryapp.dashboard.trust import trust_now
from memoryapp.dashboard.work import WorkState, work_state
from memoryapp.models import Extraction, Fact, Owner
from memoryapp.wording import say

DAYS_SHOWN = 14
WEEK = timedelta(days=7)
FADING_BELOW = LOW_TRUST + 0.06
CATEGORIES_SHOWN = 5
FADING_SHOWN = 3
# More would only make the same shape more slowly.
MOST_CHARTED = 10_000


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
    facts = _facts(visit)
    work = work_state(visit.principal)
    context = {
        **_kept_lately(visit),
        "work": work,
        "offline": is_offline(visit.workspace),
        "waiting": _waiting(visit, facts, work),
        "total": count_up_to_limit(facts.current()),
        "people": count_up_to_limit(Owner.objects.visible_to(visit.principal).filter(erased_at=None)),
        "clock": f"{timezone.localtime():%H:%M}",
        **(what_is_known(facts) if "charts" in request.GET else {}),
    }
    return visit.render("dashboard/overview.html", context)


@page("overview")
def show_charts(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What is known, by trust and by category, and what is fading."""
    return visit.render("dashboard/overview.html#charts", what_is_known(_facts(visit)))


def _facts(visit: Visit) -> Any:
    return Fact.objects.visible_to(visit.principal).for_agent(visit.the_agent)


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


def what_is_known(facts: Any) -> dict[str, Any]:
    """The newest facts one can see by category and by trust, and those about to fall out of use, read in one pass."""
    read = facts.current().annotate(now=trust_now()).order_by("-pk")
    rows = list(read.values_list("pk", "category", "pinned", "now")[:MOST_CHARTED])
    fading = {
        pk: now for pk, _category, pinned, now in rows if not pinned and LOW_TRUST <= now < FADING_BELOW
    }
    first = sorted(fading, key=fading.__getitem__)[:FADING_SHOWN]
    low = sum(now < LOW_TRUST for _pk, _category, _pinned, now in rows)
    texts = dict(facts.filter(pk__in=first).values_list("pk", "text"))
    return {
        "charted": True,
        "categories": bars(_by_category(Counter(row[1] for row in rows))),
        "trust": _histogram(Counter(min(int(row[3] * 10), 9) for row in rows)),
        "fading": [(pk, texts[pk], fading[pk]) for pk in first],
        "amounts": {"all": len(rows), "fading": len(fading), "low": low},
    }


def _by_category(counts: Counter[str]) -> dict[str, int]:
    most = counts.most_common(CATEGORIES_SHOWN)
    named = {(say(name.capitalize()) or _("Without one")): count for name, count in most}
    others = counts.total() - sum(count for _name, count in most)
    return {**named, _("Others"): others} if others else named


def _histogram(tenths: Counter[int]) -> list[Bar]:
    return columns([tenths[place] for place in range(10)], [f"{place / 10:.1f}" for place in range(10)])


def _waiting(visit: Visit, facts: Any, work: WorkState) -> list[Waiting]:
    """What needs somebody: facts to review, failed work."""
    pending = count_up_to_limit(facts.filter(status=Fact.Status.PENDING).unexpired())
    rows = [
        Waiting(
            "circle-dashed",
            pending,
            ngettext("fact to review", "facts to review", pending),
            visit.url("facts") + "?status=pending",
        ),
        Waiting(
            "repeat-2",
            work.failed_this_week,
            ngettext("job failed this week", "jobs failed this week", work.failed_this_week),
            visit.url("operations") + "?state=FAILED",
        ),
    ]
    return [row for row in rows if row.number]


urlpatterns = [
    path("", show_overview, name="overview"),
    path("charts/", show_charts, name="overview-charts"),
]
