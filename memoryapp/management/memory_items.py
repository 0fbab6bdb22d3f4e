"""Memories of a mem0 export on their way in: each item read, checked, and added once however often the file is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from memoryapp.actions.erasure import was_erased
from memoryapp.actions.facts import AddedFact, Forgotten, NewFact, add_fact
from memoryapp.exceptions import MemoryAppError
from memoryapp.models import Agent
from memoryapp.snapshots.foreign.facts import kept_until, reason_of
from memoryapp.snapshots.foreign.mem0 import read_item
from tenants.exceptions import TenancyError
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope

ADDED, KNOWN, FORGOTTEN, ERASED, REFUSED = "added", "known", "forgotten", "erased", "refused"


class DryRun(Exception):
    """Ends the transaction of an item that is only tried."""


@dataclass
class MemoryImport:
    """One file on its way into one agent's memory, with what became of its items."""

    workspace: Workspace
    agent: Agent
    dry_run: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def take(self, items: list[Any]) -> Iterator[str]:
        """Add each item by itself, and tell what became of it."""
        for place, item in enumerate(items, start=1):
            outcome = self._outcome(place, item)
            self.counts[outcome] += 1
            yield outcome

    def _outcome(self, place: int, item: Any) -> str:
        try:
            new, owner_key = read_item(item)
            if owner_key and was_erased(self.workspace, owner_key):
                return ERASED
            added = self._added(new, owner_key)
        except Forgotten:
            return FORGOTTEN
        except (MemoryAppError, TenancyError) as error:
            self.problems.append(f"Item {place}: {reason_of(error)}")
            return REFUSED
        return ADDED if added.created else KNOWN

    def _added(self, new: NewFact, owner_key: str) -> AddedFact:
        principal = principal_for_job(self.workspace, owner_key or SYSTEM)
        new = replace(new, expires_at=new.expires_at or kept_until(self.agent, new.category))
        found: list[AddedFact] = []
        try:
            with workspace_scope(self.workspace):
                found.append(add_fact(principal=principal, agent=self.agent, new=new, reason="imported"))
                if self.dry_run:
                    raise DryRun
        except DryRun:
            pass
        return found[0]
