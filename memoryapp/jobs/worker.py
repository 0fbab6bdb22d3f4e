"""The worker: takes jobs from the backlog one after the other until none is due."""

from __future__ import annotations

import logging
import time
import traceback

from memoryapp.exceptions import MemoryAppError
from memoryapp.jobs import queue
from memoryapp.jobs.backlog import MAX_ATTEMPTS, claim_event, kept_lease, settle_event
from memoryapp.jobs.handlers import handler_of
from memoryapp.jobs.heartbeat import beat
from memoryapp.jobs.outcomes import Failed, Outcome
from memoryapp.llm.errors import ModelError
from memoryapp.models import Event
from tenants.exceptions import TenancyError

logger = logging.getLogger(__name__)

# A wake-up starts no further job after this long, so that the queue's own time-out never hits a healthy one.
STINT_SECONDS = 60.0


def drain() -> int:
    """Work on everything that is due, and return how many jobs that were. This is the task the queue carries."""
    worked = 0
    ends = time.monotonic() + STINT_SECONDS
    with queue.no_wake_ups():
        while time.monotonic() < ends:
            beat()
            event = claim_event()
            if event is None:
                return worked
            if not worked and Event.objects.due().exists():
                queue.send_wake_up()
            work_on(event)
            worked += 1
    queue.wake()
    return worked


def work_on(event: Event) -> None:
    """Do a claimed job and settle it."""
    if event.attempts > MAX_ATTEMPTS:
        settle_event(
            event, Failed(f"Given up: the worker did not survive {MAX_ATTEMPTS} attempts.", retryable=False)
        )
        return
    with kept_lease(event):
        outcome = _outcome_of(event)
    settle_event(event, outcome)


def _outcome_of(event: Event) -> Outcome:
    handler = handler_of(event.kind)
    if handler is None:
        return Failed(f"There is no job of the kind {event.kind}.", retryable=False)
    try:
        return handler(event)
    except ModelError as error:
        return Failed(error.detail, retryable=error.retryable)
    except (MemoryAppError, TenancyError) as error:
        return Failed(error.detail, retryable=False)
    except Exception as error:  # noqa: BLE001 - the edge of the process: one bad job must not stop the others
        # Without the message: it may quote what a person said.
        logger.error(
            "Event %s (%s) raised %s\n%s",
            event.pk,
            event.kind,
            type(error).__name__,
            "".join(traceback.format_tb(error.__traceback__)),
        )
        return Failed(f"An unexpected error ({type(error).__name__}); the log of the worker has the details.")
