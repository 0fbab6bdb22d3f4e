"""Background work: the backlog is the Event table, the queue carries wake-ups only.

An action asks for work inside its transaction (`actions.events.request_job`); after the commit a wake-up goes
into the queue, some worker's `drain` claims what is due, one job after the other, and settles each. Deferred,
failed and abandoned jobs become due by the clock: the cluster's tick drains once a minute.
"""

from __future__ import annotations

from memoryapp.actions.events import on_request
from memoryapp.jobs.by_hand import dream_now, enqueue_consolidation, enqueue_dreams
from memoryapp.jobs.extraction import enqueue_extraction
from memoryapp.jobs.heartbeat import beat, worker_heartbeat_age
from memoryapp.jobs.outside import enqueue_sync, enqueue_written
from memoryapp.jobs.queue import SCHEDULES, ensure_schedules, run_cluster, wake
from memoryapp.jobs.retry import retry_event
from memoryapp.jobs.scrub import enqueue_scrub, last_scrub
from memoryapp.jobs.ticking import every_minute, run_schedule_now, tick
from memoryapp.jobs.usage import enqueue_count
from memoryapp.jobs.worker import drain

__all__ = [
    "SCHEDULES",
    "beat",
    "drain",
    "dream_now",
    "enqueue_consolidation",
    "enqueue_count",
    "enqueue_dreams",
    "enqueue_extraction",
    "enqueue_scrub",
    "enqueue_sync",
    "enqueue_written",
    "ensure_schedules",
    "every_minute",
    "last_scrub",
    "retry_event",
    "run_cluster",
    "run_schedule_now",
    "tick",
    "wake",
    "worker_heartbeat_age",
]

on_request(wake)
