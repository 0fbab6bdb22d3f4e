"""The workspace's name, time zone and language, and the model its agents talk with."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.dashboard.forms import LongSelect, PageForm, time_zones
from memoryapp.dashboard.frame import Crumb, is_offline
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.settings.trials import Trial, try_embedder, try_model
from memoryapp.model_settings import API_KEY, BASE_URL, MODEL, checked_model_url
from tenants.actions import update_workspace
from tenants.models import Role


class GeneralForm(PageForm):
    """What a workspace is called, where its nights are, and what its pages speak to whoever chose nothing."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        widget=LongSelect,
        help_text=gettext_lazy("Nights, daily notes and reports follow it."),
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=settings.LANGUAGES,
        help_text=gettext_lazy(
            "For members who have chosen none and whose browser asks for neither. Memory stays in the "
            "words that people used."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = time_zones()  # type: ignore[attr-defined]


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
        help_text=gettext_lazy("Stored encrypted. Leave it empty to keep the present one."),
    )
    forget_key = forms.BooleanField(label=gettext_lazy("Remove the stored key"), required=False)


@page("settings")
def show_general(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Name, time zone and language; who may not change them is led to their own tokens."""
    if not visit.principal.can(Role.ADMIN):
        return redirect(visit.url("settings-access"))
    workspace = visit.workspace
    initial = {name: getattr(workspace, name) for name in ("name", "time_zone", "language")}
    form = GeneralForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            update_workspace(principal=visit.principal, **form.cleaned_data)
            visit.toast(_("Saved."))
            return redirect(visit.url("settings"))
    return visit.render("dashboard/settings_general.html", {"form": form}, status=form.status)


@page("settings", role=Role.ADMIN)
def show_model(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The model of the workspace, or that there is none and replies follow rules."""
    workspace = visit.workspace
    initial = {name: workspace.setting(name, "") for name in (BASE_URL, MODEL)}
    form = ModelForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            if "try" in request.POST:
                return _model_page(visit, form, _try_model(visit, form.cleaned_data))
            _save_model(visit, form.cleaned_data)
            visit.toast(_("Saved. It is used from the next message on."))
            return redirect(visit.url("settings-model"))
    return _model_page(visit, form)


def _model_page(visit: Visit, form: ModelForm, tried: Trial | None = None) -> HttpResponse:
    context = {
        "form": form,
        "tried": tried,
        "offline": is_offline(visit.workspace),
        "has_key": API_KEY in visit.workspace.sealed_secrets,
        "embedding_model": settings.EMBEDDING_MODEL,
        "embedding_host": urlsplit(settings.EMBEDDING_BASE_URL).hostname or "",
    }
    crumbs = [Crumb(_("Model"))]
    return visit.render("dashboard/settings_model.html", context, crumbs=crumbs, status=form.status)


def _try_model(visit: Visit, values: dict[str, Any]) -> Trial:
    """Ask the model for a word by what stands in the form, saved or not. A kept key goes to its own address only."""
    url, workspace = values[BASE_URL], visit.workspace
    if url:
        checked_model_url(url)
    keep = url == workspace.setting(BASE_URL, "") and not values["forget_key"]
    key = values["llm_api_key"] or (workspace.unseal(API_KEY) if keep else "")
    return try_model(workspace, base_url=url, model=values[MODEL], api_key=key)


@page("settings", role=Role.ADMIN)
def try_embeddings(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have one sentence embedded, to see whether search by meaning works."""
    tried = try_embedder()
    words = (
        _("Embeddings work: %(detail)s, %(ms)d ms.")
        if tried.works
        else _("Embeddings do not work: %(detail)s")
    )
    told = words % {"detail": tried.detail, "ms": tried.ms}
    (messages.success if tried.works else messages.error)(request, told)
    return redirect(visit.url("settings-model"))


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
