"""Bringing facts, their history, contradictions and dreams back from lines, each as it was, in this bucket's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import UUID

from django.utils import timezone

from memoryapp.actions.comparing import request_comparison
from memoryapp.actions.events import request_job_after_commit
from memoryapp.actions.fact_text import text_key
from memoryapp.exceptions import Conflict
from memoryapp.models import Agent, Contradiction, Dream, DreamEntry, Fact, FactRevision, FactSource
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from memoryapp.snapshots.fact_states import NEW, FactStates
from memoryapp.snapshots.foreign.places import NotePlaces
from memoryapp.snapshots.incoming import (
    ContradictionLine,
    DreamLine,
    EntryLine,
    FactLine,
    HistoryLine,
    Line,
    stored_lines,
)
from memoryapp.snapshots.lines import DREAM_FIELDS, DREAM_TIMES, ENTRY_FIELDS, FACT_FIELDS, FACT_TIMES
from tenants.principals import Principal
from tenants.scoping import Scope

BATCH = 200


@dataclass(slots=True)
class _Bucket:
    """One target of an import: what its facts and dreams are called here."""

    columns: dict[str, Any]
    states: FactStates
    was_empty: bool
    # Export id → row, of all facts known; and those among them that this import made.
    rows: dict[str, UUID] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    heirs: dict[str, str] = field(default_factory=dict)
    dreams: dict[str, UUID] = field(default_factory=dict)


@dataclass(slots=True)
class Restoring:
    """The data of one import on its way into the database, part after part, inside the workspace's scope."""

    principal: Principal
    agent: Agent
    counts: Counter[str] = field(default_factory=Counter)
    buckets: dict[str, _Bucket] = field(default_factory=dict)

    def restore(self, kind: str, scope: str, text: str, path: str) -> None:
        """Bring one part back: lines of one kind. Raises Conflict when facts are no longer as its preview saw them."""
        bucket = self._bucket(scope)
        if kind == "facts":
            self._restore_facts(bucket, text, path)
            return
        queue = stored_lines(kind, text)
        while batch := list(islice(queue, BATCH)):
            self._restore_others(bucket, batch)

    def finish(self) -> dict[str, Any]:
        """Tie what names each other together, and return what undoing needs."""
        for bucket in self.buckets.values():
            _link_heirs(bucket)
            if bucket.made:
                self._ask_for_follow_up(bucket)
        return {
            "facts": [
                str(bucket.rows[name]) for bucket in self.buckets.values() for name in sorted(bucket.made)
            ],
            "dreams": [str(pk) for bucket in self.buckets.values() for pk in bucket.dreams.values()],
        }

    def _bucket(self, scope: str) -> _Bucket:
        if scope not in self.buckets:
            columns = {
                "workspace_id": self.principal.workspace.pk,
                "agent_id": self.agent.pk,
                "scope": scope,
                "owner_key": self.principal.owner_key if scope == Scope.PERSONAL else "",
            }
            states = FactStates.of(self.principal, self.agent, scope)
            self.buckets[scope] = _Bucket(columns, states, not Fact.objects.filter(**columns).exists())
        return self.buckets[scope]

    def _restore_facts(self, bucket: _Bucket, text: str, path: str) -> None:
        # Facts that a note states stand under its own path, and the note is in its place by now.
        note = NotePlaces.of(bucket.columns, path) if path.endswith(".md") else NotePlaces()
        queue = iter(text.split("\n") if text else [])
        while batch := list(islice(queue, BATCH)):
            seen, lines = _with_states(batch)
            if bucket.states.judge(lines) != seen:
                raise Conflict(
                    f"The facts of {path} changed here since the preview. Make a new one.",
                    code="target_moved",
                )
            bucket.rows |= bucket.states.rows
            self._add_facts(
                bucket, [line for line, state in zip(lines, seen, strict=True) if state == NEW], note
            )

    def _add_facts(self, bucket: _Bucket, lines: Sequence[FactLine], note: NotePlaces) -> None:
        facts = [_fact(bucket, line) for line in lines]
        prepare_rows(facts)
        Fact.objects.bulk_create(facts)
        store_vectors(facts)
        bucket.states.made.update(fact.pk for fact in facts)
        sources = []
        for line, fact in zip(lines, facts, strict=True):
            bucket.rows[line.id] = fact.pk
            bucket.made.add(line.id)
            if line.supersededBy:
                bucket.heirs[line.id] = line.supersededBy
            told = (source.model_dump(mode="json", exclude_unset=True) for source in line.sources)
            sources += [FactSource(**bucket.columns, fact=fact, **note.columns(each)) for each in told]
        FactSource.objects.bulk_create(sources)
        self.counts["facts"] += len(facts)

    def _restore_others(self, bucket: _Bucket, batch: Sequence[Line]) -> None:
        revisions = [
            _revision(bucket, line)
            for line in batch
            if isinstance(line, HistoryLine) and line.fact in bucket.made
        ]
        FactRevision.objects.bulk_create(revisions)
        pairs = [_contradiction(bucket, line) for line in batch if isinstance(line, ContradictionLine)]
        Contradiction.objects.bulk_create([pair for pair in pairs if pair is not None], ignore_conflicts=True)
        self._add_dreams(bucket, [line for line in batch if isinstance(line, DreamLine)])
        entries = [line for line in batch if isinstance(line, EntryLine) and line.dream in bucket.dreams]
        DreamEntry.objects.bulk_create([_entry(bucket, line) for line in entries], ignore_conflicts=True)

    def _add_dreams(self, bucket: _Bucket, lines: Sequence[DreamLine]) -> None:
        for line in lines:
            known = Dream.objects.filter(
                **bucket.columns, kind=line.kind, created_at=line.createdAt, topic=line.topic
            )
            if not known.exists():
                dream = Dream(
                    **bucket.columns, seen_at=timezone.now(), **_columns(line, DREAM_FIELDS, DREAM_TIMES)
                )
                dream.save(force_insert=True)
                bucket.dreams[line.id] = dream.pk
                self.counts["dreams"] += 1

    def _ask_for_follow_up(self, bucket: _Bucket) -> None:
        request_job_after_commit(
            principal=self.principal, kind="embed", subject_id=self.agent.pk, agent_id=self.agent.pk
        )
        if not bucket.was_empty:
            # An empty bucket cannot disagree with what comes into it; the archive says what disagreed inside it.
            request_comparison(self.principal, Fact(**bucket.columns, status=Fact.Status.ACTIVE))


def _with_states(batch: Sequence[str]) -> tuple[list[str], list[FactLine]]:
    states, lines = [], []
    for raw in batch:
        state, _, stored = raw.partition(" ")
        states.append(state)
        lines += [line for line in stored_lines("facts", stored) if isinstance(line, FactLine)]
    return states, lines


def _columns(line: Line, fields: dict[str, str], times: dict[str, str]) -> dict[str, Any]:
    """The values of a line under the names of the model's fields."""
    return {name: getattr(line, key) for key, name in {**fields, **times}.items()}


def _fact(bucket: _Bucket, line: FactLine) -> Fact:
    return Fact(
        **bucket.columns,
        **_columns(line, FACT_FIELDS, FACT_TIMES),
        text_key=text_key(line.text),
        compared_at=timezone.now() if bucket.was_empty else None,
    )


def _revision(bucket: _Bucket, line: HistoryLine) -> FactRevision:
    before, after = (
        kept.model_dump(mode="json", exclude_unset=True) if kept else None
        for kept in (line.before, line.after)
    )
    return FactRevision(
        **bucket.columns,
        fact_id=bucket.rows[line.fact],
        operation=line.operation,
        before=before,
        after=after,
        actor=line.by,
        origin=line.origin,
        reason=line.reason,
        created_at=line.at,
    )


def _contradiction(bucket: _Bucket, line: ContradictionLine) -> Contradiction | None:
    """The pair, where both of its facts are here and at least one came with this archive."""
    if line.a not in bucket.rows or line.b not in bucket.rows or not {line.a, line.b} & bucket.made:
        return None
    return Contradiction(
        **bucket.columns,
        fact_a_id=bucket.rows[line.a],
        fact_b_id=bucket.rows[line.b],
        reason=line.reason,
        resolution=line.resolution,
        resolved_by=line.by,
        created_at=line.createdAt,
        resolved_at=line.resolvedAt,
    )


def _entry(bucket: _Bucket, line: EntryLine) -> DreamEntry:
    return DreamEntry(
        **bucket.columns,
        **_columns(line, ENTRY_FIELDS, {"revertedAt": "reverted_at"}),
        dream_id=bucket.dreams[line.dream],
        fact_id=bucket.rows.get(line.fact or ""),
    )


def _link_heirs(bucket: _Bucket) -> None:
    """Say of superseded and merged facts which one took their place."""
    known = {name: heir for name, heir in bucket.heirs.items() if heir in bucket.rows}
    facts = [Fact(pk=bucket.rows[name], superseded_by_id=bucket.rows[heir]) for name, heir in known.items()]
    Fact.objects.bulk_update(facts, ["superseded_by"], batch_size=BATCH)


def remove_restored(principal: Principal, changes: dict[str, Any]) -> tuple[int, int]:
    """Remove the facts and dreams an import made; returns how many facts went, and how many changed since and stay."""
    mine = {"workspace_id": principal.workspace.pk}
    facts = Fact.objects.filter(**mine, pk__in=changes["facts"])
    untouched = list(facts.filter(version=1).values_list("pk", flat=True))
    kept = facts.count() - len(untouched)
    FactRevision.objects.filter(**mine, fact__in=untouched).delete()
    Fact.objects.filter(pk__in=untouched).delete()
    Dream.objects.filter(**mine, pk__in=changes["dreams"]).delete()
    return len(untouched), kept
