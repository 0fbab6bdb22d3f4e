"""The client's promises over any backend: retries, streams told once, structured replies with one repair."""

from __future__ import annotations

import asyncio
import threading

import pytest
from pydantic import BaseModel

from memoryapp.llm.backends.scripted import Script, Scripted, ScriptedBackend, ScriptExhausted, shared_script
from memoryapp.llm.client import LLMClient, ModelConfig, build_client
from memoryapp.llm.errors import (
    BadReply,
    ContextTooLong,
    MalformedReply,
    ModelError,
    ModelMisconfigured,
    ModelRateLimited,
    ModelTimeout,
    ModelUnavailable,
    StreamBroken,
    TruncatedReply,
)
from memoryapp.llm.retries import RetryPolicy
from memoryapp.llm.types import ChatMessage, ChatRequest, Delta, ToolCall, Usage

REQUEST = ChatRequest((ChatMessage("user", "hi"),))
AT_ONCE = RetryPolicy(first_wait=0.0)
GOOD = '{"should_update": true, "daily_entry": "Moved to Porto."}'


class Reply(BaseModel):
    should_update: bool
    daily_entry: str = ""


def client_of(*answers: Script, otherwise: Script | None = None) -> tuple[LLMClient, ScriptedBackend]:
    backend = ScriptedBackend(*answers, otherwise=otherwise)
    return LLMClient(backend, model="m", retries=AT_ONCE), backend


async def collect(client: LLMClient) -> list[Delta]:
    return [delta async for delta in client.stream(REQUEST)]


class TestRetryPolicy:
    policy = RetryPolicy(max_retries=2, first_wait=0.5, longest_wait=20)

    @pytest.mark.parametrize(
        ("failure", "retries", "wait"),
        [
            (ModelTimeout(), 0, 0.5),
            (ModelUnavailable(), 1, 1.0),
            (ModelUnavailable(), 2, None),
            (ModelRateLimited(7), 0, 7),
            (ModelRateLimited(), 0, 0.5),
            (ModelRateLimited(600), 0, None),
            (ModelMisconfigured(), 0, None),
            (ContextTooLong(), 0, None),
            (MalformedReply(), 0, None),
            (TruncatedReply(), 0, None),
            (StreamBroken(started=False), 0, 0.5),
        ],
    )
    def test_waits_only_where_it_may_help(
        self, failure: ModelError, retries: int, wait: float | None
    ) -> None:
        assert self.policy.wait_before_retry(failure, retries) == wait


class TestComplete:
    def test_tries_again_after_a_failure_that_may_pass(self) -> None:
        client, backend = client_of(ModelUnavailable(), ModelTimeout(), "there")

        assert client.complete(REQUEST).text == "there"
        assert len(backend.requests) == 3

    def test_gives_up_after_the_last_retry(self) -> None:
        client, backend = client_of(otherwise=ModelUnavailable())

        with pytest.raises(ModelUnavailable):
            client.complete(REQUEST)
        assert len(backend.requests) == 3

    def test_does_not_repeat_what_cannot_help(self) -> None:
        client, backend = client_of(otherwise=ModelMisconfigured())

        with pytest.raises(ModelMisconfigured):
            client.complete(REQUEST)
        assert len(backend.requests) == 1

    def test_names_its_model_unless_the_request_does(self) -> None:
        client, backend = client_of(otherwise="x")
        client.complete(REQUEST)
        client.complete(ChatRequest(REQUEST.messages, model="other"))

        assert [request.model for request in backend.requests] == ["m", "other"]

    def test_a_hook_can_veto_every_call(self) -> None:
        def veto() -> None:
            raise RuntimeError("inside a transaction")

        backend = ScriptedBackend(otherwise="x")
        client = LLMClient(backend, before_call=veto)

        with pytest.raises(RuntimeError, match="inside a transaction"):
            client.complete(REQUEST)
        with pytest.raises(RuntimeError, match="inside a transaction"):
            asyncio.run(collect(client))
        assert backend.requests == []


class TestStream:
    async def test_tells_the_pieces_and_the_end(self) -> None:
        call = ToolCall("1", "memory_search", "{}")
        client, _ = client_of(Scripted(chunks=("Hel", "lo"), tool_calls=(call,), finish_reason="tool_calls"))

        *pieces, last = await collect(client)

        assert [piece.text for piece in pieces] == ["Hel", "lo"]
        assert (last.finish_reason, last.tool_calls, last.usage) == ("tool_calls", (call,), Usage(10, 5))

    async def test_tries_again_before_the_first_piece(self) -> None:
        client, backend = client_of(ModelUnavailable(), Scripted(breaks_off=True), "there")

        assert "".join(delta.text for delta in await collect(client)) == "there"
        assert len(backend.requests) == 3

    async def test_never_after_it(self) -> None:
        client, backend = client_of(Scripted(chunks=("Hello wor",), breaks_off=True), "Hello world")
        stream = client.stream(REQUEST)

        assert (await anext(stream)).text == "Hello wor"
        with pytest.raises(StreamBroken) as broken:
            await anext(stream)

        assert broken.value.started
        assert len(backend.requests) == 1

    async def test_leaving_reaches_the_backend_at_once(self) -> None:
        client, backend = client_of(Scripted(chunks=("a", "b"), hold=threading.Event(), hold_at=1))
        stream = client.stream(REQUEST)

        assert (await anext(stream)).text == "a"
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

        assert backend.cancelled.is_set()


class TestCompleteJson:
    def test_asks_with_a_schema_and_reads_the_object(self) -> None:
        client, backend = client_of(GOOD)

        reply = client.complete_json(REQUEST, Reply)

        assert reply.value == Reply(should_update=True, daily_entry="Moved to Porto.")
        assert (reply.refused, reply.repaired) == ((), False)
        assert backend.requests[0].schema is not None
        assert backend.requests[0].schema.name == "Reply"

    def test_repairs_once(self) -> None:
        client, backend = client_of("I moved it.", GOOD)

        reply = client.complete_json(REQUEST, Reply)

        assert reply.repaired
        assert reply.value.daily_entry == "Moved to Porto."
        asked, answered, told = backend.requests[1].messages
        assert (asked, answered.content) == (REQUEST.messages[0], "I moved it.")
        assert "holds no complete JSON object" in told.content

    def test_and_only_once(self) -> None:
        client, backend = client_of(otherwise="I'm unable to process this conversation")

        with pytest.raises(MalformedReply) as refused:
            client.complete_json(REQUEST, Reply)

        assert len(backend.requests) == 2
        assert refused.value.raw == "I'm unable to process this conversation"

    def test_what_is_still_wrong_after_the_repair_is_left_out_with_a_reason(self) -> None:
        client, _ = client_of(otherwise={"should_update": True, "daily_entry": ["met Mira"]})

        reply = client.complete_json(REQUEST, Reply)

        assert reply.value == Reply(should_update=True)
        assert reply.refused == ("daily_entry: Input should be a valid string",)

    @pytest.mark.parametrize("text", [GOOD, '{"should_update": true, "daily_entry": "half'])
    def test_an_answer_that_was_cut_off_is_never_used(self, text: str) -> None:
        client, backend = client_of(otherwise=Scripted(text, finish_reason="length"))

        with pytest.raises(TruncatedReply):
            client.complete_json(REQUEST, Reply)
        assert len(backend.requests) == 1

    def test_not_even_when_it_is_the_repair(self) -> None:
        client, _ = client_of("no", Scripted(GOOD, finish_reason="length"))

        with pytest.raises(TruncatedReply):
            client.complete_json(REQUEST, Reply)

    def test_a_filtered_answer_is_malformed(self) -> None:
        client, _ = client_of(otherwise=Scripted("", finish_reason="content_filter"))

        with pytest.raises(MalformedReply, match="filtered"):
            client.complete_json(REQUEST, Reply)


class TestBuildClient:
    @pytest.mark.parametrize(
        ("config", "backend"),
        [
            (ModelConfig(), "offline"),
            (ModelConfig(base_url="http://127.0.0.1:1/v1"), "openai"),
            (ModelConfig(api_key="x"), "openai"),
            (ModelConfig("offline", base_url="http://127.0.0.1:1/v1"), "offline"),
            (ModelConfig("scripted"), "scripted"),
        ],
    )
    def test_chooses_the_backend(self, config: ModelConfig, backend: str) -> None:
        assert config.chosen_backend == backend

    def test_scripted_clients_share_one_script(self) -> None:
        assert build_client(ModelConfig("scripted")).backend is shared_script

    def test_a_configuration_keeps_its_connections(self) -> None:
        config = ModelConfig(base_url="http://127.0.0.1:1/v1", model="m")

        assert build_client(config).backend is build_client(config).backend

    def test_a_server_without_a_model_name_is_a_mistake(self) -> None:
        with pytest.raises(ModelMisconfigured, match="No model name"):
            build_client(ModelConfig(base_url="http://127.0.0.1:1/v1"))

    def test_never_shows_its_key(self) -> None:
        assert "hush" not in repr(ModelConfig(api_key="hush"))


class TestScript:
    def test_answers_by_the_request(self) -> None:
        client, _ = client_of(otherwise=lambda request: f"you said {request.messages[-1].content}")

        assert client.complete(REQUEST).text == "you said hi"

    def test_says_when_nothing_is_scripted(self) -> None:
        client, _ = client_of()

        with pytest.raises(ScriptExhausted):
            client.complete(REQUEST)

    def test_runs_its_hook_before_each_call(self) -> None:
        client, backend = client_of(otherwise="x")
        calls: list[int] = []
        backend.before_call = lambda: calls.append(1)
        client.complete(REQUEST)
        backend.reset()

        assert calls == [1]
        assert backend.requests == []

    def test_holds_until_released(self) -> None:
        release = threading.Event()
        client, backend = client_of(Scripted("late", hold=release))
        answers: list[str] = []
        thread = threading.Thread(target=lambda: answers.append(client.complete(REQUEST).text))
        thread.start()
        assert not answers
        release.set()
        thread.join()

        assert answers == ["late"]
        assert len(backend.requests) == 1


@pytest.mark.parametrize(
    "error", [ModelError, ModelTimeout, ModelUnavailable, ModelRateLimited, ContextTooLong, BadReply]
)
def test_every_error_has_a_sentence_and_a_word(error: type[ModelError]) -> None:
    failure = error()

    assert failure.detail.endswith(".")
    assert failure.code == failure.code.lower()
    assert str(failure) == failure.detail
