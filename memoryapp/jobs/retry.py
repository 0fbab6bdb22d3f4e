"""Giving a failed job another chance by hand."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from memoryapp.exceptions import Conflict, NotFound
from memoryapp.jobs import queue
from memoryapp.models import Event
from tenants.actions import record_audit
from tenants.principals import Principal
from tenants.scoping import workspace_scope


def retry_event(*, principal: Principal, event: Event) -> Event:
    """Put a failed job back into the backlog with all its attempts before it, and return the event that will do it.

    That is the event itself, or the one that waits for the same subject already. Raises NotFound for an event the
    principal does not see, Conflict for one that has not failed.
    """
    with workspace_scope(principal.workspace):
        failed = Event.objects.visible_to(principal).select_for_update().filter(pk=event.pk).first()
        if failed is None:
            raise NotFound
        if failed.status != Event.Status.FAILED:
            raise Conflict("Only a failed event can be tried again.", code="not_failed")
        waiting = _waiting_for_same(failed) or failed
        _make_due(waiting)
        record_audit(principal=principal, action="event.retried", target=str(failed.pk), kind=failed.kind)
        transaction.on_commit(queue.wake, robust=True)
    return waiting


def _waiting_for_same(event: Event) -> Event | None:
    if event.subject_id is None:
        return None
    same: dict[str, Any] = {
        "workspace_id": event.workspace_id,
        "kind": event.kind,
        "subject_id": event.subject_id,
    }
    return Event.objects.select_for_update().filter(**same, status=Event.Status.PENDING).first()


def _make_due(event: Event) -> None:
    event.status, event.run_after, event.attempts = Event.Status.PENDING, timezone.now(), 0
    event.reason, event.result, event.finished_at = "", {}, None
    event.save(update_fields=["status", "run_after", "attempts", "reason", "result", "finished_at"])
