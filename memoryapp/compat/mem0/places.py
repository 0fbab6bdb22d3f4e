"""mem0's ids in our terms: whose memory, and which agent's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoryapp.actions.agents import default_agent, load_agent
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Agent
from tenants.principals import Principal

IDS = ("user_id", "agent_id", "app_id", "run_id")
MAX_ID = 128


@dataclass(frozen=True, slots=True)
class Labels:
    """The ids a caller gave, empty where none."""

    user_id: str = ""
    agent_id: str = ""
    app_id: str = ""
    run_id: str = ""

    @property
    def any(self) -> bool:
        return any(getattr(self, name) for name in IDS)


def read_labels(body: Mapping[str, Any]) -> Labels:
    """The ids of a body, else of the flat filters in it, where some clients put them.

    Raises ValidationFailed for an id that is neither text nor number, or overlong.
    """
    given = {name: body.get(name) for name in IDS}
    filters = body.get("filters")
    if not any(given.values()) and isinstance(filters, Mapping):
        given = {name: filters.get(name) for name in IDS}
    return Labels(**{name: _label(name, value) for name, value in given.items()})


def _label(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValidationFailed.of(name, f"{name} is a text.")
    if len(str(value)) > MAX_ID:
        raise ValidationFailed.of(name, f"{name} has at most {MAX_ID} characters.")
    return str(value)


def choose_agent(principal: Principal, agent_id: str) -> Agent:
    """The agent a call is about: the token's own, else the one it names by id or slug, else the workspace's first."""
    if agent_id and principal.agent_id is None:
        try:
            return load_agent(principal, agent_id)
        except NotFound:
            # Any other value is the caller's own label for it, which stays on the record.
            return default_agent(principal)
    return default_agent(principal)
