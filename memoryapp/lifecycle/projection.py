"""Projection: bullets of MEMORY.md and PROFILE.md are facts of the file's owner, linked to their section.

A fact that already says it is linked, not doubled. What was forgotten, superseded or has expired is not revived by a
line that still says it. A fact that only the file had goes when its line goes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memoryapp.actions.fact_history import restore_snapshot, snapshot
from memoryapp.actions.fact_lifecycle import retire_fact
from memoryapp.actions.fact_sources import SourceSpan, attach_sources
from memoryapp.actions.facts import Forgotten, NewFact, add_fact
from memoryapp.actions.projecting import PROJECTED
from memoryapp.lifecycle.buckets import BucketOf, bucket_of
from memoryapp.lifecycle.projected_lines import ProjectedLine, projected_lines
from memoryapp.llm.language.wording import content_words
from memoryapp.models import Agent, Fact, FactRevision, FactSource, WorkspaceFile
from tenants.models import Workspace
from tenants.scoping import workspace_scope

LINE_GONE = "its line is gone from the file"
# A fact that somebody rewrote, or that others were merged into, is more than the line it came from.
TOUCHED = (FactRevision.Operation.UPDATE, FactRevision.Operation.MERGE)
# Beyond so many facts the same words are not looked for, only the same text.
MOST_COMPARED = 3_000


@dataclass(slots=True)
class Projected:
    """What became of the bullets of one or several files."""

    created: int = 0
    linked: int = 0
    revived: int = 0
    superseded: int = 0
    retired: int = 0
    refused: int = 0

    def as_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class _File:
    """A file being projected: its bullets, and the facts that already say one of them."""

    bucket: BucketOf
    file: WorkspaceFile
    lines: list[ProjectedLine]
    by_key: dict[str, Fact] = field(default_factory=dict)
    by_words: dict[frozenset[str], Fact] = field(default_factory=dict)
    result: Projected = field(default_factory=Projected)
    facts: dict[str, Fact] = field(default_factory=dict)


def project_file(workspace: Workspace, agent: Agent, file_id: UUID) -> Projected:
    """Bring the facts of one file in line with its bullets; nothing when the file has gone or is none of those."""
    with workspace_scope(workspace):
        files = WorkspaceFile.objects.filter(agent=agent, pk=file_id, path__in=PROJECTED)
        file = files.select_for_update().first()
        if file is None:
            return Projected()
        return _project(bucket_of(workspace, agent, file.owner_key), file)


def project_agent(workspace: Workspace, agent: Agent, since: datetime | None = None) -> Projected:
    """Bring the facts of all of an agent's files in line that changed since a moment."""
    with workspace_scope(workspace):
        files = WorkspaceFile.objects.filter(workspace=workspace, agent=agent, path__in=PROJECTED)
        if since is not None:
            files = files.filter(updated_at__gte=since)
        ids = list(files.order_by("pk").values_list("pk", flat=True))
    total = Projected()
    for file_id in ids:
        done = project_file(workspace, agent, file_id)
        for name, count in done.as_json().items():
            setattr(total, name, getattr(total, name) + count)
    return total


def _project(bucket: BucketOf, file: WorkspaceFile) -> Projected:
    lines = projected_lines(file.sections.all())
    work = _File(bucket, file, lines)
    _load_known(work)
    for line in lines:
        _project_line(work, line)
    _let_go(work)
    return work.result


def _load_known(work: _File) -> None:
    """The bucket's facts by text, also those that hold no longer, and the standing ones by their words."""
    keys = [line.text_key for line in work.lines]
    facts = Fact.objects.filter(**work.bucket.rows)
    for fact in facts.filter(text_key__in=keys).order_by("created_at"):
        known = work.by_key.get(fact.text_key)
        if known is None or _stands(fact) or not _stands(known):
            work.by_key[fact.text_key] = fact
    for fact in facts.current().order_by("-created_at")[:MOST_COMPARED]:
        work.by_words.setdefault(content_words(fact.text), fact)


def _stands(fact: Fact) -> bool:
    return fact.status in (Fact.Status.ACTIVE, Fact.Status.PENDING)


def _project_line(work: _File, line: ProjectedLine) -> None:
    known = work.by_key.get(line.text_key) or work.by_words.get(content_words(line.text))
    said_again = known is not None and known.status == Fact.Status.FORGOTTEN and line.section.person_edited
    if known is None or said_again:
        _add(work, line)
    elif _stands(known):
        work.facts[line.text_key] = known
        work.result.linked += _link(known, line)
    elif _was_let_go(known):
        _revive(work, known, line)
    else:
        work.result.refused += 1


def _add(work: _File, line: ProjectedLine) -> None:
    new = NewFact(
        text=line.text,
        category=line.category,
        scope=work.bucket.scope,
        origin=Fact.Origin.PROJECTION,
        attributed_to=Fact.Source.USER if line.section.person_edited else Fact.Source.AGENT,
        # The file is where it is edited, so a line of it binds nobody.
        immutable=False,
    )
    try:
        # A savepoint: one line that may not come back stops none of the others.
        with transaction.atomic():
            added = add_fact(
                principal=work.bucket.principal,
                agent=work.bucket.agent,
                new=new,
                sources=[_span(line)],
                lift_tombstone=line.section.person_edited,
                reason=f"a line of {work.file.path}",
            )
    except Forgotten:
        work.result.refused += 1
        return
    work.facts[line.text_key] = added.fact
    work.result.created += 1


def _span(line: ProjectedLine) -> SourceSpan:
    return SourceSpan(section=line.section, path=line.section.file.path)


def _link(fact: Fact, line: ProjectedLine) -> bool:
    """Tie a fact to its section, once."""
    links = FactSource.objects.filter(fact=fact, message=None, path=line.section.file.path)
    if links.filter(section=line.section).exists():
        return False
    links.delete()
    attach_sources(fact, [_span(line)])
    return True


def _was_let_go(fact: Fact) -> bool:
    """Whether a fact ended only because its line had gone, so that the line brings it back."""
    if (
        fact.origin != Fact.Origin.PROJECTION
        or fact.status != Fact.Status.SUPERSEDED
        or fact.superseded_by_id
    ):
        return False
    last = FactRevision.objects.filter(fact=fact).order_by("-created_at", "-pk").first()
    return last is not None and last.reason == LINE_GONE


def _revive(work: _File, fact: Fact, line: ProjectedLine) -> None:
    kept = {**snapshot(fact), "status": Fact.Status.ACTIVE, "valid_to": None}
    work.facts[line.text_key] = restore_snapshot(
        work.bucket.principal, fact, kept, reason=f"a line of {work.file.path}"
    )
    _link(fact, line)
    work.result.revived += 1


def _let_go(work: _File) -> None:
    """Untie facts whose line has gone; those that had nothing but the line end, in favour of what replaced it."""
    said = {fact.pk for fact in work.facts.values()}
    links = FactSource.objects.filter(**work.bucket.rows, message=None, path=work.file.path).exclude(
        fact__in=said
    )
    for link in links.select_related("fact", "section"):
        fact, section = link.fact, link.section
        link.delete()
        if _has_only_its_line(fact):
            _end(work, fact, _successor(work, fact, section.heading if section else ""))


def _has_only_its_line(fact: Fact) -> bool:
    """Whether a fact came from a line, was never touched since, and rests on nothing else."""
    changed = FactRevision.objects.filter(fact=fact, operation__in=TOUCHED).exists()
    return (
        fact.origin == Fact.Origin.PROJECTION
        and _stands(fact)
        and not (changed or fact.pinned or fact.helpful_count)
        and not FactSource.objects.filter(fact=fact).exists()
    )


def _successor(work: _File, fact: Fact, heading: str) -> Fact | None:
    """The fact of the line that has the same key in the same section now."""
    old = ProjectedLine(fact.text, work.lines[0].section).key if work.lines else ""
    for line in work.lines:
        if old and line.key == old and line.section.heading == heading:
            return work.facts.get(line.text_key)
    return None


def _end(work: _File, fact: Fact, successor: Fact | None) -> None:
    retire_fact(
        work.bucket.principal,
        fact,
        Fact.Status.SUPERSEDED,
        FactRevision.Operation.SUPERSEDE,
        into=successor,
        ended_at=timezone.now(),
        reason="its line was rewritten" if successor else LINE_GONE,
    )
    if successor:
        work.result.superseded += 1
    else:
        work.result.retired += 1
