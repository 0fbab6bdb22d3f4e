"""Dreaming: a bucket's notes of the last days become changes of its MEMORY.md, checked, applied at once, told.

What is looked at is loaded in one short transaction, the model is asked outside of any, and the change set is applied
in one transaction together with the report, the diary and the bucket's mark. So a dream happens whole or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils import timezone

from memoryapp.actions.files import write_file
from memoryapp.actions.memory_changes import Applied, Change, apply_changes, find_changes
from memoryapp.lifecycle.buckets import BucketOf, held_bucket
from memoryapp.lifecycle.dream_asking import Answer, ask_for_dream
from memoryapp.lifecycle.dream_candidates import Judged, judge_candidates
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dream_reports import begin_dream, finish_dream, mark_bucket, record_failure
from memoryapp.lifecycle.dream_rules import Rejected, checked_proposal, shrinks_too_much
from memoryapp.lifecycle.dream_sources import MEMORY, DreamMaterial, as_it_is_now, load_material
from memoryapp.llm.errors import ModelError
from memoryapp.llm.language.wording import says_nothing_new
from memoryapp.model_settings import client_for
from memoryapp.models import Dream
from tenants.scoping import workspace_scope


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a dream came to: its report, None for a night in which there was nothing to look at."""

    dream: Dream | None
    status: str
    reason: str = ""


DONE = (Dream.Status.SUCCEEDED, Dream.Status.SKIPPED, Dream.Status.PROPOSED)
NOTHING_TO_SEE = "There are no notes of the last days and nothing was recalled."


def run_dream(bucket: BucketOf, order: DreamOrder) -> Outcome:
    """Dream of one bucket.

    Raises BucketBusy while another dream of it runs, ModelError when the model could not answer (which is on record).
    """
    order.check()
    with held_bucket(bucket):
        with workspace_scope(bucket.workspace):
            before = _report_of(bucket, order)
            if before is not None and before.status in DONE:
                return Outcome(before, before.status, before.reason)
            material = load_material(bucket)
            judged = judge_candidates(material, order.topic)
            if material.is_empty and not order.topic:
                return _nothing_to_see(bucket, order)
            dream = begin_dream(bucket, order, judged, before)
        try:
            answer = ask_for_dream(client_for(bucket.workspace), material, judged, dream)
        except ModelError as error:
            record_failure(bucket, dream, error.detail, judged)
            raise
        with workspace_scope(bucket.workspace):
            dream = _conclude(bucket, order, dream, material, judged, answer)
            return Outcome(dream, dream.status, dream.reason)


def _report_of(bucket: BucketOf, order: DreamOrder) -> Dream | None:
    """The report this run has already, from an attempt before: finished, failed, or left behind by a dead worker."""
    if not order.slot:
        return None
    reports = Dream.objects.filter(**bucket.rows, kind=order.kind, slot=order.slot)
    report: Dream | None = reports.first()
    return report


def _nothing_to_see(bucket: BucketOf, order: DreamOrder) -> Outcome:
    """A night without anything to look at leaves no report; whoever asked by hand gets one that says why."""
    if order.kind == Dream.Kind.NIGHTLY:
        mark_bucket(bucket, dreamed_at=timezone.now())
        return Outcome(None, Dream.Status.SKIPPED, NOTHING_TO_SEE)
    dream = begin_dream(bucket, order, Judged((), ()))
    dream.status, dream.reason, dream.finished_at = Dream.Status.SKIPPED, NOTHING_TO_SEE, timezone.now()
    dream.save()
    return Outcome(dream, dream.status, dream.reason)


def _conclude(
    bucket: BucketOf,
    order: DreamOrder,
    dream: Dream,
    material: DreamMaterial,
    judged: Judged,
    answer: Answer,
) -> Dream:
    """Check what the model proposed, apply what may be applied, and complete the report."""
    current = as_it_is_now(material)
    judged = judged.without(current.forgotten)
    dream.statistics |= answer.statistics
    dream.reason = current.forgotten.without(answer.reply.reason[:2000])
    unchanged = Applied(current.memory, ())
    if not answer.reply.should_update:
        return finish_dream(bucket, dream, current, judged, unchanged, Dream.Status.SKIPPED)
    try:
        proposed = checked_proposal(answer.reply.memory_content, current)
    except Rejected as rejection:
        dream.reason = str(rejection)
        return finish_dream(bucket, dream, current, judged, unchanged, Dream.Status.FAILED)
    applied = weigh(proposed, material, current)
    if shrinks_too_much(current.memory, applied.made):
        return finish_dream(bucket, dream, current, judged, _told(applied, judged), Dream.Status.PROPOSED)
    if not order.dry_run and applied.made:
        applied = store_memory(bucket, current, applied, dream)
    status = Dream.Status.SUCCEEDED if applied.made else Dream.Status.SKIPPED
    return finish_dream(bucket, dream, current, judged, _told(applied, judged), status)


def weigh(proposed: str, base: DreamMaterial, current: DreamMaterial) -> Applied:
    """What of a proposal can be applied to what the file says by now.

    As long as nobody wrote meanwhile and nothing of it is a person's, that is the proposed text as it stands; else line
    by line, so that no edit is overwritten.
    """
    changes = find_changes(base.memory, proposed)
    if current.memory == base.memory and not current.protected_lines:
        return Applied(proposed, tuple(changes)) if changes else Applied(base.memory, ())
    return apply_changes(current.memory, changes, current.protected_lines)


def store_memory(bucket: BucketOf, current: DreamMaterial, applied: Applied, dream: Dream) -> Applied:
    """Write the new text, and return what came to stand there: the file's own door may have masked or cut it."""
    written = write_file(
        principal=bucket.principal,
        agent=bucket.agent,
        path=MEMORY,
        content=applied.text,
        scope=bucket.scope,
        origin="dream",
        reason=f"{dream.kind} dream",
        enabled=True if current.version == 0 else None,
    )
    dream.statistics["truncated"] = written.truncated
    return replace(applied, made=tuple(find_changes(current.memory, written.file.content)))


def _told(applied: Applied, judged: Judged) -> Applied:
    """The changes with why they were made, as far as they go back to candidates."""
    return replace(
        applied,
        made=tuple(_explained(change, judged) for change in applied.made),
        left=tuple(_explained(change, judged) for change in applied.left),
    )


def _explained(change: Change, judged: Judged) -> Change:
    for candidate in judged.passed:
        if change.after and says_nothing_new(candidate.text, change.after):
            return replace(
                change,
                reason=change.reason or candidate.why,
                score=candidate.score,
                parts=candidate.parts,
                sources=candidate.sources,
            )
    return change
