"""One reading of a conversation, from what it starts with to what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from memoryapp.lifecycle.background import Background
from memoryapp.lifecycle.changes import Change
from memoryapp.lifecycle.off_record import OffRecord
from memoryapp.lifecycle.transcripts import Stretch
from memoryapp.llm.tasks import Candidate, Operation, Refusal
from memoryapp.llm.types import Usage
from memoryapp.models import Agent, Extraction
from tenants.principals import Principal


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reading stands on: whose, which stretch, what was known before it, what of it is private."""

    principal: Principal
    agent: Agent
    stretch: Stretch
    background: Background
    off_record: OffRecord
    event_id: UUID | None = None

    @property
    def note_day(self) -> date:
        return self.stretch.day_in(self.principal.workspace.zone)


@dataclass(frozen=True, slots=True)
class Judged:
    """A model's reply after the gates: what may be applied, what was refused, and the new texts of the files."""

    candidates: tuple[Candidate, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    # What is known already and was said once more, by the numbers of the known facts: no change, but a confirmation.
    restated: tuple[Candidate, ...] = ()
    daily_entry: str = ""
    files: dict[str, str] = field(default_factory=dict)
    reason: str = ""
    usage: Usage = field(default_factory=Usage)


@dataclass(slots=True)
class Applied:
    """What was done of a reply."""

    changes: list[Change] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def status(self) -> Extraction.Status:
        changed = self.files or any(change.op is not Operation.NONE for change in self.changes)
        return Extraction.Status.SUCCEEDED if changed else Extraction.Status.NO_UPDATE
