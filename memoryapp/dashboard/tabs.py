"""The navigation: this list. A new tab is one line here, one module beside it and one template."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tenants.models import Role


class Concern(Enum):
    """What a tab is about: one agent, or the workspace as a whole."""

    AGENT = "agent"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Tab:
    """One entry of the navigation; `memoryapp.dashboard.<name>` holds its addresses and views."""

    name: str
    label: Promise
    icon: str
    concern: Concern
    # Pressed after `g`.
    key: str
    role: Role = Role.VIEWER
    # What the phone's bottom bar calls it; without a word it stands in the phone's menu only.
    phone_label: Promise | None = None
    # Whether it stands in the navigation; the others are led to from elsewhere.
    listed: bool = True

    @property
    def route(self) -> str:
        return f"dashboard:{self.name}"


TABS = (
    Tab("overview", _("Overview"), "layout-dashboard", Concern.AGENT, "o", phone_label=_("Overview")),
    Tab("playground", _("Playground"), "message-square", Concern.AGENT, "p", phone_label=_("Chat")),
    Tab("facts", _("Facts"), "library", Concern.AGENT, "f", phone_label=_("Facts")),
    Tab("dreams", _("Dreams"), "moon", Concern.AGENT, "d", phone_label=_("Dreams")),
    Tab("inbox", _("Inbox"), "inbox", Concern.AGENT, "i", phone_label=_("Inbox")),
    Tab("recall", _("Recall debugger"), "search-code", Concern.AGENT, "r"),
    Tab("files", _("Files"), "file-text", Concern.AGENT, "e"),
    Tab("rules", _("Memory rules"), "list-checks", Concern.AGENT, "l", role=Role.ADMIN),
    Tab("agents", _("Agents"), "bot", Concern.WORKSPACE, "a"),
    Tab("people", _("People"), "users", Concern.WORKSPACE, "u", role=Role.ADMIN),
    Tab("connect", _("Connect"), "globe", Concern.WORKSPACE, "c"),
    Tab("usage", _("Usage"), "chart-column", Concern.WORKSPACE, "y", role=Role.ADMIN),
    Tab("operations", _("Operations"), "activity", Concern.WORKSPACE, "j"),
    Tab("settings", _("Settings"), "settings", Concern.WORKSPACE, "s"),
    Tab("account", _("Your account"), "user", Concern.WORKSPACE, "", listed=False),
)


def tabs_for(role: int, concern: Concern) -> Iterator[Tab]:
    """The tabs a member of this role may use."""
    return (tab for tab in TABS if tab.listed and tab.concern is concern and role >= tab.role)
