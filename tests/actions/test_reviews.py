"""In review mode facts wait: no prompt and no search sees them until a person says yes, and no only once."""

from __future__ import annotations

import pytest

from memoryapp.actions.facts import Forgotten, NewFact, add_fact
from memoryapp.actions.reviews import load_reviewed, pending_facts, review_fact, review_facts
from memoryapp.exceptions import Conflict, NotFound, NotPermitted, ValidationFailed
from memoryapp.models import Event, Fact
from memoryapp.retrieval.search import search_memories
from tenants.ids import new_id
from tenants.scoping import workspace_scope


def propose(person, text="User likes tea", **fields):
    new = NewFact(text=text, pending=True, confidence=0.5, **fields)
    return add_fact(principal=person.principal, agent=person.agent, new=new).fact


def waiting(person):
    with workspace_scope(person.workspace):
        return [fact.text for fact in pending_facts(person.principal, person.agent)]


def found(person, query="tea"):
    result = search_memories(query, principal=person.principal, agent=person.agent)
    return [hit.text for hit in result.items if hit.kind == "fact"]


def decide(person, fact, action, text=""):
    return review_fact(principal=person.principal, fact=fact, action=action, text=text)


def test_a_waiting_fact_is_found_by_nobody_until_it_is_approved(alice):
    fact = propose(alice)
    assert (waiting(alice), found(alice)) == (["User likes tea"], [])
    assert decide(alice, fact, "approve").status == "active"
    assert (waiting(alice), found(alice)) == ([], ["User likes tea"])


def test_approving_in_better_words(alice):
    decide(alice, propose(alice), "approve", "User likes green tea")
    assert found(alice) == ["User likes green tea"]


def test_an_edited_fact_goes_on_waiting(alice):
    decide(alice, propose(alice), "edit", "User likes green tea")
    assert (waiting(alice), found(alice)) == (["User likes green tea"], [])


def test_a_declined_fact_is_gone_and_no_model_proposes_it_again(alice):
    decide(alice, propose(alice), "decline")
    assert (waiting(alice), found(alice)) == ([], [])
    with pytest.raises(Forgotten):
        propose(alice)


@pytest.mark.parametrize("action", ["approve", "decline"])
def test_a_decision_can_be_taken_back(alice, action):
    fact = decide(alice, propose(alice), action)
    undone = decide(alice, load_reviewed(alice.principal, alice.agent, fact.pk), "undo")
    assert (undone.status, waiting(alice)) == ("pending", ["User likes tea"])
    with pytest.raises(Conflict):
        decide(alice, undone, "undo")


def test_only_what_waits_can_be_decided(alice):
    fact = decide(alice, propose(alice), "approve")
    for action in ("approve", "decline", "edit"):
        with pytest.raises(Conflict):
            decide(alice, fact, action, "x")
    with pytest.raises(ValidationFailed):
        decide(alice, fact, "maybe")
    with pytest.raises(ValidationFailed):
        decide(alice, propose(alice, "Runs"), "edit", "  ")


def test_declining_works_where_forgetting_is_switched_off(alice, settings):
    settings.MEMORY_FACT_FORGET_ENABLED = False
    assert decide(alice, propose(alice), "decline").status == "superseded"
    assert waiting(alice) == []


def test_an_approved_fact_is_held_against_what_is_known(alice, django_capture_on_commit_callbacks):
    fact = propose(alice)
    Event.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True):
        decide(alice, fact, "approve")
    assert Event.objects.filter(kind="compare").exists()


def test_many_are_decided_at_once_each_by_itself(alice, bob):
    mine = [propose(alice, f"User likes {thing}") for thing in ("tea", "jazz")]
    theirs = propose(bob, "User likes rain")
    ids = [*(fact.pk for fact in mine), theirs.pk, new_id()]
    outcome = review_facts(principal=alice.principal, agent=alice.agent, fact_ids=ids, action="approve")
    assert list(outcome.values()) == ["done", "done", "not_found", "not_found"]
    assert waiting(bob) == ["User likes rain"]
    with pytest.raises(ValidationFailed):
        review_facts(
            principal=alice.principal,
            agent=alice.agent,
            fact_ids=[new_id() for _ in range(201)],
            action="approve",
        )


def test_nobody_else_decides_and_a_viewer_not_for_the_team(alice, bob, vera):
    fact = propose(alice)
    with pytest.raises(NotFound):
        decide(bob, fact, "approve")
    shared = propose(alice, "Office closes at 18:00", scope="TEAM")
    with pytest.raises(NotPermitted):
        decide(vera, shared, "approve")
    with workspace_scope(alice.workspace):
        assert Fact.objects.filter(status="pending").count() == 2
