"""Whatever a model writes is read rightly, or the reading fails and says so; never half of it is applied."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.actions.files import write_file
from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Event, Extraction
from memoryapp.retrieval.search import search_memories
from tests.lifecycle.conftest import Talks, add, reply

pytestmark = pytest.mark.django_db

Read = Callable[[], list[ChatRequest]]
TALK = ("Good morning to you, Juno.", "Morning.", "Listen, there is some news.", "Yes?")


def told(text: str, **fields: Any) -> str:
    return json.dumps(reply(daily_entry=text, memory_update="", profile_update="", **fields))


def found(talks: Talks, query: str) -> list[str]:
    result = search_memories(
        query, principal=talks.principal, agent=talks.person.agent, sources=("facts", "files")
    )
    return [hit.text for hit in result.items]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        pytest.param(
            f"Notes {{regarding meetings}} follow: {told('Team standup moved to Monday 10:15.')} -- done {{ok}}",
            "10:15",
            id="BC-124 prose with braces in front",
        ),
        pytest.param(
            f"Here is what I found!\n```json\n{told('Moved from Lyon to Porto.')}\n```\nLet me know if you need more.",
            "Porto",
            id="BC-125 fenced between sentences",
        ),
        pytest.param(
            f'<think>Options: {{"a":1}} or [skip]. I pick the first.</think>\n```json\n{told("Built on 3.13.")}\n```',
            "3.13",
            id="BC-127 reasoning with braces",
        ),
        pytest.param(
            f"{json.dumps({'should_update': True, 'daily_entry': 'Limit is 30'})}\nCorrection:\n{told('Limit is 40')}",
            "Limit is 40",
            id="BC-133 a draft and a corrected object",
        ),
        pytest.param(told("Budget of the caf\u0000e is 12."), "cafe is 12", id="BC-135 a NUL in the text"),
    ],
)
def test_the_object_is_found_and_nothing_around_it_is_kept(
    talks: Talks, model: ScriptedBackend, read: Read, written: str, kept: str
) -> None:
    model.queue(written)
    talks.hold(*TALK)
    read()
    lines = talks.note.splitlines()
    assert sum(kept in line for line in lines) == 1
    assert talks.readings[-1].status == Extraction.Status.SUCCEEDED
    stored = talks.everything
    for noise in (
        "regarding meetings",
        "Here is what I found",
        "Let me know",
        "I pick the first",
        "```",
        "Limit is 30",
    ):
        assert noise not in stored


def test_nothing_to_store_is_an_answer(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    """BC-130"""
    empty = {"daily_entry": "", "memory_update": "", "profile_update": ""}
    model.queue({"should_update": False, "reason": "nothing durable", **empty})
    conversation = talks.hold(*TALK)
    read()
    assert (talks.facts, talks.note, talks.file("MEMORY.md")) == ([], "", None)
    assert talks.readings[-1].status == Extraction.Status.NO_UPDATE
    assert talks.reload(conversation).extracted_through == 4
    assert not [text for text in found(talks, "should_update") if "should_update" in text]


def test_operations_under_a_no_are_not_carried_out(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    model.queue({"should_update": False, "reason": "no", "operations": [add("User likes tea")]})
    talks.hold(*TALK)
    read()
    assert talks.facts == []


def test_fields_of_the_wrong_type_are_never_written_as_they_are(
    talks: Talks, model: ScriptedBackend, read: Read, clock: Any
) -> None:
    """BC-132: the reading fails, and the next one is processed normally."""
    wrong = {"daily_entry": ["met Mira"], "memory_update": None, "profile_update": {"name": "Mira"}}
    model.answer_always({"should_update": True, "reason": "x", **wrong})
    talks.hold(*TALK)
    read()
    assert talks.readings[-1].status == Extraction.Status.FAILED
    assert (talks.text("PROFILE.md"), talks.note) == ("", "")
    model.answer_always(told("Met Mira."))
    clock.shift(3600)
    read()
    assert "Met Mira." in talks.note


def test_one_wrong_field_is_left_out_with_its_reason(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    model.answer_always(reply(daily_entry="Met Mira.", profile_update={"name": "Mira"}))
    talks.hold(*TALK)
    read()
    assert "Met Mira." in talks.note
    assert talks.text("PROFILE.md") == ""
    assert "profile_update" in str(talks.readings[-1].refused)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(
            "I'm unable to process this conversation.\nPlease try another one.\nSorry about that.",
            id="BC-136 refusal",
        ),
        pytest.param("", id="empty"),
        pytest.param(
            '[{"op": "ADD", "text": "User likes tea"}, {"op": "ADD", "text": "and cake"}]', id="array"
        ),
        pytest.param('{"daily_entry": "Standup is at', id="cut off without a finish reason"),
    ],
)
def test_what_cannot_be_read_fails_the_reading_and_is_tried_again(
    talks: Talks, model: ScriptedBackend, read: Read, clock: Any, written: str
) -> None:
    model.answer_always(written)
    conversation = talks.hold(*TALK)
    assert len(read()) == 2, "one repair round"
    assert (talks.facts, talks.note, talks.reload(conversation).extracted_through) == ([], "", 0)
    failed = Event.objects.get(kind="extraction", status=Event.Status.FAILED)
    assert failed.reason
    assert talks.readings[-1].status == Extraction.Status.FAILED
    assert found(talks, "unable") == []
    model.answer_always(told("There is news."))
    clock.shift(60)
    read()
    assert "There is news." in talks.note


@pytest.mark.parametrize("tail", ["# Memory\\n\\n## Team\\n- Five peop", '# Memory"}'])
def test_a_cut_off_answer_never_replaces_a_file(
    talks: Talks, model: ScriptedBackend, read: Read, tail: str
) -> None:
    """BC-129, for extraction: also when what is there happens to parse."""
    base = "# Memory\n" + "".join(f"\n## Part {number}\n- Something\n" for number in range(5))
    write_file(
        principal=talks.principal, agent=talks.person.agent, path="MEMORY.md", content=base, scope="PERSONAL"
    )
    written = f'{{"should_update": true, "reason": "merge", "memory_update": "{tail}'
    model.answer_always(Scripted(written, finish_reason="length"))
    talks.hold(*TALK)
    read()
    file = talks.file("MEMORY.md")
    assert file is not None
    assert (file.content, file.version) == (base, 1)
    assert talks.readings[-1].status == Extraction.Status.FAILED


def test_one_bad_operation_does_not_spoil_the_others(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    model.answer_always(
        reply(operations=[add("User likes tea"), {"op": "DANCE"}, add("User owns a boat", "technical")])
    )
    talks.hold("I like tea and I own a boat.", "Nice.", *TALK)
    read()
    assert talks.facts == ["User likes tea", "User owns a boat"]


def test_one_persons_bad_reply_stops_nobody_else(talks: Talks, model: ScriptedBackend) -> None:
    def answer(request: ChatRequest) -> str:
        return "no" if "first visitor" in str(request.messages) else told("Met Teo.")

    model.answer_always(answer)
    others = [Talks(talks.person, talks.principal.acting_as(name)) for name in ("v-1", "v-2")]
    others[0].hold("I am the first visitor here.", "Hello.", *TALK)
    others[1].hold("I am the second one today.", "Hello.", *TALK)
    drain()
    assert [other.readings[-1].status for other in others] == [
        Extraction.Status.FAILED,
        Extraction.Status.SUCCEEDED,
    ]
