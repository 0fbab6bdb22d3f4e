"""Sweeps: what a lost wake-up or a killed worker left undone, found by what the rows themselves say."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, QuerySet
from django.utils import timezone

from memoryapp.actions.comparing import request_comparison_of
from memoryapp.actions.conversations import delete_conversation
from memoryapp.actions.events import request_job
from memoryapp.actions.forget import overdue_forgettings, purge_forgetting
from memoryapp.actions.quotas import CONVERSATION_DAYS
from memoryapp.actions.schedules import PROJECTION, SWEEP, USAGE
from memoryapp.jobs.embedding import EMBEDDING
from memoryapp.jobs.outcomes import Done, Outcome
from memoryapp.lifecycle.usage import something_happened_since
from memoryapp.models import Conversation, Embedding, Event, Fact, FileSection, Schedule
from memoryapp.retrieval.indexing import waiting_for_vectors
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope

# A fact that is still not compared after this long has lost its request.
PATIENCE = timedelta(minutes=5)
# How long the record of a job that went well is kept.
KEPT_RECORDS = timedelta(days=30)
# More wait for the next sweep.
MOST_REMOVED = 500


def is_needed(schedule: Schedule, workspace: Workspace) -> bool:
    """Whether there is anything to do: the light recurring jobs are not started for nothing."""
    if schedule.kind == SWEEP:
        with workspace_scope(workspace):
            return (
                overdue_forgettings().exists()
                or _uncompared(workspace).exists()
                or _unembedded(workspace).exists()
                or _old_records(workspace).exists()
                or _old_conversations(workspace).exists()
            )
    if schedule.kind == USAGE and schedule.last_run:
        with workspace_scope(workspace):
            return something_happened_since(workspace, schedule.last_run)
    if schedule.kind == PROJECTION and schedule.agent_id:
        with workspace_scope(workspace):
            changed = FileSection.objects.filter(workspace=workspace, agent_id=schedule.agent_id)
            since = {"updated_at__gte": schedule.last_run} if schedule.last_run else {}
            return bool(changed.filter(**since).exists())
    return True


def _uncompared(workspace: Workspace) -> QuerySet[Fact]:
    waiting = Fact.objects.filter(workspace=workspace, status=Fact.Status.ACTIVE, compared_at=None)
    return waiting.filter(updated_at__lt=timezone.now() - PATIENCE)


def _unembedded(workspace: Workspace) -> QuerySet[Embedding]:
    """What waits for its vector although nobody is to make it: the request was lost, or has failed for good."""
    asked = Event.objects.filter(
        workspace=workspace, kind=EMBEDDING, status__in=(Event.Status.PENDING, Event.Status.RUNNING)
    )
    late = waiting_for_vectors(workspace).filter(updated_at__lt=timezone.now() - PATIENCE)
    return late.filter(~Exists(asked))


def _old_records(workspace: Workspace) -> QuerySet[Event]:
    done = Event.objects.filter(workspace=workspace, status=Event.Status.SUCCEEDED)
    return done.filter(finished_at__lt=timezone.now() - KEPT_RECORDS)


def _old_conversations(workspace: Workspace) -> QuerySet[Conversation]:
    """What nobody has added to for longer than the workspace keeps conversations."""
    days = int(workspace.setting(CONVERSATION_DAYS, 0))
    if not days:
        return Conversation.objects.none()
    return Conversation.objects.filter(
        workspace=workspace, last_message_at__lt=timezone.now() - timedelta(days=days)
    )


def _remove_old_conversations(workspace: Workspace) -> int:
    with workspace_scope(workspace):
        old = list(_old_conversations(workspace)[:MOST_REMOVED])
    for conversation in old:
        delete_conversation(
            principal=principal_for_job(workspace, conversation.owner_key or SYSTEM),
            conversation=conversation,
        )
    return len(old)


def run_sweep(event: Event) -> Outcome:
    """Do what was left undone in a workspace."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    principal = principal_for_job(workspace)
    with workspace_scope(workspace):
        acts = list(overdue_forgettings().values_list("pk", flat=True))
        buckets = list(_uncompared(workspace).values_list("agent_id", "scope", "owner_key").distinct())
        unembedded = _unembedded(workspace).values_list("agent_id", flat=True).first()
        if unembedded is not None:
            # One is enough: the job is for the whole workspace.
            request_job(principal=principal, kind=EMBEDDING, subject_id=unembedded, agent_id=unembedded)
        removed, _ = _old_records(workspace).delete()
    purged = sum(purge_forgetting(principal=principal, forgetting_id=pk) for pk in acts)
    for agent_id, scope, owner_key in buckets:
        request_comparison_of(workspace, agent_id, scope, owner_key)
    gone = _remove_old_conversations(workspace)
    result = {"purged": purged, "comparisons": len(buckets), "recordsRemoved": removed}
    return Done({**result, "conversationsRemoved": gone} if gone else result)
