"""Streamed turns, over real sockets: a client that may leave and come back, a model that does odd things."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from django.utils import timezone

from memoryapp.chat import returning, streaming
from memoryapp.lifecycle.timing import EXTRACTION
from memoryapp.models import Conversation, Event, Message
from tenants.scoping import workspace_scope
from tests.chat.conftest import Open, stored
from tests.conftest import Person
from tests.scripted_endpoint import (
    DONE,
    ScriptedEndpoint,
    Stream,
    Whole,
    chunk,
    event,
    failure,
    streamed,
)

pytestmark = pytest.mark.django_db(transaction=True)


def text_of(events: list[Any]) -> str:
    return "".join(event.data["text"] for event in events if event.name == "delta")


def extractions() -> int:
    return Event.objects.filter(kind=EXTRACTION).count()


def test_a_long_stream_is_not_begun_again_by_a_retry(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person, monkeypatch: Any
) -> None:
    monkeypatch.setattr(streaming, "MARKED_EVERY_SECONDS", 0.0)
    go_on, ends = threading.Event(), threading.Event()
    endpoint.queue(
        Stream(
            [chunk("One "), go_on, chunk("two "), chunk("three."), ends, chunk(finish_reason="stop"), DONE]
        )
    )
    key = {"Idempotency-Key": "long-one"}
    with talk("Count.", **key) as reader:
        events = iter(reader)
        next(event for event in events if event.name == "delta")
        with workspace_scope(alice.workspace):
            long_ago = timezone.now() - timedelta(days=1)
            Message.objects.filter(role="assistant").update(updated_at=long_ago)
        go_on.set()
        next(event for event in events if event.name == "delta" and event.data["text"] == "three.")
        with talk("Count.", **key) as retry:
            assert retry.response.status_code == 409
        ends.set()
        assert [event.name for event in events][-1] == "done"

    assert [message.text for message in stored(alice)] == ["Count.", "One two three."]


def test_a_turn_is_told_event_by_event(talk: Open, endpoint: ScriptedEndpoint, alice: Person) -> None:
    endpoint.queue(streamed("Hel", "lo ", "Alice."))

    with talk("Hello.") as reader:
        events = list(reader)

    assert reader.response.headers["Content-Type"].startswith("text/event-stream")
    assert [event.name for event in events] == [
        "session",
        "recall",
        "delta",
        "delta",
        "delta",
        "usage",
        "done",
    ]
    session, done = events[0].data, events[-1].data
    assert session["conversationId"] == done["conversationId"] == "talk"
    assert session["messageId"] == done["messageId"] == str(stored(alice)[1].pk)
    assert text_of(events) == done["reply"] == stored(alice)[1].text == "Hello Alice."
    assert events[-2].data["totalTokens"] == 18
    assert extractions() == 1


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 9, 11])
def test_characters_cut_in_two_by_the_network(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person, cut: int
) -> None:
    text = "早安 🚲 ok"
    wire = b"".join([chunk(text[:1]), chunk(text[1:]), chunk(finish_reason="stop"), DONE])
    middle = wire.index("安".encode()) + cut
    endpoint.queue(Stream([wire[:3], wire[3:middle], wire[middle : middle + 7], wire[middle + 7 :]]))

    with talk() as reader:
        events = list(reader)

    assert text_of(events) == events[-1].data["reply"] == stored(alice)[1].text == text
    assert not any("\ufffd" in message.text for message in stored(alice))


@pytest.mark.parametrize(
    ("pieces", "hang_up", "shown"),
    [
        (
            [chunk("Hello "), chunk("wor"), event({"error": {"message": "overloaded", "code": 500}})],
            False,
            "Hello wor",
        ),
        ([chunk("Hello "), chunk("wor")], True, "Hello wor"),
        ([chunk("Hello "), chunk("wor")], False, "Hello wor"),
        ([], False, ""),
        ([DONE], False, ""),
    ],
    ids=["an error after two tokens", "hangs up", "ends without the end", "says nothing", "only the end"],
)
def test_an_answer_that_breaks_off_ends_in_an_error_and_is_not_extracted(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person, pieces: list[bytes], hang_up: bool, shown: str
) -> None:
    endpoint.queue(Stream(pieces, hang_up=hang_up), streamed("Hello world"))

    with talk() as reader:
        events = list(reader)

    assert events[-1].name == "error"
    assert {"code", "detail"} == set(events[-1].data)
    assert text_of(events) == shown
    reply = stored(alice)[1]
    assert (reply.text, reply.state) == (shown, "partial" if shown else "failed")
    assert len(endpoint.received) == 1
    assert extractions() == 0


def test_a_model_that_refuses_is_told_in_the_stream(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person
) -> None:
    endpoint.queue(failure(401, "invalid key"))

    with talk() as reader:
        events = list(reader)

    assert [event.name for event in events] == ["session", "recall", "error"]
    assert events[-1].data["code"] == "model_misconfigured"
    assert [message.state for message in stored(alice)] == ["complete", "failed"]


def test_a_second_try_is_made_only_while_nothing_was_shown(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person, settings: Any
) -> None:
    settings.LLM_MAX_RETRIES = 1
    endpoint.queue(failure(503), streamed("Hello world"))

    with talk() as reader:
        events = list(reader)

    assert stored(alice)[1].text == text_of(events) == "Hello world"


def test_thinking_cut_by_chunk_borders_is_not_shown(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person
) -> None:
    endpoint.queue(streamed("<thi", "nk>secret plan</th", "ink>", "Answer"), streamed("Fine."))

    with talk() as reader:
        events = list(reader)
    with talk("And now?") as reader:
        list(reader)

    assert text_of(events) == events[-1].data["reply"] == stored(alice)[1].text == "Answer"
    assert "secret plan" not in endpoint.received[-1].text


def test_a_thought_that_the_prompt_began_is_neither_stored_nor_told_again(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person
) -> None:
    endpoint.otherwise = streamed("secret", " plan", "</think>", "Ans", "wer")

    with talk() as first, talk() as second:
        told = [list(first), list(second)]

    assert [events[-1].data["reply"] for events in told] == ["Answer", "Answer"]
    assert {(message.text, message.reasoning) for message in stored(alice)[1::2]} == {
        ("Answer", "secret plan")
    }
    with talk() as third:
        assert text_of(list(third)) == "Answer"


def test_line_ends_of_other_alphabets_break_no_event(talk: Open, endpoint: ScriptedEndpoint) -> None:
    endpoint.queue(streamed("one\u2028two\x85three\u2029"))

    with talk() as reader:
        events = list(reader)

    assert text_of(events) == events[-1].data["reply"] == "one\u2028two\x85three\u2029"


def test_the_same_key_tells_the_stored_answer(talk: Open, endpoint: ScriptedEndpoint, alice: Person) -> None:
    endpoint.queue(streamed("Once."))

    with talk(**{"Idempotency-Key": "k1"}) as reader:
        first = list(reader)
    with talk(**{"Idempotency-Key": "k1"}) as reader:
        again = list(reader)

    assert again[-1].data == first[-1].data
    assert len(endpoint.received) == 1
    assert len(stored(alice)) == 2


def test_bad_input_is_refused_before_the_stream_begins(talk: Open, endpoint: ScriptedEndpoint) -> None:
    with talk("  ") as reader:
        reader.response.read()

    assert reader.response.status_code == 400
    assert "message" in reader.response.json()["errors"]


class TestLeaving:
    def test_who_comes_back_gets_what_was_missed(
        self, talk: Open, endpoint: ScriptedEndpoint, alice: Person
    ) -> None:
        go_on = threading.Event()
        endpoint.queue(Stream([chunk("One "), go_on, chunk("two."), chunk(finish_reason="stop"), DONE]))

        with talk() as reader:
            last = reader.until("delta")
        go_on.set()
        with talk(back_to=last.id) as reader:
            rest = list(reader)

        assert [event.name for event in rest] == ["delta", "usage", "done"]
        assert text_of(rest) == "two."
        assert rest[-1].data["reply"] == stored(alice)[1].text == "One two."
        assert not endpoint.left.is_set()
        assert len(stored(alice)) == 2

    def test_after_the_end_the_missed_events_can_still_be_read(
        self, talk: Open, endpoint: ScriptedEndpoint
    ) -> None:
        endpoint.queue(streamed("One ", "two."))
        with talk() as reader:
            events = list(reader)

        with talk(back_to=events[2].id) as reader:
            assert [event.name for event in reader] == ["delta", "usage", "done"]

    def test_when_the_events_are_gone_the_stored_reply_answers(
        self, talk: Open, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        endpoint.queue(streamed("One ", "two."))
        with talk() as reader:
            events = list(reader)
        monkeypatch.setattr(streaming, "_live", {})

        with talk(back_to=events[2].id) as reader:
            rest = list(reader)

        assert [event.name for event in rest] == ["done"]
        assert rest[0].data["reply"] == "One two."

    def test_who_stays_away_ends_the_call_and_leaves_a_marked_part(
        self, talk: Open, endpoint: ScriptedEndpoint, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(streaming, "GRACE_SECONDS", 0.05)
        endpoint.queue(Stream([chunk("One "), threading.Event(), chunk("two.")]))

        with talk() as reader:
            last = reader.until("delta")
        assert endpoint.left.wait(10)
        with talk(back_to=last.id) as reader:
            rest = list(reader)

        assert [event.name for event in rest] == ["error"]
        reply = stored(alice)[1]
        assert (reply.text, reply.state) == ("One ", "partial")
        assert extractions() == 0

    @pytest.mark.long
    def test_who_comes_back_to_another_process_keeps_the_call_and_gets_its_end(
        self, talk: Open, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(streaming, "GRACE_SECONDS", 2.0)
        monkeypatch.setattr(returning, "LOOK_SECONDS", 0.05)
        go_on = threading.Event()
        endpoint.queue(Stream([chunk("One "), go_on, chunk("two."), chunk(finish_reason="stop"), DONE]))
        with talk() as reader:
            last = reader.until("delta")
        # Another process knows nothing of this turn but what is stored.
        monkeypatch.setattr(streaming, "_live", {})

        with talk(back_to=last.id) as reader:
            threading.Timer(3.5, go_on.set).start()
            rest = list(reader)

        assert [event.name for event in rest] == ["done"]
        assert rest[0].data["reply"] == "One two."
        assert not endpoint.left.is_set()

    def test_a_strangers_return_finds_nothing(
        self, talk: Open, endpoint: ScriptedEndpoint, bob: Person, charlie: Person
    ) -> None:
        endpoint.queue(streamed("Private."))
        with talk() as reader:
            events = list(reader)

        for who in (bob, charlie):
            with talk(back_to=events[0].id, who=who) as reader:
                reader.response.read()
                assert reader.response.status_code == 404

    @pytest.mark.parametrize("at", ["nonsense", "x:1", "01a00000-0000-7000-8000-000000000000:1"])
    def test_an_event_that_never_was(self, talk: Open, at: str) -> None:
        with talk(back_to=at) as reader:
            reader.response.read()
            assert reader.response.status_code in {400, 404}

    def test_an_event_that_is_not_there_yet(self, talk: Open, endpoint: ScriptedEndpoint) -> None:
        endpoint.queue(streamed("Hi."))
        with talk() as reader:
            (*_, last) = list(reader)
        for number, status in ((5, 200), (6, 400)):
            with talk(back_to=f"{last.id.partition(':')[0]}:{number}") as reader:
                reader.response.read()
                assert reader.response.status_code == status


def test_a_silent_model_leaves_a_heartbeat(
    talk: Open, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "HEARTBEAT_SECONDS", 0.02)
    beaten = threading.Event()
    endpoint.queue(Stream([beaten, chunk("Late."), chunk(finish_reason="stop"), DONE]))

    with talk() as reader:
        threading.Timer(0.3, beaten.set).start()
        events = list(reader)

    assert reader.comments >= 2
    assert events[-1].name == "done"


def test_two_at_once_with_one_key_make_one_turn(
    address: str, alice: Person, endpoint: ScriptedEndpoint
) -> None:
    hold = threading.Event()
    endpoint.queue(Whole(_completion_body("Once."), hold=hold))
    answers: list[httpx2.Response] = []

    def send() -> None:
        body = {"agentId": "juno", "message": "Hello."}
        headers = {**alice.headers, "Idempotency-Key": "k1"}
        answers.append(httpx2.post(f"{address}/chat", json=body, headers=headers, timeout=20))
        hold.set()

    senders = [threading.Thread(target=send) for _ in range(2)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert [message.text for message in stored(alice)] == ["Hello.", "Once."]
    with workspace_scope(alice.workspace):
        assert Conversation.objects.owned_by(alice.principal).count() == 1
    assert len(endpoint.received) == 1


def _completion_body(text: str) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
