"""Old reports are packed and old diary entries move to their month, and not a word is lost on the way."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from memoryapp.actions.forget import forget_fact
from memoryapp.actions.forget_texts import unpacked
from memoryapp.jobs import drain, tick
from memoryapp.lifecycle.archiving import archive_agent
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.models import Dream, DreamArchive, Event
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, at

START = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)


@pytest.fixture
def clock():
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def empty_backlog(clock, alice):
    Event.objects.all().delete()


def dream_every_other_day(memory, model, clock, nights):
    for night in range(nights):
        memory.note(memory.bucket.today(), f"Line {night} alpha{night}")
        model.queue(
            {"should_update": True, "reason": f"r{night}", "memory_content": f"- Line {night} alpha{night}\n"}
        )
        run_dream(memory.bucket, DreamOrder(kind="nightly", slot=f"{memory.bucket.today()}T03:00"))
        clock.shift(timedelta(days=2))


def archives(person):
    with workspace_scope(person.workspace):
        return {row.month: (row.reports, unpacked(row.packed)) for row in DreamArchive.objects.all()}


def test_old_reports_and_entries_move_to_their_months(alice, model, clock):
    memory = Memory(alice)
    dream_every_other_day(memory, model, clock, 20)
    before = memory.text("DREAMS.md")
    archived = archive_agent(alice.workspace, alice.agent)
    assert (archived.reports, archived.diary_entries) == (5, 5)
    packed = archives(alice)
    assert {month: count for month, (count, _) in packed.items()} == {"2026-05": 5}
    first = packed["2026-05"][1][0]
    assert (first["reason"], first["entries"][0]["after"]) == ("r0", "- Line 0 alpha0")
    diary, may = memory.text("DREAMS.md"), memory.text("dreams/2026-05.md")
    assert "- 2026-05: 5 dreams, 5 things kept, told in dreams/2026-05.md" in diary
    for entry in before.split("\n## ")[1:]:
        assert (entry.strip() in may) != (entry.strip() in diary)
    with workspace_scope(alice.workspace):
        assert Dream.objects.count() == 15
    assert archive_agent(alice.workspace, alice.agent).reports == 0


def test_later_rounds_add_to_a_month_and_to_its_line(alice, model, clock):
    memory = Memory(alice)
    dream_every_other_day(memory, model, clock, 20)
    archive_agent(alice.workspace, alice.agent)
    clock.shift(timedelta(days=40))
    archive_agent(alice.workspace, alice.agent)
    assert {month: count for month, (count, _) in archives(alice).items()} == {"2026-05": 6, "2026-06": 14}
    diary = memory.text("DREAMS.md")
    assert diary.count("## ") == 1
    assert "- 2026-05: 6 dreams" in diary
    assert "- 2026-06: 14 dreams" in diary


def test_a_diary_that_grows_too_long_moves_its_oldest_entries(alice, model, clock, settings):
    settings.MEMORY_DREAMS_MD_MAX_CHARS = 1_500
    memory = Memory(alice)
    dream_every_other_day(memory, model, clock, 14)
    diary = memory.text("DREAMS.md")
    assert len(diary) <= 1_500 + 200
    told = diary + memory.text("dreams/2026-05.md") + memory.text("dreams/2026-06.md")
    assert [f"r{night}\n" in told for night in range(14)] == [True] * 14


def test_archives_are_no_notes_and_are_forgotten_from(alice, model, clock):
    memory = Memory(alice)
    dream_every_other_day(memory, model, clock, 3)
    clock.move_to(at("2026-07-10T03:00Z"))
    archive_agent(alice.workspace, alice.agent)
    fact = memory.know("Line 1 alpha1")
    forget_fact(principal=alice.principal, fact=fact)
    everything = memory.text("dreams/2026-05.md") + str(archives(alice))
    assert "alpha1" not in everything
    assert "alpha0" in everything
    memory.note(date(2026, 7, 10), "Oat milk")
    model.queue({"should_update": False, "reason": "r"})
    run_dream(memory.bucket, DreamOrder())
    assert "alpha0" not in model.requests[-1].messages[-1].content.split("Candidates")[1]


def test_once_a_month_by_itself_unless_switched_off(alice, model, clock, settings):
    memory = Memory(alice)
    dream_every_other_day(memory, model, clock, 3)
    model.answer_always({"should_update": False, "reason": "r"})
    clock.move_to(at("2026-07-01T04:00Z"))
    tick()
    drain()
    assert Event.objects.get(kind="archive").result == {"reports": 3, "diaryEntries": 3}
    settings.MEMORY_DREAM_ARCHIVE_ENABLED = False
    clock.move_to(at("2026-08-01T04:00Z"))
    tick()
    assert Event.objects.filter(kind="archive").count() == 1
