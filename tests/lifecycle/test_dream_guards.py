"""Dreams never lose, invent or overwrite anything."""

from __future__ import annotations

import pytest

from memoryapp.actions.forget import forget_fact
from memoryapp.models import FileSection
from tenants.scoping import workspace_scope
from tests.lifecycle.dreams import TODAY, changed_to, dream, entries
from tests.lifecycle.nights import Memory

pytestmark = pytest.mark.usefixtures("night")


@pytest.mark.parametrize("blank", ["  \n", "", "# Memory\n"])
def test_an_empty_proposal_is_rejected_with_a_reason(alice, model, blank):
    """BC-023"""
    memory = Memory(alice)
    before = "# Memory\n\n" + "".join(f"- line {number}\n" for number in range(40))
    memory.write("MEMORY.md", before)
    memory.note(TODAY, "Oat milk")
    model.queue(changed_to(blank, "cleanup"))
    report = dream(memory)
    assert memory.text() == before
    assert (report.status, report.reason) == (
        "failed",
        "The proposed memory was empty, so it was not applied.",
    )


def test_a_proposal_that_shrinks_too_much_waits_for_a_person(alice, model):
    memory = Memory(alice)
    before = "".join(f"- topic{number} alpha{number}\n" for number in range(40))
    memory.write("MEMORY.md", before)
    memory.note(TODAY, "Oat milk")
    model.queue(changed_to("- topic1 alpha1\n- Oat milk\n"))
    report = dream(memory)
    assert (memory.text(), report.status) == (before, "proposed")
    assert len(entries(memory, report, "drop")) == 39


def test_a_persons_section_is_never_touched(alice, model):
    memory = Memory(alice)
    memory.write("MEMORY.md", "## Family\n- Ana is my sister\n\n## Work\n- Kestrel is late\n", person=True)
    memory.write("MEMORY.md", "## Family\n- Ana is my sister\n\n## Work\n- Kestrel is late\n- Rent is due\n")
    with workspace_scope(alice.workspace):
        FileSection.objects.filter(heading="Work").update(person_edited=False)
    memory.note(TODAY, "Oat milk")
    model.queue(
        changed_to("## Family\n- Has a sister\n- Has a dog\n\n## Work\n- Kestrel is done\n- Rent is due\n")
    )
    report = dream(memory)
    assert memory.text() == (
        "## Family\n- Ana is my sister\n\n## Work\n- Kestrel is done\n- Rent is due\n\n## Family 2\n\n- Has a dog\n"
    )
    assert "person" in {entry.gate for entry in entries(memory, report, "keep")}


def test_a_forgotten_sentence_does_not_come_back(alice, model):
    """BC-148"""
    memory = Memory(alice)
    fact = memory.know("Mira is allergic to nuts")
    memory.write("MEMORY.md", "- Mira is allergic to nuts\n- Runs\n")
    memory.note(TODAY, "Mira is allergic to nuts", "Oat milk again")
    forget_fact(principal=alice.principal, fact=fact)
    model.queue(changed_to("- Mira is allergic to nuts\n- Runs\n- Oat milk\n"))
    report = dream(memory)
    assert memory.text() == "- Runs\n- Oat milk\n"
    everything = (
        str([vars(entry) for entry in entries(memory, report)]) + report.diary + memory.text("DREAMS.md")
    )
    assert "allergic" not in everything
    assert "allergic" not in str(model.requests[0].messages)


def test_an_edit_made_while_the_model_thinks_is_not_overwritten(alice, model):
    memory = Memory(alice)
    memory.write("MEMORY.md", "- Likes tea\n- Kestrel is late\n- Runs\n")
    memory.note(TODAY, "Oat milk")

    def edit_and_answer(request):
        memory.write("MEMORY.md", "- Likes tea\n- Kestrel is late, says Ana\n- Runs\n- Swims\n")
        return changed_to("- Likes tea\n- Kestrel is done\n- Runs\n- Oat milk\n")

    model.queue(edit_and_answer)
    report = dream(memory)
    assert memory.text() == "- Likes tea\n- Kestrel is late, says Ana\n- Runs\n- Oat milk\n- Swims\n"
    (left,) = [entry for entry in entries(memory, report, "keep") if entry.gate == "changed_meanwhile"]
    assert (left.before, left.after) == ("- Kestrel is late", "- Kestrel is done")


def test_what_is_forgotten_while_the_model_thinks_stays_forgotten(alice, model):
    memory = Memory(alice)
    memory.write("MEMORY.md", "- Likes nuts\n- Runs\n")
    memory.notes(TODAY, "Likes nuts in bread", "Likes nuts in bread", "Bakes bread")
    fact = memory.know("Likes nuts in bread")

    def forget_and_answer(_request):
        forget_fact(principal=alice.principal, fact=fact)
        return changed_to("- Likes nuts\n- Runs\n- Likes nuts in bread\n", "Likes nuts in bread")

    model.queue(forget_and_answer)
    report = dream(memory)
    told = memory.text() + memory.text("DREAMS.md") + str([vars(entry) for entry in entries(memory, report)])
    assert "nuts in bread" not in told + report.reason + report.diary


def test_a_credential_in_the_proposal_is_masked(alice, model):
    memory = Memory(alice)
    memory.note(TODAY, "Deploys")
    secret = "ghp_" + "a1B2" * 9
    model.queue(changed_to(f"- The deploy token is {secret}\n"))
    report = dream(memory)
    assert secret not in memory.text() + report.diary + str(
        [vars(entry) for entry in entries(memory, report)]
    )


@pytest.mark.parametrize("fenced", [True, False])
def test_a_rewrite_over_the_ceiling_is_cut_where_it_does_no_harm(alice, model, fenced):
    """BC-035"""
    memory = Memory(alice)
    memory.note(TODAY, "Oat milk")
    body = (
        "## One\n" + "- kept\n" * 900 + "```\n## not a heading\n" + "x" * 2000 + "\n```\n"
        if fenced
        else "字" * 9000
    )
    model.queue(changed_to(body))
    report = dream(memory)
    text = memory.text()
    assert 100 < len(text) <= 8000
    assert text.count("```") % 2 == 0
    assert "cut: over the size limit" in text
    assert report.statistics["truncated"]
