"""Structured consolidation: a bucket's always-on entries become fewer without anything invented or lost.

Invariants: never more entries than before, never none, nothing of a reply that is wrong in any part, no entry touched
that changed since it was read, none that is immutable or pinned. Every merge is part of a report and can be taken back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.fact_lifecycle import merge_facts, retire_fact
from memoryapp.actions.tombstones import load_forgotten
from memoryapp.lifecycle.buckets import BucketOf, held_bucket
from memoryapp.lifecycle.comparison import dated
from memoryapp.lifecycle.consolidation_plan import Merge, Plan, Refused, make_plan
from memoryapp.lifecycle.dream_reports import mark_bucket
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ModelError
from memoryapp.llm.night_requests import build_consolidation_request
from memoryapp.llm.night_tasks import ConsolidationInput, ConsolidationReply
from memoryapp.model_settings import client_for
from memoryapp.models import Bucket, Dream, DreamEntry, Fact, FactRevision
from memoryapp.models.categories import FactCategory
from tenants.scoping import workspace_scope


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What became of one bucket."""

    before: int
    after: int
    updated: bool = False
    failed: bool = False
    reason: str = ""


def consolidate_bucket(bucket: BucketOf, *, again: bool = False) -> Consolidated:
    """Consolidate one bucket; with `again` also when nothing changed since the last time. Raises BucketBusy."""
    with held_bucket(bucket):
        with workspace_scope(bucket.workspace):
            entries = load_entries(bucket)
            unchanged = not again and _seen(entries) == _last_seen(bucket)
        if unchanged or len(entries) < settings.MEMORY_STRUCTURED_CONSOLIDATION_MIN_ENTRIES:
            return Consolidated(len(entries), len(entries), reason="Nothing changed since the last time.")
        try:
            plan = _plan(bucket, client_for(bucket.workspace), entries)
        except (Refused, ModelError) as error:
            return _failed(bucket, entries, str(error))
        return _carry_out(bucket, entries, plan)


def load_entries(bucket: BucketOf) -> list[Fact]:
    """The bucket's always-on entries, the oldest first; inside the workspace's scope."""
    facts = Fact.objects.filter(**bucket.rows).current().in_category(*FactCategory.always_on())
    return list(facts.order_by("created_at", "pk"))


def _seen(entries: Sequence[Fact]) -> str:
    """What tells that these entries are the very ones that were looked at before."""
    told = "\n".join(f"{fact.pk} {fact.version}" for fact in entries)
    return hashlib.sha256(told.encode()).hexdigest()


def _last_seen(bucket: BucketOf) -> str:
    return Bucket.objects.filter(**bucket.rows).values_list("consolidation_seen", flat=True).first() or ""


def _plan(bucket: BucketOf, client: LLMClient, entries: Sequence[Fact]) -> Plan:
    """What the model would merge and leave out, checked. Raises Refused and ModelError."""
    fixed = tuple(number for number, fact in enumerate(entries, start=1) if fact.immutable or fact.pinned)
    task = ConsolidationInput(
        entries=tuple(dated(number, fact) for number, fact in enumerate(entries, start=1)),
        today=bucket.today(),
        fixed=fixed,
    )
    request = build_consolidation_request(task, model=bucket.agent.model)
    given = client.complete_json(request, ConsolidationReply)
    if given.refused:
        raise Refused("The model's answer was wrong in part, so nothing of it was applied.")
    forgotten = load_forgotten(
        principal=bucket.principal, agent=bucket.agent, scope=bucket.scope, owner_key=bucket.owner_key
    )
    return make_plan(entries, fixed, given.value, forgotten)


def _failed(bucket: BucketOf, entries: Sequence[Fact], reason: str) -> Consolidated:
    with workspace_scope(bucket.workspace):
        Dream.objects.create(
            **bucket.rows,
            kind=Dream.Kind.CONSOLIDATION,
            status=Dream.Status.FAILED,
            reason=reason,
            statistics={"entriesBefore": len(entries), "entriesAfter": len(entries)},
            finished_at=timezone.now(),
        )
        _mark(bucket, seen="")
    return Consolidated(len(entries), len(entries), failed=True, reason=reason)


def _carry_out(bucket: BucketOf, entries: Sequence[Fact], plan: Plan) -> Consolidated:
    """Apply what still fits the facts as they are now, in one transaction with its report."""
    with workspace_scope(bucket.workspace):
        ids = [fact.pk for fact in entries]
        locked = {
            fact.pk: fact for fact in Fact.objects.select_for_update().filter(pk__in=ids).order_by("pk")
        }
        untouched = {
            fact.pk
            for fact in entries
            if (row := locked.get(fact.pk)) and (row.version, row.status) == (fact.version, fact.status)
        }
        rows = [_merge(bucket, locked, merge) for merge in plan.merges if untouched >= {*merge.ids}]
        rows += [_leave_out(bucket, locked[pk]) for pk in plan.left_out if pk in untouched]
        after = load_entries(bucket)
        if rows:
            _report(bucket, plan.reason, rows, len(entries), len(after))
        _mark(bucket, seen=_seen(after))
    return Consolidated(len(entries), len(after), updated=bool(rows), reason=plan.reason)


def _merge(bucket: BucketOf, locked: dict[UUID, Fact], merge: Merge) -> DreamEntry:
    keep, *absorbed = (locked[pk] for pk in merge.ids)
    before = "\n".join(fact.text for fact in (keep, *absorbed))
    merge_facts(
        principal=bucket.principal,
        keep=keep,
        absorbed=absorbed,
        text=merge.text,
        reason="consolidated",
        by_model=True,
    )
    operation = DreamEntry.Operation.MERGE
    return DreamEntry(**bucket.rows, operation=operation, before=before, after=merge.text, fact=keep)


def _leave_out(bucket: BucketOf, fact: Fact) -> DreamEntry:
    retire_fact(
        bucket.principal,
        fact,
        Fact.Status.SUPERSEDED,
        FactRevision.Operation.SUPERSEDE,
        into=None,
        ended_at=timezone.now(),
        reason="consolidated",
    )
    return DreamEntry(**bucket.rows, operation=DreamEntry.Operation.DROP, before=fact.text, fact=fact)


def _report(bucket: BucketOf, reason: str, rows: Sequence[DreamEntry], before: int, after: int) -> None:
    merged = sum(row.operation == DreamEntry.Operation.MERGE for row in rows)
    dream = Dream.objects.create(
        **bucket.rows,
        kind=Dream.Kind.CONSOLIDATION,
        status=Dream.Status.SUCCEEDED,
        reason=reason[:2000],
        statistics={
            "entriesBefore": before,
            "entriesAfter": after,
            "merged": merged,
            "dropped": len(rows) - merged,
        },
        finished_at=timezone.now(),
    )
    for position, row in enumerate(rows, start=1):
        row.dream, row.position = dream, position
    DreamEntry.objects.bulk_create(rows)


def _mark(bucket: BucketOf, *, seen: str) -> None:
    mark_bucket(bucket, consolidated_at=timezone.now(), consolidation_seen=seen)
