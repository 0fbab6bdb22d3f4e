"""A month that was archived, as its reports were."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

from memoryapp.actions.forget_texts import unpacked
from memoryapp.dashboard.dreams.reports import OPERATIONS, gate_words
from memoryapp.dashboard.dreams.timeline import KIND_WORDS, load_timeline
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import DreamArchive
from tenants.models import Role

SHOWN = 100


@page("dreams")
def show_archive(request: HttpRequest, visit: Visit, month: str) -> HttpResponse:
    """The reports of a month, the newest first."""
    archives = DreamArchive.objects.visible_to(visit.principal).filter(agent=visit.the_agent, month=month)
    reports = [_report(report, archive.scope) for archive in archives for report in unpacked(archive.packed)]
    if not reports:
        raise NotFound
    context = {
        "timeline": load_timeline(visit),
        "month": month,
        "reports": sorted(reports, key=lambda report: report["at"], reverse=True)[:SHOWN],
        "may_dream": visit.principal.can(Role.MEMBER),
    }
    return visit.render("dashboard/dreams_archive.html", context, crumbs=[Crumb(month)])


def _report(report: dict[str, Any], scope: str) -> dict[str, Any]:
    entries = [
        {
            **entry,
            "look": OPERATIONS[entry["operation"]],
            "stopped": gate_words(entry["gate"]) if entry["gate"] else "",
        }
        for entry in report.get("entries", [])
    ]
    return {
        "at": datetime.fromisoformat(report["startedAt"]),
        "kind": KIND_WORDS.get(report["kind"], report["kind"]),
        "scope": scope,
        "topic": report.get("topic", ""),
        "reason": report.get("reason", ""),
        "failed": report.get("status") == "failed",
        "changes": [entry for entry in entries if entry["operation"] != "keep"],
        "misses": [entry for entry in entries if entry["operation"] == "keep"],
    }
