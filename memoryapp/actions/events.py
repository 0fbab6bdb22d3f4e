"""Asking for background work from inside a transaction: the row is the request, the queue only hears of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from memoryapp.models import Event
from tenants.principals import Principal

_wake_ups: list[Callable[[], None]] = []


def on_request(wake_up: Callable[[], None]) -> None:
    """Have a function called after the commit of every request; `jobs` registers the queue's wake-up here."""
    if wake_up not in _wake_ups:
        _wake_ups.append(wake_up)


def request_job(
    *,
    principal: Principal,
    kind: str,
    subject_id: UUID | None = None,
    agent_id: UUID | None = None,
    payload: dict[str, Any] | None = None,
    run_after: datetime | None = None,
) -> Event:
    """Put a job into the backlog, or join the one that waits for the same subject. Payloads hold ids, never text."""
    values = {
        "agent_id": agent_id,
        "owner_key": principal.owner_key,
        "payload": payload or {},
        "run_after": run_after or timezone.now(),
    }
    if subject_id is None:
        event, is_news = Event.objects.create(workspace=principal.workspace, kind=kind, **values), True
    else:
        event, is_news = _join_or_create(principal, kind, subject_id, values)
    if is_news:
        # Robust: the work is committed, and the worker looks every minute anyway.
        transaction.on_commit(_wake_up, robust=True)
    return event


def request_job_after_commit(
    *, principal: Principal, kind: str, subject_id: UUID, agent_id: UUID | None = None
) -> None:
    """Ask for a job whose need shows in the rows themselves once this transaction has committed.

    A subject that many transactions write for at once would make each wait for the other's uncommitted event.
    """
    request = partial(request_job, principal=principal, kind=kind, subject_id=subject_id, agent_id=agent_id)
    transaction.on_commit(request, robust=True)


def _join_or_create(
    principal: Principal, kind: str, subject_id: UUID, values: dict[str, Any]
) -> tuple[Event, bool]:
    """The subject's waiting event, and whether the worker has not heard of it yet: it is new, or asks for more now.

    Whoever joins may bring it forward and add to its payload.
    """
    key = {"workspace": principal.workspace, "kind": kind, "subject_id": subject_id}
    while True:
        with suppress(IntegrityError), transaction.atomic():
            return Event.objects.create(**key, **values), True
        event = Event.objects.filter(**key, status=Event.Status.PENDING).first()
        # None, or no row to update: a worker claimed it this very moment, so nothing is in the way of another one.
        if event is not None and not _improve(event, values):
            return event, False
        if event is not None and _save_pending(event):
            return event, True


def _improve(event: Event, values: dict[str, Any]) -> bool:
    """Whether the request asks for more than the waiting event has: an earlier time, or another payload."""
    run_after, payload = min(event.run_after, values["run_after"]), {**event.payload, **values["payload"]}
    improved = (run_after, payload) != (event.run_after, event.payload)
    event.run_after, event.payload = run_after, payload
    return improved


def _save_pending(event: Event) -> bool:
    waiting = Event.objects.filter(pk=event.pk, status=Event.Status.PENDING)
    return bool(waiting.update(run_after=event.run_after, payload=event.payload))


def _wake_up() -> None:
    for wake_up in _wake_ups:
        wake_up()
