"""What becomes of a fact that an archive brings: new here, known, in conflict with what is here, or forgotten."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.tombstones import ForgottenTexts, load_forgotten
from memoryapp.models import Agent, Fact
from memoryapp.snapshots.incoming import FactLine
from tenants.principals import Principal
from tenants.scoping import Scope

NEW, KNOWN, CONFLICTING, FORGOTTEN = "new", "known", "conflicting", "forgotten"
LIVING = {Fact.Status.ACTIVE, Fact.Status.PENDING}


@dataclass(slots=True)
class FactStates:
    """Judges the facts of one archive against one bucket, as it stood when the import began."""

    principal: Principal
    agent: Agent
    scope: str
    forgotten: ForgottenTexts
    # Export id → the row that says it here, for facts that are known already.
    rows: dict[str, UUID] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    # Rows that the import itself made: an archive may hold several observations in the same words.
    made: set[UUID] = field(default_factory=set)

    @classmethod
    def of(cls, principal: Principal, agent: Agent, scope: str) -> FactStates:
        return cls(principal, agent, scope, load_forgotten(principal=principal, agent=agent, scope=scope))

    def judge(self, lines: Sequence[FactLine]) -> list[str]:
        """The state of each line, in order."""
        keys = {line.id: text_key(line.text) for line in lines}
        here = self._rows_by_key(keys.values())
        return [self._state(line, here[keys[line.id]]) for line in lines]

    def _rows_by_key(self, keys: Iterable[str]) -> dict[str, list[Fact]]:
        owner_key = self.principal.owner_key if self.scope == Scope.PERSONAL else ""
        rows = Fact.objects.filter(agent=self.agent, scope=self.scope, owner_key=owner_key, session=None)
        found: dict[str, list[Fact]] = defaultdict(list)
        rows = rows.filter(text_key__in=set(keys)).exclude(status=Fact.Status.FORGOTTEN)
        for row in rows.only("text_key", "run_id", "said_at", "status", "origin").order_by("created_at"):
            if row.pk not in self.made:
                found[row.text_key].append(row)
        return found

    def _state(self, line: FactLine, here: list[Fact]) -> str:
        if self.forgotten.include(line.text):
            return FORGOTTEN
        if line.id in self.taken:
            return KNOWN
        self.taken.add(line.id)
        same = [row for row in here if row.run_id == line.runId and row.said_at == line.saidAt]
        living = [row for row in here if row.status in LIVING and row.run_id == line.runId]
        # What an earlier import brought is known, whatever has become of it since.
        brought = [row for row in here if row.run_id == line.runId and row.origin == line.origin == "import"]
        match = next(iter(same or living or brought), None)
        if match is None:
            return NEW
        self.rows[line.id] = match.pk
        agrees = match.status == line.status or {match.status, line.status} <= LIVING
        return KNOWN if agrees else CONFLICTING
