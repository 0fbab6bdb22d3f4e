"""When a conversation is read: minimum, length, cooldown; what has to wait is kept, and says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.actions.conversations import add_message, finish_message
from memoryapp.jobs import drain, enqueue_extraction
from memoryapp.lifecycle.extraction import extract_now
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.errors import ModelTimeout
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Event, Extraction
from tenants.scoping import workspace_scope
from tests.lifecycle.conftest import Talks, reply

pytestmark = pytest.mark.django_db

Read = Callable[[], list[ChatRequest]]
FIRST = ("My allotment is on Mill Lane.", "Lovely.", "I grow beans and chard on it.", "Nice.")
SECOND = (
    "Now about my invoices.",
    "Yes?",
    "The invoice day is the 9th.",
    "Noted.",
    "That is every month.",
    "Good.",
)


def about(request: ChatRequest) -> str:
    return request.messages[-1].content.partition("\nThe conversation")[2]


@pytest.fixture(autouse=True)
def answers(model: ScriptedBackend) -> None:
    def by_transcript(request: ChatRequest) -> dict[str, Any]:
        return reply(
            daily_entry="Invoice day is the 9th." if "invoice" in about(request) else "Has an allotment."
        )

    model.answer_always(by_transcript)


def test_what_falls_into_the_cooldown_is_deferred_and_read_once(talks: Talks, read: Read, clock: Any) -> None:
    """BC-005"""
    talks.hold(*FIRST)
    assert len(read()) == 1
    clock.shift(120)
    second = talks.hold(*SECOND)
    assert read() == []
    waiting = Event.objects.get(subject_id=second.pk)
    assert waiting.status == Event.Status.PENDING
    assert waiting.run_after == talks.readings[0].created_at + timedelta(minutes=5)
    clock.shift(60 * 58)
    [request] = read()
    assert "invoice day" in about(request)
    assert "allotment" not in about(request)
    assert read() == []
    assert talks.note.count("Invoice day is the 9th.") == talks.note.count("Has an allotment.") == 1


def test_the_cooldown_is_each_persons_own(talks: Talks, read: Read, clock: Any) -> None:
    talks.hold(*FIRST)
    read()
    with workspace_scope(talks.person.workspace):
        visitor = talks.person.principal.acting_as("visitor-1")
    other = Talks(talks.person, visitor)
    other.hold(*SECOND)
    assert len(read()) == 1


def test_the_offline_rules_cost_nothing_and_need_no_cooldown(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    model.name = "offline"
    for texts in (FIRST, SECOND):
        talks.hold(*texts)
        assert len(read()) == 1


@pytest.mark.parametrize(
    "wish", ["Remember that I take the 8:15 train.", "请记住我每周五休息。", "Recuerda que soy celíaca."]
)
def test_a_wish_to_remember_waits_for_nothing(talks: Talks, read: Read, clock: Any, wish: str) -> None:
    talks.hold(*FIRST)
    read()
    talks.hold(wish, "Will do.")
    assert len(read()) == 1


def test_a_wish_in_a_conversation_that_waits_brings_it_forward(talks: Talks, read: Read, clock: Any) -> None:
    talks.hold(*FIRST)
    read()
    conversation = talks.hold(*SECOND)
    assert read() == []
    talks.hold("Please remember the number 7, too.", "Will do.", into=conversation)
    assert len(read()) == 1


def test_a_short_conversation_is_skipped_with_its_reason_until_it_is_long_enough(
    talks: Talks, read: Read
) -> None:
    conversation = talks.hold(*FIRST[:2])
    assert read() == []
    [skipped] = talks.readings
    assert skipped.status == Extraction.Status.SKIPPED
    assert "2 messages" in skipped.reason
    talks.hold(*FIRST[2:], into=conversation)
    [request] = read()
    assert "Mill Lane" in about(request), "what was skipped before is read now"
    assert [reading.status for reading in talks.readings] == [Extraction.Status.SUCCEEDED]


def test_a_talk_that_ends_on_a_short_word_is_read_once_it_is_quiet(
    talks: Talks, read: Read, clock: Any
) -> None:
    talks.hold(*FIRST[:2], "Thanks!", "You are welcome.")
    assert read() == []
    [deferred] = talks.readings
    assert deferred.status == Extraction.Status.DEFERRED
    clock.shift(60 * 11)
    [request] = read()
    assert "Mill Lane" in about(request)


def test_a_talk_of_short_words_only_is_never_read(talks: Talks, read: Read, clock: Any) -> None:
    talks.hold("Hi", "Hello!", "Thanks!", "You are welcome.")
    assert read() == []
    clock.shift(60 * 60)
    assert read() == []
    assert talks.readings[-1].status == Extraction.Status.SKIPPED


@pytest.mark.parametrize("switch", ["installation", "workspace"])
def test_the_switch_stops_what_nobody_asked_for(talks: Talks, read: Read, settings: Any, switch: str) -> None:
    if switch == "installation":
        settings.MEMORY_AUTO_SUMMARIZE = False
    else:
        talks.person.workspace.settings["auto_summarize"] = False
        talks.person.workspace.save()
    conversation = talks.hold(*FIRST)
    assert not Event.objects.filter(kind="extraction").exists()
    extracted = extract_now(principal=talks.person.principal, conversation=conversation)
    assert extracted.status == Extraction.Status.SUCCEEDED


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("MEMORY_MIN_MESSAGES_FOR_SUMMARIZE", FIRST[:2]),
        ("MEMORY_MIN_USER_MESSAGE_LENGTH", ("Hi", "Hello", "Bye", "Bye")),
    ],
)
def test_zero_means_no_minimum(
    talks: Talks, read: Read, settings: Any, name: str, texts: tuple[str, ...]
) -> None:
    setattr(settings, name, 0)
    talks.hold(*texts)
    assert len(read()) == 1


def test_a_failure_does_not_start_the_cooldown(
    talks: Talks, model: ScriptedBackend, read: Read, clock: Any
) -> None:
    model.queue(ModelTimeout())
    talks.hold(*FIRST)
    read()
    talks.hold(*SECOND)
    assert len(read()) == 1


def test_asked_for_at_once_it_is_read_at_once(talks: Talks, read: Read, clock: Any) -> None:
    """As `summarize` does: neither minimum nor cooldown holds."""
    talks.hold(*FIRST)
    read()
    with workspace_scope(talks.person.workspace):
        conversation = talks.hold("My locker has the number 12.", "Noted.")
        enqueue_extraction(conversation, bypass=True)
    assert len(read()) == 1


def test_an_answer_that_is_still_coming_is_waited_for(talks: Talks, read: Read, clock: Any) -> None:
    person = talks.person.principal
    conversation = talks.hold(*FIRST)
    add_message(
        principal=person, conversation=conversation, role="user", text="And what should I sow in May?"
    )
    answer = add_message(
        principal=person, conversation=conversation, role="assistant", text="", state="streaming"
    )
    [request] = read()
    assert "sow in May" not in about(request), "a question is read with its answer"
    finish_message(principal=person, message=answer, text="Runner beans.", state="complete")
    clock.shift(60 * 6)
    [request] = read()
    assert "sow in May" in about(request)
    assert "Runner beans." in about(request)


def test_an_answer_that_never_came_holds_up_nothing_for_ever(talks: Talks, read: Read, clock: Any) -> None:
    person = talks.person.principal
    conversation = talks.hold(*FIRST[:2])
    add_message(principal=person, conversation=conversation, role="assistant", text="", state="streaming")
    talks.hold(*FIRST[2:], into=conversation)
    read()
    clock.shift(60 * 60 * 2)
    talks.hold("Are you still there, Juno?", "Yes.", into=conversation)
    [request] = read()
    assert "beans and chard" in about(request)


def test_a_new_day_is_a_new_stretch(talks: Talks, read: Read, clock: Any, model: ScriptedBackend) -> None:
    """What was said yesterday goes into yesterday's note."""
    yesterday = timezone.now() - timedelta(days=1)
    conversation = talks.hold(*FIRST, said_at=yesterday, trigger="import")
    talks.hold(*SECOND, into=conversation, said_at=timezone.now())
    extract_now(principal=talks.person.principal, conversation=conversation)
    assert len(model.requests) == 2
    assert "Has an allotment." in talks.text(f"memory/{yesterday:%Y-%m-%d}.md")
    assert "Invoice day" in talks.note
    assert model.requests[0].context.today == yesterday.date()  # type: ignore[attr-defined]


def test_a_conversation_that_was_deleted_stops_its_job(talks: Talks) -> None:
    conversation = talks.hold(*FIRST)
    with workspace_scope(talks.person.workspace):
        conversation.delete()
    drain()
    event = Event.objects.get(kind="extraction")
    assert event.status == Event.Status.FAILED
    assert not Event.objects.filter(status=Event.Status.PENDING, kind="extraction").exists()
