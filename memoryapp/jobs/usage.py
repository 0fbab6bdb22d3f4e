"""The job that counts what a workspace used."""

from __future__ import annotations

from memoryapp.actions.events import request_job
from memoryapp.jobs.night_kinds import COUNTING
from memoryapp.jobs.outcomes import Done, Outcome
from memoryapp.lifecycle.usage import count_usage
from memoryapp.models import Event
from tenants.models import Role, Workspace
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope


def run_count(event: Event) -> Outcome:
    """Count the days since the last count."""
    return Done({"days": count_usage(Workspace.objects.get(pk=event.workspace_id))})


def enqueue_count(*, principal: Principal) -> Event:
    """Have the workspace's usage counted now. For admins."""
    principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        return request_job(
            principal=principal_for_job(principal.workspace),
            kind=COUNTING,
            subject_id=principal.workspace.pk,
        )
