"""The morning card of the playground: what the night changed for this person, judged where it is read."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.lifecycle.morning import morning_card, note_seen


@page("playground")
def show_card(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What is new for this person, as a part above the talk or, without script, as a page."""
    part = "#card" if visit.htmx else ""
    card = morning_card(visit.principal, visit.the_agent)
    return visit.render(f"dashboard/morning.html{part}", {"card": card}, crumbs=[Crumb(_("Since last time"))])


@page("playground")
def see_card(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Put the card away: only what happens from now on is news."""
    note_seen(visit.principal, visit.the_agent)
    visit.toast(_("Put away. You find the nights under Dreams."))
    return redirect(visit.url("playground"))


urlpatterns = [
    path("card/", show_card, name="playground-card"),
    path("card/seen/", require_POST(see_card), name="playground-seen"),
]
