"""Memory rules: what an agent keeps and what not, its own categories, its tools, and trying it all before saving."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from memoryapp.actions.agents import update_agent
from memoryapp.actions.overlay_rules import LONGEST_DESCRIPTION, LONGEST_RETENTION
from memoryapp.dashboard.conversation_memory import GATES
from memoryapp.dashboard.forms import REFUSALS, PageForm
from memoryapp.dashboard.frame import is_offline
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.settings.sources import NAMES as SOURCES
from memoryapp.lifecycle.trying import LONGEST_TRIAL, Trial, try_rules
from memoryapp.models import Agent
from memoryapp.models.categories import FactCategory
from memoryapp.providers import names_in_use
from tenants.models import Role

EMPTY_ROWS = 2
OVERLAYS = (
    (
        Agent.Overlay.DEFAULT.value,
        gettext_lazy("Work: set-ups, rules, decisions, projects, and who people are"),
    ),
    (
        Agent.Overlay.COMPANION.value,
        gettext_lazy(
            "Companion: also tastes, people and pets, plans, routines, health as far as it is mentioned"
        ),
    ),
)
EXAMPLE = gettext_lazy(
    "User: I run operations in Rotterdam. Please send me one summary on Monday at eight, "
    "because I read it on the train.\n"
    "Assistant: Noted, Mondays at eight.\n"
    "User: Thanks! What is the weather like?"
)


class RulesForm(PageForm):
    """What is kept in addition, and what never."""

    overlay = forms.ChoiceField(
        label=gettext_lazy("What it is for"), choices=OVERLAYS, widget=forms.RadioSelect
    )
    include = forms.CharField(
        label=gettext_lazy("Keep in addition"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("One rule per line, such as: names of plants and where they stand."),
    )
    exclude = forms.CharField(
        label=gettext_lazy("Never keep"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("One rule per line, such as: prices."),
    )
    tools = forms.BooleanField(
        label=gettext_lazy("The model may search and write memory by tools in a chat"), required=False
    )
    sources = forms.MultipleChoiceField(
        label=gettext_lazy("Memory sources it asks"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["sources"].choices = [(name, SOURCES.get(name, name)) for name in names_in_use()]  # type: ignore[attr-defined]


class CategoryForm(PageForm):
    """One category of the agent's own; a row without a name is none."""

    name = forms.CharField(label=gettext_lazy("Name"), required=False, max_length=40)
    description = forms.CharField(
        label=gettext_lazy("What belongs in it"), required=False, max_length=LONGEST_DESCRIPTION
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days kept"), required=False, min_value=1, max_value=LONGEST_RETENTION
    )
    importance = forms.FloatField(label=gettext_lazy("Importance"), required=False, min_value=0, max_value=1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = str(field.label)


class TrialForm(PageForm):
    """A conversation to try the rules on."""

    conversation = forms.CharField(
        label=gettext_lazy("A conversation"),
        required=False,
        max_length=LONGEST_TRIAL,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=gettext_lazy("Lines such as “User: …” and “Assistant: …”. None of it is stored."),
    )


CategoryRows = formset_factory(CategoryForm, extra=EMPTY_ROWS)


class Board:
    """The page's forms, filled from the agent or from what was sent."""

    def __init__(self, visit: Visit) -> None:
        data = visit.request.POST if visit.request.method == "POST" else None
        agent = visit.the_agent
        self.agent = agent
        self.rules = RulesForm(data, initial=_rules_of(agent))
        self.categories: BaseFormSet[CategoryForm] = CategoryRows(
            data, initial=_categories_of(agent), prefix="category"
        )
        self.trial_form = TrialForm(data, initial={"conversation": EXAMPLE})

    @property
    def is_valid(self) -> bool:
        # Both, so that every mistake is shown at once.
        return all([self.rules.is_valid(), self.categories.is_valid(), self.trial_form.is_valid()])

    @property
    def overlay(self) -> str:
        return str(self.rules.cleaned_data["overlay"])

    @property
    def overlay_rules(self) -> dict[str, Any]:
        values = self.rules.cleaned_data
        rows = [row.cleaned_data for row in self.categories if row.cleaned_data.get("name")]
        return {
            "include": values["include"].splitlines(),
            "exclude": values["exclude"].splitlines(),
            "categories": [_category(row) for row in rows],
        }

    @property
    def settings(self) -> dict[str, Any]:
        """The agent's settings with the switches of its tools and sources; a choice of single tools stays."""
        kept = dict(self.agent.settings)
        if not self.rules.cleaned_data["tools"]:
            kept["toolsOff"] = True
        elif kept.get("toolsOff") is True:
            del kept["toolsOff"]
        off = [name for name in names_in_use() if name not in self.rules.cleaned_data["sources"]]
        kept.pop("providersOff", None)
        return {**kept, "providersOff": off} if off else kept


def _rules_of(agent: Agent) -> dict[str, Any]:
    rules = agent.overlay_rules
    return {
        "overlay": agent.overlay,
        "include": "\n".join(rules.get("include", [])),
        "exclude": "\n".join(rules.get("exclude", [])),
        "tools": agent.settings.get("toolsOff") is not True,
        "sources": [name for name in names_in_use() if name not in agent.settings.get("providersOff", [])],
    }


def _categories_of(agent: Agent) -> list[dict[str, Any]]:
    return [
        {
            "name": each["name"],
            "description": each.get("description", ""),
            "days": each.get("retentionDays"),
            "importance": each.get("importance"),
        }
        for each in agent.overlay_rules.get("categories", [])
    ]


def _category(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": re.sub(r"[\s-]+", "_", row["name"].strip().lower()),
        "description": row["description"],
        "retentionDays": row["days"],
        "importance": row["importance"],
    }


@page("rules", role=Role.ADMIN)
def show_rules(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The agent's rules; sent, they are saved."""
    board = Board(visit)
    if request.method == "POST" and board.is_valid:
        with board.rules.showing_refusals():
            update_agent(
                principal=visit.principal,
                agent=visit.the_agent,
                overlay=board.overlay,
                overlay_rules=board.overlay_rules,
                settings=board.settings,
            )
            visit.toast(_("Saved. They apply to whatever is read from now on."))
            return redirect(visit.url("rules"))
    return _render(visit, board)


@page("rules", role=Role.ADMIN, scoped=False)
def try_it(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The rules as they stand in the form, tried on a conversation; neither is stored."""
    board, trial = Board(visit), None
    if board.is_valid:
        try:
            trial = try_rules(
                principal=visit.principal,
                agent=visit.the_agent,
                conversation=board.trial_form.cleaned_data["conversation"],
                overlay=board.overlay,
                rules=board.overlay_rules,
            )
        except REFUSALS as error:
            form = board.trial_form if "conversation" in error.errors else board.rules
            form.refuse(error)
    return _render(visit, board, trial)


def _render(visit: Visit, board: Board, trial: Trial | None = None) -> HttpResponse:
    wrong = board.rules.errors or board.trial_form.errors or any(board.categories.errors)
    refused = trial.refused if trial else []
    context = {
        "form": board.rules,
        "categories": board.categories,
        "trial_form": board.trial_form,
        "trial": trial,
        "refused": [(item, GATES.get(item.gate, item.gate)) for item in refused],
        "offline": is_offline(visit.workspace),
        "built_in": FactCategory.proposable(),
    }
    # A part is asked for with the wrong state all the same: it has to be shown where it was written.
    status = 400 if board.rules.is_bound and wrong and not visit.htmx else 200
    part = "#tried" if visit.htmx.target == "tried" else ""
    return visit.render(f"dashboard/rules.html{part}", context, status=status)


urlpatterns = [
    path("", show_rules, name="rules"),
    path("try/", require_POST(try_it), name="rules-try"),
]
