"""The openai backend against a real server: streams down to their bytes (BC-114, BC-116, BC-117, BC-119)."""

from __future__ import annotations

import asyncio
import json
import threading
from itertools import pairwise

import pytest

from memoryapp.llm.backends.openai import OpenAIBackend
from memoryapp.llm.errors import ContextTooLong, ModelError, ModelUnavailable, StreamBroken
from memoryapp.llm.types import Delta, ToolCall, Usage
from tests.llm.asking import KEY, PROMPT, REQUEST, client_over, collect, told_before_failure
from tests.scripted_endpoint import (
    DONE,
    ScriptedEndpoint,
    Stream,
    Whole,
    chunk,
    completion,
    event,
    failure,
    streamed,
)


def event_of_half(text: str) -> bytes:
    """A chunk whose JSON writes out every character, as servers do that send nothing but ASCII."""
    body = {"choices": [{"index": 0, "delta": {"content": text}}]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


class TestStream:
    async def test_pieces_then_the_end_with_its_usage(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(streamed("Hel", "lo"))

        *pieces, last = await collect(backend.stream(REQUEST))

        assert [piece.text for piece in pieces] == ["Hel", "lo"]
        assert last == Delta(usage=Usage(11, 7), finish_reason="stop")
        assert endpoint.received[0].body["stream"] is True

    @pytest.mark.parametrize("cuts", ["characters", "every byte"])
    async def test_characters_split_between_network_chunks(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend, cuts: str
    ) -> None:
        text = "早安 🚲 ok"
        whole = chunk(text) + chunk(finish_reason="stop") + DONE
        second, emoji = whole.index("安".encode()) + 1, whole.index("🚲".encode()) + 2
        borders = [0, 3, second, emoji, len(whole)] if cuts == "characters" else list(range(len(whole) + 1))
        endpoint.queue(Stream([whole[a:b] for a, b in pairwise(borders)]))

        told = "".join(delta.text for delta in await collect(backend.stream(REQUEST)))

        assert told == text

    @pytest.mark.parametrize(
        "rest",
        [
            Stream([event({"error": {"message": f"overloaded: {PROMPT}", "type": "server_error"}}), DONE]),
            Stream([event({"error": "overloaded"})]),
            Stream([], hang_up=True),
            Stream([]),
            Stream([DONE]),
            Stream([b"data: {not json\n\n", DONE]),
            Stream([b"data: \xff\xfe\n\n"]),
            Stream([chunk(finish_reason="error"), DONE]),
        ],
        ids=[
            "error object",
            "error text",
            "socket dropped",
            "closed",
            "done too early",
            "no json",
            "no text",
            "aborted",
        ],
    )
    async def test_an_answer_that_ends_early_is_broken_and_never_asked_again(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend, rest: Stream
    ) -> None:
        endpoint.queue(
            Stream([chunk("Hello "), chunk("wor"), *rest.pieces], rest.hang_up), streamed("Hello world")
        )

        told, broken = await told_before_failure(client_over(backend).stream(REQUEST))

        assert told == "Hello wor"
        assert isinstance(broken, StreamBroken)
        assert broken.started
        assert PROMPT not in str(broken)
        assert len(endpoint.received) == 1

    @pytest.mark.parametrize("nothing", [Stream([]), Stream([DONE]), Stream([b": ping\n\n"], hang_up=True)])
    async def test_a_status_of_200_and_nothing_is_a_failure(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend, nothing: Stream
    ) -> None:
        endpoint.otherwise = nothing

        told, broken = await told_before_failure(client_over(backend, retries=1).stream(REQUEST))

        assert told == ""
        assert isinstance(broken, ModelError)
        assert len(endpoint.received) == 2

    async def test_a_failure_before_the_first_word_is_tried_again(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(failure(503), Stream([]), streamed("Hello world"))

        told, broken = await told_before_failure(client_over(backend).stream(REQUEST))

        assert (told, broken) == ("Hello world", None)

    async def test_the_connection_may_drop_once_the_model_has_finished(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(Stream([chunk("Hi"), chunk(finish_reason="stop")], hang_up=True))

        assert (await collect(backend.stream(REQUEST)))[-1].finish_reason == "stop"

    async def test_thinking_is_hidden_when_its_tags_are_cut(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(streamed("<thi", "nk>secret plan</th", "ink>", "Answer"))

        deltas = await collect(backend.stream(REQUEST))

        assert "".join(delta.text for delta in deltas) == "Answer"
        assert "".join(delta.reasoning for delta in deltas) == "secret plan"

    async def test_thinking_in_a_field_of_its_own(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(
            Stream([chunk(reasoning_content="plan"), chunk("Answer"), chunk(finish_reason="stop"), DONE])
        )

        deltas = await collect(backend.stream(REQUEST))

        assert [(delta.text, delta.reasoning) for delta in deltas[:2]] == [("", "plan"), ("Answer", "")]

    async def test_tool_calls_come_whole_at_the_end(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        def piece(index: int | None, arguments: str, **more: str) -> bytes:
            function = {"arguments": arguments, **({"name": more["name"]} if "name" in more else {})}
            call = {"function": function, "type": "function", **({"id": more["id"]} if "id" in more else {})}
            return chunk(tool_calls=[call if index is None else {"index": index, **call}])

        pieces = [
            piece(0, "", id="a", name="memory_search"),
            piece(0, '{"query":'),
            piece(0, ' "tea"}'),
            piece(0, "{}", id="b", name="memory_list"),
            chunk(finish_reason="tool_calls"),
            DONE,
        ]
        endpoint.queue(Stream(pieces))

        (last,) = await collect(backend.stream(REQUEST))

        assert last.finish_reason == "tool_calls"
        assert last.tool_calls == (
            ToolCall("a", "memory_search", '{"query": "tea"}'),
            ToolCall("b", "memory_list", "{}"),
        )

    async def test_streams_without_usage_where_it_must(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(failure(400, "Unrecognized field: stream_options"), streamed("Hi"))

        assert (await collect(backend.stream(REQUEST)))[0].text == "Hi"
        assert "stream_options" not in endpoint.received[1].body

    async def test_strange_chunks_are_no_error(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        strange = [
            event({"choices": None}),
            event({"choices": [{"index": 0, "delta": None}]}),
            event({"choices": [{"delta": {}}]}),
        ]
        endpoint.queue(Stream([b": ping\n\n", *strange, chunk("Hi"), chunk(finish_reason="eos"), DONE]))

        deltas = await collect(backend.stream(REQUEST))

        assert (deltas[0].text, deltas[-1].finish_reason) == ("Hi", "stop")

    @pytest.mark.parametrize(
        "pieces",
        [
            pytest.param([b"\xef\xbb\xbf" + chunk("Hi 🚲")], id="byte order mark"),
            pytest.param([(chunk("Hi 🚲")).replace(b"data: ", b"data:").replace(b"\n", b"\r\n")], id="crlf"),
            pytest.param([b"data: \n\n", b"event: ping\n\n", chunk("Hi 🚲")], id="events that say nothing"),
            pytest.param(
                [event_of_half("Hi \ud83d"), event_of_half("\udeb2"), event_of_half("\udeb2")],
                id="halves of a character",
            ),
            pytest.param([chunk([{"type": "text", "text": "Hi 🚲"}])], id="content in parts"),
            pytest.param([chunk(refusal="Hi 🚲")], id="a refusal"),
            pytest.param(
                [chunk("Hi 🚲"), event({"choices": [{"index": 1, "delta": {"content": "b"}}]})], id="choices"
            ),
        ],
    )
    async def test_every_way_to_write_a_stream_tells_the_same(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend, pieces: list[bytes]
    ) -> None:
        endpoint.queue(Stream([*pieces, chunk(finish_reason="stop"), DONE]))

        assert "".join(delta.text for delta in await collect(backend.stream(REQUEST))) == "Hi 🚲"

    async def test_a_server_that_answers_at_once_instead_of_streaming(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(
            completion("<think>plan</think>Hi", finish_reason="length"),
            Whole({"error": {"message": "the maximum context length is 9"}}),
            Whole({"error": "busy"}),
        )

        assert await collect(backend.stream(REQUEST)) == [
            Delta("Hi", "plan", usage=Usage(11, 7), finish_reason="length")
        ]
        with pytest.raises(ContextTooLong):
            await collect(backend.stream(REQUEST))
        with pytest.raises(ModelUnavailable):
            await collect(backend.stream(REQUEST))

    async def test_a_silent_server_is_left_after_the_time_limit(self, endpoint: ScriptedEndpoint) -> None:
        endpoint.queue(Stream([chunk("Hi"), threading.Event()]))
        backend = OpenAIBackend(endpoint.base_url, KEY, timeout_s=0.2)

        told, broken = await told_before_failure(backend.stream(REQUEST))

        assert (told, type(broken)) == ("Hi", StreamBroken)


class TestLeaving:
    """Whoever stops reading closes the connection to the server at once, so that it can stop writing."""

    async def test_by_closing_the_generator(self, endpoint: ScriptedEndpoint, backend: OpenAIBackend) -> None:
        endpoint.queue(Stream([chunk("Hi"), threading.Event(), chunk("never")]))
        stream = client_over(backend).stream(REQUEST)

        assert (await anext(stream)).text == "Hi"
        await stream.aclose()

        assert await asyncio.to_thread(endpoint.left.wait, 5)

    async def test_by_cancelling_the_task_that_waits(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(Stream([chunk("Hi"), threading.Event(), chunk("never")]))
        first = asyncio.Event()

        async def read() -> None:
            async for _ in client_over(backend).stream(REQUEST):
                first.set()

        reading = asyncio.create_task(read())
        await asyncio.wait_for(first.wait(), 5)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

        assert await asyncio.to_thread(endpoint.left.wait, 5)

    def test_one_backend_serves_streams_of_several_event_loops(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.otherwise = streamed("Hi")

        told = [asyncio.run(told_before_failure(backend.stream(REQUEST))) for _ in range(3)]

        assert told == [("Hi", None)] * 3
