"""Memory sources offered to a turn: one file is one provider, and `MEMORY_PROVIDERS` names those in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery

from memoryapp.models import Agent
from memoryapp.providers.base import Provider
from memoryapp.providers.facts import FactsProvider
from memoryapp.providers.files import FilesProvider
from memoryapp.providers.structured import StructuredProvider
from tenants.principals import Principal

BUILT_IN: dict[str, type[Provider]] = {
    provider.name: provider for provider in (FilesProvider, StructuredProvider, FactsProvider)
}


STANDING = "standing_"


def providers_for(agent: Agent) -> Iterator[Provider]:
    """The memory sources of an agent, in the order in which what they offer stands in the prompt."""
    off = agent.settings.get("providersOff", [])
    return (provider for provider in _in_use() if provider.name not in off)


def _in_use() -> Iterator[Provider]:
    return (BUILT_IN[name]() for name in settings.MEMORY_PROVIDERS if name in BUILT_IN)


def standing_memory(principal: Principal) -> dict[str, ArraySubquery]:
    """What the memory sources want of every turn, as expressions to be loaded together with the agent."""
    wanted = {provider.name: provider.standing_rows(principal) for provider in _in_use()}
    return {STANDING + name: rows for name, rows in wanted.items() if rows is not None}


def standing_of(agent: Agent) -> dict[str, list[dict[str, Any]]]:
    """What came along with the agent, by provider."""
    loaded = vars(agent)
    return {name: loaded[STANDING + name] for name in BUILT_IN if STANDING + name in loaded}
