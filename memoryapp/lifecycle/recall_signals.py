"""What was recalled lately, and how often: the facts and lines of notes from which a dream takes its candidates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from memoryapp.actions.recalls import line_key
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.lifecycle.daily_notes import note_day
from memoryapp.models import Fact, FileSection, Recall
from tenants.scoping import Scope

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
