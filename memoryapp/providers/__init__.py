"""Memory sources offered to a turn: one file is one provider, and `MEMORY_PROVIDERS` names those in use.

Other packages bring theirs by an entry point of the group `memoryapp.providers`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from django.conf import settings
from django.db.models import Case, Value, When

from memoryapp.models import Agent
from memoryapp.providers.base import Provider, StandingRows
from memoryapp.providers.conversations import ConversationsProvider
from memoryapp.providers.facts import FactsProvider
from memoryapp.providers.files import FilesProvider
from memoryapp.providers.mem0 import Mem0Provider
from memoryapp.providers.structured import StructuredProvider
from tenants.models import Workspace
from tenants.principals import Principal

logger = logging.getLogger(__name__)

BUILT_IN: dict[str, type[Provider]] = {
    provider.name: provider
    for provider in (FilesProvider, StructuredProvider, FactsProvider, ConversationsProvider, Mem0Provider)
}
ENTRY_POINTS = "memoryapp.providers"
STANDING = "standing_"


@cache
def known_providers() -> dict[str, type[Provider]]:
    """Every memory source there is, by name: our own, and those that other packages bring.

    One that cannot be loaded is logged and left out; none takes the name of one of ours.
    """
    known = dict(BUILT_IN)
    for point in entry_points(group=ENTRY_POINTS):
        try:
            provider = point.load()
        except Exception:
            # The edge towards other people's packages: a broken one must not keep the server from starting.
            logger.exception("The memory source %s cannot be loaded.", point.name)
            continue
        if isinstance(provider, type) and issubclass(provider, Provider) and provider.name not in known:
            known[provider.name] = provider
        else:
            logger.error("The memory source %s is no Provider with a name of its own.", point.name)
    return known


def names_in_use() -> list[str]:
    """The sources that the installation uses, in their order."""
    return [name for name in dict.fromkeys(settings.MEMORY_PROVIDERS) if name in known_providers()]


def providers_for(agent: Agent, workspace: Workspace) -> list[Provider]:
    """The memory sources of a workspace's agent, in the order in which what they offer stands in the prompt."""
    off = agent.settings.get("providersOff", [])
    return [provider for provider in providers_of(workspace) if provider.name not in off]


def providers_of(workspace: Workspace) -> list[Provider]:
    """The memory sources of a workspace."""
    return [provider for provider in _in_use() if provider.is_set_up(workspace)]


def is_heard(hook: str) -> bool:
    """Whether any source in use does something at a hook."""
    return any(known_providers()[name].hears(hook) for name in names_in_use())


def _in_use() -> Iterator[Provider]:
    return (known_providers()[name]() for name in names_in_use())


def standing_memory(principal: Principal) -> dict[str, StandingRows]:
    """What the memory sources want of every turn, as expressions to be loaded together with the agent."""
    wanted = {provider.name: provider.standing_rows(principal) for provider in _in_use()}
    return {STANDING + name: _unless_off(name, rows) for name, rows in wanted.items() if rows is not None}


def _unless_off(name: str, rows: StandingRows) -> StandingRows:
    """The rows, which are not read for an agent that does not ask this source."""
    is_off = When(settings__providersOff__contains=[name], then=Value([]))
    return Case(is_off, default=rows, output_field=rows.output_field)


def standing_of(agent: Agent) -> dict[str, list[dict[str, Any]]]:
    """What came along with the agent, by provider."""
    loaded = vars(agent)
    return {name: loaded[STANDING + name] for name in names_in_use() if STANDING + name in loaded}
