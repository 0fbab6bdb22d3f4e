"""The backlog of jobs: claimed by one worker at a time under a lease, settled once, given up visibly.

Every step is one committed statement or transaction, so that a worker may be killed at any line: a job it held is
claimed again when the lease runs out.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.jobs.heartbeat import beat
from memoryapp.jobs.outcomes import Deferred, Done, Failed, Outcome
from memoryapp.models import Event

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 5
LEASE = timedelta(seconds=60)
RENEW_EVERY_SECONDS = 15.0
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)


def claim_event() -> Event | None:
    """Take the job that has been due longest, or None; the attempt is counted and committed before any work starts."""
    with transaction.atomic():
        event = (
            Event.objects.due()
            .select_for_update(skip_locked=True)
            .order_by("run_after", "created_at")
            .first()
        )
        if event is None:
            return None
        now = timezone.now()
        event.status = Event.Status.RUNNING
        event.attempts += 1
        event.leased_until = now + LEASE
        event.started_at = now
        event.save(update_fields=["status", "attempts", "leased_until", "started_at"])
    return event


@contextmanager
def kept_lease(event: Event) -> Iterator[None]:
    """Keep the lease of a claimed job alive for as long as the block runs, which may wait on a model for minutes."""
    stopped = threading.Event()
    keeper = threading.Thread(target=_renew_until, args=(event, stopped), name="lease", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        stopped.set()
        keeper.join()


def _renew_until(event: Event, stopped: threading.Event) -> None:
    while not stopped.wait(RENEW_EVERY_SECONDS):
        try:
            _held(event).update(leased_until=timezone.now() + LEASE)
            beat()
        except DatabaseError:
            logger.warning("The lease of event %s could not be renewed; trying again.", event.pk)
        finally:
            connection.close()


def _held(event: Event) -> QuerySet[Event]:
    """The event's row while it is still this worker's: whoever claimed it since has counted one attempt more."""
    return Event.objects.filter(pk=event.pk, status=Event.Status.RUNNING, attempts=event.attempts)


def settle_event(event: Event, outcome: Outcome) -> None:
    """Write down how a claimed job ended; nothing when its lease was lost to another worker meanwhile."""
    match outcome:
        case Done(result):
            settled = _finish(event, Event.Status.SUCCEEDED, result=result, reason="")
        case Deferred():
            settled = _postpone(event, outcome)
        case Failed():
            settled = _fail(event, outcome)
    if not settled:
        logger.warning(
            "Event %s (%s) was taken over by another worker; this outcome is dropped.", event.pk, event.kind
        )


def _finish(event: Event, status: Event.Status, **fields: object) -> bool:
    return bool(_held(event).update(status=status, finished_at=timezone.now(), leased_until=None, **fields))


def _postpone(event: Event, outcome: Deferred) -> bool:
    """Let the job wait; when another one already waits for the same subject, that one does it."""
    waiting = {"status": Event.Status.PENDING, "run_after": outcome.until, "reason": outcome.reason}
    try:
        with transaction.atomic():
            return bool(
                _held(event).update(
                    **waiting, attempts=event.attempts - 1, leased_until=None, started_at=None
                )
            )
    except IntegrityError:
        return _finish(
            event, Event.Status.SUCCEEDED, result={"joined": str(_waiting_twin(event))}, reason=outcome.reason
        )


def _fail(event: Event, outcome: Failed) -> bool:
    """Show the failure on this event, and let a new one try again later while that is sensible."""
    with transaction.atomic():
        if not _finish(event, Event.Status.FAILED, reason=outcome.reason):
            return False
        if outcome.retryable and event.attempts < MAX_ATTEMPTS:
            _try_again(event)
    return True


def _try_again(event: Event) -> None:
    """A failure stays on record: the next attempt is an event of its own, which goes on counting."""
    again = Event(
        workspace_id=event.workspace_id,
        agent_id=event.agent_id,
        owner_key=event.owner_key,
        kind=event.kind,
        subject_id=event.subject_id,
        payload=event.payload,
        attempts=event.attempts,
        run_after=timezone.now() + pause_after(event.attempts),
    )
    Event.objects.bulk_create([again], ignore_conflicts=True)
    successor = _waiting_twin(event) if event.subject_id else again.pk
    Event.objects.filter(pk=event.pk).update(result={"retriedAs": str(successor)})


def pause_after(attempts: int) -> timedelta:
    """How long a job rests after so many failed attempts: half a minute, then four times as long each time."""
    factor: int = 4 ** max(attempts - 1, 0)
    return min(FIRST_PAUSE * factor, LONGEST_PAUSE)


def _waiting_twin(event: Event) -> object:
    twins = Event.objects.filter(
        workspace_id=event.workspace_id,
        kind=event.kind,
        subject_id=event.subject_id,
        status=Event.Status.PENDING,
    )
    return twins.values_list("pk", flat=True).first()
