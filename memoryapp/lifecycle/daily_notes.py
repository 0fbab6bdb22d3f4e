"""The notes of the last days, as a dream reads them."""

from __future__ import annotations

from datetime import date, timedelta

import regex
from django.conf import settings

from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.llm.night_tasks import NoteLines
from memoryapp.models import WorkspaceFile

NOTE_NAME = regex.compile(r"memory/(\d{4}-\d{2}-\d{2})\.md")
# What programs keep in files for themselves.
MANAGED = regex.compile(r"<!--.*?-->", regex.DOTALL)


def load_notes(bucket: BucketOf, today: date) -> list[NoteLines]:
    """The bucket's notes of the last days up to today, oldest first, without headings and what programs keep there."""
    rows = WorkspaceFile.objects.filter(**bucket.rows, path__startswith="memory/").order_by("path")
    days = settings.MEMORY_EMERGENCE_DAY_RANGE
    first = today - timedelta(days=days - 1) if days else date.min
    notes = []
    for path, content in rows.values_list("path", "content"):
        day = note_day(path)
        if day is not None and first <= day <= today:
            notes.append(NoteLines(day, _without_managed(content)))
    return notes


def note_day(path: str) -> date | None:
    """The day a note is of; None for a file that only looks like one."""
    match = NOTE_NAME.fullmatch(path)
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def _without_managed(content: str) -> str:
    lines = MANAGED.sub("", content).splitlines()
    return "\n".join(line for line in lines if not line.startswith("# ")).strip()
