"""Facts of other products as lines of a snapshot: checked and masked like any new fact, and named by what they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from memoryapp.actions.facts import NewFact, unsaved_fact
from memoryapp.exceptions import MemoryAppError
from memoryapp.models import Agent
from memoryapp.snapshots.incoming import FactLine, Unreadable, read_line
from memoryapp.snapshots.lines import described_fact, export_id
from memoryapp.snapshots.manifest import canonical
from tenants.exceptions import TenancyError
from tenants.principals import Principal
from tenants.scoping import Scope


@dataclass(frozen=True, slots=True)
class ToldFact:
    """A fact as another product tells it, at which place of its file, and where it says it has it from."""

    number: int
    new: NewFact
    source: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Told:
    """What an entry tells: facts, and what in it cannot be one."""

    facts: list[ToldFact] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)

    def complain(self, number: int, reason: str) -> None:
        """Note what cannot be used, with its place in the file."""
        self.problems.append({"line": number, "reason": reason})


def line_of(principal: Principal, agent: Agent, told: ToldFact, scope: Scope) -> FactLine:
    """The line that a snapshot would have of it; raises MemoryAppError and Unreadable for what no fact may be.

    The same words of the same run are the same line, however often and in whatever file an archive says them.
    """
    owner_key = principal.owner_key if scope == Scope.PERSONAL else ""
    new = replace(told.new, expires_at=told.new.expires_at or kept_until(agent, told.new.category))
    fact, _ = unsaved_fact(principal, agent, new, scope, owner_key)
    described = {
        **described_fact(fact),
        "id": export_id("fact", fact.text_key, fact.run_id),
        "supersededBy": None,
        "sources": [dict(told.source)] if told.source else [],
    }
    line = read_line("facts", canonical(described).decode(), principal.workspace)
    if not isinstance(line, FactLine):
        raise Unreadable("not a fact")
    return line


def reason_of(error: MemoryAppError | TenancyError) -> str:
    """What is wrong with a thing, in a sentence."""
    reasons = [reason for reasons in error.errors.values() for reason in reasons]
    return " ".join(reasons) or error.detail


def kept_until(agent: Agent, category: str) -> datetime | None:
    """When something that is kept for a time only goes: counted from now, since it was last told by the import."""
    days = agent.traits_of(category).kept_days
    return timezone.now() + timedelta(days=days) if days else None
