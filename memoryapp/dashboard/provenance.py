"""Why a line is where it is: the fact that says it, the messages and notes it came from, their talks.

Everything a page needs is read at once, so that a hundred lines cost what one does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.statements import undressed
from memoryapp.models import Agent, DreamEntry, Extraction, Fact, FactSource
from tenants.principals import Principal

MOST_QUOTES = 3
# Beyond this many notes a line has no one place it came from.
MOST_NOTES = 31


@dataclass(frozen=True, slots=True)
class Said:
    """Some words of a message that made a fact."""

    source: FactSource
    before: str
    words: str
    after: str


@dataclass(slots=True)
class Trace:
    """Where one line comes from."""

    notes: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    talks: list[Extraction] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.notes or self.facts or self.said or self.talks)


@dataclass(frozen=True, slots=True)
class Traced:
    """What is known of a line without looking further: its text, and the notes and facts that a dream named for it."""

    text: str
    notes: tuple[str, ...] = ()
    fact_ids: tuple[UUID, ...] = ()

    @classmethod
    def of_entry(cls, entry: DreamEntry) -> Traced:
        notes = tuple(source["path"] for source in entry.sources if source.get("path"))
        named = [source["factId"] for source in entry.sources if source.get("factId")]
        ids = [UUID(str(key)) for key in named] + ([entry.fact_id] if entry.fact_id else [])
        return cls(entry.after or entry.before, notes, tuple(dict.fromkeys(ids)))

    @property
    def keys(self) -> list[str]:
        """What tells the facts that say a line of it."""
        lines = [undressed(line) for line in self.text.splitlines()]
        return [text_key(line) for line in lines if line]


def trace_lines(principal: Principal, agent: Agent, lines: Sequence[Traced]) -> list[Trace]:
    """The trace of each line, in their order, in three queries; inside the workspace's scope."""
    facts = _facts_of(principal, agent, lines)
    said = _said_for(principal, [fact.pk for found in facts for fact in found])
    talks = _talks_behind(principal, agent, {note for line in lines for note in line.notes[:MOST_NOTES]})
    return [
        Trace(
            notes=list(dict.fromkeys(line.notes)),
            facts=found,
            said=[quote for fact in found for quote in said[fact.pk]][:MOST_QUOTES],
            talks=_once(talk for note in line.notes for talk in talks[note])[:MOST_QUOTES],
        )
        for line, found in zip(lines, facts, strict=True)
    ]


def _facts_of(principal: Principal, agent: Agent, lines: Sequence[Traced]) -> list[list[Fact]]:
    ids = {key for line in lines for key in line.fact_ids}
    keys = {key for line in lines for key in line.keys}
    if not ids and not keys:
        return [[] for _ in lines]
    rows = Fact.objects.visible_to(principal).for_agent(agent).exclude(status=Fact.Status.FORGOTTEN)
    known = list(rows.filter(Q(pk__in=ids) | Q(text_key__in=keys)).order_by("created_at"))
    return [
        [fact for fact in known if fact.pk in line.fact_ids or fact.text_key in line.keys] for line in lines
    ]


def _said_for(principal: Principal, facts: Iterable[UUID]) -> dict[UUID, list[Said]]:
    found: dict[UUID, list[Said]] = defaultdict(list)
    wanted = list(facts)
    if wanted:
        rows = FactSource.objects.visible_to(principal).filter(fact__in=wanted, message__isnull=False)
        for source in rows.select_related("message__conversation").order_by("created_at"):
            found[source.fact_id].append(quote_of(source))
    return found


def quote_of(source: FactSource, around: int = 90) -> Said:
    """The words of a message that made a fact, with some of those around them."""
    text = source.message.text if source.message else ""
    start, end = min(source.start, len(text)), min(source.end, len(text))
    if end <= start:
        return Said(source, "", "", text[: 2 * around])
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return Said(
        source, "…" * (start > around) + before, text[start:end], after + "…" * (len(text) > end + around)
    )


def _talks_behind(principal: Principal, agent: Agent, notes: set[str]) -> dict[str, list[Extraction]]:
    """The readings of conversations that wrote each note."""
    found: dict[str, list[Extraction]] = defaultdict(list)
    if notes:
        wrote = reduce(or_, (Q(files__contains=[{"path": note}]) for note in sorted(notes)))
        rows: Any = Extraction.objects.visible_to(principal).filter(wrote, agent=agent)
        for reading in rows.select_related("conversation").order_by("created_at")[:200]:
            for file in reading.files:
                found[file.get("path", "")].append(reading)
    return found


def _once(talks: Iterable[Extraction]) -> list[Extraction]:
    return list({talk.conversation_id: talk for talk in talks}.values())
