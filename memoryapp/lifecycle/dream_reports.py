"""The record of a dream: its report, its entries with before and after, its diary, and the bucket's mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.memory_changes import Applied, Change
from memoryapp.actions.webhooks import note_happening
from memoryapp.lifecycle.archiving import archive_diary
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.lifecycle.diary import append_to_diary, diary_entry, is_over_limit
from memoryapp.lifecycle.dream_candidates import Candidate, Judged
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dream_sources import MEMORY, DreamMaterial
from memoryapp.models import Bucket, Dream, DreamEntry, Webhook
from tenants.scoping import workspace_scope

Operation = DreamEntry.Operation


def begin_dream(bucket: BucketOf, order: DreamOrder, judged: Judged, before: Dream | None = None) -> Dream:
    """The report of a dream that begins, or the one an earlier attempt left behind, begun again. Inside the scope."""
    _give_up_unfinished(bucket)
    dream = before or Dream(**bucket.rows, kind=order.kind, slot=order.slot)
    if before is not None:
        dream.entries.all().delete()
    dream.topic, dream.dry_run, dream.event_id = order.topic[:200], order.dry_run, order.event_id
    dream.status, dream.reason, dream.finished_at = Dream.Status.RUNNING, "", None
    dream.statistics = {"candidates": len(judged.passed), "nearMisses": len(judged.stopped)}
    dream.save(force_insert=before is None)
    return dream


def mark_bucket(bucket: BucketOf, **marks: Any) -> None:
    """Note on a bucket what the night did with it; inside the scope."""
    Bucket.objects.bulk_create(
        [Bucket(**bucket.rows, **marks)],
        update_conflicts=True,
        unique_fields=["workspace", "agent", "scope", "owner_key"],
        update_fields=[*marks, "updated_at"],
    )


def _give_up_unfinished(bucket: BucketOf) -> None:
    """Whoever holds the bucket is alone, so a report that still says it runs is of a worker that died."""
    unfinished = Dream.objects.filter(**bucket.rows, status=Dream.Status.RUNNING)
    unfinished.update(
        status=Dream.Status.FAILED, reason="The worker did not survive it.", finished_at=timezone.now()
    )


def record_failure(bucket: BucketOf, dream: Dream, reason: str, judged: Judged) -> None:
    """Put on record that the model could not answer; nothing else changed."""
    with workspace_scope(bucket.workspace):
        _keep_entries(bucket, dream, (), (), judged.near_misses)
        dream.status, dream.reason, dream.finished_at = Dream.Status.FAILED, reason, timezone.now()
        dream.save()


def finish_dream(
    bucket: BucketOf,
    dream: Dream,
    material: DreamMaterial,
    judged: Judged,
    applied: Applied,
    status: Dream.Status,
) -> Dream:
    """Complete the report with its entries, totals and diary, and mark the bucket. Inside the scope."""
    now = timezone.now()
    dream.statistics |= {"notes": len(material.notes), **_totals(applied, judged)}
    dream.status, dream.finished_at = status, now
    if not dream.dry_run:
        waiting = status == Dream.Status.PROPOSED
        dream.diary = diary_entry(dream, material, () if waiting else applied.made, judged.near_misses, now)
        diary = append_to_diary(bucket, dream.diary)
        if is_over_limit(diary.content) and settings.MEMORY_DREAM_ARCHIVE_ENABLED:
            archive_diary(bucket)
        mark_bucket(bucket, dreamed_at=now)
    dream.save()
    _keep_entries(bucket, dream, applied.made, applied.left, judged.near_misses)
    if not dream.dry_run:
        note_happening(
            bucket.workspace,
            Webhook.Happening.DREAM_COMPLETED,
            subject_id=dream.pk,
            agent_id=dream.agent_id,
            owner_key=dream.owner_key,
            status=str(status),
            kind=str(dream.kind),
        )
    return dream


def _totals(applied: Applied, judged: Judged) -> dict[str, int]:
    counts = Counter(change.operation for change in applied.made)
    return {
        "promoted": counts[Operation.ADD],
        "merged": counts[Operation.MERGE],
        "superseded": counts[Operation.SUPERSEDE],
        "dropped": counts[Operation.DROP],
        "kept": len(applied.left) + len(judged.near_misses),
    }


def _keep_entries(
    bucket: BucketOf,
    dream: Dream,
    made: Sequence[Change],
    left: Sequence[Change],
    misses: Sequence[Candidate],
) -> None:
    rows = [
        *(_of_change(change, Operation(change.operation)) for change in made),
        *(_of_change(change, Operation.KEEP) for change in left),
        *(_of_candidate(miss) for miss in misses),
    ]
    DreamEntry.objects.bulk_create(
        DreamEntry(**bucket.rows, dream=dream, position=position, **row)
        for position, row in enumerate(rows, start=1)
    )


def _of_change(change: Change, operation: Operation) -> dict[str, Any]:
    fact = next((source["factId"] for source in change.sources if "factId" in source), None)
    return {
        "operation": operation,
        "path": MEMORY,
        "before": "\n".join(change.before),
        "after": change.after,
        "score": change.score,
        "score_parts": change.parts,
        "heading": change.heading[:300],
        "sources": list(change.sources),
        "fact_id": fact,
        "gate": change.gate,
        "reason": change.reason,
    }


def _of_candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "operation": Operation.KEEP,
        "after": candidate.text,
        "score": candidate.score,
        "score_parts": candidate.parts,
        "sources": list(candidate.sources),
        "gate": candidate.gate,
        "reason": candidate.why,
    }
