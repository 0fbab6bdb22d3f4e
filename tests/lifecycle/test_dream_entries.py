"""Every entry of a dream can be confirmed, edited, forgotten and taken back; proposals wait for a person's word."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
import time_machine

from memoryapp.actions.dreams import (
    accept_dream,
    confirm_entry,
    decline_dream,
    edit_entry,
    forget_entry,
    load_dream,
    load_entry,
    revert_entry,
)
from memoryapp.actions.facts import update_fact
from memoryapp.exceptions import Conflict, NotFound, NotPermitted
from memoryapp.lifecycle.consolidation import consolidate_bucket
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.models import Dream, DreamEntry
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory

TODAY = date(2026, 7, 19)
BEFORE = (
    "# Memory\n\n## Work\n\n- Kestrel is late\n- Rent is due on 3 May\n- Has a dog\n- The dog is Poppy\n"
    "- Likes tea\n"
)
AFTER = (
    "# Memory\n\n## Work\n\n- Kestrel is late\n- Rent is due on 4 May\n- Has a dog named Poppy\n- Oat milk\n"
)


@pytest.fixture(autouse=True)
def night():
    with time_machine.travel(datetime(2026, 7, 19, 20, 5, tzinfo=UTC), tick=False) as traveller:
        yield traveller


def changed_to(content):
    return {"should_update": True, "reason": "patterns", "memory_content": content}


@pytest.fixture
def mine(alice, model):
    memory = Memory(alice)
    memory.write("MEMORY.md", BEFORE)
    memory.note(TODAY, "Oat milk")
    model.queue(changed_to(AFTER))
    run_dream(memory.bucket, DreamOrder())
    return memory


def entries(memory):
    with workspace_scope(memory.person.workspace):
        rows = DreamEntry.objects.exclude(operation="keep").select_related("dream", "fact")
        return {row.operation: row for row in rows}


def test_a_change_set_names_each_kind_of_change(mine):
    found = {operation: (row.before, row.after, row.heading) for operation, row in entries(mine).items()}
    assert found == {
        "supersede": ("- Rent is due on 3 May", "- Rent is due on 4 May", "## Work"),
        "merge": ("- Has a dog\n- The dog is Poppy", "- Has a dog named Poppy", "## Work"),
        "add": ("", "- Oat milk", "## Work"),
        "drop": ("- Likes tea", "", ""),
    }


@pytest.mark.parametrize(
    ("operation", "line", "gone"),
    [
        ("supersede", "- Rent is due on 3 May", "- Rent is due on 4 May"),
        ("merge", "- Has a dog\n- The dog is Poppy", "- Has a dog named Poppy"),
        ("add", "- Has a dog named Poppy", "- Oat milk"),
        ("drop", "- Likes tea", "nothing"),
    ],
)
def test_each_entry_can_be_taken_back_by_itself_once(alice, mine, operation, line, gone):
    entry = entries(mine)[operation]
    reverted = revert_entry(principal=alice.principal, entry=entry)
    assert reverted.reverted_at is not None
    assert line in mine.text()
    assert gone not in mine.text()
    with pytest.raises(Conflict, match="already"):
        revert_entry(principal=alice.principal, entry=entry)


def test_all_taken_back_is_what_was_before(alice, mine):
    for entry in entries(mine).values():
        revert_entry(principal=alice.principal, entry=entry)
    assert sorted(mine.text().splitlines()) == sorted(BEFORE.splitlines())


def test_what_was_taken_back_is_not_promoted_again(alice, mine, model):
    revert_entry(principal=alice.principal, entry=entries(mine)["add"])
    mine.notes(TODAY, *["Oat milk"] * 3)
    model.queue({"should_update": False, "reason": "r"})
    run_dream(mine.bucket, DreamOrder())
    assert model.requests[-1].context.candidates == ()


def test_a_line_that_changed_since_is_left_alone(alice, mine):
    mine.write("MEMORY.md", mine.text().replace("4 May", "5 May"))
    with pytest.raises(Conflict, match="changed"):
        revert_entry(principal=alice.principal, entry=entries(mine)["supersede"])
    assert "5 May" in mine.text()


def test_of_a_keep_there_is_nothing_to_take_back(alice, mine):
    with workspace_scope(alice.workspace):
        dream = Dream.objects.get()
        keep = DreamEntry.objects.create(
            **mine.bucket.rows, dream=dream, position=99, operation="keep", after="Runs"
        )
    before = mine.text()
    assert revert_entry(principal=alice.principal, entry=keep).reverted_at is None
    assert mine.text() == before


def test_confirming_makes_the_fact_fresh(alice, mine, night):
    fact = mine.know("Oat milk")
    night.shift(86_400)
    entry = confirm_entry(principal=alice.principal, entry=entries(mine)["add"])
    assert entry.verdict == "confirmed"
    assert mine.fact("Oat milk").confirmed_at > fact.confirmed_at


def test_editing_puts_the_persons_words_there(alice, mine):
    entry = edit_entry(principal=alice.principal, entry=entries(mine)["add"], text="- Oat milk, never soy")
    assert (entry.after, entry.verdict) == ("- Oat milk, never soy", "edited")
    assert "- Oat milk, never soy\n" in mine.text()
    assert "- Oat milk\n" not in mine.text()


def test_forgetting_an_entry_reaches_everything_even_without_a_fact(alice, mine):
    receipt = forget_entry(principal=alice.principal, entry=entries(mine)["add"])
    assert {row["place"] for row in receipt.places} >= {"MEMORY.md", f"memory/{TODAY}.md", "dream entries"}
    assert "Oat milk" not in mine.text() + mine.text(f"memory/{TODAY}.md") + mine.text("DREAMS.md")


def test_a_proposal_is_applied_when_accepted_as_far_as_it_fits(alice, model):
    memory = Memory(alice)
    memory.write("MEMORY.md", "".join(f"- topic{number} alpha{number}\n" for number in range(9)))
    memory.note(TODAY, "Oat milk")
    model.queue(changed_to("- topic1 alpha1\n- Oat milk\n"))
    dream = run_dream(memory.bucket, DreamOrder()).dream
    memory.write("MEMORY.md", memory.text().replace("topic2 alpha2", "topic2 gamma"))
    accepted = accept_dream(principal=alice.principal, dream=dream)
    assert (accepted.status, memory.text()) == ("succeeded", "- topic1 alpha1\n- topic2 gamma\n- Oat milk\n")
    with workspace_scope(alice.workspace):
        assert DreamEntry.objects.get(gate="changed_meanwhile").before == "- topic2 alpha2"
    with pytest.raises(Conflict):
        decline_dream(principal=alice.principal, dream=dream)


def test_a_declined_proposal_changes_nothing(alice, model):
    memory = Memory(alice)
    before = "".join(f"- topic{number} alpha{number}\n" for number in range(9))
    memory.write("MEMORY.md", before)
    memory.note(TODAY, "Oat milk")
    model.queue(changed_to("- topic1 alpha1\n"))
    dream = run_dream(memory.bucket, DreamOrder()).dream
    with workspace_scope(alice.workspace):
        waiting = DreamEntry.objects.filter(dream=dream).first()
    with pytest.raises(Conflict, match="never applied"):
        revert_entry(principal=alice.principal, entry=waiting)
    assert decline_dream(principal=alice.principal, dream=dream).status == "skipped"
    assert memory.text() == before


THINGS = ["tea", "running", "jazz", "chess", "Porto", "cinema", "gardens", "bread"]


@pytest.fixture
def consolidated(alice, model):
    """Eight preferences, of which the night merged two and left one out."""
    memory = Memory(alice)
    for thing in THINGS:
        memory.know(f"User likes {thing}", category="preference")
    unchanged = [{"text": f"User likes {thing}", "numbers": [at]} for at, thing in enumerate(THINGS, 1)][2:7]
    merged = {"text": "User likes tea and running", "numbers": [1, 2]}
    model.queue({"should_update": True, "reason": "r", "entries": [merged, *unchanged]})
    consolidate_bucket(memory.bucket)
    return memory


def test_a_consolidation_is_taken_back_with_all_its_facts(alice, consolidated):
    assert len(consolidated.facts) == 6
    for entry in entries(consolidated).values():
        revert_entry(principal=alice.principal, entry=entry)
    assert consolidated.facts == sorted(f"User likes {thing}" for thing in THINGS)


def test_a_consolidated_fact_that_changed_since_is_left_alone(alice, consolidated):
    fact = consolidated.fact("User likes tea and running")
    update_fact(principal=alice.principal, fact=fact, text="User likes tea, running and rain")
    with pytest.raises(Conflict):
        revert_entry(principal=alice.principal, entry=entries(consolidated)["merge"])


def test_nobody_else_reaches_a_report(alice, bob, charlie, vera, mine):
    with workspace_scope(alice.workspace):
        dream = Dream.objects.get()
    entry = entries(mine)["add"]
    for stranger in (bob, charlie, vera):
        with pytest.raises(NotFound):
            load_dream(stranger.principal, alice.agent, dream.pk)
        with pytest.raises(NotFound):
            load_entry(stranger.principal, dream, entry.pk)
        for act in (confirm_entry, revert_entry, forget_entry):
            with pytest.raises(NotFound):
                act(principal=stranger.principal, entry=entry)
    with pytest.raises(NotFound):
        load_entry(alice.principal, dream, "not an id")


def test_a_viewer_does_not_change_what_the_team_shares(alice, vera, model):
    memory = Memory(alice, shared=True)
    memory.note(TODAY, "Oat milk")
    model.queue(changed_to("- Oat milk\n"))
    run_dream(memory.bucket, DreamOrder())
    with pytest.raises(NotPermitted):
        revert_entry(principal=vera.principal, entry=entries(memory)["add"])
