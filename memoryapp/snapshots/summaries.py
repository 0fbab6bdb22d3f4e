"""What a preview shows: files by what becomes of them, facts by what is known of them, and what is not applied."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from memoryapp.models import ImportPart, SnapshotImport
from memoryapp.snapshots.fact_states import CONFLICTING, FORGOTTEN, KNOWN, NEW
from memoryapp.snapshots.foreign.talks import MESSAGES

STATES = (NEW, KNOWN, CONFLICTING, FORGOTTEN)


@dataclass(slots=True)
class ImportSummary:
    """A preview, sorted for whoever has to decide."""

    row: SnapshotImport
    create: list[dict[str, Any]] = field(default_factory=list)
    update: list[dict[str, Any]] = field(default_factory=list)
    skip: list[dict[str, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    unreadable: list[dict[str, Any]] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    dreams: int = 0
    messages: Counter[str] = field(default_factory=Counter)

    @property
    def rejected(self) -> list[dict[str, Any]]:
        """Entries that are never applied, and why."""
        return [entry for entry in self.row.refused if not entry["ignored"]]

    @property
    def ignored(self) -> list[dict[str, Any]]:
        """What a desktop computer left in the archive."""
        return [entry for entry in self.row.refused if entry["ignored"]]

    @property
    def facts(self) -> dict[str, Any]:
        return {
            **{state: self.counts[state] for state in STATES},
            "unreadable": self.unreadable,
            "items": self.items,
        }

    @property
    def changes(self) -> int:
        """How many files, facts and messages an import would write."""
        return len(self.create) + len(self.update) + self.counts[NEW] + self.messages[NEW]


def summary_of(row: SnapshotImport) -> ImportSummary:
    """A preview as it is shown; inside the workspace's scope."""
    summary = ImportSummary(row)
    for part in ImportPart.objects.filter(snapshot_import=row).defer("text").order_by("position"):
        _add(summary, part)
    return summary


def _add(summary: ImportSummary, part: ImportPart) -> None:
    if part.kind == "file" or not part.detail:
        entry = {"path": part.path, "scope": part.target_scope, "reason": part.reason, **part.detail}
        getattr(summary, part.action).append(entry)
        return
    counts = part.detail["counts"]
    summary.unreadable += [{"path": part.path, **problem} for problem in part.detail["unreadable"]]
    if part.kind == "facts":
        summary.counts.update({state: counts.get(state, 0) for state in STATES})
        summary.items += part.detail.get("facts", [])
    elif part.kind == MESSAGES:
        summary.messages.update({name: counts.get(name, 0) for name in (NEW, KNOWN, "conversations")})
    elif part.kind == "dreams":
        summary.dreams += counts.get(NEW, 0)
