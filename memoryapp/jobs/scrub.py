"""The job that purges secrets found later, a few seconds at a time, so that other jobs get their turn."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.actions.events import request_job
from memoryapp.actions.scrubbing import Progress, Scrub, finish_scrub
from memoryapp.exceptions import Conflict
from memoryapp.jobs.outcomes import Deferred, Done, Outcome
from memoryapp.models import Event
from tenants.models import Role, Workspace
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope

SCRUB = "scrub"
SECONDS_AT_A_TIME = 5.0
UNDER_WAY = (Event.Status.PENDING, Event.Status.RUNNING)


def enqueue_scrub(*, principal: Principal, agent_id: UUID | None = None, dry_run: bool = False) -> Event:
    """Have the workspace, or one agent's memory, scrubbed. Admins only; Conflict while one is under way."""
    principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        Workspace.objects.select_for_update().get(pk=principal.workspace.pk)
        if _scrubs(principal.workspace).filter(status__in=UNDER_WAY).exists():
            raise Conflict("This workspace is being scrubbed already.", code="scrub_running")
        payload: dict[str, Any] = {"by": principal.actor, "progress": Progress(dry_run).as_json()}
        clerk = principal_for_job(principal.workspace)
        return request_job(principal=clerk, kind=SCRUB, agent_id=agent_id, payload=payload)


def last_scrub(workspace: Workspace) -> Event | None:
    """The latest scrub, whatever became of it."""
    return _scrubs(workspace).first()


def _scrubs(workspace: Workspace) -> QuerySet[Event]:
    return Event.objects.filter(workspace=workspace, kind=SCRUB).order_by("-created_at")


def run_scrub(event: Event) -> Outcome:
    """Scrub on from where the last turn stopped; comes again until everything is read."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    progress = Progress.from_json(event.payload.get("progress", {}))
    scrub = Scrub(workspace, progress, agent_id=event.agent_id)
    if not progress.total:
        scrub.count_rows()
    until = time.monotonic() + SECONDS_AT_A_TIME
    while not scrub.is_done and time.monotonic() < until:
        scrub.step()
        _note(event, progress)
    if scrub.is_done:
        return Done(finish_scrub(workspace, progress, by=str(event.payload.get("by", ""))))
    return Deferred(timezone.now(), f"{progress.read} of about {progress.total} texts are read.")


def _note(event: Event, progress: Progress) -> None:
    """Write down how far it has come: a worker that dies here costs at most one step, done again to no effect."""
    event.payload = {**event.payload, "progress": progress.as_json()}
    Event.objects.filter(pk=event.pk).update(payload=event.payload)
