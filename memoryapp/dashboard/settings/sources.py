"""Memory sources: how each is doing, and where the workspace's Mem0 server is."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.dashboard.forms import PageForm
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.providers.breaker import BreakerState
from memoryapp.providers.mem0 import (
    API_KEY,
    LONGEST_TIMEOUT_MS,
    MOST_RESULTS,
    SETTING,
    checked_mem0_settings,
    mem0_settings,
)
from memoryapp.providers.status import ProviderStatus, provider_statuses
from tenants.actions import update_workspace
from tenants.models import Role

NAMES = {
    "files": gettext_lazy("Files"),
    "structured": gettext_lazy("Profile and rules"),
    "facts": gettext_lazy("Facts"),
    "conversations": gettext_lazy("Conversations"),
    "mem0": gettext_lazy("Mem0"),
}
WORDS = {
    "files": gettext_lazy("PROFILE.md, MEMORY.md and the shared files"),
    "structured": gettext_lazy("identity, rules, preferences and people, in every prompt"),
    "facts": gettext_lazy("facts and notes that fit the message"),
    "conversations": gettext_lazy("what was said before and is no longer in the window"),
    "mem0": gettext_lazy("a Mem0 server beside this one"),
}


class Mem0Form(PageForm):
    """A Mem0 server. The key is sealed and never shown again."""

    base_url = forms.URLField(label=gettext_lazy("Base URL"), required=False, assume_scheme="https")
    api_key = forms.CharField(
        label=gettext_lazy("Key"),
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Stored encrypted. Leave it empty to keep the present one."),
    )
    search_enabled = forms.BooleanField(label=gettext_lazy("Ask it in every turn"), required=False)
    sync_enabled = forms.BooleanField(label=gettext_lazy("Tell it every finished turn"), required=False)
    max_results = forms.IntegerField(
        label=gettext_lazy("Maximum results"), min_value=1, max_value=MOST_RESULTS
    )
    timeout_ms = forms.IntegerField(
        label=gettext_lazy("Time limit in ms"),
        min_value=1,
        max_value=LONGEST_TIMEOUT_MS,
        help_text=gettext_lazy("A turn waits no longer than the installation allows, whatever is set here."),
    )


def _badge(status: ProviderStatus) -> tuple[str, str, str]:
    """Class, icon and word of how a source is doing."""
    if not status.in_use:
        return "", "circle-dashed", _("not in use")
    if not status.is_set_up:
        return "", "circle-dashed", _("not set up")
    if status.state is BreakerState.OPEN:
        return "bad", "ban", _("left alone for half a minute")
    if status.state is BreakerState.HALF_OPEN:
        return "warn", "triangle-alert", _("failing")
    return "ok", "circle-check", _("works")


@page("settings", role=Role.ADMIN)
def show_sources(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The sources with their state, and the settings of the one that needs any."""
    known = mem0_settings(visit.workspace)
    initial = {name: getattr(known, name) for name in Mem0Form.base_fields if name != "api_key"}
    form = Mem0Form(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            _save(visit, form.cleaned_data)
            visit.toast(_("Saved. It is used from the next message on."))
            return redirect(visit.url("settings-sources"))
    statuses = provider_statuses(visit.workspace)
    context = {
        "form": form,
        "sources": [
            (each, NAMES.get(each.name, each.name), WORDS.get(each.name, ""), _badge(each))
            for each in statuses
        ],
        "mem0_in_use": any(each.name == "mem0" and each.in_use for each in statuses),
    }
    crumbs = [Crumb(_("Memory sources"))]
    return visit.render("dashboard/settings_sources.html", context, crumbs=crumbs, status=form.status)


def _save(visit: Visit, values: dict[str, Any]) -> None:
    key = values.pop("api_key")
    update_workspace(
        principal=visit.principal,
        secrets={API_KEY: key} if key else None,
        settings={SETTING: checked_mem0_settings(values)},
    )
