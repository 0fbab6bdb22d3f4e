"""What a dream looks at: the notes of the last days, the memory file, what was recalled, and what no longer holds.

Only notes whose name is a real day within the window count. Diaries, archives and reports are never read: a dream does
not feed on dreams.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import regex
from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Max, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject
from django.utils import timezone

from memoryapp.actions.forget_reach import names_in
from memoryapp.actions.recalls import line_key
from memoryapp.actions.statements import Statements
from memoryapp.actions.tombstones import ForgottenTexts, load_forgotten
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.llm.night_tasks import NoteLines
from memoryapp.models import (
    Contradiction,
    Dream,
    DreamEntry,
    Fact,
    FileSection,
    Owner,
    Recall,
    WorkspaceFile,
)
from memoryapp.models.categories import FactCategory
from tenants.scoping import Scope

MEMORY = "MEMORY.md"
NOTE_NAME = regex.compile(r"memory/(\d{4}-\d{2}-\d{2})\.md")
# What programs keep in files for themselves.
MANAGED = regex.compile(r"<!--.*?-->", regex.DOTALL)
MOST_KNOWN = 500
MOST_PAIRS = 20
# Fewer characters of notes fit any model.
MANY_CHARACTERS = 20_000
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
    # The older sides of pairs that nobody has decided yet, and each pair with which of the two is newer.
    contradicted: Statements = field(default_factory=lambda: Statements([]))
    conflicts: tuple[str, ...] = ()
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


def load_material(bucket: BucketOf) -> DreamMaterial:
    """What a dream of the bucket starts from; inside the workspace's scope."""
    today = bucket.today()
    notes = tuple(load_notes(bucket, today))
    known = _load_known(bucket)
    names = tuple(_names(bucket, known))
    pairs = _open_pairs(bucket)
    material = DreamMaterial(
        bucket=bucket,
        today=today,
        notes=notes,
        recalled=tuple(load_recalled(bucket)),
        outdated=Statements(known.outdated, names),
        outdated_texts=tuple(known.outdated[:50]),
        contradicted=Statements([pair.older for pair in pairs], names),
        conflicts=tuple(pair.told(bucket.workspace.zone) for pair in pairs),
        standing=Statements(known.standing, names),
        reverted=Statements(_reverted_texts(bucket), names),
        forgotten=load_forgotten(
            principal=bucket.principal, agent=bucket.agent, scope=bucket.scope, owner_key=bucket.owner_key
        ),
        names=names,
        room_before=_room_before(bucket) if sum(len(note.text) for note in notes) > MANY_CHARACTERS else 0,
    )
    return with_memory(material)


def as_it_is_now(material: DreamMaterial) -> DreamMaterial:
    """The material after a model has thought about it: what was written or forgotten meanwhile counts.

    The file stays locked until the end of the transaction, so that nobody writes between this look and what follows.
    """
    bucket = material.bucket
    forgotten = load_forgotten(
        principal=bucket.principal, agent=bucket.agent, scope=bucket.scope, owner_key=bucket.owner_key
    )
    return with_memory(replace(material, forgotten=forgotten), lock=True)


def with_memory(material: DreamMaterial, *, lock: bool = False) -> DreamMaterial:
    """The material with the memory file as it is now; inside the workspace's scope."""
    files = WorkspaceFile.objects.filter(**material.bucket.rows, path=MEMORY)
    edited = FileSection.objects.filter(file=OuterRef("pk"), person_edited=True).order_by("position")
    files = files.annotate(
        edited=ArraySubquery(edited.values(told=JSONObject(heading="heading", text="text")))
    )
    memory = (files.select_for_update(of=("self",)) if lock else files).first()
    mine: list[dict[str, str]] = memory.edited if memory else []
    return replace(
        material,
        memory=memory.content if memory else "",
        version=memory.version if memory else 0,
        protected=tuple(section["heading"] for section in mine),
        protected_lines=frozenset(
            line for section in mine for line in section["text"].splitlines() if line.strip()
        ),
    )


def _room_before(bucket: BucketOf) -> int:
    """What fitted the last time that notes had to be cut; it may grow again, so that one bad night is not for ever."""
    last = Dream.objects.filter(**bucket.rows, statistics__has_key="room").order_by("-created_at").first()
    return int(last.statistics["room"] * GROW_AGAIN) if last and last.statistics.get("notesCut") else 0


@dataclass(frozen=True, slots=True)
class _Known:
    """The facts of a bucket by what they mean to a dream."""

    outdated: list[str]
    standing: list[str]
    identity: list[str]


def _load_known(bucket: BucketOf) -> _Known:
    """What no longer holds (superseded or expired, the latest first), and what stands in every prompt already."""
    now = timezone.now()
    always_on = FactCategory.always_on()
    ended = Q(status=Fact.Status.SUPERSEDED) | Q(status=Fact.Status.ACTIVE, expires_at__lte=now)
    facts = Fact.objects.filter(**bucket.rows).filter(
        ended | Q(status=Fact.Status.ACTIVE, category__in=always_on)
    )
    known = _Known([], [], [])
    rows = facts.order_by("-updated_at").values_list("text", "status", "category", "expires_at")
    for text, status, category, expires_at in rows[:MOST_KNOWN]:
        expired = expires_at is not None and expires_at <= now
        if status == Fact.Status.SUPERSEDED or expired:
            known.outdated.append(text)
        else:
            known.standing.append(text)
            known.identity.extend([text] if category == "identity" else [])
    return known


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two facts that contradict each other and wait for a decision."""

    older: str
    newer: str
    said: tuple[datetime, datetime]

    def told(self, zone: ZoneInfo) -> str:
        """The pair as a model reads it."""
        before, since = (moment.astimezone(zone).date() for moment in self.said)
        return f"“{self.older}” (said {before}) against the newer “{self.newer}” (said {since})"


# Only what is needed is read: most buckets have no such pair, and whole facts cost more to ask for than to get.
PAIR_FIELDS = ("fact_a__text", "fact_b__text", "fact_a__said_at", "fact_b__said_at")


def _open_pairs(bucket: BucketOf) -> list[_Pair]:
    """The pairs that wait for a decision, the latest first."""
    waiting = Contradiction.objects.filter(
        **bucket.rows,
        resolution=Contradiction.Resolution.OPEN,
        fact_a__status=Fact.Status.ACTIVE,
        fact_b__status=Fact.Status.ACTIVE,
    )
    rows = waiting.order_by("-created_at").values_list(*PAIR_FIELDS)[:MOST_PAIRS]
    return [_Pair(older, newer, (before, since)) for older, newer, before, since in rows]


def _names(bucket: BucketOf, known: _Known) -> list[str]:
    """What the owner is called; the team has no name."""
    if not bucket.owner_key:
        return []
    owners = Owner.objects.filter(workspace=bucket.workspace, owner_key=bucket.owner_key)
    display_name = owners.values_list("display_name", flat=True).first() or ""
    return [name for name in (display_name, *names_in(known.identity)) if name]


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
    of_fact = Q(fact__scope=bucket.scope, fact__owner_key=bucket.owner_key)
    of_line = Q(section__scope=bucket.scope, section__owner_key=bucket.owner_key) & ~Q(line_key="")
    rows = Recall.objects.filter(of_fact | of_line, workspace=bucket.workspace, agent=bucket.agent)
    rows = rows.filter(created_at__gte=timezone.now() - LONGEST_MEMORY)
    if bucket.scope == Scope.PERSONAL:
        rows = rows.filter(owner_key=bucket.owner_key)
    signals = _signals(rows)
    return [*_recalled_facts(bucket, signals), *_recalled_lines(bucket, signals)] if signals else []


Signals = dict[tuple[UUID | None, UUID | None, str], Signal]


def _signals(rows: QuerySet[Recall]) -> Signals:
    """How often each fact and each line was recalled."""
    yesterday = timezone.now() - timedelta(days=1)
    counted = rows.values("fact_id", "section_id", "line_key").annotate(
        recalls=Count("pk"),
        queries=Count("query_key", distinct=True),
        last=Max("created_at"),
        today=Count("pk", filter=Q(created_at__gte=yesterday)),
    )
    return {
        (row["fact_id"], row["section_id"], row["line_key"]): Signal(
            row["recalls"], row["queries"], row["last"], row["today"]
        )
        for row in counted
    }


def _recalled_facts(bucket: BucketOf, signals: Signals) -> list[RecalledLine]:
    by_fact = {fact: signal for (fact, _, _), signal in signals.items() if fact is not None}
    facts = Fact.objects.filter(**bucket.rows, pk__in=list(by_fact)).current() if by_fact else ()
    return [
        RecalledLine(
            fact.text,
            fact.said_at.astimezone(bucket.workspace.zone).date(),
            by_fact[fact.pk],
            {"factId": str(fact.pk)},
        )
        for fact in facts
        if not fact.traits.always_on
    ]


def _recalled_lines(bucket: BucketOf, signals: Signals) -> list[RecalledLine]:
    by_line = {
        (section, line): signal for (_, section, line), signal in signals.items() if section is not None
    }
    ids = {section for section, _ in by_line}
    sections = FileSection.objects.filter(**bucket.rows, pk__in=ids, file__path__startswith="memory/")
    found = []
    for section in sections.select_related("file") if ids else ():
        day = note_day(section.file.path)
        for line in section.text.splitlines() if day else ():
            signal = by_line.get((section.pk, line_key(line)))
            if signal is not None:
                found.append(RecalledLine(line.strip(" -*"), day, signal, {"path": section.file.path}))
    return found


def _reverted_texts(bucket: BucketOf) -> list[str]:
    """Lines that a dream once added and a person took back."""
    entries = DreamEntry.objects.filter(**bucket.rows).exclude(reverted_at=None)
    return [text for text in entries.values_list("after", flat=True)[:MOST_KNOWN] if text]
