"""Dreams promote what comes back, and say of everything else which gate stopped it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.actions.contradictions import open_contradiction
from memoryapp.actions.facts import update_fact
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.models import FileSection, WorkspaceFile
from tenants.scoping import workspace_scope
from tests.lifecycle.dreams import NO_UPDATE, NOW, RECURRING, TODAY, dream, entries, recall

pytestmark = pytest.mark.usefixtures("night")


def test_what_recurs_is_promoted_clause_by_clause_however_it_is_worded(mine):
    mine.notes(TODAY, *RECURRING)
    report = dream(mine)
    assert mine.text() == "## Recurring\n\n- User orders oat milk with every coffee\n"
    (entry,) = entries(mine, report, "add")
    assert (entry.after, entry.reason) == ("- User orders oat milk with every coffee", "named on 3 of 7 days")
    assert entry.sources == [{"path": f"memory/2026-07-{day}.md"} for day in (17, 18, 19)]
    assert (report.status, report.statistics["promoted"]) == ("succeeded", 1)


def test_a_file_that_a_dream_makes_is_read_every_turn(mine, alice):
    mine.notes(TODAY, *RECURRING)
    dream(mine)
    with workspace_scope(alice.workspace):
        assert WorkspaceFile.objects.get(**mine.bucket.rows, path="MEMORY.md").enabled


def test_one_off_and_corrected_things_are_not_promoted_but_listed_with_their_gate(mine):
    mine.notes(
        TODAY,
        "Kestrel launch is on 3 May",
        "Bought red shoes",
        "Kestrel launch is on 10 May",
        "Had a headache",
    )
    report = dream(mine)
    assert "Kestrel" not in mine.text()
    (miss,) = entries(mine, report, "keep")
    assert (miss.after, miss.gate) == ("Kestrel launch is on 10 May", "recalls")
    assert "Not yet: “Kestrel launch is on 10 May” (named on 2 days; stopped by: recalls)" in mine.text(
        "DREAMS.md"
    )


def test_the_corrected_wording_is_the_one_promoted(mine):
    mine.notes(
        TODAY, "Kestrel launch is on 3 May", "Kestrel launch is on 3 May", "Kestrel launch is on 10 May"
    )
    dream(mine)
    assert "Kestrel launch is on 10 May" in mine.text()
    assert "3 May" not in mine.text()


def test_a_promoted_line_takes_the_place_of_what_it_corrects(mine):
    mine.write("MEMORY.md", "# Memory\n\n- Kestrel launch is on 3 May\n- Likes tea\n")
    mine.notes(TODAY, *["Kestrel launch is on 10 May"] * 3)
    report = dream(mine)
    assert mine.text() == "# Memory\n\n- Kestrel launch is on 10 May\n- Likes tea\n"
    (entry,) = entries(mine, report, "supersede")
    assert (entry.before, entry.after) == ("- Kestrel launch is on 3 May", "- Kestrel launch is on 10 May")


def test_recalled_facts_and_note_lines_are_promoted_once_they_pass_the_gates(mine, alice):
    fact = mine.know("The deploy server stands in Frankfurt", category="technical")
    recall(mine, fact.text, "where is the server", "which city hosts us", "where is the server", row=fact)
    mine.note(TODAY, "Ordered new chairs for the studio", "Paid the plumber")
    with workspace_scope(alice.workspace):
        section = FileSection.objects.get(**mine.bucket.rows, file__path=f"memory/{TODAY}.md")
    recall(mine, section.text, "chairs studio", "which chairs", "chairs", kind="section", row=section)
    report = dream(mine)
    assert mine.text() == (
        "## Recurring\n\n- Ordered new chairs for the studio\n- The deploy server stands in Frankfurt\n"
    )
    first = entries(mine, report, "add")[1]
    assert first.fact_id == fact.pk
    assert first.score_parts.keys() >= {"frequency", "recency", "diversity", "freshness", "velocity"}


@pytest.mark.parametrize(
    ("queries", "gate"),
    [(["one"], "recalls"), (["same", "same", "same", "same"], "queries")],
)
def test_each_gate_is_named(mine, queries, gate):
    fact = mine.know("The deploy server stands in Frankfurt", category="technical")
    recall(mine, fact.text, *queries, row=fact)
    (miss,) = entries(mine, dream(mine), "keep")
    assert (miss.after, miss.gate) == ("The deploy server stands in Frankfurt", gate)


def test_old_recalls_do_not_pass(mine, night):
    fact = mine.know("The deploy server stands in Frankfurt", category="technical")
    recall(mine, fact.text, "a", "b", "c", row=fact)
    night.move_to(NOW + timedelta(days=35))
    (miss,) = entries(mine, dream(mine), "keep")
    assert miss.gate == "age"


def test_what_stands_in_every_prompt_already_is_not_promoted(mine):
    fact = mine.know("User prefers oat milk", category="preference")
    recall(mine, fact.text, "a", "b", "c", row=fact)
    mine.notes(TODAY, *["User prefers oat milk"] * 3)
    assert [entry.gate for entry in entries(mine, dream(mine), "keep")] == ["standing"]


def test_copies_are_merged_and_what_expired_is_dropped(mine, night):
    night.move_to(NOW - timedelta(days=100))
    mine.know("The sprint ends on Friday", category="project")
    night.move_to(NOW)
    mine.write(
        "MEMORY.md",
        "- Likes tea\n- likes tea.\n- The sprint ends on Friday\n- Runs daily\n- Has a dog\n- Is kind\n",
    )
    mine.note(TODAY, "Nothing much")
    report = dream(mine)
    assert mine.text() == "- Likes tea\n- Runs daily\n- Has a dog\n- Is kind\n"
    assert (report.statistics["merged"], report.statistics["dropped"]) == (1, 1)


def test_a_superseded_fact_is_not_promoted_again(mine, alice):
    fact = mine.know("User trains for a marathon")
    mine.notes(TODAY, *["User trains for a marathon"] * 3)
    with workspace_scope(alice.workspace):
        update_fact(principal=alice.principal, fact=fact, status="superseded")
    report = dream(mine)
    assert ([entry.gate for entry in entries(mine, report)], mine.text()) == (["outdated"], "")


def contradicted(mine, alice):
    """Something the notes repeat, and a newer fact that it cannot hold beside."""
    line = "The shop in Porto opens at 8 in the morning"
    older = mine.know(line, said_at=timezone.now() - timedelta(days=3))
    newer = mine.know("The shop in Porto opens at 10 in the morning")
    open_contradiction(principal=alice.principal, one=older, other=newer, reason="opening hours")
    mine.notes(TODAY, *[line] * 3)
    return line


def test_what_something_newer_contradicts_waits_for_a_decision(mine, alice):
    line = contradicted(mine, alice)
    report = dream(mine)
    assert "contradicted" in {entry.gate for entry in entries(mine, report)}
    assert line not in mine.text()


def test_a_model_is_told_which_of_two_contradicting_statements_is_newer(mine, alice, model):
    line = contradicted(mine, alice)
    model.queue(NO_UPDATE)
    run_dream(mine.bucket, DreamOrder())
    asked = model.requests[-1].messages[-1].content
    assert (
        f"“{line}” (said {TODAY - timedelta(days=3)}) against the newer “The shop in Porto opens at 10"
        in asked
    )


def test_at_most_so_many_candidates_are_shown_to_the_model(mine, settings):
    settings.MEMORY_MAX_CANDIDATES_PER_DREAM = 1
    mine.notes(TODAY, *["Kestrel is late. Marathon training goes on. Portuguese lessons continue."] * 3)
    report = dream(mine)
    assert report.statistics["promoted"] == 1
    assert {entry.gate for entry in entries(mine, report, "keep")} == {"limit"}
