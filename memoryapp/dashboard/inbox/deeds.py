"""Deciding what waits; every decision can be taken back from the toast, and the next one comes by itself."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memoryapp.actions.contradictions import load_contradiction, resolve_contradiction, undo_resolution
from memoryapp.actions.reviews import load_reviewed, review_fact, review_facts
from memoryapp.actions.soul import accept_proposal, decline_proposal, load_proposal
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from tenants.models import Role

RESOLVED = {
    "KEEP_A": gettext_lazy("A stays, B has ended. Nothing was deleted."),
    "KEEP_B": gettext_lazy("B stays, A has ended. Nothing was deleted."),
    "MERGE": gettext_lazy("Both are one fact now; their sources were kept."),
    "IGNORE": gettext_lazy("Both stay. They will not be compared again."),
}
REVIEWED = {
    "approve": gettext_lazy("Approved. It counts from now on."),
    "decline": gettext_lazy("Declined. It will not be proposed again."),
    "edit": gettext_lazy("Saved. It still waits."),
    "undo": gettext_lazy("It is waiting for review again."),
}
UNDOABLE = ("approve", "decline")


@page("inbox")
def resolve(request: HttpRequest, visit: Visit, pair_id: UUID) -> HttpResponse:
    """Decide a pair of facts."""
    pair = load_contradiction(visit.principal, visit.the_agent, pair_id)
    wanted = request.POST.get("do", "")
    text = request.POST.get("text", "") if wanted == "MERGE" else ""
    try:
        resolve_contradiction(principal=visit.principal, pair=pair, resolution=wanted, text=text)
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("inbox-contradiction", pair.pk))
    visit.toast(str(RESOLVED[wanted]), undo=visit.url("inbox-undo", pair.pk))
    return redirect(visit.url("inbox"))


@page("inbox")
def undo(request: HttpRequest, visit: Visit, pair_id: UUID) -> HttpResponse:
    """Take a decision back: both facts are what they were, the pair waits again."""
    pair = load_contradiction(visit.principal, visit.the_agent, pair_id)
    try:
        undo_resolution(principal=visit.principal, pair=pair)
    except REFUSALS as error:
        visit.complain(error)
    else:
        visit.toast(_("Both facts are as they were."))
    return redirect(visit.url("inbox-contradiction", pair.pk))


@page("inbox")
def decide(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """Approve, decline or edit a fact that waits, or take the decision back."""
    fact = load_reviewed(visit.principal, visit.the_agent, fact_id)
    wanted = request.POST.get("do") or request.GET.get("do", "")
    if wanted not in REVIEWED:
        raise NotFound
    text = request.POST.get("text", "") if wanted in ("approve", "edit") else ""
    try:
        review_fact(principal=visit.principal, fact=fact, action=wanted, text=text)
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("inbox"))
    undo = f"{visit.url('inbox-decide', fact.pk)}?do=undo" if wanted in UNDOABLE else ""
    visit.toast(str(REVIEWED[wanted]), undo=undo)
    return redirect(visit.url("inbox") if wanted in UNDOABLE else visit.url("inbox-review", fact.pk))


@page("inbox")
def decide_selected(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Approve or decline all that are selected, each by itself."""
    ids = [key for value in request.POST.getlist("fact") if (key := _key(value))]
    wanted = request.POST.get("do", "")
    if wanted not in UNDOABLE:
        raise NotFound
    try:
        told = review_facts(principal=visit.principal, agent=visit.the_agent, fact_ids=ids, action=wanted)
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("inbox"))
    done = sum(outcome == "done" for outcome in told.values())
    words = (
        ngettext("%(n)d approved.", "%(n)d approved.", done)
        if wanted == "approve"
        else ngettext("%(n)d declined.", "%(n)d declined.", done)
    ) % {"n": done}
    left = len(told) - done
    visit.toast(words + (" " + _("%(n)d could not be decided.") % {"n": left} if left else ""))
    return redirect(visit.url("inbox"))


def _key(value: str) -> UUID | None:
    try:
        return UUID(value)
    except ValueError:
        return None


@page("inbox", role=Role.MEMBER)
def decide_persona(request: HttpRequest, visit: Visit, proposal_id: UUID) -> HttpResponse:
    """Make a proposed persona the agent's, or leave it."""
    proposal = load_proposal(visit.principal, visit.the_agent, proposal_id)
    accept = request.POST.get("do") == "accept"
    deed = accept_proposal if accept else decline_proposal
    try:
        deed(principal=visit.principal, agent=visit.the_agent, proposal=proposal)
    except REFUSALS as error:
        visit.complain(error)
    else:
        visit.toast(
            _("SOUL.md is the new one; the old one is in its history.")
            if accept
            else _("The persona stays as it is.")
        )
    return redirect(visit.url("inbox"))
