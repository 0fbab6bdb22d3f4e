"""Facts that conflict wait in an inbox; deciding really edits them, once, and can be taken back whole."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.actions.contradictions import (
    load_contradiction,
    open_contradiction,
    open_contradictions,
    resolve_contradiction,
    undo_resolution,
)
from memoryapp.actions.fact_lifecycle import confirm_fact
from memoryapp.actions.facts import Forgotten, NewFact, add_fact, update_fact
from memoryapp.actions.forget import forget_fact
from memoryapp.exceptions import Conflict, NotFound, ValidationFailed
from memoryapp.jobs import drain
from memoryapp.lifecycle.comparison import compare_new_facts
from memoryapp.llm.errors import ModelUnavailable
from memoryapp.models import Contradiction, Event, Fact
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, offline_rules


@pytest.fixture
def mine(alice):
    with offline_rules():
        yield Memory(alice)


@pytest.fixture
def work(django_capture_on_commit_callbacks):
    """Write in the block, then let the worker do what the writing asked for."""

    @contextmanager
    def writing():
        with django_capture_on_commit_callbacks(execute=True):
            yield
        drain()

    return writing


def waiting(person):
    with workspace_scope(person.workspace):
        return [
            (pair.fact_a.text, pair.fact_b.text)
            for pair in open_contradictions(person.principal, person.agent)
        ]


def moved(memory, earlier=timedelta(days=3)):
    """The person lived in Lyon and now lives in Porto; returns the pair that waits for a decision."""
    memory.know("User lives in Lyon", said_at=timezone.now() - earlier)
    memory.know("User lives in Porto")
    compare_new_facts(memory.bucket)
    with workspace_scope(memory.person.workspace):
        return open_contradictions(memory.person.principal, memory.person.agent).get()


def decide(person, pair, resolution, text=""):
    return resolve_contradiction(principal=person.principal, pair=pair, resolution=resolution, text=text)


def test_a_conflict_is_found_when_a_fact_is_written_and_nothing_is_overwritten(alice, mine, work):
    with work():
        mine.know("User lives in Lyon", said_at=timezone.now() - timedelta(days=3))
        mine.know("User lives in Porto")
    assert waiting(alice) == [("User lives in Lyon", "User lives in Porto")]
    assert mine.facts == ["User lives in Lyon", "User lives in Porto"]
    with workspace_scope(alice.workspace):
        pair = Contradiction.objects.get()
        assert (pair.reason, pair.scope, pair.owner_key) == (
            "home: “Lyon” or “Porto”",
            "PERSONAL",
            alice.principal.owner_key,
        )


def test_each_new_fact_is_compared_once(alice, mine):
    mine.know("User likes tea")
    assert compare_new_facts(mine.bucket).compared == 1
    assert compare_new_facts(mine.bucket).compared == 0


def test_two_owners_never_contradict_each_other(alice, bob, mine, work):
    with work():
        mine.know("User lives in Lyon")
        Memory(bob).know("User lives in Porto")
    assert (waiting(alice), waiting(bob)) == ([], [])


def test_there_is_no_item_with_only_one_side(alice, mine, work):
    """BC-155"""
    with work():
        mine.know("We no longer use the old wiki")
        fact = mine.know("User likes tea")
        mine.know("User likes tea", run_id="another")
    assert waiting(alice) == []
    assert open_contradiction(principal=alice.principal, one=fact, other=fact, reason="itself") is None


def test_a_judge_that_pairs_a_fact_with_itself_or_makes_up_numbers_opens_nothing(alice, model):
    memory = Memory(alice)
    memory.know("User lives in Lyon")
    memory.know("User lives in Porto")
    model.answer_always({"conflicts": [{"a": 1, "b": 1}, {"a": 1, "b": 99}, {"a": 7, "b": 2}]})
    assert compare_new_facts(memory.bucket).opened == 0
    assert len(model.requests) == 1


def test_a_model_judges_where_one_is_configured(alice, model, work):
    memory = Memory(alice)
    model.answer_always({"conflicts": [{"a": 2, "b": 1, "reason": "one room at a time"}]})
    with work():
        memory.know("Meetings with Ana happen in the blue room")
        memory.know("Meetings with Ana happen in the red room")
    assert waiting(alice) == [
        ("Meetings with Ana happen in the blue room", "Meetings with Ana happen in the red room")
    ]


def test_facts_about_different_things_cost_no_model_call(alice, model, work):
    memory = Memory(alice)
    with work():
        memory.know("User has a dog")
        memory.know("User works in a bakery")
    assert model.requests == []


def test_a_model_that_fails_leaves_the_facts_to_be_compared_later(alice, model, work):
    memory = Memory(alice)
    model.queue(ModelUnavailable())
    with work():
        memory.know("User lives in Lyon")
        memory.know("User lives in Porto")
    assert Event.objects.filter(kind="compare", status="FAILED").exists()
    with workspace_scope(alice.workspace):
        assert Fact.objects.filter(compared_at=None).count() == 2


def test_keeping_the_old_side_bars_the_new_one_until_it_is_said_again(alice, mine):
    """BC-156"""
    pair = moved(mine)
    confirm_fact(principal=alice.principal, fact=pair.fact_a)
    mine.write("MEMORY.md", "- User lives in Porto\n- Likes tea\n")
    first = decide(alice, pair, "KEEP_A")
    assert mine.facts == ["User lives in Lyon"]
    assert mine.text() == "- Likes tea\n"
    with pytest.raises(Forgotten):
        mine.know("User lives in Porto")
    with pytest.raises(Conflict):
        decide(alice, pair, "KEEP_B")
    again = load_contradiction(alice.principal, alice.agent, pair.pk)
    assert (again.resolution, again.resolved_at) == ("KEEP_A", first.resolved_at)
    said = add_fact(
        principal=alice.principal,
        agent=alice.agent,
        new=NewFact(text="User lives in Porto"),
        lift_tombstone=True,
    )
    assert said.created


def test_keeping_the_new_side_supersedes_the_old_one(alice, mine):
    pair = moved(mine)
    decide(alice, pair, "KEEP_B")
    with workspace_scope(alice.workspace):
        old = Fact.objects.get(text="User lives in Lyon")
        new = Fact.objects.get(text="User lives in Porto")
    assert (old.status, old.superseded_by_id, old.valid_to, new.status) == (
        "superseded",
        new.pk,
        new.said_at,
        "active",
    )


def test_merging_makes_one_fact_of_two(alice, mine):
    pair = moved(mine)
    decide(alice, pair, "MERGE", "User moved from Lyon to Porto in July")
    assert mine.facts == ["User moved from Lyon to Porto in July"]


def test_merging_without_a_text_keeps_the_older_as_history(alice, mine):
    decide(alice, moved(mine), "MERGE")
    assert mine.facts == ["User lives in Porto (before: User lives in Lyon)"]


@pytest.mark.parametrize("resolution", ["KEEP_A", "KEEP_B", "MERGE", "IGNORE"])
def test_a_decision_can_be_taken_back_whole(alice, mine, resolution):
    pair = moved(mine)
    mine.write("MEMORY.md", "- User lives in Porto\n- User lives in Lyon\n")
    decide(alice, pair, resolution)
    undo_resolution(principal=alice.principal, pair=pair)
    assert mine.facts == ["User lives in Lyon", "User lives in Porto"]
    assert sorted(mine.text().splitlines()) == ["- User lives in Lyon", "- User lives in Porto"]
    assert waiting(alice) == [("User lives in Lyon", "User lives in Porto")]
    mine.know("User lives in Porto")
    with pytest.raises(Conflict):
        undo_resolution(principal=alice.principal, pair=pair)
    decide(alice, pair, resolution)


def test_a_dismissed_pair_never_comes_back_until_a_side_changes(alice, mine):
    """BC-154"""
    pair = moved(mine)
    decide(alice, pair, "IGNORE")
    for _ in range(2):
        with workspace_scope(alice.workspace):
            Fact.objects.update(compared_at=None)
        compare_new_facts(mine.bucket)
    swapped = open_contradiction(
        principal=alice.principal, one=pair.fact_b, other=pair.fact_a, reason="again"
    )
    assert (waiting(alice), swapped) == ([], None)
    with workspace_scope(alice.workspace):
        Fact.objects.all().delete()
    mine.know("User lives in Lyon")
    mine.know("User lives in Porto")
    compare_new_facts(mine.bucket)
    assert waiting(alice) == []
    update_fact(principal=alice.principal, fact=mine.fact("User lives in Porto"), text="User lives in Lisbon")
    compare_new_facts(mine.bucket)
    assert waiting(alice) == [("User lives in Lyon", "User lives in Lisbon")]


def test_an_item_whose_side_was_edited_away_disappears(alice, mine):
    pair = moved(mine)
    update_fact(principal=alice.principal, fact=pair.fact_b, text="User's sister lives in Porto")
    compare_new_facts(mine.bucket)
    assert waiting(alice) == []


def test_an_item_with_a_forgotten_side_is_hidden(alice, mine):
    pair = moved(mine)
    forget_fact(principal=alice.principal, fact=pair.fact_a)
    assert waiting(alice) == []
    with pytest.raises(NotFound):
        load_contradiction(alice.principal, alice.agent, pair.pk)


def test_nobody_else_sees_or_decides(alice, bob, charlie, mine):
    pair = moved(mine)
    assert waiting(bob) == []
    for stranger in (bob, charlie):
        with pytest.raises(NotFound):
            load_contradiction(stranger.principal, alice.agent, pair.pk)
        with pytest.raises(NotFound):
            decide(stranger, pair, "KEEP_A")
    with pytest.raises(ValidationFailed):
        decide(alice, pair, "KEEP_BOTH")


def test_switched_off_nothing_is_compared(alice, mine, work, settings):
    settings.MEMORY_FACT_CONTRADICTION_CHECK_ENABLED = False
    with work():
        mine.know("User lives in Lyon")
        mine.know("User lives in Porto")
    assert waiting(alice) == []


def test_an_older_event_imported_late_is_the_older_side(alice, mine):
    mine.know("User lives in Porto")
    mine.know("User lives in Lyon", said_at=timezone.now() - timedelta(days=400), origin="import")
    compare_new_facts(mine.bucket)
    assert waiting(alice) == [("User lives in Lyon", "User lives in Porto")]
