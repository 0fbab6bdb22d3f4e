"""One entry of an archive as it would be stored: masked, cut to its ceiling, without what was forgotten."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from memoryapp.actions.file_text import ceiling_of, cut_to_ceiling
from memoryapp.actions.files import MAX_FILE_CHARS
from memoryapp.actions.masking import masked
from memoryapp.actions.tombstones import load_forgotten
from memoryapp.exceptions import MemoryAppError
from memoryapp.models import Agent, ImportPart, WorkspaceFile
from memoryapp.snapshots.diffs import DiffBudget, LineDiff, line_diff
from memoryapp.snapshots.fact_states import NEW, FactStates
from memoryapp.snapshots.foreign.facts import Told, line_of, reason_of
from memoryapp.snapshots.foreign.talks import prepare_talk
from memoryapp.snapshots.incoming import FactLine, Line, Unreadable, read_line, stored_line
from tenants.principals import Principal
from tenants.scoping import Scope

# Characters no text has; files may begin with a byte order mark and end lines as they like.
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
ARCHIVE_MARKS = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"Rar!",
    b"7z\xbc\xaf\x27\x1c",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)
BATCH = 200
SHOWN_FACTS = 200
SHOWN_PROBLEMS = 50
LONGEST_SHOWN = 240


class RefusedPart(ValueError):
    """An entry with an allowed name whose content cannot be used, with the reason."""


@dataclass(slots=True)
class FilePart:
    """What becomes of one entry."""

    action: str
    reason: str = ""
    base_version: int = 0
    text: str = ""
    detail: dict[str, Any] = field(default_factory=dict)
    edited: bool = False


def prepare_file(
    principal: Principal, agent: Agent, path: str, *, scope: str, content: bytes, budget: DiffBudget
) -> FilePart:
    """A file of an archive against the one of that name here; raises RefusedPart when it is no usable text."""
    text = readable_text(content)
    if len(text) > MAX_FILE_CHARS:
        raise RefusedPart(f"longer than {MAX_FILE_CHARS} characters")
    wanted, was_masked, was_cut = _storable(principal, agent, path, scope, text)
    current = _current(principal, agent, path, scope)
    if current is not None and current.content == wanted:
        return FilePart(ImportPart.Action.SKIP, "unchanged", current.version)
    diff = line_diff(current.content if current else "", wanted, budget)
    return FilePart(
        ImportPart.Action.UPDATE if current else ImportPart.Action.CREATE,
        base_version=current.version if current else 0,
        text=wanted,
        detail={**_sizes(current, wanted, diff), "masked": was_masked, "truncated": was_cut},
    )


def _storable(principal: Principal, agent: Agent, path: str, scope: str, text: str) -> tuple[str, bool, bool]:
    """The text as `write_file` will store it, so that the preview shows exactly that."""
    clear, was_masked = masked(text, principal.workspace)
    cut = cut_to_ceiling(clear, ceiling_of(path))
    return (
        load_forgotten(principal=principal, agent=agent, scope=scope).without(cut),
        was_masked,
        cut != clear,
    )


def _current(principal: Principal, agent: Agent, path: str, scope: str) -> WorkspaceFile | None:
    owner_key = principal.owner_key if scope == Scope.PERSONAL else ""
    found: WorkspaceFile | None = WorkspaceFile.objects.filter(
        agent=agent, path=path, scope=scope, owner_key=owner_key
    ).first()
    return found


def _sizes(current: WorkspaceFile | None, wanted: str, diff: LineDiff) -> dict[str, Any]:
    changed = current.updated_at.isoformat() if current else None
    return {
        **diff.as_detail(),
        "oldSize": len(current.content) if current else 0,
        "newSize": len(wanted),
        "changedHere": changed,
    }


def readable_text(content: bytes) -> str:
    """The content as text; raises RefusedPart for what is none."""
    if content.startswith(ARCHIVE_MARKS):
        raise RefusedPart("an archive inside the archive")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefusedPart("not valid UTF-8") from error
    if UNPRINTABLE.search(text):
        raise RefusedPart("has control characters")
    return text


def prepare_data(principal: Principal, kind: str, content: bytes, states: FactStates) -> FilePart:
    """Lines of data of an archive, each judged; facts against what is known here."""
    lines, problems = _read_lines(principal, kind, readable_text(content))
    return _judged_part(lines, problems, states)


def prepare_told(
    principal: Principal, agent: Agent, told: Told, scope: Scope, states: FactStates
) -> FilePart | None:
    """The facts that another product's entry tells, each judged; None when it tells nothing."""
    lines: list[Line] = []
    for each in told.facts:
        try:
            lines.append(line_of(principal, agent, each, scope))
        except (MemoryAppError, Unreadable) as error:
            told.complain(each.number, reason_of(error) if isinstance(error, MemoryAppError) else str(error))
    problems = sorted(told.problems, key=lambda problem: int(problem["line"]))
    return _judged_part(lines, problems, states) if lines or problems else None


def prepare_messages(principal: Principal, agent: Agent, name: str, content: bytes) -> FilePart:
    """The messages of a file of conversations, as the acting owner's."""
    talk = prepare_talk(principal, agent, name, content)
    counts = {**talk.counts, "unreadable": len(talk.problems), "conversations": len(talk.conversations)}
    has_news = bool(talk.counts[NEW])
    return FilePart(
        ImportPart.Action.CREATE if has_news else ImportPart.Action.SKIP,
        "" if has_news else "known here already",
        text="\n".join(talk.lines),
        detail={"counts": counts, "unreadable": talk.problems[:SHOWN_PROBLEMS]},
    )


def _judged_part(lines: Sequence[Line], problems: list[dict[str, Any]], states: FactStates) -> FilePart:
    counts: Counter[str] = Counter(unreadable=len(problems))
    shown: list[dict[str, str]] = []
    kept: list[str] = []
    queue = iter(lines)
    while batch := list(islice(queue, BATCH)):
        for line, state in zip(batch, _judged(batch, states), strict=True):
            counts[state] += 1
            kept.append(f"{state} {stored_line(line)}" if isinstance(line, FactLine) else stored_line(line))
            if isinstance(line, FactLine) and len(shown) < SHOWN_FACTS:
                shown.append({"state": state, "text": line.text[:LONGEST_SHOWN], "category": line.category})
    detail = {
        "counts": {key: count for key, count in counts.items() if count},
        "unreadable": problems[:SHOWN_PROBLEMS],
    }
    action = ImportPart.Action.CREATE if counts[NEW] else ImportPart.Action.SKIP
    reason = "" if counts[NEW] else "known here already"
    return FilePart(
        action, reason, text="\n".join(kept), detail={**detail, "facts": shown} if shown else detail
    )


def _judged(batch: Sequence[Line], states: FactStates) -> list[str]:
    facts = [line for line in batch if isinstance(line, FactLine)]
    return states.judge(facts) if facts else [NEW] * len(batch)


def _read_lines(principal: Principal, kind: str, text: str) -> tuple[list[Line], list[dict[str, Any]]]:
    lines: list[Line] = []
    problems: list[dict[str, Any]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            lines.append(read_line(kind, raw, principal.workspace))
        except Unreadable as error:
            problems.append({"line": number, "reason": str(error)})
    return lines, problems
