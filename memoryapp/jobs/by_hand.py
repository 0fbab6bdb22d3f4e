"""Nights by hand: a dream or a consolidation that somebody asks for, as a job or at once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from memoryapp.actions.events import request_job
from memoryapp.jobs.night import report_of
from memoryapp.jobs.night_kinds import CONSOLIDATE, DREAMS, NIGHT
from memoryapp.lifecycle.buckets import BucketOf, bucket_of, refuse_if_busy
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.llm.errors import ModelError
from memoryapp.models import Agent, Dream, Event
from tenants.models import Role
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope


def own_buckets(principal: Principal, agent: Agent) -> list[BucketOf]:
    """The shared bucket of an agent and the principal's own."""
    shared, own = (
        bucket_of(principal.workspace, agent),
        bucket_of(principal.workspace, agent, principal.owner_key),
    )
    return [shared] if own == shared else [shared, own]


def new_slot() -> str:
    """A name for one run by hand, by which a second attempt of its job knows that it is the same."""
    return f"run:{uuid4()}"


def enqueue_dreams(
    *, principal: Principal, agent: Agent, topic: str = "", dry_run: bool = False, everybody: bool = False
) -> Event:
    """Have the shared bucket and the principal's own dreamt of now; with `everybody`, every owner's, for admins.

    Raises DreamingDisabled, and BucketBusy while a dream of one of them runs.
    """
    kind = Dream.Kind.FOCUSED if topic else Dream.Kind.MANUAL
    order = DreamOrder(kind=kind, topic=topic, dry_run=dry_run)
    order.check()
    payload: dict[str, Any] = {"kind": kind.value, "slot": new_slot(), "topic": topic, "dryRun": dry_run}
    if everybody:
        principal.require(Role.ADMIN)
        return _request(principal, agent, NIGHT, payload)
    buckets = own_buckets(principal, agent)
    for bucket in buckets:
        refuse_if_busy(bucket)
    return _request(principal, agent, DREAMS, {**payload, "owners": [bucket.owner_key for bucket in buckets]})


def _request(principal: Principal, agent: Agent, kind: str, payload: dict[str, Any]) -> Event:
    with workspace_scope(principal.workspace):
        return request_job(principal=principal, kind=kind, agent_id=agent.pk, payload=payload)


def dream_now(
    *, principal: Principal, agent: Agent, topic: str = "", dry_run: bool = False
) -> list[dict[str, Any]]:
    """Dream of the shared bucket and the principal's own while the caller waits, and say what came of each.

    Raises DreamingDisabled, and BucketBusy while a dream of one of them runs.
    """
    order = DreamOrder(kind=Dream.Kind.FOCUSED if topic else Dream.Kind.MANUAL, topic=topic, dry_run=dry_run)
    return [_dream_now(bucket, order) for bucket in own_buckets(principal, agent)]


def _dream_now(bucket: BucketOf, order: DreamOrder) -> dict[str, Any]:
    try:
        outcome = run_dream(bucket, order)
    except ModelError as error:
        return {"scope": bucket.scope, "status": Dream.Status.FAILED.value, "reason": error.detail}
    report = report_of(outcome.dream, outcome.status, outcome.reason)
    return {**report, "scope": bucket.scope, "reason": outcome.reason}


def enqueue_consolidation(*, principal: Principal, agent: Agent) -> Event:
    """Have the always-on entries of an agent's buckets consolidated now, also those unchanged since the last time."""
    with workspace_scope(principal.workspace):
        return request_job(
            principal=principal_for_job(principal.workspace),
            kind=CONSOLIDATE,
            subject_id=agent.pk,
            agent_id=agent.pk,
            payload={"again": True},
        )
