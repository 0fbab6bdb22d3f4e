"""The first run: an account while there is none, a workspace while there is none; agent and first words follow."""

from __future__ import annotations

from typing import cast

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from memoryapp.dashboard.forms import PageForm
from memoryapp.dashboard.joining import AccountForm
from memoryapp.dashboard.second_step import enter
from memoryapp.dashboard.slugs import slug_of
from tenants.actions import create_workspace
from tenants.authentication import SESSION_WORKSPACE
from tenants.exceptions import UnknownWorkspace
from tenants.first_account import has_no_workspace, is_untouched, make_first_account

# In the session of whoever made the first account: the wizard goes on for nobody else.
SESSION_FIRST_RUN = "first_run"
STEPS = ("account", "workspace", "agent", "say", "done")


def steps(current: str) -> list[tuple[str, int, str]]:
    """The wizard's steps in words, each with its number and whether it is done, current or to come."""
    words = [_("Account"), _("Workspace"), _("Agent"), _("Say something"), _("Done")]
    at = STEPS.index(current)
    return [
        (word, number, "done" if number <= at else "current" if number == at + 1 else "")
        for number, word in enumerate(words, 1)
    ]


def welcome(request: HttpRequest) -> HttpResponse:
    """Make the first account; as soon as anybody has one, this page is only a way to the start."""
    if not is_untouched():
        return redirect("home")
    form = AccountForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            user = make_first_account(form.save)
        except UnknownWorkspace:
            # Somebody else was faster.
            return redirect("home")
        enter(request, user)
        request.session[SESSION_FIRST_RUN] = True
        return redirect("welcome-workspace")
    return _step(request, "account", form)


class FirstWorkspaceForm(PageForm):
    """What the first workspace needs."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        max_length=64,
        help_text=gettext_lazy("Such as Europe/Amsterdam: dreaming happens during its nights."),
        widget=forms.TextInput(attrs={"data-time-zone": ""}),
    )


@login_required
def first_workspace(request: HttpRequest) -> HttpResponse:
    """Make the first workspace, for whoever made the first account."""
    if not (request.session.get(SESSION_FIRST_RUN) and has_no_workspace()):
        return redirect("home")
    initial = {"time_zone": settings.DEFAULT_WORKSPACE_TIME_ZONE}
    form = FirstWorkspaceForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            slug = _make_workspace(cast(User, request.user), **form.cleaned_data)
            request.session[SESSION_WORKSPACE] = slug
            return redirect("dashboard:agents-first", slug)
    return _step(request, "workspace", form)


def _make_workspace(user: User, *, name: str, time_zone: str) -> str:
    with transaction.atomic():
        principal = create_workspace(
            name=name,
            slug=slug_of(name, otherwise="home"),
            owner=user,
            time_zone=time_zone,
            language=(get_language() or "en")[:2],
        )
    return principal.workspace.slug


def _step(request: HttpRequest, step: str, form: forms.BaseForm) -> HttpResponse:
    context = {"form": form, "step": step, "steps": steps(step)}
    return render(request, f"entrance/first_{step}.html", context, status=400 if form.errors else 200)


urlpatterns = [
    path("", welcome, name="welcome"),
    path("workspace/", first_workspace, name="welcome-workspace"),
]
