"""Nights happen at the workspace's own time, each exactly once, whatever clocks, workers and failures do."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings as configured
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from memoryapp.actions.agents import create_agent, delete_agent, update_agent
from memoryapp.actions.calendar import last_run, next_run
from memoryapp.actions.forget import forget_fact
from memoryapp.actions.schedules import ensure_schedules, schedules_of, update_schedule
from memoryapp.checks import check_timeouts
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.jobs import drain, tick
from memoryapp.lifecycle.buckets import BucketBusy, held_bucket
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.lifecycle.nights import buckets_to_dream
from memoryapp.llm.backends.scripted import Scripted
from memoryapp.llm.errors import ModelUnavailable
from memoryapp.models import Bucket, Dream, Event, Schedule
from memoryapp.retrieval.indexing import embed_missing
from tenants.actions import update_workspace
from tenants.exceptions import NotAllowed
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, at

BERLIN = ZoneInfo("Europe/Berlin")
NO_UPDATE = {"should_update": False, "reason": "nothing deserves a change"}
DAILY = "0 3 * * *"


def schedule(person, kind="dream", agent=None):
    return next(row for row in schedules_of(person.principal, agent or person.agent) if row.kind == kind)


def note_of_the_day(person, shared=True, text="Oat milk again"):
    memory = Memory(person, shared=shared)
    memory.note(memory.bucket.today(), text)
    return memory


def dreams(person):
    with workspace_scope(person.workspace):
        return list(Dream.objects.order_by("created_at", "pk"))


@pytest.fixture
def clock():
    with time_machine.travel(at("2026-07-19T10:00Z"), tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def empty_backlog(clock, alice):
    """The cast is made at the time of the test's clock, and what making it asked for is out of the way."""
    Event.objects.all().delete()


# --- When -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "due"),
    [
        ("2026-10-24T01:00Z", "2026-10-25T02:00Z"),
        ("2026-03-28T02:00Z", "2026-03-29T01:00Z"),
        ("2026-10-25T02:00Z", "2026-10-26T02:00Z"),
        ("2026-03-29T01:00Z", "2026-03-30T01:00Z"),
    ],
)
def test_a_daily_time_is_local_before_and_after_the_clocks_change(after, due):
    """BC-104"""
    assert next_run(DAILY, BERLIN, at(after)) == at(due)


@pytest.mark.parametrize(
    ("cron", "zone", "after", "due"),
    [
        # 02:30 does not exist on this night, and exists twice on that one.
        ("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", "2026-03-29T01:30Z"),
        ("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", "2026-10-25T00:30Z"),
        ("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30Z", "2026-10-26T01:30Z"),
        # A zone that moves by half an hour, one with a quarter, and one that skipped a whole day.
        (DAILY, "Australia/Lord_Howe", "2026-04-04T12:00Z", "2026-04-04T16:30Z"),
        (DAILY, "Asia/Kathmandu", "2026-07-01T00:00Z", "2026-07-01T21:15Z"),
        (DAILY, "Pacific/Apia", "2011-12-29T13:30Z", "2011-12-30T13:00Z"),
    ],
)
def test_skipped_and_doubled_times(cron, zone, after, due):
    assert next_run(cron, ZoneInfo(zone), at(after)) == at(due)


def test_every_night_of_a_year_happens_once_in_every_zone():
    for zone in ("Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Asia/Tehran", "UTC"):
        moment, nights = at("2026-01-01T12:00Z"), []
        while len(nights) < 365:
            moment = next_run(DAILY, ZoneInfo(zone), moment)
            nights.append(moment.astimezone(ZoneInfo(zone)).date())
        assert nights == [date(2026, 1, 2) + timedelta(days=day) for day in range(365)], zone


def test_the_last_run_up_to_a_moment_includes_the_moment():
    assert last_run(DAILY, BERLIN, at("2026-07-19T01:00Z")) == at("2026-07-19T01:00Z")
    assert last_run(DAILY, BERLIN, at("2026-07-19T00:59Z")) == at("2026-07-18T01:00Z")


def test_a_new_agents_first_night_is_the_next_one_and_saving_anything_else_moves_nothing(alice, clock, model):
    """BC-107"""
    agent = create_agent(principal=alice.principal, name="Nova", slug="nova")
    assert schedule(alice, agent=agent).next_run == at("2026-07-20T03:00Z")
    note_of_the_day(alice)
    clock.shift(60)
    tick()
    drain()
    update_agent(principal=alice.principal, agent=agent, description="Changed")
    update_workspace(principal=alice.principal, settings={"per_owner": True})
    tick()
    assert (model.requests, dreams(alice)) == ([], [])
    assert schedule(alice, agent=agent).next_run == at("2026-07-20T03:00Z")


def test_moving_to_another_zone_moves_the_next_night_and_starts_none(alice, clock):
    update_workspace(principal=alice.principal, time_zone="America/Chicago")
    assert tick() == 0
    assert schedule(alice).next_run == at("2026-07-20T08:00Z")


def test_a_changed_time_of_the_installation_moves_next_runs(alice, clock, settings):
    settings.MEMORY_DREAMING_CRON = "30 4 * * *"
    tick()
    assert schedule(alice).next_run == at("2026-07-20T04:30Z")


def test_a_schedule_can_have_its_own_time_or_be_off(alice, vera, clock):
    update_schedule(principal=alice.principal, agent=alice.agent, kind="dream", cron="15 1 * * *")
    assert schedule(alice).next_run == at("2026-07-20T01:15Z")
    update_schedule(principal=alice.principal, agent=alice.agent, kind="dream", enabled=False)
    clock.move_to(at("2026-07-20T02:00Z"))
    tick()
    assert not Event.objects.filter(kind="night").exists()
    with pytest.raises(ValidationFailed):
        update_schedule(principal=alice.principal, agent=alice.agent, kind="dream", cron="whenever")
    with pytest.raises(NotFound):
        update_schedule(principal=alice.principal, agent=alice.agent, kind="sweep", enabled=False)
    with pytest.raises(NotAllowed):
        update_schedule(principal=vera.principal, agent=alice.agent, kind="dream", enabled=False)


# --- Once -------------------------------------------------------------------------------------------------------------


def test_there_is_one_schedule_per_agent_and_kind_however_often_it_starts(alice, clock, model):
    """BC-109"""
    second = create_agent(principal=alice.principal, name="Nova", slug="nova")
    for _ in range(3):
        ensure_schedules(alice.workspace)
    assert Schedule.objects.filter(kind="dream").count() == 2
    clock.move_to(at("2026-07-20T03:00Z"))
    tick()
    gone_id = second.pk
    delete_agent(principal=alice.principal, agent=second)
    for _ in range(2):
        ensure_schedules(alice.workspace)
    assert Schedule.objects.filter(kind="dream").count() == 1
    drain()
    gone = Event.objects.get(kind="night", agent_id=gone_id)
    assert (gone.status, gone.result) == ("SUCCEEDED", {"skipped": "The agent does not exist any more."})


def test_after_days_off_each_agent_dreams_once(alice, clock, model):
    """BC-106"""
    model.answer_always(NO_UPDATE)
    for slug in ("nova", "rigel"):
        create_agent(principal=alice.principal, name=slug, slug=slug)
    clock.shift(timedelta(days=4))
    note_of_the_day(alice)
    for _ in range(3):
        tick()
        drain()
    assert len(model.requests) == 1
    assert Event.objects.filter(kind="night").count() == 3
    assert all(row.next_run > datetime.now(UTC) for row in Schedule.objects.all())
    assert dreams(alice)[0].slot == "2026-07-23T03:00"


@pytest.mark.django_db(transaction=True)
def test_two_schedulers_start_a_night_once(alice, clock, model):
    """BC-110"""
    model.answer_always(NO_UPDATE)
    note_of_the_day(alice)
    clock.move_to(at("2026-07-20T03:00Z"))
    together = threading.Barrier(4)

    def run():
        try:
            together.wait()
            tick()
            drain()
            tick()
        finally:
            connection.close()

    workers = [threading.Thread(target=run) for _ in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    drain()
    assert Event.objects.filter(kind="night").count() == 1
    assert [(row.slot, row.status) for row in dreams(alice)] == [("2026-07-20T03:00", "skipped")]
    assert len(model.requests) == 1


@pytest.mark.long
def test_one_failing_agent_stops_no_other_and_its_attempts_are_bounded(alice, clock, model):
    """BC-111"""
    agents = [alice.agent, *(create_agent(principal=alice.principal, name=s, slug=s) for s in ("a2", "a3"))]
    for agent in agents:
        memory = Memory(alice, shared=True)
        memory.person = type(alice)(alice.user, alice.principal, agent, alice.token)
        memory.note(date(2026, 7, 19), f"Notes of {agent.slug}")

    def answer(request):
        return ModelUnavailable() if "Notes of juno" in request.messages[-1].content else NO_UPDATE

    model.answer_always(answer)
    clock.move_to(at("2026-07-20T03:00Z"))
    for _ in range(40):
        tick()
        drain()
        clock.shift(timedelta(minutes=10))
    by_agent = {agent.slug: Dream.Status.FAILED for agent in agents}
    with workspace_scope(alice.workspace):
        by_agent = {dream.agent.slug: dream.status for dream in Dream.objects.select_related("agent")}
        reason = Dream.objects.get(agent=alice.agent).reason
    assert by_agent == {"juno": "failed", "a2": "skipped", "a3": "skipped"}
    assert reason == ModelUnavailable.sentence
    attempts = [request for request in model.requests if "Notes of juno" in request.messages[-1].content]
    assert 2 <= len(attempts) <= 5


def test_the_queue_outlasts_the_job_and_the_job_the_model():
    """BC-113"""
    timeout = configured.Q_CLUSTER["timeout"]
    assert configured.LLM_TIMEOUT_SECONDS < timeout < configured.Q_CLUSTER["retry"]
    assert check_timeouts(None) == []


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"LLM_TIMEOUT_SECONDS": 600}, "memoryapp.E002"),
        ({"Q_CLUSTER": {**configured.Q_CLUSTER, "retry": 600, "timeout": 600}}, "memoryapp.E003"),
    ],
)
def test_times_that_would_run_a_job_twice_are_refused_at_the_start(settings, changed, code):
    """BC-113"""
    for name, value in changed.items():
        setattr(settings, name, value)
    with pytest.raises(SystemCheckError, match=code):
        call_command("check")


# --- Alone ------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_dream_by_hand_during_the_nights_is_refused_and_nothing_is_lost(alice, model):
    """BC-032"""
    memory = note_of_the_day(alice)
    hold = threading.Event()
    asked = threading.Event()

    def answer(_request):
        asked.set()
        return Scripted(
            '{"should_update": true, "reason": "r", "memory_content": "- Oat milk\\n"}', hold=hold
        )

    model.queue(answer)

    def dream_of_the_night():
        try:
            run_dream(memory.bucket, DreamOrder(kind="nightly", slot="2026-07-19T03:00"))
        finally:
            connection.close()

    night = threading.Thread(target=dream_of_the_night)
    night.start()
    assert asked.wait(10)
    with pytest.raises(BucketBusy):
        run_dream(memory.bucket, DreamOrder())
    hold.set()
    night.join()
    model.queue({"should_update": True, "reason": "r", "memory_content": "- Oat milk\n- Bread\n"})
    run_dream(memory.bucket, DreamOrder())
    assert memory.text() == "- Oat milk\n- Bread\n"
    assert [dream.kind for dream in dreams(alice)] == ["nightly", "manual"]
    assert memory.text("DREAMS.md").count("## ") == 2


@pytest.mark.django_db(transaction=True)
def test_a_job_for_a_busy_memory_waits_its_turn(alice, model):
    memory = note_of_the_day(alice)
    model.answer_always(NO_UPDATE)
    Event.objects.all().delete()
    event = Event.objects.create(workspace=alice.workspace, agent_id=alice.agent.pk, kind="dream")

    def drain_elsewhere():
        try:
            drain()
        finally:
            connection.close()

    with held_bucket(memory.bucket):
        other = threading.Thread(target=drain_elsewhere)
        other.start()
        other.join()
        event.refresh_from_db()
        assert (event.status, event.attempts) == ("PENDING", 0)
    Event.objects.update(run_after=datetime.now(UTC))
    drain()
    event.refresh_from_db()
    assert event.status == "SUCCEEDED"


# --- Everybody in turn ------------------------------------------------------------------------------------------------


def test_a_night_visits_the_shared_bucket_and_every_owner_with_something_to_look_at(alice, bob, clock, model):
    model.answer_always(NO_UPDATE)
    note_of_the_day(alice)
    note_of_the_day(alice, shared=False)
    note_of_the_day(bob, shared=False)
    clock.move_to(at("2026-07-20T03:00Z"))
    tick()
    drain()
    found = {(dream.scope, dream.owner_key, dream.kind, dream.slot) for dream in dreams(alice)}
    slot = "2026-07-20T03:00"
    assert found == {
        ("TEAM", "", "nightly", slot),
        ("PERSONAL", alice.principal.owner_key, "nightly", slot),
        ("PERSONAL", bob.principal.owner_key, "nightly", slot),
    }
    assert Event.objects.get(kind="night").result == {"buckets": 3, "leftForNextNight": 0}


def test_owners_over_the_cap_are_first_the_next_night(alice, clock, settings):
    settings.MEMORY_DREAM_MAX_OWNERS_PER_RUN = 2
    owners = [alice.principal.acting_as(f"customer-{number}") for number in range(5)]
    for principal in owners:
        memory = Memory(type(alice)(alice.user, principal, alice.agent, alice.token))
        memory.note(date(2026, 7, 19), "Oat milk")
    seen = []
    for _ in range(3):
        buckets, _left = buckets_to_dream(alice.workspace, alice.agent)
        seen += [bucket.owner_key for bucket in buckets[1:]]
        with workspace_scope(alice.workspace):
            for bucket in buckets[1:]:
                Bucket.objects.update_or_create(**bucket.rows, defaults={"dreamed_at": datetime.now(UTC)})
        clock.shift(60)
    assert sorted(seen[:5]) == [principal.owner_key for principal in owners]
    assert seen[5] == seen[0]


def test_without_memory_per_owner_only_the_shared_bucket_is_dreamt(alice, clock, settings):
    note_of_the_day(alice, shared=False)
    settings.MEMORY_PER_OWNER = False
    buckets, _ = buckets_to_dream(alice.workspace, alice.agent)
    assert [bucket.owner_key for bucket in buckets] == [""]


def test_a_dead_workers_dream_is_done_again_once(alice, model):
    """The report a killed worker left behind becomes the report of the next attempt."""
    memory = note_of_the_day(alice)
    with workspace_scope(alice.workspace):
        Dream.objects.create(**memory.bucket.rows, kind="nightly", slot="2026-07-20T03:00", status="running")
    model.queue({"should_update": True, "reason": "r", "memory_content": "- Oat milk\n"})
    run_dream(memory.bucket, DreamOrder(kind="nightly", slot="2026-07-20T03:00"))
    assert [(dream.status, dream.slot) for dream in dreams(alice)] == [("succeeded", "2026-07-20T03:00")]


def test_a_quiet_workspace_is_not_swept(alice, clock):
    embed_missing(alice.workspace)
    clock.shift(timedelta(minutes=15))
    assert tick() == 0


def test_a_lost_purge_and_lost_comparisons_are_swept_up(alice, clock):
    memory = Memory(alice)
    memory.know("User runs")
    forget_fact(principal=alice.principal, fact=memory.know("User likes nuts"))
    Event.objects.all().delete()
    clock.shift(timedelta(minutes=15))
    tick()
    drain()
    sweep = Event.objects.get(kind="sweep")
    assert (sweep.result["purged"], sweep.result["comparisons"]) == (1, 1)
