"""What a dream looks at: the notes of the last days, the memory file, what was recalled, and what no longer holds.

Only notes whose name is a real day within the window count. Diaries, archives and reports are never read: a dream does
not feed on dreams.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q
from django.db.models.functions import JSONObject
from django.utils import timezone

from memoryapp.actions.forget_reach import names_in
from memoryapp.actions.statements import Statements
from memoryapp.actions.tombstones import ForgottenTexts, load_forgotten
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.lifecycle.daily_notes import load_notes
from memoryapp.lifecycle.recall_signals import RecalledLine, load_recalled
from memoryapp.llm.night_tasks import NoteLines
from memoryapp.models import (
    Contradiction,
    Dream,
    DreamEntry,
    Fact,
    FileSection,
    Owner,
    WorkspaceFile,
)
from memoryapp.models.categories import FactCategory

MEMORY = "MEMORY.md"
MOST_KNOWN = 500
MOST_PAIRS = 20
# Fewer characters of notes fit any model.
MANY_CHARACTERS = 20_000
GROW_AGAIN = 1.25


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


def _reverted_texts(bucket: BucketOf) -> list[str]:
    """Lines that a dream once added and a person took back."""
    entries = DreamEntry.objects.filter(**bucket.rows).exclude(reverted_at=None)
    return [text for text in entries.values_list("after", flat=True)[:MOST_KNOWN] if text]
