"""Consolidation makes always-on entries fewer, never more, never none, and never on the word of a broken answer."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_sources import SourceSpan, attach_sources
from memoryapp.actions.facts import update_fact
from memoryapp.jobs import drain
from memoryapp.lifecycle.consolidation import consolidate_bucket
from memoryapp.lifecycle.consolidation_round import consolidate_agent
from memoryapp.llm.errors import ModelUnavailable
from memoryapp.models import Bucket, Dream, DreamEntry, Event, Fact, FactSource
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, offline_rules

DISTINCT = ["tea", "running", "jazz", "chess", "Porto", "cinema", "gardens", "bread", "kites", "maps"]


def fill(memory, count=8, **fields):
    return [memory.know(f"User likes {thing}", category="preference", **fields) for thing in DISTINCT[:count]]


def entry(text, *numbers):
    return {"text": text, "numbers": list(numbers)}


def answer(*entries, reason="near-duplicates"):
    return {"should_update": True, "reason": reason, "entries": list(entries)}


def kept(facts):
    return [entry(fact.text, number) for number, fact in enumerate(facts, start=1)]


def reports(person):
    with workspace_scope(person.workspace):
        return list(Dream.objects.filter(kind="consolidation"))


def test_offline_entries_that_say_the_same_become_one_with_all_their_sources(alice, conversation):
    memory = Memory(alice)
    fill(memory)
    twin = memory.know("User enjoys tea", category="preference")
    conversation(twin)
    with offline_rules():
        result = consolidate_bucket(memory.bucket)
    assert (result.before, result.after, result.updated) == (9, 8, True)
    assert "User enjoys tea" in memory.facts
    assert "User likes tea" not in memory.facts
    with workspace_scope(alice.workspace):
        merged = Fact.objects.get(text="User enjoys tea")
        assert FactSource.objects.filter(fact=merged).count() == 1
        (report,) = Dream.objects.filter(kind="consolidation")
        (row,) = DreamEntry.objects.filter(dream=report)
    assert (row.operation, row.after) == ("merge", "User enjoys tea")
    assert report.statistics == {"entriesBefore": 9, "entriesAfter": 8, "merged": 1, "dropped": 0}


@pytest.fixture
def conversation(alice):
    def say(fact):
        talk = open_conversation(principal=alice.principal, agent=alice.agent)
        message = add_message(principal=alice.principal, conversation=talk, role="user", text=fact.text)
        with workspace_scope(alice.workspace):
            attach_sources(fact, [SourceSpan(message=message)])

    return say


def test_a_model_merges_and_may_leave_out_a_little(alice, model):
    memory = Memory(alice)
    facts = fill(memory)
    model.queue(answer(entry("User likes tea and running", 1, 2), *kept(facts)[2:7]))
    result = consolidate_bucket(memory.bucket)
    assert (result.before, result.after) == (8, 6)
    assert "User likes tea and running" in memory.facts
    assert "User likes bread" not in memory.facts


def test_a_bucket_below_the_minimum_costs_no_model_call(alice, model):
    memory = Memory(alice)
    fill(memory, 7)
    totals = consolidate_agent(alice.workspace, alice.agent)
    assert (totals.skipped_small, totals.owners_consolidated, model.requests) == (1, 0, [])


@pytest.mark.parametrize(
    "broken",
    [
        [{"text": "User likes tea", "numbers": [1]}, {"numbers": [2]}],
        {"should_update": True, "entries": [{"text": "User likes tea", "numbers": [1]}, {"numbers": [2]}]},
        "no JSON at all",
    ],
)
def test_a_broken_answer_changes_nothing_and_is_a_failure(alice, model, broken):
    """BC-025"""
    memory = Memory(alice)
    fill(memory, 9)
    before = memory.facts
    model.answer_always(broken if isinstance(broken, str) else json.dumps(broken))
    totals = consolidate_agent(alice.workspace, alice.agent)
    assert memory.facts == before
    assert (totals.failed, totals.updated, totals.entries_before, totals.entries_after) == (1, 0, 9, 9)
    assert [report.status for report in reports(alice)] == ["failed"]


def test_more_entries_than_before_are_refused_whole(alice, model):
    """BC-027"""
    memory = Memory(alice)
    facts = fill(memory)
    with workspace_scope(alice.workspace):
        dates = list(Fact.objects.order_by("pk").values_list("updated_at", flat=True))
    model.queue(answer(*kept(facts), entry("User likes dogs"), entry("User likes cats")))
    totals = consolidate_agent(alice.workspace, alice.agent)
    assert (totals.updated, totals.entries_after) == (0, 8)
    with workspace_scope(alice.workspace):
        assert list(Fact.objects.order_by("pk").values_list("updated_at", flat=True)) == dates


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([], "no entry at all"),
        ([entry("User likes tea", 1)], "too many"),
        ([entry("User likes tea", 1), entry("User likes running", 1)], "not given"),
        ([entry("User likes tea", 77)], "not given"),
        ([entry("User flies helicopters over volcanoes")], "not given"),
    ],
)
def test_answers_that_break_a_rule_are_refused_with_the_reason(alice, model, entries, reason):
    memory = Memory(alice)
    fill(memory)
    before = memory.facts
    model.queue(answer(*entries))
    result = consolidate_bucket(memory.bucket)
    assert (result.failed, memory.facts) == (True, before)
    assert reason in result.reason


def test_a_merge_that_makes_something_up_is_left_undone(alice, model):
    memory = Memory(alice)
    facts = fill(memory)
    model.queue(answer(entry("User owns a helicopter company in Norway", 1, 2), *kept(facts)[2:]))
    assert consolidate_bucket(memory.bucket).updated is False
    assert len(memory.facts) == 8


def test_immutable_and_pinned_entries_stay_as_they_are(alice, model):
    memory = Memory(alice)
    facts = fill(memory)
    name = memory.know("User is called Mira", category="identity")
    model.queue(answer(*kept(facts), entry("User is Mira", 9)))
    consolidate_bucket(memory.bucket)
    assert name.text in memory.facts
    assert "(fixed, identity) User is called Mira" in model.requests[0].messages[0].content


def test_an_entry_that_changed_meanwhile_is_left_alone(alice, model):
    memory = Memory(alice)
    facts = fill(memory)

    def edit_and_answer(_request):
        update_fact(principal=alice.principal, fact=facts[0], text="User likes green tea")
        return answer(entry("User likes tea and running", 1, 2), *kept(facts)[2:])

    model.queue(edit_and_answer)
    assert consolidate_bucket(memory.bucket).updated is False
    assert {"User likes green tea", "User likes running"} <= set(memory.facts)


def test_unchanged_entries_are_not_looked_at_twice_unless_asked_for(alice, model):
    memory = Memory(alice)
    fill(memory)
    model.answer_always({"should_update": False, "reason": "fine"})
    consolidate_agent(alice.workspace, alice.agent)
    consolidate_agent(alice.workspace, alice.agent)
    assert len(model.requests) == 1
    consolidate_agent(alice.workspace, alice.agent, again=True)
    memory.know("User likes rain", category="preference")
    consolidate_agent(alice.workspace, alice.agent)
    assert len(model.requests) == 3


def test_owners_over_the_cap_are_served_the_next_time_and_a_failure_stops_nobody(alice, model, settings):
    settings.MEMORY_STRUCTURED_CONSOLIDATION_MAX_OWNERS_PER_RUN = 2
    memories = []
    for number in range(3):
        principal = alice.principal.acting_as(f"customer-{number}")
        memories.append(Memory(type(alice)(alice.user, principal, alice.agent, alice.token)))
        fill(memories[-1])
    model.queue(ModelUnavailable())
    model.answer_always({"should_update": False, "reason": "fine"})
    first = consolidate_agent(alice.workspace, alice.agent)
    assert (first.failed, first.owners_consolidated, first.skipped_over_cap) == (1, 1, 1)
    with workspace_scope(alice.workspace):
        Bucket.objects.update(consolidated_at=timezone.now() - timedelta(hours=1))
    consolidate_agent(alice.workspace, alice.agent)
    with workspace_scope(alice.workspace):
        assert Bucket.objects.filter(owner_key="api:customer-2").exists()


def test_the_job_gives_the_totals(alice, model):
    memory = Memory(alice)
    fill(memory)
    model.answer_always({"should_update": False, "reason": "fine"})
    event = Event.objects.create(workspace=alice.workspace, agent_id=alice.agent.pk, kind="consolidation")
    drain()
    event.refresh_from_db()
    assert event.result == {
        "ownersConsolidated": 1, "updated": 0, "skippedSmall": 0, "skippedOverCap": 0, "failed": 0,
        "entriesBefore": 8, "entriesAfter": 8,
    }  # fmt: skip
