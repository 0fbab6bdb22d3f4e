"""The provenance of facts: which characters of which message, or which section of which file, a fact rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memoryapp.models import Fact, FactSource, FileSection, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpan:
    """A place a fact comes from; without start and end the whole message or section."""

    message: Message | None = None
    section: FileSection | None = None
    path: str = ""
    start: int = 0
    end: int = 0


def attach_sources(fact: Fact, sources: Iterable[SourceSpan]) -> None:
    """Add places to a fact's provenance; one that is known already is not doubled."""
    rows = [
        FactSource(
            workspace_id=fact.workspace_id,
            agent_id=fact.agent_id,
            owner_key=fact.owner_key,
            scope=fact.scope,
            fact=fact,
            message=source.message,
            section=source.section,
            path=source.path,
            start=source.start,
            end=source.end or (len(source.message.text) if source.message else 0),
        )
        for source in sources
    ]
    if rows:
        FactSource.objects.bulk_create(rows, ignore_conflicts=True)


def inherit_sources(*, heir: Fact, ancestors: Iterable[Fact]) -> None:
    """Copy the provenance of absorbed facts to the one that stays, so that a merge loses no origin."""
    known = FactSource.objects.filter(fact__in=list(ancestors)).select_related("message", "section")
    attach_sources(
        heir,
        [
            SourceSpan(message=row.message, section=row.section, path=row.path, start=row.start, end=row.end)
            for row in known
        ],
    )
