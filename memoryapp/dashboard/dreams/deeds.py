"""What you can do about dreams: start one, judge or take back a change, accept or decline a proposed night."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from memoryapp.actions.dreams import (
    accept_dream,
    confirm_entry,
    decline_dream,
    edit_entry,
    forget_entry,
    load_dream,
    load_entry,
    revert_entry,
)
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.jobs import enqueue_dreams
from memoryapp.models import Dream, DreamEntry
from tenants.models import Role

LONGEST_TOPIC = 200


@page("dreams", role=Role.MEMBER)
def start(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have the shared memory and one's own dreamt of now, of one topic only if one is given, for show if asked."""
    try:
        event = enqueue_dreams(
            principal=visit.principal,
            agent=visit.the_agent,
            topic=request.POST.get("topic", "").strip()[:LONGEST_TOPIC],
            dry_run=request.POST.get("do") == "dry",
        )
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("dreams"))
    return redirect(f"{visit.url('dreams')}?job={event.pk}")


@page("dreams")
def judge(request: HttpRequest, visit: Visit, dream_id: UUID, entry_id: UUID) -> HttpResponse:
    """Confirm, edit, forget or take back one change of a night."""
    entry = load_entry(visit.principal, load_dream(visit.principal, visit.the_agent, dream_id), entry_id)
    try:
        _do(visit, entry)
    except REFUSALS as error:
        visit.complain(error)
    return back_to(visit, f"{visit.url('dreams-report', entry.dream_id)}#entry-{entry.pk}")


def _do(visit: Visit, entry: DreamEntry) -> None:
    """What the form asks for, and what is said about it on the next page."""
    who: dict[str, Any] = {"principal": visit.principal, "entry": entry}
    match visit.request.POST.get("do"):
        case "confirm":
            confirm_entry(**who)
            visit.toast(_("Confirmed. Its trust starts afresh."))
        case "edit":
            edit_entry(**who, text=visit.request.POST.get("text", ""))
            visit.toast(_("Saved. Dreams leave your words alone."))
        case "forget":
            act = forget_entry(**who)
            visit.toast(
                _("Forgotten everywhere. You can undo for 10 minutes."),
                undo=f"{visit.url('facts-remember')}?fact={act.fact_ids[0]}",
            )
        case "revert":
            revert_entry(**who)
            visit.toast(_("Taken back. The line is as it was before that night."))
        case _:
            raise NotFound


@page("dreams")
def decide(request: HttpRequest, visit: Visit, dream_id: UUID) -> HttpResponse:
    """Accept or decline what a dream proposed and did not dare to do by itself."""
    dream = load_dream(visit.principal, visit.the_agent, dream_id)
    try:
        _decide(visit, dream)
    except REFUSALS as error:
        visit.complain(error)
    return back_to(visit, visit.url("dreams-report", dream.pk))


def _decide(visit: Visit, dream: Dream) -> None:
    if visit.request.POST.get("do") == "accept":
        accept_dream(principal=visit.principal, dream=dream)
        visit.toast(_("Applied, as far as it still fits."))
    else:
        decline_dream(principal=visit.principal, dream=dream)
        visit.toast(_("Declined. Nothing was changed."))


def back_to(visit: Visit, otherwise: str) -> HttpResponse:
    """To the page the form came from, when it says so and that is one of ours."""
    wanted = visit.request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, {visit.request.get_host()}, require_https=visit.request.is_secure()
    )
    return redirect(wanted if safe else otherwise)
