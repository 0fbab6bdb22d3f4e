"""The only module that knows the queue. It carries wake-ups, never work: the backlog is the Event table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.cluster import Cluster
from django_q.models import Schedule
from django_q.tasks import async_task

DRAIN = "memoryapp.jobs.drain"
# Any number will do, as long as every process uses the same one.
SCHEDULES_LOCK = 727_002
NAME_PREFIX = "memoryapp: "


@dataclass(frozen=True, slots=True)
class Recurring:
    """A task the cluster starts every so many minutes."""

    name: str
    task: str
    minutes: int


SCHEDULES = (
    Recurring("tick", "memoryapp.jobs.every_minute", minutes=1),
    # Named only: backups stand above this room.
    *(
        [
            Recurring(
                "backups", "memoryapp.snapshots.keeping.back_up_all", minutes=60 * settings.BACKUP_EVERY_HOURS
            )
        ]
        if settings.BACKUP_DIR
        else []
    ),
)

_this_thread = threading.local()


def wake() -> None:
    """Tell the workers that something is due. Cheap, and never more than one wake-up waits to be taken."""
    if not getattr(_this_thread, "draining", False):
        send_wake_up()


def send_wake_up() -> None:
    """Put a wake-up into the queue unless one waits there, which will see whatever is committed by now."""
    async_task(DRAIN, save=False, broker=WakeUps())


PUT_UNLESS_ONE_WAITS = """
    INSERT INTO django_q_ormq (key, payload, lock)
    SELECT %(key)s, %(payload)s, %(now)s
    WHERE NOT EXISTS (SELECT FROM django_q_ormq WHERE key = %(key)s AND lock <= %(now)s)
"""


class WakeUps(ORM):  # type: ignore[misc]  # the queue ships no types
    """The queue for whoever only wants somebody to wake up: one statement, and nothing when a task waits already."""

    def enqueue(self, task: str) -> None:
        values = {"key": self.list_key, "payload": task, "now": timezone.now()}
        with connection.cursor() as cursor:
            cursor.execute(PUT_UNLESS_ONE_WAITS, values)


@contextmanager
def no_wake_ups() -> Iterator[None]:
    """A draining worker finds what its own jobs ask for without being woken."""
    _this_thread.draining = True
    try:
        yield
    finally:
        _this_thread.draining = False


def ensure_schedules() -> None:
    """Make the cluster's schedules exactly those of SCHEDULES, however often and by however many this is called.

    The queue does not keep names unique, so the guard is ours: one caller at a time, duplicates removed.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SCHEDULES_LOCK])
        for recurring in SCHEDULES:
            _ensure(recurring)
        wanted = [NAME_PREFIX + recurring.name for recurring in SCHEDULES]
        Schedule.objects.filter(name__startswith=NAME_PREFIX).exclude(name__in=wanted).delete()


def _ensure(recurring: Recurring) -> None:
    name = NAME_PREFIX + recurring.name
    values = {
        "func": recurring.task,
        "schedule_type": Schedule.MINUTES,
        "minutes": recurring.minutes,
        "repeats": -1,
    }
    rows = Schedule.objects.filter(name=name).order_by("pk")
    Schedule.objects.filter(name=name).exclude(pk__in=rows.values("pk")[:1]).delete()
    Schedule.objects.update_or_create(
        name=name, defaults=values, create_defaults={**values, "next_run": timezone.now()}
    )


def run_cluster() -> None:
    """Start the workers and return once they run; the process lives on until they are stopped by a signal."""
    leave_pool()
    ensure_schedules()
    wake()
    Cluster().start()


def leave_pool() -> None:
    """Use plain connections: the cluster forks, and a child must not share its parent's pool of sockets and threads."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict["OPTIONS"].pop("pool", None)
