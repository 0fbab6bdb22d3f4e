"""Facts keep their promises whoever calls: one per sentence and owner, history kept, nothing leaked."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection

from memoryapp.actions.fact_lifecycle import (
    confirm_fact,
    delete_fact,
    delete_facts,
    give_feedback,
    merge_facts,
    pin_fact,
    supersede_fact,
)
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact, load_fact, update_fact
from memoryapp.exceptions import Conflict, NotFound, NotPermitted, PreconditionFailed, ValidationFailed
from memoryapp.models import Fact, FactRevision
from tenants.scoping import workspace_scope


def add(person, text, **fields):
    return add_fact(principal=person.principal, agent=person.agent, new=NewFact(text=text, **fields))


def texts(person):
    with workspace_scope(person.workspace):
        return sorted(Fact.objects.visible_to(person.principal).current().values_list("text", flat=True))


@pytest.mark.parametrize("again", ["Prefers tea ", "prefers TEA", "Prefers tea."])
def test_the_same_sentence_is_the_same_fact(alice, again):
    first = add(alice, "Prefers tea")
    second = add(alice, again)
    assert (second.created, second.fact.pk, second.fact.mention_count) == (False, first.fact.pk, 2)


def test_composed_and_decomposed_accents_are_the_same_fact(alice):
    assert add(alice, "Likes café").fact.pk == add(alice, "Likes cafe\u0301").fact.pk


def test_facts_that_differ_by_a_digit_are_two(alice):
    add(alice, "Rent review falls on 3 May")
    add(alice, "Rent review falls on 4 May")
    assert texts(alice) == ["Rent review falls on 3 May", "Rent review falls on 4 May"]


def test_two_people_may_say_the_same_and_one_may_take_it_back(alice, bob):
    mine, theirs = add(alice, "Prefers aisle seat").fact, add(bob, "Prefers aisle seat").fact
    delete_fact(principal=alice.principal, fact=mine)
    assert (mine.pk != theirs.pk, texts(alice), texts(bob)) == (True, [], ["Prefers aisle seat"])


def test_an_ended_period_and_a_later_one_are_two_observations(alice):
    january, march, september = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 3, 9))
    ended = add(alice, "Teo runs the night desk", valid_from=january, valid_to=march)
    again = add(alice, "Teo runs the night desk", valid_from=september)
    assert (ended.created, again.created) == (True, True)
    with time_machine.travel(datetime(2026, 10, 1, tzinfo=UTC)):
        assert texts(alice) == ["Teo runs the night desk"]


def test_another_run_or_time_is_another_observation(alice):
    moment = datetime(2026, 2, 1, tzinfo=UTC)
    first = add(alice, "Stock is 400", run_id="a", said_at=moment)
    assert add(alice, "Stock is 400", run_id="b", said_at=moment).created
    assert add(alice, "Stock is 400", run_id="a", said_at=moment + timedelta(days=1)).created
    assert add(alice, "Stock is 400", run_id="a", said_at=moment).fact.pk == first.fact.pk


@pytest.mark.django_db(transaction=True)
def test_twenty_writers_at_once_make_one_fact(alice):
    def write():
        try:
            add(alice, "Said by twenty at once")
        finally:
            connection.close()

    writers = [threading.Thread(target=write) for _ in range(20)]
    [writer.start() for writer in writers]
    [writer.join() for writer in writers]
    with workspace_scope(alice.workspace):
        assert Fact.objects.get(text="Said by twenty at once").mention_count == 20


def test_a_change_keeps_what_was(alice):
    fact = add(alice, "Works in Lyon").fact
    changed = update_fact(principal=alice.principal, fact=fact, text="Works in Porto", if_version=1)
    with workspace_scope(alice.workspace):
        history = list(
            FactRevision.objects.filter(fact=fact).values_list("operation", "before__text", "after__text")
        )
    assert (changed.version, history) == (
        2,
        [("ADD", None, "Works in Lyon"), ("UPDATE", "Works in Lyon", "Works in Porto")],
    )


def test_a_stale_change_is_refused(alice):
    fact = add(alice, "Works in Lyon").fact
    update_fact(principal=alice.principal, fact=fact, text="Works in Porto")
    with pytest.raises(PreconditionFailed):
        update_fact(principal=alice.principal, fact=fact, text="Works in Rome", if_version=1)
    assert texts(alice) == ["Works in Porto"]


def test_no_model_rewrites_an_immutable_fact_but_its_owner_may(alice):
    fact = add(alice, "Is called Alice", category="identity").fact
    with pytest.raises(Conflict):
        update_fact(principal=alice.principal, fact=fact, text="Is called Bob", by_model=True)
    assert update_fact(principal=alice.principal, fact=fact, text="Is called Ali").text == "Is called Ali"


def test_nobody_else_reads_or_changes_a_personal_fact(alice, bob, charlie):
    fact = add(alice, "Locker word is PELICAN").fact
    for stranger in (bob, charlie):
        with pytest.raises(NotFound):
            load_fact(stranger.principal, alice.agent, fact.pk)
        for change in (
            lambda who: update_fact(principal=who, fact=fact, text="x"),
            lambda who: delete_fact(principal=who, fact=fact),
            lambda who: pin_fact(principal=who, fact=fact, pinned=True),
            lambda who: confirm_fact(principal=who, fact=fact),
            lambda who: give_feedback(principal=who, fact=fact, kind="helpful"),
        ):
            with pytest.raises(NotFound):
                change(stranger.principal)
    assert texts(alice) == ["Locker word is PELICAN"]


def test_a_viewer_writes_their_own_but_not_the_teams(vera):
    add(vera, "Mine")
    with pytest.raises(NotPermitted):
        add(vera, "Everybody's", scope="TEAM")


def test_deleting_all_of_ones_own_leaves_everybody_elses(alice, bob):
    for number in range(3):
        add(alice, f"Alice {number}")
        add(bob, f"Bob {number}")
    with workspace_scope(alice.workspace):
        everything = Fact.objects.all()
    assert delete_facts(principal=alice.principal, agent=alice.agent, facts=everything) == 3
    assert (texts(alice), len(texts(bob))) == ([], 3)


def test_a_purge_leaves_history_without_text(alice):
    fact = add(alice, "Gone for good").fact
    delete_fact(principal=alice.principal, fact=fact)
    with workspace_scope(alice.workspace):
        history = list(
            FactRevision.objects.filter(fact_id=fact.pk).values_list("operation", "before", "after", "actor")
        )
    actor = alice.principal.actor
    assert history == [("ADD", None, None, actor), ("DELETE", None, None, actor)]


def test_feedback_counts_once_per_person_and_the_latest_wins(alice):
    fact = add(alice, "Reads on the train").fact
    for _ in range(30):
        give_feedback(principal=alice.principal, fact=fact, kind="helpful")
    assert give_feedback(principal=alice.principal, fact=fact, kind="unhelpful").unhelpful_count == 1
    with workspace_scope(alice.workspace):
        stored = Fact.objects.get(pk=fact.pk)
    assert (stored.helpful_count, stored.unhelpful_count, stored.trust) == (
        0,
        1,
        pytest.approx(0.3, abs=0.01),
    )


def test_trust_halves_with_time_unless_pinned_and_is_capped_by_its_source(alice):
    with time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC), tick=False):
        fact = add(alice, "Fades").fact
        pinned = pin_fact(principal=alice.principal, fact=add(alice, "Stays").fact, pinned=True)
        doubtful = add(alice, "A web page said so", attributed_to="tool").fact
    later = datetime(2026, 3, 2, tzinfo=UTC)
    assert fact.trust_at(later) == pytest.approx(0.25)
    assert pinned.trust_at(later) == 0.5
    assert doubtful.trust_at(datetime(2026, 1, 1, tzinfo=UTC)) == 0.4
    assert fact.trust_at(datetime(2036, 1, 1, tzinfo=UTC)) == 0.05


def test_an_older_event_never_supersedes_a_newer_one(alice):
    old = add(alice, "Lives in Lyon", said_at=datetime(2026, 1, 1, tzinfo=UTC)).fact
    new = add(alice, "Lives in Porto", said_at=datetime(2026, 5, 1, tzinfo=UTC)).fact
    with pytest.raises(Conflict):
        supersede_fact(principal=alice.principal, old=new, new=old)
    assert supersede_fact(principal=alice.principal, old=old, new=new).status == "superseded"
    assert texts(alice) == ["Lives in Porto"]


def test_a_merge_keeps_provenance_and_history(alice, conversation_of):
    message = conversation_of(alice, "I have a dog. Poppy is a dog.")
    dog = add(alice, "User has a dog").fact
    poppy = add_fact(
        principal=alice.principal,
        agent=alice.agent,
        new=NewFact(text="The dog is Poppy"),
        sources=[SourceSpan(message=message, start=0, end=5)],
    ).fact
    merged = merge_facts(
        principal=alice.principal, keep=dog, absorbed=[poppy], text="User has a dog named Poppy"
    )
    with workspace_scope(alice.workspace):
        sources = list(merged.sources.values_list("message_id", "start", "end"))
        gone = Fact.objects.get(pk=poppy.pk)
    assert (texts(alice), sources, gone.status, gone.superseded_by_id) == (
        ["User has a dog named Poppy"],
        [(message.pk, 0, 5)],
        "merged",
        dog.pk,
    )


def test_a_credential_is_masked_in_text_and_metadata(alice):
    secret = "ghp_" + "a1B2" * 9
    added = add(alice, f"The deploy token is {secret}", metadata={"note": f"token {secret}", secret: 1})
    assert added.masked
    assert secret not in added.fact.text + str(added.fact.metadata)


@pytest.mark.parametrize(
    "bad",
    [{"text": "  \x00 "}, {"text": "x", "importance": 2.0}, {"text": "x", "category": "c" * 65}, {"text": 5}],
)
def test_bad_input_is_refused_and_nothing_is_stored(alice, bad):
    with pytest.raises(ValidationFailed):
        add(alice, **bad)
    assert texts(alice) == []


def test_expired_facts_are_not_current_but_found_by_id(alice):
    with time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC), tick=False):
        fact = add(alice, "Sprint ends on Friday", category="project").fact
    assert fact.expires_at == datetime(2026, 4, 1, tzinfo=UTC)
    with time_machine.travel(datetime(2026, 6, 1, tzinfo=UTC)):
        assert texts(alice) == []
        assert load_fact(alice.principal, alice.agent, fact.pk).pk == fact.pk
