"""The jobs of the night and those that follow a write: they load, call one function, and say what is next."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any
from uuid import UUID

from django.utils import timezone

from memoryapp.actions.comparing import COMPARE, request_comparison_of
from memoryapp.actions.events import request_job_after_commit
from memoryapp.actions.forget import PURGE, purge_forgetting
from memoryapp.actions.projecting import PROJECT_FILE
from memoryapp.jobs.night_kinds import ARCHIVING, CONSOLIDATE, DREAMS, NIGHT, PROJECT, SOUL, SWEEPING
from memoryapp.jobs.outcomes import Deferred, Done, Failed, Handler, Outcome
from memoryapp.jobs.sweeping import run_sweep
from memoryapp.lifecycle.archiving import archive_agent
from memoryapp.lifecycle.buckets import BucketBusy, BucketOf, bucket_of
from memoryapp.lifecycle.comparison import compare_new_facts
from memoryapp.lifecycle.consolidation_round import consolidate_agent
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.lifecycle.nights import buckets_to_dream
from memoryapp.lifecycle.projection import project_agent, project_file
from memoryapp.lifecycle.soul import Unusable, is_due, propose_new_soul
from memoryapp.models import Agent, Dream, Event
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope

AGENT_GONE = Done({"skipped": "The agent does not exist any more."})
# How long a dream waits for another one of the same memory to end.
LOOK_AGAIN = timedelta(seconds=20)


def of_agent(run: Callable[[Event, Workspace, Agent], Outcome]) -> Handler:
    """Make a job of what is done for an agent; there is nothing to do once the agent has gone."""

    @wraps(run)
    def handle(event: Event) -> Outcome:
        workspace = Workspace.objects.get(pk=event.workspace_id)
        with workspace_scope(workspace):
            agent = Agent.objects.filter(pk=event.agent_id).first() if event.agent_id else None
        return AGENT_GONE if agent is None else run(event, workspace, agent)

    return handle


@of_agent
def run_night(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Ask for a dream of every bucket of an agent that has something to look at."""
    buckets, left = buckets_to_dream(workspace, agent)
    payload = {"kind": Dream.Kind.NIGHTLY.value, "slot": event.payload.get("slot", ""), **_choice(event)}
    Event.objects.bulk_create(
        [_dream_event(event, bucket, payload) for bucket in buckets], ignore_conflicts=True, batch_size=500
    )
    _ask_for_soul(workspace, agent)
    return Done({"buckets": len(buckets), "leftForNextNight": left})


def _ask_for_soul(workspace: Workspace, agent: Agent) -> None:
    if is_due(workspace, agent):
        request_job_after_commit(
            principal=principal_for_job(workspace), kind=SOUL, subject_id=agent.pk, agent_id=agent.pk
        )


def _choice(event: Event) -> dict[str, Any]:
    return {name: event.payload[name] for name in ("kind", "dryRun") if name in event.payload}


def _dream_event(event: Event, bucket: BucketOf, payload: dict[str, Any]) -> Event:
    return Event(
        workspace_id=event.workspace_id,
        agent_id=event.agent_id,
        owner_key=bucket.owner_key or SYSTEM,
        kind=DREAMS,
        subject_id=bucket.subject(DREAMS, payload["slot"]),
        payload=payload,
        run_after=timezone.now(),
    )


@of_agent
def run_dreams(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Dream of the buckets a job names, one after the other; without names, of its owner's."""
    order = order_of(event)
    reports = []
    for owner_key in event.payload.get("owners", [event.owner_key]):
        try:
            outcome = run_dream(bucket_of(workspace, agent, owner_key), order)
        except BucketBusy as error:
            return Deferred(timezone.now() + LOOK_AGAIN, error.detail)
        reports.append(report_of(outcome.dream, outcome.status, outcome.reason))
    return Done({"reports": reports})


def order_of(event: Event) -> DreamOrder:
    """Which dream a job asks for; what it was given for a slot makes sure that it happens once, however often tried."""
    return DreamOrder(
        kind=event.payload.get("kind", Dream.Kind.MANUAL),
        slot=event.payload.get("slot", ""),
        topic=event.payload.get("topic", ""),
        dry_run=event.payload.get("dryRun", False),
        event_id=event.pk,
    )


def report_of(dream: Dream | None, status: str, reason: str) -> dict[str, Any]:
    """What a job shows of a dream: counts and ids; the report itself has the texts."""
    if dream is None:
        return {"status": status, "reason": reason}
    counts = {name: value for name, value in dream.statistics.items() if isinstance(value, int)}
    return {"dreamId": str(dream.pk), "scope": dream.scope, "status": status, **counts}


@of_agent
def run_consolidation(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Consolidate the always-on entries of an agent's buckets, as many as a run may serve."""
    return Done(consolidate_agent(workspace, agent, again=event.payload.get("again", False)).as_json())


@of_agent
def run_projection(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Project an agent's files that changed since its last round."""
    since = event.payload.get("since")
    return Done(project_agent(workspace, agent, datetime.fromisoformat(since) if since else None).as_json())


@of_agent
def run_project_file(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Project the one file a write was about."""
    if event.subject_id is None:
        return Failed("No file was named.", retryable=False)
    return Done(project_file(workspace, agent, event.subject_id).as_json())


@of_agent
def run_compare(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Hold the new facts of a bucket against what is known, and go on later when there are more."""
    bucket = bucket_of(workspace, agent, event.owner_key)
    comparison = compare_new_facts(bucket)
    if comparison.more:
        request_comparison_of(workspace, agent.pk, bucket.scope, bucket.owner_key)
    _ask_for_soul(workspace, agent)
    return Done({"compared": comparison.compared, "opened": comparison.opened})


@of_agent
def run_soul(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Propose a new persona, unless somebody else's job did so meanwhile."""
    if not is_due(workspace, agent):
        return Done({"skipped": "Not enough was learnt since the last time."})
    try:
        proposal = propose_new_soul(workspace, agent)
    except Unusable as error:
        return Failed(str(error), retryable=False)
    return Done(
        {"proposalId": str(proposal.pk), "status": proposal.status} if proposal else {"proposalId": None}
    )


@of_agent
def run_archive(event: Event, workspace: Workspace, agent: Agent) -> Outcome:
    """Pack an agent's old reports and diary entries."""
    archived = archive_agent(workspace, agent)
    return Done({"reports": archived.reports, "diaryEntries": archived.diary_entries})


def run_purge(event: Event) -> Outcome:
    """Make an act of forgetting final once its window has closed."""
    if not isinstance(event.subject_id, UUID):
        return Failed("No act of forgetting was named.", retryable=False)
    workspace = Workspace.objects.get(pk=event.workspace_id)
    principal = principal_for_job(workspace, event.owner_key)
    return Done({"purged": purge_forgetting(principal=principal, forgetting_id=event.subject_id)})


NIGHT_HANDLERS: dict[str, Handler] = {
    COMPARE: run_compare,
    PURGE: run_purge,
    NIGHT: run_night,
    DREAMS: run_dreams,
    CONSOLIDATE: run_consolidation,
    SOUL: run_soul,
    ARCHIVING: run_archive,
    PROJECT: run_projection,
    PROJECT_FILE: run_project_file,
    SWEEPING: run_sweep,
}
