"""The morning card tells each owner what the night changed for them, once a day in the chat, until seen."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from memoryapp.actions.dreams import confirm_entry, load_entry, revert_entry
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.lifecycle.comparison import compare_new_facts
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.lifecycle.morning import card_of_first_conversation, morning_card, note_seen
from memoryapp.models import Dream
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, at, offline_rules


@pytest.fixture
def clock():
    with time_machine.travel(at("2026-07-19T03:00Z"), tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def empty_backlog(clock, alice):
    with offline_rules():
        yield


def dream(memory, line="Oat milk with every coffee"):
    memory.notes(memory.bucket.today(), line, line, line)
    return run_dream(memory.bucket, DreamOrder()).dream


def card(person):
    return morning_card(person.principal, person.agent)


def told(person):
    found = card(person)
    return [item.after for item in found.items] if found else None


def first(person):
    return card_of_first_conversation(person.principal, person.agent)


def test_it_tells_what_changed_for_this_owner_and_for_the_team(alice, bob):
    dream(Memory(alice))
    dream(Memory(bob), "Kestrel is late again")
    dream(Memory(alice, shared=True), "Office plants need water")
    assert told(alice) == ["- Oat milk with every coffee", "- Office plants need water"]
    assert told(bob) == ["- Kestrel is late again", "- Office plants need water"]


def test_it_is_nothing_when_nothing_is_new(alice, charlie):
    assert card(alice) is None
    assert first(alice) is None
    dream(Memory(alice))
    assert told(charlie) is None


def test_seen_it_is_no_news_and_another_night_is(alice, clock):
    dream(Memory(alice))
    note_seen(alice.principal, alice.agent)
    assert card(alice) is None
    clock.shift(timedelta(days=1))
    dream(Memory(alice), "Kestrel is late again")
    assert told(alice) == ["- Kestrel is late again"]


def test_what_was_judged_or_taken_back_is_not_told_again(alice):
    report = dream(Memory(alice), "Oat milk in coffee. Kestrel is late")
    ids = [item.pk for item in card(alice).items]
    assert len(ids) == 2
    confirm_entry(principal=alice.principal, entry=load_entry(alice.principal, report, ids[0]))
    revert_entry(principal=alice.principal, entry=load_entry(alice.principal, report, ids[1]))
    assert card(alice) is None


def test_pending_reviews_and_contradictions_are_announced(alice):
    memory = Memory(alice)
    memory.know("User lives in Lyon")
    memory.know("User lives in Porto")
    compare_new_facts(memory.bucket)
    add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text="User runs", pending=True))
    found = card(alice)
    assert (found.items, found.contradictions, found.reviews) == ((), 1, 1)


def test_the_first_conversation_of_the_day_shows_it_once(alice, bob, clock):
    """The day is the workspace's: at 03:00 UTC it is still yesterday evening in Chicago."""
    alice.workspace.time_zone = "America/Chicago"
    alice.workspace.save()
    dream(Memory(alice))
    assert first(alice) is not None
    assert first(alice) is None
    clock.move_to(at("2026-07-19T04:30Z"))
    assert first(alice) is None
    clock.move_to(at("2026-07-19T05:30Z"))
    assert first(alice) is not None
    assert first(bob) is None


def test_old_dry_and_imported_dreams_are_no_news(alice, clock):
    memory = Memory(alice)
    memory.notes(memory.bucket.today(), *["Oat milk"] * 3)
    run_dream(memory.bucket, DreamOrder(dry_run=True))
    assert card(alice) is None
    run_dream(memory.bucket, DreamOrder())
    with workspace_scope(alice.workspace):
        Dream.objects.update(seen_at=timezone.now())
    assert card(alice) is None
    with workspace_scope(alice.workspace):
        Dream.objects.update(seen_at=None)
    assert card(alice) is not None
    clock.shift(timedelta(days=8))
    assert card(alice) is None


def test_an_item_says_what_can_be_done_with_it(alice):
    dream(Memory(alice))
    (item,) = card(alice).as_json()["items"]
    assert item["actions"] == ["confirm", "edit", "forget", "revert"]
    assert item["reason"] == "named on 3 of 7 days"


def test_the_system_has_no_mornings(alice):
    system = principal_for_job(alice.workspace)
    assert card_of_first_conversation(system, alice.agent) is None
    note_seen(system, alice.agent)
