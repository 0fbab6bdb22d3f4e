"""The queue carries wake-ups: few of them, and its schedules exist once however often they are made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from django_q.signing import SignedPackage

from memoryapp.jobs import SCHEDULES, beat, drain, ensure_schedules, wake, worker_heartbeat_age
from memoryapp.jobs.outcomes import Done, Outcome
from memoryapp.models import Event
from tests.jobs.conftest import Chore

pytestmark = pytest.mark.django_db


def test_a_request_wakes_the_worker_after_the_commit_only(
    ask: Callable[..., Event], django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        ask()
        assert OrmQ.objects.count() == 0
    assert SignedPackage.loads(OrmQ.objects.get().payload)["func"] == "memoryapp.jobs.drain"


def test_wake_ups_do_not_pile_up() -> None:
    for _ in range(20):
        wake()
    assert OrmQ.objects.count() == 1


def test_a_wake_up_that_was_taken_does_not_swallow_the_next() -> None:
    wake()
    OrmQ.objects.update(lock=timezone.now() + timedelta(minutes=30))
    wake()
    assert OrmQ.objects.count() == 2


def test_a_draining_worker_is_not_woken_by_its_own_jobs(chore: Chore, ask: Callable[..., Event]) -> None:
    def ask_for_more(event: Event) -> Outcome:
        wake()
        return Done()

    chore.behave = ask_for_more
    ask()
    drain()
    assert OrmQ.objects.count() == 0


def test_schedules_exist_once_and_keep_their_time() -> None:
    ensure_schedules()
    planned = timezone.now() + timedelta(seconds=40)
    Schedule.objects.update(next_run=planned)
    twin = Schedule.objects.get()
    twin.pk = None
    twin.save()
    Schedule.objects.create(name="memoryapp: of an older release", func="memoryapp.jobs.gone")
    ensure_schedules()
    assert [row.next_run for row in Schedule.objects.all()] == [planned] * len(SCHEDULES)


def test_the_heartbeat_is_written_by_the_task() -> None:
    assert worker_heartbeat_age() is None
    drain()
    beat()
    age = worker_heartbeat_age()
    assert age is not None
    assert age < timedelta(seconds=5)
