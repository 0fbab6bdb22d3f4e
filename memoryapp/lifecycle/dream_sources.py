"""What a dream looks at: the notes of the last days, the memory file, what was recalled, and what no longer holds.

Only notes whose name is a real day within the window count. Diaries, archives and reports are never read: a dream does
not feed on dreams.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

import regex
from django.conf import settings
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from memoryapp.actions.forget_reach import Reach, names_of
from memoryapp.actions.recalls import line_key
from memoryapp.actions.statements import Statements
from memoryapp.actions.tombstones import ForgottenTexts, load_forgotten
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.llm.night_tasks import NoteLines
from memoryapp.models import Dream, DreamEntry, Fact, FileSection, Recall, WorkspaceFile
from memoryapp.models.categories import FactCategory
from tenants.scoping import Scope

MEMORY = "MEMORY.md"
NOTE_NAME = regex.compile(r"memory/(\d{4}-\d{2}-\d{2})\.md")
# What programs keep in files for themselves.
MANAGED = regex.compile(r"<!--.*?-->", regex.DOTALL)
MOST_OUTDATED = 500
GROW_AGAIN = 1.25
LONGEST_MEMORY = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Signal:
    """How often something was recalled, for how many different questions, when last, and how often since yesterday."""

    recalls: int = 0
    queries: int = 0
    last: datetime | None = None
    today: int = 0


@dataclass(frozen=True, slots=True)
class RecalledLine:
    """A line of a note, or a fact, that answered questions."""

    text: str
    day: date | None
    signal: Signal
    source: dict[str, str]


@dataclass(frozen=True, slots=True)
class DreamMaterial:
    """Everything one dream starts from, as it was at one moment."""

    bucket: BucketOf
    today: date
    notes: tuple[NoteLines, ...] = ()
    memory: str = ""
    version: int = 0
    protected: tuple[str, ...] = ()
    protected_lines: frozenset[str] = frozenset()
    recalled: tuple[RecalledLine, ...] = ()
    outdated: Statements = field(default_factory=lambda: Statements([]))
    outdated_texts: tuple[str, ...] = ()
    standing: Statements = field(default_factory=lambda: Statements([]))
    reverted: Statements = field(default_factory=lambda: Statements([]))
    forgotten: ForgottenTexts = field(default_factory=lambda: ForgottenTexts([]))
    names: tuple[str, ...] = ()
    # How many characters of notes the model took the last time, when not all of them.
    room_before: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look at."""
        return not self.recalled and not any(note.text.strip() for note in self.notes)


def load_material(bucket: BucketOf, topic: str = "") -> DreamMaterial:
    """What a dream of the bucket starts from; inside the workspace's scope."""
    today = bucket.today()
    memory = WorkspaceFile.objects.filter(**bucket.rows, path=MEMORY).first()
    sections = list(memory.sections.all()) if memory else []
    mine = [section for section in sections if section.person_edited]
    outdated = _outdated_texts(bucket)
    names = tuple(names_of(Reach(bucket.workspace.pk, bucket.agent.pk, bucket.owner_key, team=False)))
    return DreamMaterial(
        bucket=bucket,
        today=today,
        notes=tuple(load_notes(bucket, today)),
        memory=memory.content if memory else "",
        version=memory.version if memory else 0,
        protected=tuple(section.heading for section in mine),
        protected_lines=frozenset(
            line for section in mine for line in section.text.splitlines() if line.strip()
        ),
        recalled=tuple(load_recalled(bucket)),
        outdated=Statements(outdated, names),
        outdated_texts=tuple(outdated[:50]),
        standing=Statements(_standing_texts(bucket), names),
        reverted=Statements(_reverted_texts(bucket), names),
        forgotten=load_forgotten(
            principal=bucket.principal, agent=bucket.agent, scope=bucket.scope, owner_key=bucket.owner_key
        ),
        names=names,
        room_before=_room_before(bucket),
    )


def _room_before(bucket: BucketOf) -> int:
    """What fitted the last time that notes had to be cut; it may grow again, so that one bad night is not for ever."""
    last = Dream.objects.filter(**bucket.rows, statistics__has_key="room").order_by("-created_at").first()
    return int(last.statistics["room"] * GROW_AGAIN) if last and last.statistics.get("notesCut") else 0


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


def load_recalled(bucket: BucketOf) -> list[RecalledLine]:
    """The facts and note lines of a bucket that were recalled lately, with how."""
    rows = Recall.objects.filter(workspace=bucket.workspace, agent=bucket.agent)
    rows = rows.filter(created_at__gte=timezone.now() - LONGEST_MEMORY)
    if bucket.scope == Scope.PERSONAL:
        rows = rows.filter(owner_key=bucket.owner_key)
    return [*_recalled_facts(bucket, rows), *_recalled_lines(bucket, rows)]


def _signals(rows: QuerySet[Recall], *keys: str) -> dict[tuple[Any, ...], Signal]:
    """How often each was recalled, by the columns that tell them apart."""
    yesterday = timezone.now() - timedelta(days=1)
    counted = rows.values(*keys).annotate(
        recalls=Count("pk"),
        queries=Count("query_key", distinct=True),
        last=Max("created_at"),
        today=Count("pk", filter=Q(created_at__gte=yesterday)),
    )
    return {
        tuple(row[key] for key in keys): Signal(row["recalls"], row["queries"], row["last"], row["today"])
        for row in counted
    }


def _recalled_facts(bucket: BucketOf, rows: QuerySet[Recall]) -> list[RecalledLine]:
    signals = _signals(rows.filter(fact__scope=bucket.scope, fact__owner_key=bucket.owner_key), "fact_id")
    facts = Fact.objects.filter(**bucket.rows, pk__in=[key for (key,) in signals]).current()
    return [
        RecalledLine(
            fact.text,
            fact.said_at.astimezone(bucket.workspace.zone).date(),
            signals[fact.pk,],
            {"factId": str(fact.pk)},
        )
        for fact in facts
        if not fact.traits.always_on
    ]


def _recalled_lines(bucket: BucketOf, rows: QuerySet[Recall]) -> list[RecalledLine]:
    mine = rows.filter(section__scope=bucket.scope, section__owner_key=bucket.owner_key).exclude(line_key="")
    notes = mine.filter(section__file__path__startswith="memory/")
    signals = _signals(notes, "section_id", "line_key")
    sections = FileSection.objects.filter(**bucket.rows, pk__in={section for section, _ in signals})
    found = []
    for section in sections.select_related("file"):
        day = note_day(section.file.path)
        for line in section.text.splitlines() if day else ():
            signal = signals.get((section.pk, line_key(line)))
            if signal is not None:
                found.append(RecalledLine(line.strip(" -*"), day, signal, {"path": section.file.path}))
    return found


def _outdated_texts(bucket: BucketOf) -> list[str]:
    """What the bucket once knew and no longer holds: superseded or expired, the latest first."""
    gone = Q(status=Fact.Status.SUPERSEDED) | Q(status=Fact.Status.ACTIVE, expires_at__lte=timezone.now())
    facts = Fact.objects.filter(gone, **bucket.rows).order_by("-updated_at")
    return list(facts.values_list("text", flat=True)[:MOST_OUTDATED])


def _standing_texts(bucket: BucketOf) -> list[str]:
    """What stands in every prompt already, whatever the files say."""
    facts = Fact.objects.filter(**bucket.rows).current().in_category(*FactCategory.always_on())
    return list(facts.values_list("text", flat=True)[:MOST_OUTDATED])


def _reverted_texts(bucket: BucketOf) -> list[str]:
    """Lines that a dream once added and a person took back."""
    entries = DreamEntry.objects.filter(**bucket.rows).exclude(reverted_at=None)
    return [text for text in entries.values_list("after", flat=True)[:MOST_OUTDATED] if text]
