"""Dreams promote what comes back, say why they did or did not, and never lose, invent or overwrite anything."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from memoryapp.actions.contradictions import open_contradiction
from memoryapp.actions.facts import update_fact
from memoryapp.actions.forget import forget_fact
from memoryapp.actions.recalls import note_recalls
from memoryapp.lifecycle.dream_orders import DreamingDisabled, DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.llm.errors import ContextTooLong, ModelUnavailable
from memoryapp.models import Dream, DreamEntry, FileSection, WorkspaceFile
from memoryapp.retrieval.results import Hit
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, offline_rules

TODAY = date(2026, 7, 19)
NOW = datetime(2026, 7, 19, 20, 5, tzinfo=UTC)
RECURRING = (
    "User orders oat milk with every coffee, the weather was bad",
    "Asked for a cake recipe that works with oat milk",
    "Was annoyed that the café had run out of oat milk",
)


@pytest.fixture(autouse=True)
def night():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def mine(alice):
    with offline_rules():
        yield Memory(alice)


def dream(memory, **order):
    return run_dream(memory.bucket, DreamOrder(**order)).dream


def entries(memory, report, *operations):
    with workspace_scope(memory.person.workspace):
        rows = DreamEntry.objects.filter(dream=report)
        return list(rows.filter(operation__in=operations) if operations else rows)


def changed_to(content, reason="patterns"):
    return {"should_update": True, "reason": reason, "memory_content": content}


NO_UPDATE = {"should_update": False, "reason": "nothing deserves a change"}


def recall(memory, text, *queries, kind="fact", row=None):
    """Have a memory answer questions."""
    for query in queries:
        hit = Hit(kind, row.pk, text, "", 0.9)
        note_recalls(
            principal=memory.person.principal,
            agent=memory.person.agent,
            conversation=None,
            hits=[hit],
            query=query,
        )


# --- What is promoted -------------------------------------------------------------------------------------------------


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


# --- What is looked at ------------------------------------------------------------------------------------------------


def test_only_valid_notes_of_the_last_seven_days_are_read(alice, model):
    """BC-030"""
    memory = Memory(alice)
    for back in range(9):
        memory.note(TODAY - timedelta(days=back), f"NOTE{back}")
    with workspace_scope(alice.workspace):
        for path in ("memory/2026-02-30.md", "memory/2099-01-01.md", "memory/ideas.md", "memory/2026-3-1.md"):
            WorkspaceFile.objects.create(**memory.bucket.rows, path=path, content=f"ODD {path}")
    model.queue(NO_UPDATE)
    dream(memory)
    (request,) = model.requests
    told = request.messages[-1].content
    assert [f"NOTE{back}" in told for back in range(9)] == [True] * 7 + [False] * 2
    assert "ODD" not in told
    assert [note.day for note in request.context.notes] == [
        TODAY - timedelta(days=6 - back) for back in range(7)
    ]


def test_a_dream_does_not_feed_on_dreams(alice, model, night):
    """BC-022"""
    memory = Memory(alice)
    memory.note(TODAY, "<!-- managed\nDIARYMARK\n-->", "Oat milk again")
    memory.write("dreams/2026-06.md", "# June\n\nDIARYMARK archived\n")
    model.queue(changed_to("- Oat milk (score=0.82, confidence 0.9)\n", "DIARYMARK pattern"), NO_UPDATE)
    dream(memory)
    night.shift(timedelta(days=1))
    dream(memory)
    assert "DIARYMARK" in memory.text("DREAMS.md")
    assert all("DIARYMARK" not in str(message) for request in model.requests for message in request.messages)
    assert memory.text() == "- Oat milk\n"


def test_long_notes_reach_the_model_whole(alice, model):
    """BC-028"""
    memory = Memory(alice)
    memory.write(f"memory/{TODAY}.md", "x " * 3000 + "\n- TAILFACT: backups run at 04:40\n")
    model.queue(NO_UPDATE)
    report = dream(memory)
    assert "TAILFACT: backups run at 04:40" in model.requests[0].messages[-1].content
    assert report.statistics["notesCut"] == []


@pytest.mark.long
def test_a_request_that_is_too_long_is_cut_to_the_newest_and_says_so(alice, model, night):
    """BC-181"""
    memory = Memory(alice)
    for back in range(7):
        memory.write(
            f"memory/{TODAY - timedelta(days=back)}.md", f"- NOTE{back} " + "busy day " * 6660 + "\n"
        )

    def answer(request):
        size = sum(len(message.content) for message in request.messages)
        return ContextTooLong() if size > 100_000 else NO_UPDATE

    model.answer_always(answer)
    report = dream(memory)
    assert report.status == "skipped"
    assert "NOTE0" in model.requests[-1].messages[-1].content
    assert len(report.statistics["notesCut"]) >= 5
    assert "Too long to be read whole: memory/2026-07-13.md" in memory.text("DREAMS.md")
    first_night = [request.messages for request in model.requests]
    night.shift(timedelta(days=1))
    dream(memory)
    second_night = [request.messages for request in model.requests[len(first_night) :]]
    assert len(second_night) < len(first_night)
    assert not any(messages in first_night for messages in second_night)


def test_a_request_that_never_fits_fails_once_with_its_reason(alice, model):
    memory = Memory(alice)
    memory.note(TODAY, "Oat milk")
    model.answer_always(ContextTooLong())
    with pytest.raises(ContextTooLong):
        dream(memory)
    with workspace_scope(alice.workspace):
        report = Dream.objects.get()
    assert (report.status, report.reason) == ("failed", ContextTooLong.sentence)


# --- What is never done -----------------------------------------------------------------------------------------------


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


# --- How it is told ---------------------------------------------------------------------------------------------------


def test_the_diary_tells_the_workspaces_time_with_its_zone(alice, model):
    """BC-033"""
    alice.workspace.time_zone = "America/Chicago"
    alice.workspace.save()
    memory = Memory(alice)
    memory.notes(TODAY, *RECURRING)
    model.queue(changed_to("- Oat milk with every coffee\n"))
    report = dream(memory)
    assert report.finished_at == NOW
    assert "## 2026-07-19 15:05 (America/Chicago) manual dream" in memory.text("DREAMS.md")
    assert "Looked at 3 notes (2026-07-17 to 2026-07-19)" in report.diary


def test_a_night_with_nothing_to_see_leaves_no_trace_but_asking_by_hand_says_why(mine, alice):
    outcome = run_dream(mine.bucket, DreamOrder(kind="nightly", slot="2026-07-19"))
    assert (outcome.dream, outcome.status) == (None, "skipped")
    by_hand = dream(mine)
    assert (by_hand.status, by_hand.reason) == (
        "skipped",
        "There are no notes of the last days and nothing was recalled.",
    )
    assert mine.text("DREAMS.md") == ""


def test_a_look_that_changed_nothing_is_in_the_diary_with_its_reason(mine):
    mine.note(TODAY, "Had a headache")
    report = dream(mine)
    assert (report.status, report.reason) == ("skipped", "Nothing came up often enough to be promoted.")
    assert report.reason in mine.text("DREAMS.md")


def test_a_failing_model_leaves_everything_as_it_was_and_is_on_record(alice, model):
    memory = Memory(alice)
    memory.write("MEMORY.md", "- Runs\n")
    memory.note(TODAY, "Oat milk")
    model.queue(ModelUnavailable())
    with pytest.raises(ModelUnavailable):
        dream(memory)
    with workspace_scope(alice.workspace):
        report = Dream.objects.get()
    assert (report.status, report.reason, memory.text()) == ("failed", ModelUnavailable.sentence, "- Runs\n")


def test_a_dry_run_shows_what_would_happen_and_changes_nothing(mine):
    mine.notes(TODAY, *RECURRING)
    report = dream(mine, dry_run=True)
    assert (mine.text(), mine.text("DREAMS.md")) == ("", "")
    assert (report.dry_run, report.statistics["promoted"]) == (True, 1)
    assert [entry.after for entry in entries(mine, report, "add")] == [
        "- User orders oat milk with every coffee"
    ]


def test_a_focused_dream_looks_at_its_topic_only(mine):
    mine.notes(TODAY, *["Kestrel is late. Portuguese lessons go on."] * 3)
    report = dream(mine, kind="focused", topic="Portuguese")
    assert (report.topic, mine.text()) == ("Portuguese", "## Recurring\n\n- Portuguese lessons go on\n")


def test_a_night_happens_once(alice, model):
    memory = Memory(alice)
    memory.note(TODAY, "Oat milk")
    model.answer_always(changed_to("- Oat milk\n"))
    first = run_dream(memory.bucket, DreamOrder(kind="nightly", slot="2026-07-19"))
    again = run_dream(memory.bucket, DreamOrder(kind="nightly", slot="2026-07-19"))
    assert (first.dream.pk, len(model.requests)) == (again.dream.pk, 1)


def test_a_night_that_failed_is_dreamt_again(alice, model):
    memory = Memory(alice)
    memory.note(TODAY, "Oat milk")
    model.queue(ModelUnavailable(), changed_to("- Oat milk\n"))
    with pytest.raises(ModelUnavailable):
        run_dream(memory.bucket, DreamOrder(kind="nightly", slot="2026-07-19"))
    assert run_dream(memory.bucket, DreamOrder(kind="nightly", slot="2026-07-19")).status == "succeeded"
    with workspace_scope(alice.workspace):
        assert Dream.objects.count() == 1


def test_switched_off_nothing_is_dreamt(mine, settings):
    settings.MEMORY_DREAM_FOCUSED_ENABLED = False
    with pytest.raises(DreamingDisabled):
        dream(mine, kind="focused", topic="tea")
    settings.MEMORY_EMERGENCE_ENABLED = False
    with pytest.raises(DreamingDisabled):
        dream(mine)


def test_buckets_are_dreamt_apart(alice, bob, mine):
    theirs, shared = Memory(bob), Memory(alice, shared=True)
    mine.notes(TODAY, *RECURRING)
    theirs.notes(TODAY, *["Kestrel is late"] * 3)
    shared.notes(TODAY, *["Office plants need water"] * 3)
    for memory in (mine, theirs, shared):
        dream(memory)
    assert "oat milk" in mine.text()
    assert theirs.text() == "## Recurring\n\n- Kestrel is late\n"
    assert shared.text() == "# Memory\n\n## Recurring\n\n- Office plants need water\n"
