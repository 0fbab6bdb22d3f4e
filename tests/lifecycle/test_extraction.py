"""A conversation is read once, in time, and what the model proposes is applied whole or not at all."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from memoryapp.jobs import enqueue_extraction
from memoryapp.lifecycle.extraction import NewMessage, extract_messages, extract_now
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.errors import ModelTimeout
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Conversation, Event, Extraction
from tenants.scoping import workspace_scope
from tests.lifecycle.conftest import NOTHING, SMALL_TALK, Read, Talks, add, reply

pytestmark = pytest.mark.django_db


def test_a_reading_keeps_facts_files_and_its_own_record(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    model.queue(
        reply(
            operations=[add("User prefers window seats", evidence=[3], quote="window seats")],
            daily_entry="Talked about train seats.",
            memory_update="# Memory\n\n- Trains rather than planes\n",
            profile_update="# Profile\n\n- Prefers window seats\n",
        )
    )
    conversation = talks.hold("Hello there, Juno!", "Hi.", "On trains I always want window seats.", "Noted.")
    assert len(read()) == 1
    assert talks.facts == ["User prefers window seats"]
    assert "Talked about train seats." in talks.note
    assert "Trains rather than planes" in talks.text("MEMORY.md")
    assert "Prefers window seats" in talks.text("PROFILE.md")
    [reading] = talks.readings
    assert (reading.status, reading.first_number, reading.last_number) == (Extraction.Status.SUCCEEDED, 1, 4)
    assert [entry["op"] for entry in reading.kept] == ["ADD"]
    assert {entry["path"] for entry in reading.files} == {
        "PROFILE.md",
        "MEMORY.md",
        f"memory/{reading.created_at:%Y-%m-%d}.md",
    }
    assert "window" not in str(reading.kept), (
        "the record outlives the fact's forgetting, so it has no text of it"
    )
    assert talks.reload(conversation).extracted_through == 4


@pytest.mark.usefixtures("no_cooldown")
def test_a_second_run_of_the_same_job_changes_nothing(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    """BC-007: redelivery is a recorded no-op."""
    model.answer_always(
        reply(daily_entry="Chose blue for the launch banner.", memory_update="# Memory\n- Banner is blue\n")
    )
    conversation = talks.hold(
        "Make the launch banner blue.", "Blue it is.", "Yes, blue is what I want.", "Done."
    )
    read()
    with workspace_scope(talks.person.workspace):
        again = enqueue_extraction(conversation)
    assert read() == []
    assert again is not None
    again.refresh_from_db()
    assert again.status == Event.Status.SUCCEEDED
    assert again.result["status"] == "skipped"
    assert talks.note.count("Chose blue") == 1
    memory = talks.file("MEMORY.md")
    assert memory is not None
    assert memory.version == 1


def test_a_worker_that_lost_the_race_applies_nothing(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    """BC-007: the same stretch read by two at once, the slower one with its reply already in hand."""
    conversation = talks.hold(
        "Make the launch banner blue.", "Blue it is.", "Yes, blue is what I want.", "Done."
    )

    def overtaken(request: ChatRequest) -> dict[str, Any]:
        with workspace_scope(talks.person.workspace):
            Conversation.objects.filter(pk=conversation.pk).update(extracted_through=4)
        return reply(daily_entry="Chose blue for the launch banner.")

    model.queue(overtaken)
    read()
    assert talks.note == ""
    assert [reading.status for reading in talks.readings] == []


def test_a_conversation_of_a_background_job_is_never_read(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    """BC-010: nor when somebody asks for it."""
    conversation = talks.hold(*SMALL_TALK, trigger=Conversation.Trigger.JOB)
    assert read() == []
    extracted = extract_now(principal=talks.person.principal, conversation=conversation)
    assert (extracted.status, model.requests) == (Extraction.Status.SKIPPED, [])
    with override_settings(MEMORY_SKIP_CRON_CONVERSATIONS=False):
        model.queue(NOTHING)
        extract_now(principal=talks.person.principal, conversation=conversation)
    assert len(model.requests) == 1


def test_a_failure_is_on_record_and_tried_again(
    talks: Talks, model: ScriptedBackend, read: Read, clock: Any
) -> None:
    model.queue(ModelTimeout(), reply(daily_entry="Talked about the weather."))
    conversation = talks.hold(*SMALL_TALK)
    read()
    assert [reading.status for reading in talks.readings] == [Extraction.Status.FAILED]
    assert Event.objects.get(status=Event.Status.FAILED).reason == ModelTimeout().detail
    assert talks.reload(conversation).extracted_through == 0
    clock.shift(60)
    assert len(read()) == 1
    assert talks.readings[-1].status == Extraction.Status.SUCCEEDED


@pytest.mark.usefixtures("no_cooldown")
def test_one_reading_at_a_time_for_one_person(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    """Tested with the session lock held by another connection, as another worker would."""
    from memoryapp.lifecycle import locks

    conversation = talks.hold(*SMALL_TALK)
    held, release = threading.Event(), threading.Event()

    def other_worker() -> None:
        try:
            with locks.one_reading_at_a_time(conversation, wait=False):
                held.set()
                release.wait(10)
        finally:
            connection.close()

    worker = threading.Thread(target=other_worker)
    worker.start()
    try:
        assert held.wait(10)
        assert read() == []
        event = Event.objects.get(subject_id=conversation.pk)
        assert (event.status, event.attempts) == (Event.Status.PENDING, 0)
        assert "being read" in event.reason
    finally:
        release.set()
        worker.join()
    model.answer_always(NOTHING)
    talks.hold("And now for something else then.", "Yes?", "Remember that I take the 8:15.", "Will do.")
    assert len(read()) == 2, "whoever reads next calls the one that stood back"


def test_messages_handed_in_are_kept_and_read_at_once(talks: Talks, model: ScriptedBackend) -> None:
    model.queue(reply(operations=[add("User is vegetarian")]))
    conversation, extracted = extract_messages(
        principal=talks.person.principal,
        agent=talks.person.agent,
        messages=[NewMessage(role="user", text="I am vegetarian.")],
    )
    assert [change.fact.text for change in extracted.changes] == ["User is vegetarian"]
    assert talks.reload(conversation).trigger == Conversation.Trigger.API
    assert talks.facts == ["User is vegetarian"]


def test_messages_handed_in_are_read_later_when_the_model_is_away(
    talks: Talks, model: ScriptedBackend, read: Read, clock: Any
) -> None:
    message = NewMessage(role="user", text="I am vegetarian.")
    handed_in = {"principal": talks.principal, "agent": talks.person.agent, "messages": [message]}
    model.queue(ModelTimeout(), reply(operations=[add("User is vegetarian")]))
    with pytest.raises(ModelTimeout):
        extract_messages(**handed_in)
    clock.shift(180)
    read()
    assert talks.facts == ["User is vegetarian"]
    Event.objects.all().delete()
    model.answer_always(NOTHING)
    extract_messages(**handed_in)
    assert not Event.objects.exists(), "what was read at once asks for nothing later"


def test_a_cut_off_answer_is_never_applied(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    text = '{"should_update": true, "reason": "r", "memory_update": "# Memory\\n- half a li'
    model.answer_always(Scripted(text, finish_reason="length"))
    talks.hold(*SMALL_TALK)
    read()
    assert talks.file("MEMORY.md") is None
    assert talks.readings[-1].status == Extraction.Status.FAILED
