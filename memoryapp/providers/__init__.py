"""Memory sources offered to a turn: one file is one provider, and `MEMORY_PROVIDERS` names those in use."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from memoryapp.models import Agent
from memoryapp.providers.base import Provider
from memoryapp.providers.facts import FactsProvider
from memoryapp.providers.files import FilesProvider
from memoryapp.providers.structured import StructuredProvider

BUILT_IN: dict[str, type[Provider]] = {
    provider.name: provider for provider in (FilesProvider, StructuredProvider, FactsProvider)
}


def providers_for(agent: Agent) -> Iterator[Provider]:
    """The memory sources of an agent, in the order in which what they offer stands in the prompt."""
    off = agent.settings.get("providersOff", [])
    return (BUILT_IN[name]() for name in settings.MEMORY_PROVIDERS if name in BUILT_IN and name not in off)
