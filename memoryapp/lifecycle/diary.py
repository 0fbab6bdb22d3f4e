"""DREAMS.md: what each dream looked at, what it changed and what it concluded, for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings

from memoryapp.actions.files import write_file
from memoryapp.actions.memory_changes import Change
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.lifecycle.dream_candidates import Candidate
from memoryapp.lifecycle.dream_sources import DreamMaterial
from memoryapp.models import Dream, DreamEntry, WorkspaceFile

DIARY = "DREAMS.md"
TITLE = "# Dreams\n"
MOST_NEAR_MISSES = 5
WORDS = {
    DreamEntry.Operation.ADD: "Kept",
    DreamEntry.Operation.MERGE: "Merged",
    DreamEntry.Operation.SUPERSEDE: "Brought up to date",
    DreamEntry.Operation.DROP: "Left out",
}


def diary_entry(
    dream: Dream,
    material: DreamMaterial,
    changes: Sequence[Change],
    near_misses: Sequence[Candidate],
    finished_at: datetime,
) -> str:
    """The entry of one dream, in the workspace's time with the zone's name, so that nobody takes it for another."""
    lines = [f"## {diary_heading(dream, material.bucket, finished_at)}", "", _looked_at(dream, material)]
    lines += [_told(change) for change in changes]
    lines += [
        f"- Not yet: “{miss.text}” ({miss.why}; stopped by: {miss.gate})"
        for miss in near_misses[:MOST_NEAR_MISSES]
    ]
    if dream.reason:
        lines += ["", dream.reason]
    return "\n".join(lines) + "\n"


def diary_heading(dream: Dream, bucket: BucketOf, moment: datetime) -> str:
    """When the dream was, and which kind."""
    local = moment.astimezone(bucket.workspace.zone)
    topic = f": {dream.topic}" if dream.topic else ""
    return f"{local:%Y-%m-%d %H:%M} ({bucket.workspace.time_zone}) {dream.kind} dream{topic}"


def _looked_at(dream: Dream, material: DreamMaterial) -> str:
    days = [note.day.isoformat() for note in material.notes]
    span = f" ({days[0]} to {days[-1]})" if len(days) > 1 else f" ({days[0]})" if days else ""
    cut = dream.statistics.get("notesCut") or []
    shortened = f" Too long to be read whole: {', '.join(cut)}." if cut else ""
    notes, candidates = (
        _amount(len(days), "note"),
        _amount(dream.statistics.get("candidates", 0), "candidate"),
    )
    return f"Looked at {notes}{span} and {candidates}.{shortened}"


def _amount(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _told(change: Change) -> str:
    word = WORDS[DreamEntry.Operation(change.operation)]
    before = " / ".join(f"“{_bare(line)}”" for line in change.before)
    text = f"“{_bare(change.after)}”" if change.after else before
    instead = f" instead of {before}" if change.after and before else ""
    reason = f" ({change.reason})" if change.reason and change.after else ""
    return f"- {word}: {text}{instead}{reason}"


def _bare(line: str) -> str:
    return line.strip().lstrip("-*+ ").strip()


def append_to_diary(bucket: BucketOf, entry: str) -> WorkspaceFile:
    """Put an entry at the end of the bucket's diary, and return the file; inside the workspace's scope."""
    known = WorkspaceFile.objects.filter(**bucket.rows, path=DIARY).select_for_update().first()
    content = known.content if known else TITLE
    return write_file(
        principal=bucket.principal,
        agent=bucket.agent,
        path=DIARY,
        content=f"{content.rstrip()}\n\n{entry}",
        scope=bucket.scope,
        origin="dream",
        reason="dream diary",
    ).file


def is_over_limit(content: str) -> bool:
    """Whether a diary has grown beyond what may stand in one file."""
    limit = settings.MEMORY_DREAMS_MD_MAX_CHARS
    return bool(limit) and len(content) > limit
