"""Trust across the top of the memory browser: how it is distributed, and what falls out of use soon."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.known import what_is_known
from memoryapp.dashboard.pages import Visit, page


@page("facts")
def show_trust(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The strip above the list, asked for once the page stands, or a page of its own without script."""
    part = "#strip" if visit.htmx else ""
    context = what_is_known(visit.principal, visit.the_agent)
    return visit.render(f"dashboard/facts_trust.html{part}", context, crumbs=[Crumb(_("Trust"))])
