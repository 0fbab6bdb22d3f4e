"""The workspace's name and time zone, and the model its agents talk with."""

from __future__ import annotations

import zoneinfo
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.dashboard.forms import PageForm
from memoryapp.dashboard.frame import Crumb, is_offline
from memoryapp.dashboard.pages import REFUSALS, Visit, page
from memoryapp.model_settings import API_KEY, BASE_URL, MODEL, checked_model_url
from tenants.actions import update_workspace
from tenants.models import Role


class GeneralForm(PageForm):
    """What a workspace is called and where its nights are."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"), help_text=gettext_lazy("Nights, daily notes and reports follow it.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = [(name, name) for name in sorted(zoneinfo.available_timezones())]  # type: ignore[attr-defined]


class ModelForm(PageForm):
    """An OpenAI-compatible endpoint. The key is sealed and never shown again."""

    llm_base_url = forms.URLField(
        label=gettext_lazy("Base URL"),
        required=False,
        assume_scheme="https",
        help_text=gettext_lazy("An OpenAI-compatible endpoint, for example https://models.example/v1."),
        error_messages={"invalid": gettext_lazy("Start with http:// or https://")},
    )
    llm_model = forms.CharField(label=gettext_lazy("Model"), required=False, max_length=160)
    llm_api_key = forms.CharField(
        label=gettext_lazy("Key"),
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Stored encrypted. Left empty, the present one stays."),
    )
    forget_key = forms.BooleanField(label=gettext_lazy("Remove the stored key"), required=False)


@page("settings")
def show_general(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Name and time zone; who may not change them is led to their own tokens."""
    if not visit.principal.can(Role.ADMIN):
        return redirect(visit.url("settings-access"))
    workspace = visit.workspace
    form = GeneralForm(
        request.POST or None, initial={"name": workspace.name, "time_zone": workspace.time_zone}
    )
    if request.method == "POST" and form.is_valid():
        try:
            update_workspace(principal=visit.principal, **form.cleaned_data)
        except REFUSALS as error:
            form.refuse(error)
        else:
            visit.toast(_("Saved."))
            return redirect(visit.url("settings"))
    return visit.render("dashboard/settings_general.html", {"form": form}, status=400 if form.errors else 200)


@page("settings", role=Role.ADMIN)
def show_model(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The model of the workspace, or that there is none and replies follow rules."""
    workspace = visit.workspace
    initial = {name: workspace.setting(name, "") for name in (BASE_URL, MODEL)}
    form = ModelForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            _save_model(visit, form.cleaned_data)
        except REFUSALS as error:
            form.refuse(error)
        else:
            visit.toast(_("Saved. It is used from the next message on."))
            return redirect(visit.url("settings-model"))
    context = {
        "form": form,
        "offline": is_offline(workspace),
        "has_key": API_KEY in workspace.sealed_secrets,
    }
    crumbs = [Crumb(_("Model"))]
    return visit.render(
        "dashboard/settings_model.html", context, crumbs=crumbs, status=400 if form.errors else 200
    )


def _save_model(visit: Visit, values: dict[str, Any]) -> None:
    secrets = {}
    if values["forget_key"]:
        secrets[API_KEY] = ""
    elif values["llm_api_key"]:
        secrets[API_KEY] = values["llm_api_key"]
    endpoint = {name: values[name] for name in (BASE_URL, MODEL)}
    if endpoint[BASE_URL]:
        checked_model_url(endpoint[BASE_URL])
    update_workspace(principal=visit.principal, secrets=secrets, settings=endpoint)
