"""Additions that are being read, as the events by which mem0's clients follow them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.finding import read_id
from memoryapp.compat.mem0.listing import read_paging
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.lifecycle.timing import EXTRACTION
from memoryapp.models import Event, Extraction, Fact
from tenants.owners import end_user_of
from tenants.principals import Principal
from tenants.scoping import workspace_scope

NAMES: Final = {"add": "ADD", "update": "UPDATE", "delete": "DELETE", "none": "NONE"}


def events_of(principal: Principal) -> QuerySet[Event]:
    """The readings that the principal sees."""
    return Event.objects.visible_to(principal).filter(kind=EXTRACTION)


class EventsView(Mem0View):
    def get(self, request: Request) -> Response:
        events = events_of(self.principal).order_by("-created_at")
        status = self.query.get("status")
        if status is not None:
            if status.upper() not in Event.Status.values:
                raise ValidationFailed.of("status", f"status is one of {', '.join(Event.Status.values)}.")
            events = events.filter(status=status.upper())
        page = read_paging(self.query).of(request, events, events.count())
        return Response({**page, "results": describe(self.principal, page["results"])})


class EventView(Mem0View):
    def get(self, request: Request, event_id: str) -> Response:
        event = events_of(self.principal).filter(pk=read_id(event_id, "event_id")).first()
        if event is None:
            raise NotFound
        return Response(describe(self.principal, [event])[0])


def describe(principal: Principal, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Events with the memories they made."""
    with workspace_scope(principal.workspace):
        readings = Extraction.objects.visible_to(principal).filter(event_id__in=[each.pk for each in events])
        kept: dict[Any, list[dict[str, Any]]] = {each.event_id: each.kept for each in readings}
        ids = {entry["factId"] for entries in kept.values() for entry in entries}
        rows = Fact.objects.visible_to(principal).exclude(status=Fact.Status.FORGOTTEN).filter(pk__in=ids)
        facts = {fact.pk: fact for fact in rows}
    return [_described(event, kept.get(event.pk, []), facts) for event in events]


def _described(event: Event, kept: list[dict[str, Any]], facts: dict[UUID, Fact]) -> dict[str, Any]:
    results = [_result(entry, facts.get(UUID(entry["factId"]))) for entry in kept]
    return {
        "id": str(event.pk),
        "event_type": "ADD",
        "status": event.status,
        "payload": {"user_id": end_user_of(event.owner_key)},
        "metadata": {"attempts": event.attempts, "retried_as": event.result.get("retriedAs")},
        "results": [result for result in results if result["event"] != "NONE"],
        "created_at": event.created_at.isoformat(),
        "updated_at": (event.finished_at or event.started_at or event.created_at).isoformat(),
        "started_at": _iso(event.started_at),
        "completed_at": _iso(event.finished_at),
        "latency": _milliseconds(event),
        "graph_status": None,
        "error": event.reason or None if event.status == Event.Status.FAILED else None,
    }


def _result(entry: dict[str, Any], fact: Fact | None) -> dict[str, Any]:
    text = fact.text if fact is not None else ""
    return {
        "id": entry["factId"],
        "event": NAMES.get(str(entry["op"]).lower(), "NONE"),
        "memory": text,
        "data": {"memory": text},
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _milliseconds(event: Event) -> float:
    """From the request to the end; 0 while it lasts, since clients format a number."""
    if event.finished_at is None:
        return 0.0
    return round((event.finished_at - event.created_at).total_seconds() * 1000, 1)
