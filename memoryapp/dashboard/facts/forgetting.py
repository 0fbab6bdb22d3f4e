"""Forgetting from the list: asked first, done everywhere, with a receipt and ten minutes to take it back."""

from __future__ import annotations

from itertools import groupby
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryapp.actions.fact_lifecycle import pin_fact
from memoryapp.actions.facts import load_fact
from memoryapp.actions.forget import foresee_forgetting, forget_facts, load_forgetting, undo_forget
from memoryapp.dashboard.facts.changes import back_to_list
from memoryapp.dashboard.facts.listing import visible_facts
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import Fact, FactRevision, FactSource, Forgetting
from tenants.scoping import workspace_scope

LONGEST_SELECTION = 200


@page("facts")
def forget(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """Ask, then forget one fact."""
    fact = load_fact(visit.principal, visit.the_agent, fact_id)
    if request.method == "POST":
        return _forget(visit, [fact])
    return _ask(visit, [fact], visit.url("facts-forget", fact.pk))


@page("facts")
def do_to_selected(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Pin, let go or forget the selected facts; forgetting asks first."""
    facts = _selected(visit)
    if not facts:
        return back_to_list(visit)
    wanted = request.POST.get("do")
    if wanted == "forget":
        sure = request.POST.get("sure") == "1"
        return _forget(visit, facts) if sure else _ask(visit, facts, visit.url("facts-selected"))
    for fact in facts:
        pin_fact(principal=visit.principal, fact=fact, pinned=wanted == "pin")
    return back_to_list(visit)


def _selected(visit: Visit) -> list[Fact]:
    """The facts that a form names, as far as the visitor may see them."""
    ids = [value for value in visit.request.POST.getlist("fact")[:LONGEST_SELECTION] if _is_uuid(value)]
    with workspace_scope(visit.workspace):
        return list(visible_facts(visit).exclude(status=Fact.Status.FORGOTTEN).filter(pk__in=ids))


def _is_uuid(value: str) -> bool:
    try:
        UUID(value)
    except ValueError:
        return False
    return True


def _ask(visit: Visit, facts: list[Fact], action: str, places: dict[str, int] | None = None) -> HttpResponse:
    """What forgetting these would remove, as a dialog or as a page."""
    with workspace_scope(visit.workspace):
        revisions = FactRevision.objects.visible_to(visit.principal).filter(fact__in=facts).count()
        sources = FactSource.objects.visible_to(visit.principal).filter(fact__in=facts).count()
    context = {
        "facts": facts,
        "revisions": revisions,
        "sources": sources,
        "action": action,
        "places": places,
        "next": visit.request.POST.get("next") or visit.request.GET.get("next", "") or visit.url("facts"),
    }
    part = "#dialog" if visit.htmx else ""
    return visit.render(f"dashboard/fact_forget.html{part}", context)


@page("facts")
def foresee(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What forgetting these would remove and where, as the part of the question that comes after it, or with it."""
    facts = _selected(visit)
    if not facts:
        raise NotFound
    places = foresee_forgetting(principal=visit.principal, facts=facts)
    if visit.htmx:
        return visit.render("dashboard/fact_forget.html#places", {"places": places})
    return _ask(visit, facts, visit.url("facts-selected"), places=places)


def _forget(visit: Visit, facts: list[Fact]) -> HttpResponse:
    """One act for each bucket of memory, since a receipt belongs to one."""
    acts: list[Forgetting] = []
    facts.sort(key=_bucket)
    try:
        for _key, bucket in groupby(facts, key=_bucket):
            acts.append(forget_facts(principal=visit.principal, facts=list(bucket)))
    except REFUSALS as error:
        visit.complain(error)
    if acts:
        undo = urlencode([("fact", act.fact_ids[0]) for act in acts])
        visit.toast(_receipt(acts), undo=f"{visit.url('facts-remember')}?{undo}")
    return back_to_list(visit)


def _bucket(fact: Fact) -> tuple[str, str]:
    return fact.scope, fact.owner_key


def _receipt(acts: list[Forgetting]) -> str:
    facts = sum(len(act.fact_ids) for act in acts)
    places = sum(len(act.places) for act in acts)
    said = ngettext("%(count)d fact forgotten", "%(count)d facts forgotten", facts) % {"count": facts}
    where = ngettext("in %(count)d kind of place", "in %(count)d kinds of places", places) % {"count": places}
    return _("%(said)s %(where)s. You can take it back for 10 minutes.") % {"said": said, "where": where}


@page("facts")
def remember(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Take an act of forgetting back while its window is open."""
    try:
        for fact_id in request.GET.getlist("fact"):
            act = load_forgetting(visit.principal, visit.the_agent, fact_id)
            undo_forget(principal=visit.principal, forgetting=act)
    except REFUSALS as error:
        visit.complain(error)
    else:
        visit.toast(_("Everything is back where it was."))
    return redirect(visit.url("facts"))
