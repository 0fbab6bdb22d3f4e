"""What a dream looks at, and what it tells of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memoryapp.lifecycle.dream_orders import DreamingDisabled, DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.llm.errors import ContextTooLong, ModelUnavailable
from memoryapp.models import Dream, WorkspaceFile
from tenants.scoping import workspace_scope
from tests.lifecycle.dreams import NO_UPDATE, NOW, RECURRING, TODAY, changed_to, dream, entries
from tests.lifecycle.nights import Memory

pytestmark = pytest.mark.usefixtures("night")


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
