"""What surrounds every page: the navigation, where you are, who you are, and the coming night."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from memoryapp.actions.contradictions import open_contradictions
from memoryapp.actions.reviews import pending_facts
from memoryapp.dashboard.bands import DAY, NIGHT_STARTS, Band, day_band
from memoryapp.dashboard.tabs import TABS, Concern, Tab, tabs_for
from memoryapp.model_settings import API_KEY, BASE_URL
from memoryapp.models import SoulProposal
from memoryapp.wording import say
from tenants.models import Role, Workspace
from tenants.scoping import workspace_scope

if TYPE_CHECKING:
    from memoryapp.dashboard.pages import Visit

MORNING = 6
PENDING = SoulProposal.Status.PENDING


class Crumb(NamedTuple):
    """One step of the path in the top bar."""

    label: str
    url: str = ""


class Link(NamedTuple):
    """One line of a switcher."""

    name: str
    url: str
    current: bool
    role: str = ""


class NavEntry(NamedTuple):
    """One entry of the navigation as drawn."""

    name: str
    label: str
    icon: str
    key: str
    url: str
    current: bool
    waiting: int = 0


class Night(NamedTuple):
    """What the foot of the column says about the coming night."""

    band: Band
    at: datetime
    dreams: bool
    left: str


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything `dashboard/layout.html` draws around a page."""

    visit: Visit
    crumbs: Sequence[Crumb]
    night: Night
    offline: bool
    waiting: int = 0

    @property
    def workspace(self) -> Workspace:
        return self.visit.workspace

    @property
    def agent(self) -> object:
        return self.visit.agent

    @property
    def title(self) -> str:
        return " · ".join([*(crumb.label for crumb in reversed(self.crumbs)), "memoryapp"])

    @property
    def role(self) -> str:
        return say(Role(self.visit.membership.role).label)

    @property
    def person(self) -> str:
        return self.visit.person

    @property
    def theme(self) -> str:
        return self.visit.profile.theme if self.visit.profile else "system"

    @property
    def language(self) -> str:
        return self.visit.language

    @property
    def shortcuts(self) -> bool:
        return self.visit.profile.shortcuts if self.visit.profile else True

    @property
    def agent_places(self) -> list[NavEntry]:
        return self._entries(tabs_for(self.visit.membership.role, Concern.AGENT)) if self.agent else []

    @property
    def workspace_places(self) -> list[NavEntry]:
        return self._entries(tabs_for(self.visit.membership.role, Concern.WORKSPACE))

    @property
    def phone_places(self) -> list[NavEntry]:
        tabs = (
            [tab for tab in tabs_for(self.visit.membership.role, Concern.AGENT) if tab.phone_label]
            if self.agent
            else []
        )
        return [
            entry._replace(label=str(tab.phone_label))
            for tab, entry in zip(tabs, self._entries(tabs), strict=True)
        ]

    @property
    def workspace_links(self) -> list[Link]:
        return [
            Link(
                member.workspace.name,
                reverse("dashboard:workspace", args=[member.workspace.slug]),
                member.workspace_id == self.workspace.pk,
                say(Role(member.role).label),
            )
            for member in self.visit.memberships
        ]

    @property
    def may_create_workspace(self) -> bool:
        return any(member.role == Role.OWNER for member in self.visit.memberships)

    @property
    def agent_links(self) -> list[Link]:
        tab = self.visit.tab if self.visit.tab.concern is Concern.AGENT else TABS[0]
        return [
            Link(agent.name, reverse(tab.route, args=[self.workspace.slug, agent.slug]), agent == self.agent)
            for agent in self.visit.agents
        ]

    @property
    def search_url(self) -> str:
        return self.visit.url("facts") if self.agent else ""

    @property
    def palette_url(self) -> str:
        return self.visit.url("facts-palette") if self.agent else ""

    @property
    def model_settings_url(self) -> str:
        return self.visit.url("settings") + "#model"

    def _entries(self, tabs: Iterable[Tab]) -> list[NavEntry]:
        return [
            NavEntry(
                tab.name,
                str(tab.label),
                tab.icon,
                tab.key,
                self.visit.url(tab.name),
                tab is self.visit.tab,
                self.waiting if tab.name == "inbox" else 0,
            )
            for tab in tabs
        ]


def frame_for(visit: Visit, crumbs: Iterable[Crumb]) -> Frame:
    """The frame of one page; `crumbs` are the steps below its tab."""
    if visit.tab.concern is Concern.AGENT and visit.agent:
        home = Crumb(visit.agent.name, visit.url("overview"))
    else:
        home = Crumb(visit.workspace.name, reverse("dashboard:workspace", args=[visit.workspace.slug]))
    path = [home, Crumb(str(visit.tab.label), visit.url(visit.tab.name)), *crumbs]
    return Frame(visit, path, coming_night(visit), is_offline(visit.workspace), _count_waiting(visit))


def _count_waiting(visit: Visit) -> int:
    """What waits for this person's word about the agent in scope, in one statement."""
    if visit.agent is None:
        return 0
    with workspace_scope(visit.workspace):
        pairs = open_contradictions(visit.principal, visit.agent).order_by().values_list("pk")
        facts = pending_facts(visit.principal, visit.agent).order_by().values_list("pk")
        waiting: list[Any] = [facts]
        if visit.principal.can(Role.MEMBER):
            personas = SoulProposal.objects.visible_to(visit.principal).filter(
                agent=visit.agent, status=PENDING
            )
            waiting.append(personas.order_by().values_list("pk"))
        return int(pairs.union(*waiting, all=True).count())


def coming_night(visit: Visit) -> Night:
    """The day from six to six in the reader's zone, and the next dream; without one, when the night begins."""
    now = timezone.localtime()
    due = getattr(visit.agent, "next_dream", None)
    if due is not None:
        due = timezone.localtime(due)
        return Night(
            band=day_band(now, starts=MORNING, dreams=[due]),
            at=due,
            dreams=True,
            left=_in_hours(due - now) if due > now else _("now"),
        )
    start = now.replace(hour=NIGHT_STARTS, minute=0, second=0, microsecond=0)
    left = start - now if start > now else start + DAY - now
    is_night = now.hour >= NIGHT_STARTS or now.hour < MORNING
    return Night(
        band=day_band(now, starts=MORNING),
        at=start,
        dreams=False,
        left=_("now") if is_night else _in_hours(left),
    )


def _in_hours(left: timedelta) -> str:
    minutes = int(left.total_seconds() // 60)
    return _("in %(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}


def is_offline(workspace: Workspace) -> bool:
    """Whether replies and extraction follow rules because no model is set; told without asking the network."""
    if settings.LLM_BACKEND != "auto":
        return bool(settings.LLM_BACKEND == "offline")
    own = workspace.setting(BASE_URL) or workspace.sealed_secrets.get(API_KEY)
    return not (own or settings.LLM_BASE_URL or settings.LLM_API_KEY)
