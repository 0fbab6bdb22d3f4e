"""What a workspace used: tokens, calls, what was kept and refused, what is stored; from rows that a job counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRefresh

from memoryapp.dashboard.charts import bars
from memoryapp.dashboard.frame import is_offline
from memoryapp.dashboard.pages import Visit, page
from memoryapp.jobs import enqueue_count
from memoryapp.lifecycle.usage import something_happened_since
from memoryapp.models import UsageDay
from tenants.models import Role
from tenants.scoping import workspace_scope

SPANS = (7, 30, 90)
DEFAULT_SPAN = 30
# Younger figures are shown as they are; older ones are counted anew when somebody looks.
FRESH = timedelta(minutes=2)
# How often a page asks whether its count is done, two seconds apart.
MOST_ASKED = 15
# How much of its day a column fills.
COLUMN = 0.76
GATES = {
    "form": gettext_lazy("Form: no statement about anybody"),
    "utility": gettext_lazy("Utility: no use next week"),
    "novelty": gettext_lazy("Novelty: known already"),
    "factual": gettext_lazy("Factual: not what was said"),
    "safe": gettext_lazy("Safe: a credential or an order"),
    "reply": gettext_lazy("Reply: the model’s answer could not be read"),
}


class Task(NamedTuple):
    """One thing that models are called for, as the table shows it."""

    name: str
    calls: int
    tokens: int


class DayColumn(NamedTuple):
    """One day of a chart, in per cent: a filled column, and on top of it an outlined one."""

    start: float
    filled: float
    outlined: float
    title: str


@page("usage", role=Role.ADMIN)
def show_usage(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Figures, two charts and the tables behind them, for the last days."""
    latest = UsageDay.objects.visible_to(visit.principal).first()
    if visit.htmx.target == "counting":
        return _show_counting(visit, latest)
    span = _span(request.GET.get("days", ""))
    counted = _days(visit, span)
    days = list(counted.values())
    kept, refused = sum(day.kept for day in days), _refusals(days)
    labels = [_label(day) for day in counted]
    context = {
        "span": span,
        "spans": SPANS,
        "latest": latest,
        "stale": _is_stale(visit, latest),
        "offline": is_offline(visit.workspace),
        "tokens": sum(day.tokens for day in days),
        "calls": sum(day.calls for day in days),
        "said": sum(day.messages for day in days),
        "kept": kept,
        "refused": refused.total(),
        "junk": round(100 * refused.total() / (kept + refused.total())) if kept + refused.total() else None,
        "tasks": _tasks(days),
        "gates": bars({str(GATES.get(gate, gate.capitalize())): count for gate, count in refused.items()}),
        "width": round(COLUMN * 100 / span, 2),
        "token_columns": _columns(
            [(day.tokens, 0) for day in days],
            [f"{label}: {day.tokens:,}" for label, day in zip(labels, days, strict=True)],
        ),
        "candidate_columns": _columns(
            [(day.kept, day.refusals) for day in days],
            [f"{label}: {day.kept:,} + {day.refusals:,}" for label, day in zip(labels, days, strict=True)],
        ),
        "most_tokens": max(day.tokens for day in days),
        "most_candidates": max(day.kept + day.refusals for day in days),
        "first": labels[0],
        "last": labels[-1],
        "days": list(zip(reversed(labels), reversed(days), strict=True)),
    }
    return visit.render("dashboard/usage.html", context)


def _span(given: str) -> int:
    return int(given) if given in {str(span) for span in SPANS} else DEFAULT_SPAN


def _days(visit: Visit, span: int) -> dict[date, UsageDay]:
    """One row for each of the last days, first to last; an empty one where nothing was counted."""
    today = timezone.now().astimezone(visit.workspace.zone).date()
    first = today - timedelta(days=span - 1)
    rows = UsageDay.objects.visible_to(visit.principal).filter(day__gte=first)
    known = {row.day: row for row in rows}
    wanted = [first + timedelta(days=number) for number in range(span)]
    return {day: known.get(day) or UsageDay(day=day) for day in wanted}


def _label(day: date) -> str:
    return date_format(day, pgettext("date", "j M"))


def _refusals(days: Sequence[UsageDay]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for day in days:
        counts.update(day.refused)
    return counts


def _tasks(days: Sequence[UsageDay]) -> list[Task]:
    def total(name: str) -> int:
        return sum(getattr(day, name) for day in days)

    return [
        Task(_("Answers in conversations"), total("answers"), total("answer_tokens")),
        Task(_("Readings of conversations"), total("readings"), total("reading_tokens")),
        Task(_("Dreams"), total("dreams"), total("dream_tokens")),
    ]


def _columns(values: Sequence[tuple[int, int]], titles: Sequence[str]) -> list[DayColumn]:
    """The columns of both charts, on a scale of their own that starts at zero."""
    most = max((filled + outlined for filled, outlined in values), default=0) or 1
    width = 100 / len(values)
    return [
        DayColumn(
            round(number * width, 2), round(100 * filled / most, 1), round(100 * outlined / most, 1), title
        )
        for number, ((filled, outlined), title) in enumerate(zip(values, titles, strict=True))
    ]


def _is_stale(visit: Visit, latest: UsageDay | None) -> bool:
    """Whether something happened that the figures do not hold."""
    if latest is None:
        return True
    return timezone.now() - latest.counted_at > FRESH and something_happened_since(
        visit.workspace, latest.counted_at
    )


def _show_counting(visit: Visit, latest: UsageDay | None) -> HttpResponse:
    """What stands in for the time of the count until it is there; then the page is drawn anew."""
    since, asked = visit.request.GET.get("since", ""), visit.request.GET.get("asked", "")
    if latest is not None and str(latest.counted_at.timestamp()) != since:
        return HttpResponseClientRefresh()
    number = int(asked) + 1 if asked.isdecimal() else MOST_ASKED
    return _counting(visit, since, number)


def _counting(visit: Visit, since: str, asked: int) -> HttpResponse:
    context = {"since": since, "asked": asked, "given_up": asked >= MOST_ASKED}
    return visit.render("dashboard/usage.html#counting", context)


@page("usage", role=Role.ADMIN)
def count_now(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have the days counted now rather than at the next full hour or so."""
    enqueue_count(principal=visit.principal)
    if visit.htmx:
        with workspace_scope(visit.workspace):
            latest = UsageDay.objects.visible_to(visit.principal).first()
        return _counting(visit, str(latest.counted_at.timestamp()) if latest else "", 0)
    visit.toast(_("It is being counted. Look again in a moment."))
    return redirect(visit.url("usage"))


urlpatterns = [
    path("", show_usage, name="usage"),
    path("count/", require_POST(count_now), name="usage-count"),
]
