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

from memoryapp.dashboard.charts import bars
from memoryapp.dashboard.pages import Visit, page
from memoryapp.jobs import enqueue_count
from memoryapp.models import UsageDay
from tenants.models import Role

SPANS = (7, 30, 90)
DEFAULT_SPAN = 30
# How much of its day a column fills.
COLUMN = 0.76
GATES = {
    "form": gettext_lazy("Form: no statement about anybody"),
    "utility": gettext_lazy("Utility: no use next week"),
    "novelty": gettext_lazy("Novelty: known already"),
    "factual": gettext_lazy("Factual: not said like that"),
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
    span = _span(request.GET.get("days", ""))
    counted = _days(visit, span)
    days = list(counted.values())
    latest = UsageDay.objects.visible_to(visit.principal).first()
    kept, refused = sum(day.kept for day in days), _refusals(days)
    labels = [_label(day) for day in counted]
    context = {
        "span": span,
        "spans": SPANS,
        "latest": latest,
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


@page("usage", role=Role.ADMIN)
def count_now(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have the days counted now rather than at the next full hour or so."""
    enqueue_count(principal=visit.principal)
    visit.toast(_("It is being counted. Look again in a moment."))
    return redirect(visit.url("usage"))


urlpatterns = [
    path("", show_usage, name="usage"),
    path("count/", require_POST(count_now), name="usage-count"),
]
