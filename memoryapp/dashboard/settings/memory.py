"""How memory is kept here, for how long, with whose approval, and how much of it a workspace may use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.access import PER_OWNER
from memoryapp.actions.agents import update_agent
from memoryapp.actions.quotas import CONVERSATION_DAYS, checked_quotas, quotas_of
from memoryapp.dashboard.forms import PageForm
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import Agent
from memoryapp.models.categories import FactCategory
from tenants.actions import update_workspace
from tenants.limits import QUOTAS
from tenants.models import Role

LONGEST_DAYS = 36_500
REVIEW_WORDS = {
    Agent.ReviewMode.OFF: gettext_lazy("keep at once"),
    Agent.ReviewMode.LOW_CONFIDENCE: gettext_lazy("ask about what is unsure"),
    Agent.ReviewMode.ALL: gettext_lazy("ask about everything"),
}


class MemoryForm(PageForm):
    """What holds for the memory of a whole workspace."""

    per_owner = forms.BooleanField(
        label=gettext_lazy("Keep everybody’s personal memory separate"),
        required=False,
        help_text=gettext_lazy(
            "If this is off, anything new goes to the team, where every member can read it. What is kept "
            "already stays where it is."
        ),
    )
    conversation_days = forms.IntegerField(
        label=gettext_lazy("Days to keep conversations"),
        min_value=0,
        max_value=LONGEST_DAYS,
        help_text=gettext_lazy(
            "Counted from their last message; 0 keeps them for ever. What was learnt from them stays, "
            "without the original words."
        ),
    )
    turns_per_day = forms.IntegerField(
        label=gettext_lazy("Maximum turns per day"),
        min_value=0,
        help_text=gettext_lazy("Messages that are answered, for everybody together; 0 for no limit."),
    )
    facts = forms.IntegerField(
        label=gettext_lazy("Maximum facts"),
        min_value=0,
        help_text=gettext_lazy("Active ones, everybody’s together; 0 for no limit."),
    )
    calls_per_minute = forms.IntegerField(
        label=gettext_lazy("Maximum calls per minute"),
        min_value=0,
        help_text=gettext_lazy(
            "By all programs with a token together, counted by each server process; 0 for no limit."
        ),
    )


@page("settings", role=Role.ADMIN)
def show_memory(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Isolation, retention and quotas in one form; the review mode of each agent beside it."""
    workspace, quotas = visit.workspace, quotas_of(visit.workspace)
    initial = {
        PER_OWNER: workspace.setting(PER_OWNER, True),
        CONVERSATION_DAYS: workspace.setting(CONVERSATION_DAYS, 0),
        **{name: getattr(quotas, name) for name in quotas.__dataclass_fields__},
    }
    form = MemoryForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            _save(visit, form.cleaned_data)
            visit.toast(_("Saved."))
            return redirect(visit.url("settings-memory"))
    context = {
        "form": form,
        "forced_off": not settings.MEMORY_PER_OWNER,
        "agents": visit.agents,
        "modes": [(mode.value, words) for mode, words in REVIEW_WORDS.items()],
        "retention": _retention(),
    }
    crumbs = [Crumb(_("Memory and limits"))]
    return visit.render("dashboard/settings_memory.html", context, crumbs=crumbs, status=form.status)


def _retention() -> list[tuple[str, int]]:
    """The product's categories that are kept for a time, shortest first."""
    days = ((category.slug, category.value.kept_days) for category in FactCategory)
    return sorted(((slug, kept) for slug, kept in days if kept), key=lambda pair: pair[1])


def _save(visit: Visit, values: dict[str, Any]) -> None:
    kept = {name: values.pop(name) for name in (PER_OWNER, CONVERSATION_DAYS)}
    update_workspace(principal=visit.principal, settings={**kept, QUOTAS: checked_quotas(values)})


@page("settings", role=Role.ADMIN)
def change_reviews(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Give one agent another review mode."""
    agent = next((each for each in visit.agents if each.slug == request.POST.get("agent")), None)
    mode = request.POST.get("mode", "")
    if agent is None or mode not in Agent.ReviewMode.values:
        raise NotFound
    update_agent(principal=visit.principal, agent=agent, review_mode=mode)
    visit.toast(_("Saved. It applies to whatever is read from now on."))
    return redirect(visit.url("settings-memory"))
