"""The jobs of the night and those that follow a write: they load, call one function, and say what is next."""

from __future__ import annotations

from memoryapp.actions.comparing import COMPARE, request_comparison_of
from memoryapp.actions.forget import PURGE, purge_forgetting
from memoryapp.jobs.outcomes import Done, Failed, Handler, Outcome
from memoryapp.lifecycle.buckets import BucketOf, bucket_of
from memoryapp.lifecycle.comparison import compare_new_facts
from memoryapp.models import Agent, Event
from tenants.models import Workspace
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope

AGENT_GONE = Failed("The agent does not exist any more.", retryable=False)


def load_bucket(event: Event) -> BucketOf | None:
    """The bucket a job is about; None when its agent has gone meanwhile."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    if event.agent_id is None:
        return None
    with workspace_scope(workspace):
        agent = Agent.objects.filter(pk=event.agent_id).first()
    return bucket_of(workspace, agent, event.owner_key) if agent else None


def run_compare(event: Event) -> Outcome:
    """Hold the new facts of a bucket against what is known, and go on later when there are more."""
    bucket = load_bucket(event)
    if bucket is None:
        return AGENT_GONE
    comparison = compare_new_facts(bucket)
    if comparison.more:
        request_comparison_of(bucket.workspace, bucket.agent.pk, bucket.scope, bucket.owner_key)
    return Done({"compared": comparison.compared, "opened": comparison.opened})


def run_purge(event: Event) -> Outcome:
    """Make an act of forgetting final once its window has closed."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    principal = principal_for_job(workspace, event.owner_key)
    if event.subject_id is None:
        return Failed("No act of forgetting was named.", retryable=False)
    return Done({"purged": purge_forgetting(principal=principal, forgetting_id=event.subject_id)})


NIGHT_HANDLERS: dict[str, Handler] = {
    COMPARE: run_compare,
    PURGE: run_purge,
}
