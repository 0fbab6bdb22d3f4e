"""The earlier texts of a file: the list, and any two of them side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memoryapp.dashboard.actors import member_names, say_actor
from memoryapp.dashboard.diffs import count_changes
from memoryapp.dashboard.pages import Visit
from memoryapp.models import FileRevision, WorkspaceFile

REVISIONS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Past:
    """One revision as the drawer lists it."""

    revision: FileRevision
    by: str
    added: int
    removed: int
    chosen: bool


def compared(visit: Visit, file: WorkspaceFile) -> dict[str, Any]:
    """The revisions, newest first, and the one of the address against the other it names, else against the one before.

    `revisions` is the text looked at, `with` what it is compared to, `below` where the list begins.
    """
    names = member_names(visit)
    rows = FileRevision.objects.visible_to(visit.principal).filter(file=file)
    below = _number(visit, "below")
    page = list((rows.filter(number__lt=below) if below else rows)[: REVISIONS_SHOWN + 1])
    listed = page[:REVISIONS_SHOWN]
    wanted, other = _number(visit, "revisions"), _number(visit, "with")
    chosen = _find(rows, listed, wanted) if wanted else next(iter(listed), None)
    base = _find(rows, listed, other) if other else None
    unknown = [number for number, row in ((wanted, chosen), (other, base)) if number and (row is None)]
    return {
        "drawer": True,
        "past": [
            Past(
                row,
                say_actor(row.actor, names, visit.principal.actor),
                *count_changes(row.before, row.after),
                row == chosen,
            )
            for row in listed
        ],
        "chosen": chosen,
        "base": base,
        "before_text": (base.after if base else chosen.before) if chosen else "",
        "unknown_revision": next(iter(unknown), None),
        "older_revisions": listed[-1].number if len(page) > REVISIONS_SHOWN else None,
        "newer_revisions": bool(below),
    }


def _find(rows: Any, listed: list[FileRevision], number: int) -> FileRevision | None:
    """The revision of a number, looked for beyond the list only when it is not on it."""
    found = next((row for row in listed if row.number == number), None)
    return found or rows.filter(number=number).first()


def _number(visit: Visit, name: str) -> int | None:
    value = visit.request.GET.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 9 else None
