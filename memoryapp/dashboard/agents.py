"""The workspace's agents: the list, and a new one."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.agents import create_agent
from memoryapp.dashboard.forms import PageForm
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.slugs import slug_of
from memoryapp.dashboard.welcome import steps
from tenants.models import Role


class NewAgentForm(PageForm):
    """What a new agent needs; its address follows from its name unless given."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    slug = forms.CharField(
        label=gettext_lazy("Short name in addresses"),
        max_length=60,
        required=False,
        help_text=gettext_lazy(
            "Lower-case letters, digits and hyphens. Left empty, it is made from the name."
        ),
    )
    description = forms.CharField(
        label=gettext_lazy("What it does"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


@page("agents")
def show_agents(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The agents of the workspace; admins make new ones here."""
    form = NewAgentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with form.showing_refusals():
            slug = values["slug"] or slug_of(values["name"], otherwise="agent")
            agent = create_agent(principal=visit.principal, **{**values, "slug": slug})
            visit.toast(_("%(name)s is ready, with its four files.") % {"name": agent.name})
            return redirect("dashboard:overview", visit.workspace.slug, agent.slug)
    return visit.render("dashboard/agents.html", {"form": form}, status=form.status)


class FirstAgentForm(PageForm):
    """What the first agent of a first run needs."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    description = forms.CharField(
        label=gettext_lazy("What it does"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("A sentence is enough; its four files can be written later."),
    )


@page("agents", role=Role.ADMIN)
def first_agent(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The wizard's agent; where there is one already, the wizard goes on with it."""
    if visit.agents:
        return redirect("dashboard:playground-first", visit.workspace.slug, visit.agents[0].slug)
    form = FirstAgentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with form.showing_refusals():
            slug = slug_of(values["name"], otherwise="agent")
            agent = create_agent(principal=visit.principal, slug=slug, **values)
            return redirect("dashboard:playground-first", visit.workspace.slug, agent.slug)
    context = {"form": form, "steps": steps("agent")}
    return visit.render("entrance/first_agent.html", context, status=form.status)


urlpatterns = [
    path("", show_agents, name="agents"),
    path("first/", first_agent, name="agents-first"),
]
