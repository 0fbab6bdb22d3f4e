"""One night: its counts, every change with its diff, where it came from, what was only considered, and the diary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRefresh

from memoryapp.actions.dreams import load_dream
from memoryapp.dashboard.dreams.timeline import KIND_WORDS, Night, group, load_timeline
from memoryapp.dashboard.frame import Crumb, is_offline
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.provenance import Trace, Traced, trace_lines
from memoryapp.exceptions import NotFound
from memoryapp.models import Dream, DreamEntry, Event
from tenants.models import Role
from tenants.scoping import Scope

CHANGES_SHOWN = 100
MISSES_SHOWN = 40
OPERATIONS = {
    "add": ("add", "plus", gettext_lazy("Added")),
    "merge": ("merge", "git-merge", gettext_lazy("Merged")),
    "supersede": ("supersede", "arrow-right", gettext_lazy("Superseded")),
    "drop": ("drop", "minus", gettext_lazy("Dropped")),
    "keep": ("", "equal", gettext_lazy("Kept as it was")),
}
GATES = {
    "outdated": gettext_lazy("Corrected since"),
    "contradicted": gettext_lazy("Contradicted by something newer"),
    "reverted": gettext_lazy("Taken back before"),
    "known": gettext_lazy("Known already"),
    "standing": gettext_lazy("In every prompt already"),
    "recalls": gettext_lazy("Too few recalls"),
    "queries": gettext_lazy("Too few different questions"),
    "age": gettext_lazy("Too old"),
    "score": gettext_lazy("Score too low"),
    "limit": gettext_lazy("Over the night’s limit"),
    "person": gettext_lazy("A person’s own section"),
}
PARTS = {
    "frequency": gettext_lazy("Frequency"),
    "recency": gettext_lazy("Recency"),
    "diversity": gettext_lazy("Diversity of questions"),
    "freshness": gettext_lazy("Freshness"),
    "velocity": gettext_lazy("Velocity"),
}
COUNTS = (
    ("promoted", "add", "plus", gettext_lazy("added")),
    ("merged", "merge", "git-merge", gettext_lazy("merged")),
    ("superseded", "supersede", "arrow-right", gettext_lazy("superseded")),
    ("dropped", "drop", "minus", gettext_lazy("dropped")),
    ("kept", "", "equal", gettext_lazy("kept as they were")),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry as the report shows it."""

    entry: DreamEntry
    trace: Trace
    own: bool
    may_change: bool

    @property
    def operation(self) -> tuple[str, str, Any]:
        return OPERATIONS[self.entry.operation]

    @property
    def gate(self) -> str:
        return gate_words(self.entry.gate)

    @property
    def place(self) -> str:
        """The file and the section, as people call them."""
        heading = self.entry.heading.lstrip("# ").strip()
        return f"{self.entry.path} › {heading}" if heading else self.entry.path

    @property
    def can_be_reverted(self) -> bool:
        dream = self.entry.dream
        applied = dream.status == Dream.Status.SUCCEEDED and not dream.dry_run
        return (
            self.may_change and applied and self.entry.reverted_at is None and self.entry.operation != "keep"
        )

    @property
    def parts(self) -> list[tuple[str, float]]:
        return part_rows(self.entry.score_parts)


def gate_words(gate: str) -> str:
    """What a gate is called on a page."""
    return str(GATES.get(gate, gate.replace("_", " ").capitalize()))


def part_rows(parts: dict[str, float]) -> list[tuple[str, float]]:
    """The parts of a score by name, in the order of their weight."""
    return [(str(word), parts[name]) for name, word in PARTS.items() if name in parts]


@page("dreams")
def show_dreams(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The timeline with the latest night open."""
    timeline = load_timeline(visit)
    night = next((night for night in timeline.nights if not night.first.dry_run), None)
    return _show(visit, timeline, night, listed=True)


@page("dreams")
def show_report(request: HttpRequest, visit: Visit, dream_id: UUID) -> HttpResponse:
    """The night that a dream belongs to."""
    dream = load_dream(visit.principal, visit.the_agent, dream_id)
    same = Dream.objects.visible_to(visit.principal).filter(agent=visit.the_agent, kind=dream.kind)
    dreams = list(same.filter(slot=dream.slot)) if dream.slot else [dream]
    return _show(visit, load_timeline(visit), group(dreams)[0])


def _show(visit: Visit, timeline: Any, night: Night | None, *, listed: bool = False) -> HttpResponse:
    entries = _entries(visit, night) if night else []
    context = {
        "timeline": timeline,
        "night": night,
        "listed": listed,
        "kind": KIND_WORDS[night.first.kind] if night else "",
        "counts": _counts(night) if night else [],
        "changes": [shown for shown in entries if shown.entry.operation != "keep"],
        "misses": [shown for shown in entries if shown.entry.operation == "keep"],
        "quiet_because": _quiet_because(night),
        "threshold": settings.MEMORY_EMERGENCE_SCORE_THRESHOLD,
        "offline": is_offline(visit.workspace),
        "may_dream": visit.principal.can(Role.MEMBER),
        "page_shortcuts": SHORTCUTS,
        **running_job(visit),
    }
    crumbs = [Crumb(night.title)] if night and not listed else []
    return visit.render("dashboard/dreams.html", context, crumbs=crumbs)


SHORTCUTS = ((("[", "]"), gettext_lazy("older, newer night")),)


def _counts(night: Night) -> list[tuple[int, str, str, Any]]:
    counts = night.counts
    return [(counts[name], kind, icon, word) for name, kind, icon, word in COUNTS if counts[name]]


def _quiet_because(night: Night | None) -> str:
    """Why nothing was changed: of the memory that was looked at, else of the one that had nothing to look at."""
    reasons = [dream.reason for dream in night.dreams if dream.reason] if night else []
    return reasons[0] if reasons else _("Nothing passed every gate.")


def _entries(visit: Visit, night: Night) -> list[Shown]:
    """The changes of a night's dreams in their order, one's own first, then what was only considered."""
    rows = (
        DreamEntry.objects.visible_to(visit.principal).filter(dream__in=night.dreams).select_related("dream")
    )
    changes = list(rows.exclude(operation="keep").order_by("position")[:CHANGES_SHOWN])
    kept = list(rows.filter(operation="keep").exclude(gate="").order_by("-score", "position")[:MISSES_SHOWN])
    entries = [*sorted(changes, key=lambda entry: entry.scope != Scope.PERSONAL), *kept]
    return _shown(visit, entries)


def _shown(visit: Visit, entries: Sequence[DreamEntry]) -> list[Shown]:
    traces = trace_lines(visit.principal, visit.the_agent, [Traced.of_entry(entry) for entry in entries])
    member = visit.principal.can(Role.MEMBER)
    return [
        Shown(entry, trace, entry.scope == Scope.PERSONAL, member or entry.scope == Scope.PERSONAL)
        for entry, trace in zip(entries, traces, strict=True)
    ]


def running_job(visit: Visit) -> dict[str, Any]:
    """The dream by hand that somebody is waiting for, if the address names one."""
    try:
        key = UUID(visit.request.GET.get("job", ""))
    except ValueError:
        return {"job": None}
    return _progress(visit, key)


def _progress(visit: Visit, event_id: UUID) -> dict[str, Any]:
    event = Event.objects.visible_to(visit.principal).filter(pk=event_id).first()
    if event is None:
        return {"job": None}
    done = (
        Dream.objects.visible_to(visit.principal).filter(event_id=event.pk).exclude(finished_at=None).count()
    )
    reports = event.result.get("reports", []) if isinstance(event.result, dict) else []
    return {
        "job": event,
        "job_open": event.status in (Event.Status.PENDING, Event.Status.RUNNING),
        "job_done": done,
        "job_total": len(event.payload.get("owners", [])) or 1,
        "job_reports": [report for report in reports if report.get("dreamId")],
        "job_reasons": list(dict.fromkeys(report["reason"] for report in reports if report.get("reason"))),
        "job_dry": bool(event.payload.get("dryRun")),
    }


@page("dreams")
def show_progress(request: HttpRequest, visit: Visit, event_id: UUID) -> HttpResponse:
    """How far a dream by hand has come; the page is drawn anew when it is over."""
    progress = _progress(visit, event_id)
    if progress["job"] is None:
        raise NotFound
    if not progress["job_open"] and visit.htmx:
        return HttpResponseClientRefresh()
    return visit.render("dashboard/dreams.html#progress", progress)
