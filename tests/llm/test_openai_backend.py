"""The openai backend against a real server: answers, failures, and streams down to their bytes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from itertools import pairwise

import pytest
from pydantic import BaseModel

from memoryapp.llm.backends import openai as backend_module
from memoryapp.llm.backends.failures import retry_after
from memoryapp.llm.backends.openai import OpenAIBackend
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import (
    ContextTooLong,
    ModelError,
    ModelMisconfigured,
    ModelRateLimited,
    ModelTimeout,
    ModelUnavailable,
    StreamBroken,
)
from memoryapp.llm.retries import RetryPolicy
from memoryapp.llm.types import ChatMessage, ChatRequest, Delta, ToolCall, ToolSpec, Usage
from tests.scripted_endpoint import (
    DONE,
    ScriptedEndpoint,
    Stream,
    Whole,
    chunk,
    completion,
    event,
    failure,
    running_endpoint,
    streamed,
)

KEY = "made-up-key"
PROMPT = "the person's own words"
REQUEST = ChatRequest((ChatMessage("system", "be kind"), ChatMessage("user", PROMPT)), model="m")


class Reply(BaseModel):
    should_update: bool


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with running_endpoint() as server:
        yield server
    backend_module._dialects.clear()


@pytest.fixture
def backend(endpoint: ScriptedEndpoint) -> Iterator[OpenAIBackend]:
    backend = OpenAIBackend(endpoint.base_url, KEY, timeout_s=5)
    yield backend
    backend.close()


def client_over(backend: OpenAIBackend, retries: int = 2) -> LLMClient:
    return LLMClient(backend, retries=RetryPolicy(max_retries=retries, first_wait=0.0))


async def collect(deltas: AsyncGenerator[Delta, None]) -> list[Delta]:
    return [delta async for delta in deltas]


async def told_before_failure(deltas: AsyncGenerator[Delta, None]) -> tuple[str, ModelError | None]:
    told = ""
    try:
        async for delta in deltas:
            told += delta.text
    except ModelError as broken:
        return told, broken
    return told, None


class TestComplete:
    def test_sends_the_request_and_reads_the_answer(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(completion("Hello"))

        answer = backend.complete(ChatRequest(REQUEST.messages, model="m", max_tokens=50, temperature=0.0))

        assert (answer.text, answer.finish_reason, answer.usage, answer.model) == (
            "Hello",
            "stop",
            Usage(11, 7),
            "m",
        )
        (received,) = endpoint.received
        assert received.path == "/v1/chat/completions"
        assert received.headers["authorization"] == f"Bearer {KEY}"
        assert received.body == {
            "model": "m",
            "messages": [{"role": "system", "content": "be kind"}, {"role": "user", "content": PROMPT}],
            "max_tokens": 50,
            "temperature": 0.0,
        }

    def test_keeps_thinking_apart(self, endpoint: ScriptedEndpoint, backend: OpenAIBackend) -> None:
        endpoint.queue(
            completion("<think>plan</think>Hi", reasoning_content="first "), completion("Hi", reasoning="so")
        )

        first, second = backend.complete(REQUEST), backend.complete(REQUEST)

        assert (first.text, first.reasoning) == ("Hi", "first plan")
        assert (second.text, second.reasoning) == ("Hi", "so")

    def test_tool_calls_there_and_back(self, endpoint: ScriptedEndpoint, backend: OpenAIBackend) -> None:
        function = {"name": "memory_search", "arguments": '{"query": "tea"}'}
        calls = [{"id": "c1", "type": "function", "function": function}]
        endpoint.queue(completion("", finish_reason="tool_calls", tool_calls=calls), completion("Lapsang"))
        tool = ToolSpec("memory_search", "Search.", {"type": "object", "properties": {}})

        asked = backend.complete(ChatRequest(REQUEST.messages, model="m", tools=(tool,)))
        assert asked.tool_calls == (ToolCall("c1", "memory_search", '{"query": "tea"}'),)
        assert asked.finish_reason == "tool_calls"

        messages = (*REQUEST.messages, ChatMessage("assistant", "", tool_calls=asked.tool_calls))
        backend.complete(ChatRequest((*messages, ChatMessage("tool", "found", tool_call_id="c1")), model="m"))
        sent = endpoint.received[1].body["messages"]
        assert sent[2]["tool_calls"] == calls
        assert sent[3] == {"role": "tool", "content": "found", "tool_call_id": "c1"}
        assert endpoint.received[0].body["tools"][0]["function"]["name"] == "memory_search"

    @pytest.mark.parametrize(
        ("answer", "error"),
        [
            (failure(401, f"Incorrect API key provided: {KEY}"), ModelMisconfigured),
            (failure(403), ModelMisconfigured),
            (failure(404, "The model does not exist"), ModelMisconfigured),
            (failure(400, f"bad request: {PROMPT}"), ModelMisconfigured),
            (failure(429, "You exceeded your current quota", code="insufficient_quota"), ModelMisconfigured),
            (failure(429), ModelRateLimited),
            (failure(500), ModelUnavailable),
            (failure(503), ModelUnavailable),
            (failure(301, location="http://127.0.0.1:1/"), ModelMisconfigured),
            (Whole("<html>Welcome</html>"), ModelUnavailable),
            (Whole("{", headers={"Content-Type": "application/json"}), ModelUnavailable),
            (Whole({"choices": []}), ModelUnavailable),
            (Whole({"error": {"message": "busy"}}), ModelUnavailable),
        ],
    )
    def test_failures_are_named_and_never_quote(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend, answer: Whole, error: type[ModelError]
    ) -> None:
        endpoint.queue(answer)

        with pytest.raises(error) as failed:
            backend.complete(REQUEST)

        shown = f"{failed.value} {failed.value!r} {failed.value.__cause__} {failed.value.detail}"
        assert KEY not in shown
        assert PROMPT not in shown

    @pytest.mark.parametrize(
        "answer",
        [
            failure(400, "no", code="context_length_exceeded"),
            failure(
                400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."
            ),
            failure(400, "the request exceeds the available context size, try increasing it"),
            failure(422, "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000"),
            failure(
                400, "The input token count (200000) exceeds the maximum number of tokens allowed (131072)."
            ),
            failure(400, "Invalid request: Your request exceeded model token limit: 8192"),
            failure(
                400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]"
            ),
            failure(400, "prompt is too long: 210000 tokens > 200000 maximum"),
            failure(413, "Request too large for model: reduce the length of the messages"),
        ],
    )
    def test_recognises_a_context_that_is_too_long(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend, answer: Whole
    ) -> None:
        endpoint.queue(answer)

        with pytest.raises(ContextTooLong):
            backend.complete(REQUEST)

    def test_nobody_there(self) -> None:
        with pytest.raises(ModelUnavailable):
            OpenAIBackend("http://127.0.0.1:9/v1", KEY, timeout_s=2).complete(REQUEST)

    def test_no_answer_in_time(self, endpoint: ScriptedEndpoint) -> None:
        release = threading.Event()
        endpoint.queue(Whole("late", hold=release))

        with pytest.raises(ModelTimeout):
            OpenAIBackend(endpoint.base_url, KEY, timeout_s=0.1).complete(REQUEST)
        release.set()

    def test_waits_as_long_as_the_server_asks(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(failure(429, retry_after="0.01"), failure(503), completion("there"))

        assert client_over(backend).complete(REQUEST).text == "there"
        assert len(endpoint.received) == 3

    def test_but_not_for_ever(self, endpoint: ScriptedEndpoint, backend: OpenAIBackend) -> None:
        endpoint.queue(failure(429, retry_after="3600"))

        with pytest.raises(ModelRateLimited) as limited:
            client_over(backend).complete(REQUEST)
        assert limited.value.retry_after == 3600
        assert len(endpoint.received) == 1

    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({"retry-after": "2"}, 2),
            ({"retry-after-ms": "1500"}, 1.5),
            ({}, None),
            ({"retry-after": "soon"}, None),
        ],
    )
    def test_reads_every_form_of_retry_after(self, headers: dict[str, str], seconds: float | None) -> None:
        assert retry_after(headers) == seconds

    def test_reads_a_date_as_retry_after(self) -> None:
        assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


class TestDialects:
    request = ChatRequest(REQUEST.messages, model="m", max_tokens=9, temperature=0.0)

    def test_asks_for_a_schema_and_gives_it_up_once_per_address(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(
            failure(400, "'response_format.type' must be 'text'"),
            failure(400, "json_object is not supported"),
        )
        endpoint.otherwise = completion('{"should_update": true}')
        client = client_over(backend)

        assert client.complete_json(REQUEST, Reply).value.should_update
        assert client.complete_json(REQUEST, Reply).value.should_update

        formats = [received.body.get("response_format", {}).get("type") for received in endpoint.received]
        assert formats == ["json_schema", "json_object", None, None]
        assert endpoint.received[0].body["response_format"]["json_schema"]["name"] == "Reply"

    def test_a_context_that_is_too_long_is_no_lack_of_schemas(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(failure(400, "maximum context length", code="context_length_exceeded"))
        endpoint.otherwise = completion('{"should_update": true}')

        with pytest.raises(ContextTooLong):
            client_over(backend).complete_json(REQUEST, Reply)
        client_over(backend).complete_json(REQUEST, Reply)

        assert endpoint.received[1].body["response_format"]["type"] == "json_schema"

    def test_nothing_is_learnt_from_a_request_that_fails_either_way(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(failure(400), failure(400), failure(400), completion('{"should_update": true}'))

        with pytest.raises(ModelMisconfigured):
            client_over(backend).complete_json(REQUEST, Reply)
        client_over(backend).complete_json(REQUEST, Reply)

        assert endpoint.received[-1].body["response_format"]["type"] == "json_schema"

    def test_says_the_limit_as_newer_models_want_it(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(
            failure(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
            failure(400, "Unsupported value: 'temperature' does not support 0.0."),
            completion("Hi"),
        )

        backend.complete(self.request)

        assert endpoint.received[-1].body["max_completion_tokens"] == 9
        assert "temperature" not in endpoint.received[-1].body

    async def test_streams_without_usage_where_it_must(
        self, endpoint: ScriptedEndpoint, backend: OpenAIBackend
    ) -> None:
        endpoint.queue(failure(400, "Unrecognized field: stream_options"), streamed("Hi"))

        assert (await collect(backend.stream(REQUEST)))[0].text == "Hi"
        assert "stream_options" not in endpoint.received[1].body


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
