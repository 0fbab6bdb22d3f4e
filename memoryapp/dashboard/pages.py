"""What every page shares: who asks, in which workspace, for which agent, and the answer's frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlsplit, urlunsplit
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

from memoryapp.actions.schedules import DREAM
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.frame import Crumb, frame_for
from memoryapp.dashboard.languages import carry, speak
from memoryapp.dashboard.tabs import TABS, Concern, Tab
from memoryapp.dashboard.whose import Opened, opened_by
from memoryapp.exceptions import MemoryAppError, NotFound, NotPermitted
from memoryapp.models import Agent, Schedule
from memoryapp.wording import say
from tenants.authentication import SESSION_WORKSPACE
from tenants.exceptions import NotAllowed, TenancyError, UnknownWorkspace
from tenants.models import Membership, Profile, Role, Workspace
from tenants.principals import Principal, principal_for_member
from tenants.scoping import workspace_scope

Arguments = ParamSpec("Arguments")


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """What HTMX says of a request."""
    details: HtmxDetails = request.htmx  # type: ignore[attr-defined] # set by its middleware
    return details


@dataclass(frozen=True, slots=True)
class Visit:
    """One person's request for one page of one workspace."""

    request: HttpRequest
    tab: Tab
    principal: Principal
    membership: Membership
    memberships: list[Membership]
    agents: list[Agent]
    chosen: Agent | None

    @property
    def workspace(self) -> Workspace:
        return self.principal.workspace

    @property
    def htmx(self) -> HtmxDetails:
        """Whether HTMX asks, and for which part."""
        return htmx_of(self.request)

    @property
    def profile(self) -> Profile | None:
        return getattr(self.membership.user, "profile", None)

    @property
    def person(self) -> str:
        """What the person is called."""
        user = self.membership.user
        return user.get_full_name() or user.get_username()

    @property
    def opened(self) -> Opened | None:
        """Whose personal memory the visitor has opened, while they may still read it."""
        return opened_by(self.request, self.workspace.slug, self.principal)

    @property
    def zone(self) -> ZoneInfo:
        """The reader's time zone, else the workspace's."""
        return (
            ZoneInfo(self.profile.time_zone)
            if self.profile and self.profile.time_zone
            else self.workspace.zone
        )

    @property
    def language(self) -> str:
        """The language the reader chose; empty for the browser's."""
        return self.profile.language if self.profile else ""

    @property
    def agent(self) -> Agent | None:
        """The agent in scope: the one of the address, else the workspace's first."""
        return self.chosen or (self.agents[0] if self.agents else None)

    @property
    def the_agent(self) -> Agent:
        """The agent of an agent's page."""
        if self.chosen is None:
            raise NotFound
        return self.chosen

    def url(self, route: str, *arguments: object) -> str:
        """The address of one of the dashboard's pages in this workspace and, where it has one, for this agent."""
        tab = next(tab for tab in TABS if tab.name == route.partition("-")[0])
        base = [self.workspace.slug]
        if tab.concern is Concern.AGENT:
            base.append(self.agent.slug if self.agent else "")
        return reverse(f"dashboard:{route}", args=[*base, *arguments])

    def render(
        self, template: str, context: dict[str, Any], *, crumbs: Iterable[Crumb] = (), status: int = 200
    ) -> HttpResponse:
        """The page, or the named part of its template when HTMX asked for one."""
        values = {"visit": self, "principal": self.principal, "agent": self.agent, **context}
        if "#" not in template:
            values["frame"] = frame_for(self, crumbs)
        with workspace_scope(self.workspace):
            return render(self.request, template, values, status=status)

    def toast(self, text: str, *, undo: str = "") -> None:
        """Say on the next page what just happened, with the address that takes it back."""
        messages.success(self.request, text, extra_tags=undo)

    def complain(self, error: MemoryAppError | TenancyError) -> None:
        """Say on the next page what was refused."""
        messages.error(self.request, say(error.detail))


View = Callable[Concatenate[HttpRequest, Visit, Arguments], HttpResponseBase]


def page(
    tab: str, *, role: Role = Role.VIEWER, scoped: bool = True
) -> Callable[[View[Arguments]], Callable[..., HttpResponseBase]]:
    """Make a view a page of the dashboard: for members only, everything foreign answered as not found.

    A reading view runs inside the workspace's scope. A writing one does not, since its action opens the scope itself
    and a refusal must not spoil the page that tells it; neither does one that may wait on the network (`scoped=False`).
    """
    entry = next(candidate for candidate in TABS if candidate.name == tab)

    def decorate(view: View[Arguments]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def answer(
            request: HttpRequest, *args: Any, workspace: str, agent: str | None = None, **kwargs: Any
        ) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _to_sign_in(request)
            memberships = _memberships(request)
            membership = _membership_in(memberships, workspace)
            request.session.setdefault(SESSION_WORKSPACE, workspace)
            if request.session[SESSION_WORKSPACE] != workspace:
                request.session[SESSION_WORKSPACE] = workspace
            visit = _open_visit(request, entry, membership, memberships, agent)
            speak(request, visit.language, visit.workspace.language)
            with timezone.override(visit.zone):
                response = _private(_guarded(view, visit, role, scoped, *args, **kwargs))
            carry(request, response, visit.language)
            return response

        return answer

    return decorate


def _to_sign_in(request: HttpRequest) -> HttpResponseBase:
    """To the sign-in and from there back to the page; what a form has sent is not done, and that is said."""
    if htmx_of(request):
        return HttpResponseClientRefresh()
    if request.method in {"GET", "HEAD"}:
        return redirect_to_login(request.get_full_path())
    messages.error(
        request, _("You were signed out before this was sent. Nothing was changed; please do it again.")
    )
    came_from = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure())
    page = urlsplit(came_from)
    return redirect_to_login(
        urlunsplit(("", "", page.path, page.query, "")) if ours and page.path else reverse("home")
    )


def _memberships(request: HttpRequest) -> list[Membership]:
    rows = Membership.objects.filter(user=cast(User, request.user)).select_related(
        "workspace", "user__profile"
    )
    return list(rows.order_by("created_at"))


def _membership_in(memberships: list[Membership], slug: str) -> Membership:
    for membership in memberships:
        if membership.workspace.slug == slug:
            return membership
    raise Http404


def _open_visit(
    request: HttpRequest,
    tab: Tab,
    membership: Membership,
    memberships: list[Membership],
    agent_slug: str | None,
) -> Visit:
    principal = principal_for_member(membership)
    with workspace_scope(principal.workspace):
        agents: list[Agent] = [*Agent.objects.visible_to(principal).annotate(next_dream=_next_dream())]
    chosen = next((agent for agent in agents if agent.slug == agent_slug), None)
    if agent_slug is not None and chosen is None:
        raise Http404
    return Visit(request, tab, principal, membership, memberships, agents, chosen)


def _next_dream() -> Subquery:
    """When an agent dreams next, as a column beside it."""
    rows = Schedule.objects.filter(agent=OuterRef("pk"), kind=DREAM, enabled=True)
    return Subquery(rows.values("next_run")[:1])


def _guarded(
    view: View[Arguments], visit: Visit, role: Role, scoped: bool, *args: Any, **kwargs: Any
) -> HttpResponseBase:
    request = visit.request
    try:
        visit.principal.require(role)
        if scoped and request.method in {"GET", "HEAD"}:
            with workspace_scope(visit.workspace):
                return view(request, visit, *args, **kwargs)
        return view(request, visit, *args, **kwargs)
    except (NotFound, UnknownWorkspace) as error:
        raise Http404 from error
    except REFUSALS as error:
        admins = _admins(visit.workspace) if isinstance(error, (NotPermitted, NotAllowed)) else []
        return visit.render("dashboard/refused.html", {"error": error, "admins": admins}, status=error.status)


def _admins(workspace: Workspace) -> list[str]:
    """Who can do what this member may not."""
    rows = (
        Membership.objects.filter(workspace=workspace, role__gte=Role.ADMIN)
        .select_related("user")
        .order_by("-role")[:3]
    )
    return [row.user.get_full_name() or row.user.get_username() for row in rows]


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """Never kept by a shared cache; a part asked for by HTMX is not the page of the same address."""
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["HX-Request", "Cookie"])
    return response
