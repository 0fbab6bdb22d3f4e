"""Line diffs for a preview, bounded in length and in the work they cost."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

# Beyond this comparing line by line costs too much for what a person would read of it.
MOST_LINES = 4000
LONGEST_DIFF = 400
LONGEST_LINE = 500
CONTEXT = 2
MARKS = {"+": "added", "-": "removed", " ": "same"}


@dataclass(slots=True)
class DiffBudget:
    """How many lines may still be compared for one preview."""

    left: int = 40_000

    def take(self, lines: int) -> bool:
        self.left -= lines
        return self.left >= 0


@dataclass(frozen=True, slots=True)
class LineDiff:
    """What a text loses and gains, and the lines to show, as far as they go."""

    added: int
    removed: int
    lines: list[dict[str, str]] = field(default_factory=list)
    cut: bool = False

    def as_detail(self) -> dict[str, Any]:
        return {"added": self.added, "removed": self.removed, "diff": self.lines, "diffCut": self.cut}


def line_diff(before: str, after: str, budget: DiffBudget) -> LineDiff:
    """The difference between two texts; only counts where they are too long to compare."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > MOST_LINES or not budget.take(len(old) + len(new)):
        was, now = Counter(old), Counter(new)
        return LineDiff((now - was).total(), (was - now).total(), cut=True)
    found = list(difflib.unified_diff(old, new, lineterm="", n=CONTEXT))[2:]
    lines = [_shown(line) for line in found]
    kinds = Counter(line["kind"] for line in lines)
    return LineDiff(kinds["added"], kinds["removed"], lines[:LONGEST_DIFF], len(lines) > LONGEST_DIFF)


def _shown(line: str) -> dict[str, str]:
    if line.startswith("@@"):
        return {"kind": "fold", "text": ""}
    return {"kind": MARKS[line[0]], "text": line[1 : LONGEST_LINE + 1]}
