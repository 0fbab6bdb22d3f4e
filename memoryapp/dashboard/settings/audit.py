"""The audit log: what was done by whom, narrowed down and paged."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.dashboard.actors import name_of_key, say_actor
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.settings.deeds import DEEDS
from tenants.models import AuditEvent, Membership, Role

PAGE_SIZE = 50
# What an action is about, by the beginnings of the actions' names.
SUBJECTS = {
    "access": (gettext_lazy("People and tokens"), ("member.", "token.")),
    "account": (gettext_lazy("Sign-in of members"), ("password.", "two_step.")),
    "settings": (gettext_lazy("Workspace and agents"), ("workspace.", "agent.", "schedule.", "webhook.")),
    "memory": (
        gettext_lazy("Memory"),
        ("fact.", "facts.", "file.", "dream.", "contradiction.", "soul."),
    ),
    "owners": (gettext_lazy("Other people’s memory"), ("owner.", "memory.")),
    "copies": (gettext_lazy("Snapshots and backups"), ("snapshot.", "backup.")),
}


class Entry(NamedTuple):
    """One line of the log."""

    event: AuditEvent
    deed: str
    target: str
    who: str
    detail: str


@page("settings", role=Role.ADMIN)
def show_audit(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What was done, latest first, by subject, by member, by what it was done to."""
    members = Membership.objects.filter(workspace=visit.workspace).select_related("user")
    names = {f"user:{member.user_id}": member.user.get_username() for member in members}
    subject, who = request.GET.get("about", ""), request.GET.get("who", "")
    query = request.GET.get("q", "").strip()[:120]
    events = _narrowed(AuditEvent.objects.filter(workspace=visit.workspace), subject, who, query)
    rows = list(_older(events, request.GET.get("before", "")).order_by("-at", "-pk")[: PAGE_SIZE + 1])
    context = {
        "rows": [_entry(row, names) for row in rows[:PAGE_SIZE]],
        "older": rows[PAGE_SIZE - 1].pk if len(rows) > PAGE_SIZE else "",
        "subjects": [(key, words) for key, (words, _beginnings) in SUBJECTS.items()],
        "subject": subject if subject in SUBJECTS else "",
        "members": sorted(names.items(), key=lambda pair: pair[1]),
        "who": who if who in names else "",
        "query": query,
        "narrowed": bool(query or subject in SUBJECTS or who in names),
    }
    return visit.render("dashboard/settings_audit.html", context, crumbs=[Crumb(_("Audit log"))])


def _entry(row: AuditEvent, names: dict[str, str]) -> Entry:
    who = say_actor(row.actor, names)
    return Entry(
        row, str(DEEDS.get(row.action, row.action)), _target(row.target, names), who, _detail(row.detail)
    )


def _target(target: str, names: dict[str, str]) -> str:
    """What it was done to, people by their names; what only has a key is told by the deed."""
    try:
        UUID(target)
    except ValueError:
        return name_of_key(target, names)
    return ""


def _narrowed(events: QuerySet[AuditEvent], subject: str, who: str, query: str) -> QuerySet[AuditEvent]:
    if subject in SUBJECTS:
        wanted = Q()
        for beginning in SUBJECTS[subject][1]:
            wanted |= Q(action__startswith=beginning)
        events = events.filter(wanted)
    if who:
        events = events.filter(Q(actor=who) | Q(actor__startswith=f"{who} as "))
    if query:
        events = events.filter(Q(action__icontains=query) | Q(target__icontains=query))
    return events


def _older(events: QuerySet[AuditEvent], before: str) -> QuerySet[AuditEvent]:
    """What is older than the entry of that key; everything when there is none."""
    try:
        last = events.model.objects.filter(pk=UUID(before)).values_list("at", "pk").first()
    except ValueError:
        last = None
    if last is None:
        return events
    return events.filter(Q(at__lt=last[0]) | Q(at=last[0], pk__lt=last[1]))


def _detail(detail: dict[str, Any]) -> str:
    """What else is noted, on a line."""
    return ", ".join(
        f"{name}: {_told(value)}" for name, value in detail.items() if value not in ("", [], None)
    )


def _told(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return " ".join(value)
    return json.dumps(value, ensure_ascii=False)
