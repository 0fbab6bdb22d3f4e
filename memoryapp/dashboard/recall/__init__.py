"""The recall debugger: why an answer rests on this and not on that, by the search that every turn uses."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone

from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.recall.asking import Asking
from memoryapp.dashboard.recall.builder import builder_fields, builder_operators
from memoryapp.dashboard.recall.showing import Ordered, boost_titles, load_texts, missing_texts, show_search
from memoryapp.dashboard.recall.why_not import explain_absence, find_facts, reading_of
from memoryapp.dashboard.whose import Subject, subject_of, subjects
from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Message
from memoryapp.retrieval.filters import parse_filter
from memoryapp.retrieval.search import search_memories
from memoryapp.retrieval.sources import SOURCES
from tenants.scoping import workspace_scope

SAMPLES = 3


@page("recall", scoped=False)
def show_recall(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The form, and with a question what the search found, why, and how long each step took. Nothing is stored."""
    asking = Asking.from_query(request.GET)
    subject = subject_of(visit, asking.whose)
    told = _search(visit, subject, asking)
    context = {
        "asking": asking,
        "subject": subject,
        "subjects": subjects(visit),
        "sources": [(name, name in asking.sources) for name in SOURCES],
        "fields": builder_fields(),
        "operators": builder_operators(),
        "boost_titles": boost_titles(),
        "samples": [] if asking.q else _samples(visit, subject),
        **told,
    }
    return visit.render("dashboard/recall.html", context, status=400 if asking.errors else 200)


def _search(visit: Visit, subject: Subject, asking: Asking) -> dict[str, Any]:
    """What the search says; nothing, with the refusal at its place, for what the engine refuses."""
    try:
        if not asking.is_ready:
            parse_filter(asking.filter)
            return {}
        found = search_memories(
            asking.q,
            principal=subject.principal,
            agent=visit.the_agent,
            filters=asking.filter,
            top_k=asking.limit,
            sources=asking.sources,
            explain=True,
            reference_date=asking.at,
        )
    except ValidationFailed as error:
        asking.refuse(error)
        return {}
    if found.trace is None:
        return {"is_blank": True}
    ordered = Ordered(found.trace)
    with workspace_scope(visit.workspace):
        texts = load_texts(found, missing_texts(found, ordered))
        lit = _lit(visit, subject, asking)
        shown = show_search(found, ordered, texts, least=asking.least, lit=lit)
        why = None
        if asking.why:
            moment = asking.at or timezone.now()
            reading = reading_of(subject.principal, visit.the_agent, asking.filter, moment)
            why = explain_absence(asking.why, reading, asking.filter, ordered, shown, asking.limit)
    return {"shown": shown, "why": why, "why_base": _why_base(visit)}


def _lit(visit: Visit, subject: Subject, asking: Asking) -> str:
    """The fact asked about, to be marked wherever it stands."""
    if not asking.why:
        return ""
    facts = find_facts(subject.principal, visit.the_agent, asking.why)
    return str(facts[0].pk) if len(facts) == 1 else ""


def _why_base(visit: Visit) -> str:
    """The address as it stands, ready for the fact somebody asks about."""
    kept = [(name, value) for name, values in visit.request.GET.lists() for value in values if name != "why"]
    return f"?{urlencode(kept)}&why="


def _samples(visit: Visit, subject: Subject) -> list[str]:
    """What the person lately asked the agent, as questions to begin with."""
    with workspace_scope(visit.workspace):
        rows = Message.objects.owned_by(subject.principal).filter(
            Q(text__contains="?") | Q(text__contains="？"), agent=visit.the_agent, role=Message.Role.USER
        )
        texts = rows.order_by("-said_at").values_list("text", flat=True)[: 4 * SAMPLES]
        return list(dict.fromkeys(text for text in texts if len(text) <= 120))[:SAMPLES]


urlpatterns = [path("", show_recall, name="recall")]
