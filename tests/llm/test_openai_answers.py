"""The openai backend against a real server: whole answers, failures by their names, and what a server understands."""

from __future__ import annotations

import threading

import pytest
from pydantic import BaseModel

from memoryapp.llm.backends.failures import retry_after
from memoryapp.llm.backends.openai import OpenAIBackend
from memoryapp.llm.errors import (
    ContextTooLong,
    ModelError,
    ModelMisconfigured,
    ModelRateLimited,
    ModelTimeout,
    ModelUnavailable,
)
from memoryapp.llm.types import ChatMessage, ChatRequest, ToolCall, ToolSpec, Usage
from tests.llm.asking import KEY, PROMPT, REQUEST, client_over
from tests.scripted_endpoint import ScriptedEndpoint, Whole, completion, failure


class Reply(BaseModel):
    should_update: bool


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

    def test_content_in_parts(self, endpoint: ScriptedEndpoint, backend: OpenAIBackend) -> None:
        thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "plan"}]}
        endpoint.queue(completion("", content=[thinking, {"type": "text", "text": "Hi"}]))

        answer = backend.complete(REQUEST)

        assert (answer.text, answer.reasoning) == ("Hi", "plan")

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
            (Whole({"error": {"message": f"{PROMPT}: prompt is too long"}}), ContextTooLong),
            (Whole("null", headers={"Content-Type": "application/json"}), ModelUnavailable),
            (Whole("[]", headers={"Content-Type": "application/json"}), ModelUnavailable),
            (Whole({"choices": [None]}), ModelUnavailable),
            (Whole({"choices": [{"message": None}]}), ModelUnavailable),
            (completion("half an ans", finish_reason="error"), ModelUnavailable),
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
            Whole("<html>Request Entity Too Large</html>", 413),
            failure(400, "input token count is 1500000 but model only supports up to 1048576"),
            failure(400, "输入长度超过模型最大上下文长度"),
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
