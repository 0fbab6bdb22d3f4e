"""The supervisor's judgement of children that live but do not work."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.jobs import beat
from memoryapp.management.children import Child
from memoryapp.management.supervisor import STALE_AFTER, Supervisor
from memoryapp.models import Heartbeat

LONG_AGO = STALE_AFTER + timedelta(minutes=1)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def worker() -> Iterator[Child]:
    """A child that has run for long, and hangs."""
    child = Child("worker", ["worker"], started=time.monotonic() - LONG_AGO.total_seconds())
    child.process = subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
    yield child
    child.stop(time.monotonic())


def look_around(worker: Child) -> bool:
    """Let a supervisor look at the worker; whether it ended it."""
    assert worker.process is not None
    Supervisor([worker], None).restart_stale_workers()
    try:
        worker.process.wait(0.2)
    except subprocess.TimeoutExpired:
        return False
    return True


def test_workers_that_never_ran_a_task_are_ended(worker: Child) -> None:
    assert look_around(worker)


def test_workers_whose_last_task_is_long_ago_are_ended(worker: Child) -> None:
    beat()
    Heartbeat.objects.update(beat_at=timezone.now() - LONG_AGO)
    assert look_around(worker)


def test_workers_that_ran_a_task_lately_are_left_alone(worker: Child) -> None:
    beat()
    assert not look_around(worker)


def test_workers_that_have_just_started_get_time(worker: Child) -> None:
    worker.started = time.monotonic()
    assert not look_around(worker)
