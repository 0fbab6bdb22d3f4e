"""Jobs are done once, failures are shown and tried again, nothing that was asked for is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from memoryapp.exceptions import Conflict, NotFound
from memoryapp.jobs import drain, retry_event
from memoryapp.jobs.backlog import FIRST_PAUSE, LEASE, MAX_ATTEMPTS, claim_event, settle_event
from memoryapp.jobs.outcomes import Deferred, Done, Failed
from memoryapp.llm.errors import ModelMisconfigured, ModelTimeout
from memoryapp.models import Event
from tests.conftest import Person
from tests.jobs.conftest import Chore, minutes

pytestmark = pytest.mark.django_db

Ask = Callable[..., Event]


def test_a_job_is_done_once_and_shows_its_result(chore: Chore, ask: Ask) -> None:
    event = ask()
    assert drain() == 1
    assert drain() == 0
    event.refresh_from_db()
    assert (event.status, event.result, event.attempts) == (Event.Status.SUCCEEDED, {"done": True}, 1)
    assert event.finished_at is not None
    assert event.leased_until is None


def test_asking_again_joins_the_job_that_waits(chore: Chore, ask: Ask) -> None:
    subject = uuid4()
    first = ask(subject_id=subject, run_after=timezone.now() + minutes(5))
    again = ask(subject_id=subject, payload={"bypass": True})
    assert again.pk == first.pk
    assert drain() == 1, "the second request was for now"
    assert [event.payload for event in chore.seen] == [{"bypass": True}]


def test_a_request_during_the_work_makes_a_job_of_its_own(chore: Chore, ask: Ask) -> None:
    """Whatever happened after the worker began to read is read afterwards."""
    subject = uuid4()

    def another_request(event: Event) -> Done:
        if len(chore.seen) == 1:
            ask(subject_id=subject)
        return Done()

    chore.behave = another_request
    ask(subject_id=subject)
    assert drain() == 2


def test_a_failure_is_shown_with_its_reason_and_tried_again_later(chore: Chore, ask: Ask, clock: Any) -> None:
    chore.behave = lambda event: Failed("The model answered in riddles.")
    event = ask()
    drain()
    event.refresh_from_db()
    again = Event.objects.get(status=Event.Status.PENDING)
    assert (event.status, event.reason) == (Event.Status.FAILED, "The model answered in riddles.")
    assert event.result == {"retriedAs": str(again.pk)}
    assert again.run_after == timezone.now() + FIRST_PAUSE

    chore.behave = lambda event: Done()
    assert drain() == 0
    clock.shift(FIRST_PAUSE)
    assert drain() == 1
    again.refresh_from_db()
    assert (again.status, again.attempts) == (Event.Status.SUCCEEDED, 2)


def test_pauses_grow_and_end(chore: Chore, ask: Ask, clock: Any) -> None:
    chore.behave = lambda event: Failed("Still broken.")
    ask()
    pauses = []
    while drain():
        waiting = Event.objects.filter(status=Event.Status.PENDING).first()
        if waiting is not None:
            pauses.append(waiting.run_after - timezone.now())
            clock.shift(pauses[-1])
    assert len(chore.seen) == MAX_ATTEMPTS
    assert pauses == sorted(pauses)
    assert len(set(pauses)) == MAX_ATTEMPTS - 1
    assert Event.objects.filter(status=Event.Status.FAILED).count() == MAX_ATTEMPTS


@pytest.mark.parametrize(
    ("error", "again"), [(ModelTimeout(), 1), (ModelMisconfigured(), 0), (NotFound(), 0)]
)
def test_only_what_may_pass_is_tried_again(chore: Chore, ask: Ask, error: Exception, again: int) -> None:
    def fail(event: Event) -> Done:
        raise error

    chore.behave = fail
    ask()
    drain()
    assert Event.objects.filter(status=Event.Status.FAILED, reason__gt="").count() == 1
    assert Event.objects.filter(status=Event.Status.PENDING).count() == again


def test_an_unexpected_error_stops_neither_the_others_nor_quotes_anybody(
    chore: Chore, ask: Ask, caplog: Any
) -> None:
    said = "my mother's maiden name is " + "Or" + "lov"

    def stumble(event: Event) -> Done:
        if len(chore.seen) == 1:
            raise ValueError(said)
        return Done()

    chore.behave = stumble
    ask()
    ask()
    assert drain() == 2
    failed = Event.objects.get(status=Event.Status.FAILED)
    assert "ValueError" in failed.reason
    assert "Orlov" not in failed.reason + caplog.text
    assert "in stumble" in caplog.text, "where it happened is told"


def test_a_kind_nobody_handles_fails_for_good(ask: Ask) -> None:
    event = ask()
    drain()
    event.refresh_from_db()
    assert event.status == Event.Status.FAILED
    assert not Event.objects.filter(status=Event.Status.PENDING).exists()


def test_deferring_costs_no_attempt_and_is_kept(chore: Chore, ask: Ask, clock: Any) -> None:
    until = timezone.now() + minutes(5)
    chore.behave = lambda event: Deferred(until, "The cooldown runs.")
    event = ask()
    assert drain() == 1
    event.refresh_from_db()
    assert (event.status, event.attempts, event.reason) == (Event.Status.PENDING, 0, "The cooldown runs.")
    chore.behave = lambda event: Done()
    clock.shift(minutes(4))
    assert drain() == 0
    clock.shift(minutes(2))
    assert drain() == 1


def test_deferring_leaves_the_work_to_a_job_that_waits_already(chore: Chore, ask: Ask) -> None:
    subject = uuid4()
    event = ask(subject_id=subject)
    claimed = claim_event()
    assert claimed is not None
    twin = ask(subject_id=subject)
    settle_event(claimed, Deferred(timezone.now(), "Somebody else reads."))
    event.refresh_from_db()
    assert (event.status, event.result) == (Event.Status.SUCCEEDED, {"joined": str(twin.pk)})
    assert Event.objects.filter(status=Event.Status.PENDING).count() == 1


def test_a_job_whose_worker_died_is_done_by_the_next(chore: Chore, ask: Ask, clock: Any) -> None:
    event = ask()
    claim_event()
    assert drain() == 0, "the lease still holds"
    clock.shift(LEASE * 1.1)
    assert drain() == 1
    event.refresh_from_db()
    assert (event.status, event.attempts) == (Event.Status.SUCCEEDED, 2)


def test_a_job_that_kills_its_workers_is_given_up_visibly(chore: Chore, ask: Ask, clock: Any) -> None:
    event = ask()
    for _ in range(MAX_ATTEMPTS):
        assert claim_event() is not None
        clock.shift(LEASE * 1.1)
    drain()
    event.refresh_from_db()
    assert event.status == Event.Status.FAILED
    assert "survive" in event.reason
    assert chore.seen == []
    assert not Event.objects.due(timezone.now() + timedelta(days=1)).exists()


def test_the_outcome_of_a_lost_lease_is_dropped(chore: Chore, ask: Ask, clock: Any) -> None:
    ask()
    slow = claim_event()
    assert slow is not None
    clock.shift(LEASE * 1.1)
    assert drain() == 1
    settle_event(slow, Failed("Too late."))
    assert Event.objects.get().status == Event.Status.SUCCEEDED


def test_a_failed_job_is_tried_again_by_hand(chore: Chore, ask: Ask, alice: Person) -> None:
    chore.behave = lambda event: Failed("Wrong key.", retryable=False)
    event = ask()
    drain()
    chore.behave = lambda event: Done()
    assert retry_event(principal=alice.principal, event=event).pk == event.pk
    assert drain() == 1
    event.refresh_from_db()
    assert (event.status, event.reason, event.attempts) == (Event.Status.SUCCEEDED, "", 1)


def test_trying_again_by_hand_brings_the_waiting_attempt_forward(
    chore: Chore, ask: Ask, alice: Person
) -> None:
    chore.behave = lambda event: Failed("Once.")
    event = ask()
    drain()
    chore.behave = lambda event: Done()
    again = retry_event(principal=alice.principal, event=event)
    assert again.pk != event.pk
    assert drain() == 1
    assert Event.objects.filter(status=Event.Status.SUCCEEDED).get().pk == again.pk


def test_only_failures_are_tried_again_and_only_ones_own(
    chore: Chore, ask: Ask, alice: Person, bob: Person, charlie: Person
) -> None:
    event = ask()
    drain()
    with pytest.raises(Conflict):
        retry_event(principal=alice.principal, event=event)
    for stranger in (bob, charlie):
        with pytest.raises(NotFound):
            retry_event(principal=stranger.principal, event=event)
