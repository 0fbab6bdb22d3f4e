"""A persona grows by proposals that people decide, out of what the team shares and nothing of anybody's own."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from memoryapp.actions.files import load_file, restore_revision, write_file
from memoryapp.actions.forget import forget_fact
from memoryapp.actions.soul import accept_proposal, decline_proposal, load_proposal, proposals_of
from memoryapp.exceptions import Conflict, NotFound, NotPermitted
from memoryapp.jobs import drain
from memoryapp.lifecycle.soul import Unusable, is_due, propose_new_soul
from memoryapp.models import Event, FileRevision
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, offline_rules

PERSONA = "# Who you are\n\nYou answer in short sentences and never promise what you cannot keep.\n"


def changed_to(content):
    return {"should_update": True, "reason": "rules", "soul_content": content}


def soul(person):
    return load_file(principal=person.principal, agent=person.agent, path="SOUL.md").content


def proposals(person):
    with workspace_scope(person.workspace):
        return list(proposals_of(person.principal, person.agent))


def teach(person, count, scope="PERSONAL"):
    principal = person.principal.acting_as("customer") if scope == "PERSONAL" else person.principal
    memory = Memory(type(person)(person.user, principal, person.agent, person.token), shared=scope == "TEAM")
    for number in range(count):
        memory.know(f"Topic {number} matters to them number{number}", category="rule")


def propose(person):
    return propose_new_soul(person.workspace, person.agent)


def test_twenty_writes_of_any_scope_make_it_due_and_a_look_starts_anew(alice, model):
    teach(alice, 19)
    assert not is_due(alice.workspace, alice.agent)
    teach(alice, 1, "TEAM")
    assert is_due(alice.workspace, alice.agent)
    model.queue({"should_update": False, "reason": "fine"})
    with time_machine.travel(timezone.now() + timedelta(seconds=5)):
        assert propose(alice) is None
        assert not is_due(alice.workspace, alice.agent)
    assert proposals(alice) == []


def test_zero_writes_means_never(alice, settings):
    settings.MEMORY_SOUL_UPDATE_INTERVAL = 0
    teach(alice, 25)
    assert not is_due(alice.workspace, alice.agent)


def test_it_is_asked_for_by_the_writes_themselves(alice, model, django_capture_on_commit_callbacks):
    model.answer_always(lambda request: changed_to(PERSONA) if request.task == "soul" else {"conflicts": []})
    with django_capture_on_commit_callbacks(execute=True):
        teach(alice, 20)
    with django_capture_on_commit_callbacks(execute=True):
        drain()
    drain()
    assert Event.objects.get(kind="soul").result["status"] == "pending"
    assert [proposal.after for proposal in proposals(alice)] == [PERSONA]


def test_only_what_the_team_shares_is_read(alice, model):
    Memory(alice).know("SECRET of alice", category="rule")
    Memory(alice).write("MEMORY.md", "- SECRET memory\n")
    Memory(alice, shared=True).know("Answers are short", category="rule")
    Memory(alice, shared=True).write("PROFILE.md", "- The team builds boats\n")
    model.queue({"should_update": False, "reason": "fine"})
    propose(alice)
    told = model.requests[0].messages[0].content
    assert "SECRET" not in told
    assert "Answers are short" in told
    assert "The team builds boats" in told


def test_accepting_changes_the_persona_and_keeps_its_history(alice, model):
    before = soul(alice)
    model.queue(changed_to(PERSONA))
    proposal = propose(alice)
    assert (soul(alice), proposal.before, proposal.status) == (before, before, "pending")
    accepted = accept_proposal(principal=alice.principal, agent=alice.agent, proposal=proposal)
    assert (soul(alice), accepted.status, accepted.decided_by) == (PERSONA, "accepted", alice.principal.actor)
    restore_revision(principal=alice.principal, agent=alice.agent, path="SOUL.md", number=1)
    assert soul(alice) == before
    with pytest.raises(Conflict):
        accept_proposal(principal=alice.principal, agent=alice.agent, proposal=proposal)


def test_declining_leaves_it_as_it_is(alice, model):
    before = soul(alice)
    model.queue(changed_to(PERSONA))
    assert (
        decline_proposal(principal=alice.principal, agent=alice.agent, proposal=propose(alice)).status
        == "declined"
    )
    assert soul(alice) == before


def test_a_persona_edited_meanwhile_is_not_overwritten(alice, model):
    model.queue(changed_to(PERSONA))
    proposal = propose(alice)
    write_file(principal=alice.principal, agent=alice.agent, path="SOUL.md", content="# Mine\n", person=True)
    with pytest.raises(Conflict, match="changed"):
        accept_proposal(principal=alice.principal, agent=alice.agent, proposal=proposal)
    assert soul(alice) == "# Mine\n"
    assert load_proposal(alice.principal, alice.agent, proposal.pk).status == "outdated"


def test_a_newer_proposal_takes_the_place_of_one_that_waits(alice, model):
    model.queue(changed_to(PERSONA), changed_to(PERSONA + "\nYou like order.\n"))
    propose(alice)
    propose(alice)
    assert [proposal.status for proposal in proposals(alice)] == ["pending", "outdated"]


@pytest.mark.parametrize("text", ["Hm.", "word " * 501])
def test_a_persona_that_is_too_short_or_too_long_is_refused(alice, model, text):
    model.queue(changed_to(text))
    with pytest.raises(Unusable):
        propose(alice)
    assert proposals(alice) == []


def test_accepted_by_itself_where_the_installation_says_so(alice, model, settings):
    settings.MEMORY_SOUL_AUTO_ACCEPT = True
    model.queue(changed_to(PERSONA))
    assert propose(alice).status == "accepted"
    assert soul(alice) == PERSONA
    with workspace_scope(alice.workspace):
        assert FileRevision.objects.filter(path="SOUL.md").count() == 2


def test_nothing_forgotten_comes_back_by_way_of_the_persona(alice, model):
    shared = Memory(alice, shared=True)
    fact = shared.know("Answers always rhyme", category="rule")
    model.queue(changed_to(PERSONA + "\n- Answers always rhyme\n"))
    proposal = propose(alice)
    forget_fact(principal=alice.principal, fact=fact)
    assert "rhyme" not in load_proposal(alice.principal, alice.agent, proposal.pk).after
    model.queue(changed_to(PERSONA + "\n- Answers always rhyme\n- Answers are short\n"))
    assert "rhyme" not in propose(alice).after


def test_offline_the_teams_rules_become_part_of_it(alice):
    shared = Memory(alice, shared=True)
    shared.know("Answers are never longer than five lines", category="rule")
    shared.know("The office is in Porto", category="technical")
    with offline_rules():
        proposal = propose(alice)
        assert (
            proposal.after
            == soul(alice) + "\n## What I have learnt\n\n- Answers are never longer than five lines\n"
        )
        accept_proposal(principal=alice.principal, agent=alice.agent, proposal=proposal)
        assert propose(alice) is None


def test_viewers_do_not_decide_and_strangers_see_nothing(alice, vera, charlie, model):
    model.queue(changed_to(PERSONA))
    proposal = propose(alice)
    for decide in (accept_proposal, decline_proposal):
        with pytest.raises(NotPermitted):
            decide(principal=vera.principal, agent=alice.agent, proposal=proposal)
    with pytest.raises(NotFound):
        load_proposal(charlie.principal, alice.agent, proposal.pk)
