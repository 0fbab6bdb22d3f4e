"""The official `openai` package, pointed at our address instead of a model's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import openai
import pytest

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.models import Conversation, Message
from tenants.actions import issue_token
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.scripted_endpoint import (
    ScriptedEndpoint,
    Stream,
    chunk,
    completion,
    failure,
    running_endpoint,
    streamed,
)
from tests.served import served

pytestmark = pytest.mark.django_db(transaction=True)

Connect = Callable[..., openai.OpenAI]


@pytest.fixture
def address(transactional_db: None, settings: Any) -> Iterator[str]:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    with served() as address:
        yield f"{address}/v1"


@pytest.fixture
def connect(address: str) -> Iterator[Connect]:
    made: list[openai.OpenAI] = []

    def connect(token: str, **headers: str) -> openai.OpenAI:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        made.append(openai.OpenAI(base_url=address, api_key=token, default_headers=sent, max_retries=0))
        return made[-1]

    yield connect
    for client in made:
        client.close()


def said(*texts: str, system: str = "") -> list[Any]:
    """A talk: what the user says, and in between what the assistant answered."""
    turns = [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(texts)]
    return [*([{"role": "system", "content": system}] if system else []), *turns]


def stored(who: Person, owner_key: str) -> list[list[str]]:
    """What the person's conversations hold, the oldest first."""
    with workspace_scope(who.workspace):
        talks = Conversation.objects.filter(owner_key=owner_key).order_by("created_at")
        return [
            list(Message.objects.filter(conversation=talk).order_by("number").values_list("text", flat=True))
            for talk in talks
        ]


class TestAgents:
    def test_are_the_models(self, connect: Connect, alice: Person, charlie: Person) -> None:
        client = connect(alice.token)
        (model,) = client.models.list().data
        assert (model.id, model.owned_by) == ("juno", "harbour")
        assert client.models.retrieve("juno").id == "juno"
        with pytest.raises(openai.NotFoundError):
            client.models.retrieve("nobody")
        with pytest.raises(openai.NotFoundError):
            connect(charlie.token).models.retrieve(str(alice.agent.pk))

    def test_answer_from_what_they_remember_of_one_end_user(
        self, connect: Connect, alice: Person, charlie: Person
    ) -> None:
        client = connect(alice.token)
        text = "My name is Ana and I live in Lisbon. Please remember that."
        first = client.chat.completions.create(model="juno", messages=said(text), user="ana")
        assert first.choices[0].finish_reason == "stop"
        assert first.id.startswith("chatcmpl-")
        drain()
        question = said("In which city do I live?")
        known = client.chat.completions.create(model="juno", messages=question, user="ana")
        assert "Lisbon" in str(known.choices[0].message.content)
        assert "Lisbon" in str(known.model_extra)
        for other in (
            client.chat.completions.create(model="juno", messages=question, user="ben"),
            connect(charlie.token).chat.completions.create(model="juno", messages=question, user="ana"),
        ):
            assert "Lisbon" not in str(other)

    def test_are_told_what_the_application_says_and_go_on_with_the_talk(
        self, connect: Connect, alice: Person, model: ScriptedBackend
    ) -> None:
        client = connect(alice.token)
        ask = client.chat.completions.create
        ask(
            model="juno", messages=said("Hello.", system="Answer like a pirate."), user="ana", temperature=0.3
        )
        request = model.requests[-1]
        assert "Answer like a pirate." in request.messages[0].content
        assert request.temperature == 0.3
        ask(model="juno", messages=said("Hello.", "Noted.", "And now?"), user="ana")
        assert [each.content for each in model.requests[-1].messages][-3:] == ["Hello.", "Noted.", "And now?"]
        assert stored(alice, "api:ana") == [["Hello.", "Noted.", "And now?", "Noted."]]
        ask(model="juno", messages=said("Hello."), user="ana")
        assert len(stored(alice, "api:ana")) == 2

    def test_take_up_a_talk_that_began_elsewhere(
        self, connect: Connect, alice: Person, model: ScriptedBackend
    ) -> None:
        talk = said("I like chess.", "Good.", "What next?")
        connect(alice.token).chat.completions.create(model="juno", messages=talk, user="ana")
        assert stored(alice, "api:ana") == [["I like chess.", "Good.", "What next?", "Noted."]]
        assert "I like chess." in [each.content for each in model.requests[-1].messages]

    def test_know_a_talk_by_its_name(self, connect: Connect, alice: Person, model: ScriptedBackend) -> None:
        client = connect(alice.token, X_Conversation_Id="talk-7", X_End_User="ana")
        for text in ("Hello.", "And now?"):
            raw = client.chat.completions.with_raw_response.create(model="juno", messages=said(text))
            assert raw.headers["X-Conversation-Id"] == "talk-7"
        assert stored(alice, "api:ana") == [["Hello.", "Noted.", "And now?", "Noted."]]

    def test_a_talk_that_is_named_begins_with_what_was_said_elsewhere(
        self, connect: Connect, alice: Person, model: ScriptedBackend
    ) -> None:
        client = connect(alice.token, X_Conversation_Id="talk-8", X_End_User="ana")
        earlier: Any = [
            {"role": "user", "content": "I rent a crane."},
            {"role": "assistant", "content": "Good."},
        ]
        for text in ("Which one?", "And now?"):
            client.chat.completions.create(model="juno", messages=[*earlier, *said(text)])
        assert [message.content for message in model.requests[0].messages][1:3] == [
            "I rent a crane.",
            "Good.",
        ]
        assert stored(alice, "api:ana") == [
            ["I rent a crane.", "Good.", "Which one?", "Noted.", "And now?", "Noted."]
        ]

    def test_a_request_that_is_sent_again_under_its_key_is_one_turn(
        self, connect: Connect, alice: Person, model: ScriptedBackend
    ) -> None:
        earlier: Any = [
            {"role": "user", "content": "I rent a crane."},
            {"role": "assistant", "content": "Good."},
        ]
        first = connect(alice.token, X_End_User="ana", Idempotency_Key="k1")
        second = connect(alice.token, X_End_User="ana", Idempotency_Key="k2")
        asked: Any = [*earlier, *said("Which one?")]
        further: Any = [*asked, {"role": "assistant", "content": "Noted."}, *said("And now?")]
        ids = [
            client.chat.completions.create(model="juno", messages=talk).id
            for client, talk in ((first, asked), (first, asked), (second, further), (second, further))
        ]
        assert len(set(ids)) == 2
        assert stored(alice, "api:ana") == [
            ["I rent a crane.", "Good.", "Which one?", "Noted.", "And now?", "Noted."]
        ]

    def test_say_when_the_model_was_cut_short(
        self, connect: Connect, alice: Person, model: ScriptedBackend
    ) -> None:
        client = connect(alice.token)
        model.queue(Scripted("Half", finish_reason="length"), Scripted("Half", finish_reason="length"))
        whole = client.chat.completions.create(model="juno", messages=said("Hello."), user="ana")
        *_, last = client.chat.completions.create(
            model="juno", messages=said("Go on."), user="ana", stream=True
        )
        assert whole.choices[0].finish_reason == last.choices[0].finish_reason == "length"

    def test_answer_piece_by_piece(self, connect: Connect, alice: Person, model: ScriptedBackend) -> None:
        client = connect(alice.token)
        options: Any = {"stream": True, "stream_options": {"include_usage": True}}
        chunks = list(
            client.chat.completions.create(model="juno", messages=said("Hello."), user="ana", **options)
        )
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "Noted."
        assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
        assert chunks[-1].usage is not None
        assert len({chunk.id for chunk in chunks}) == 1
        assert stored(alice, "api:ana") == [["Hello.", "Noted."]]

    def test_a_line_end_of_another_alphabet_ends_no_chunk(
        self, connect: Connect, alice: Person, model: ScriptedBackend
    ) -> None:
        model.queue("one\u2028two")
        chunks = connect(alice.token).chat.completions.create(
            model="juno", messages=said("Hello."), stream=True
        )
        assert "".join(each.choices[0].delta.content or "" for each in chunks) == "one\u2028two"

    def test_without_an_end_user_it_is_the_tokens_own(self, connect: Connect, alice: Person) -> None:
        connect(alice.token).chat.completions.create(model="juno", messages=said("Hello."))
        assert stored(alice, alice.principal.owner_key)


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "kind"),
        [
            ({"messages": []}, openai.BadRequestError),
            ({"messages": [{"role": "assistant", "content": "x"}]}, openai.BadRequestError),
            ({"messages": [{"role": "robot", "content": "x"}]}, openai.BadRequestError),
            ({"messages": [{"role": "user", "content": 7}]}, openai.BadRequestError),
            ({"temperature": 7}, openai.BadRequestError),
            ({"max_tokens": 0}, openai.BadRequestError),
            ({"user": " "}, openai.BadRequestError),
            ({"user": "system"}, openai.BadRequestError),
            ({"model": "no-such-model"}, openai.NotFoundError),
        ],
    )
    def test_are_told_as_the_package_reads_them(
        self, connect: Connect, alice: Person, change: Any, kind: type[openai.APIStatusError]
    ) -> None:
        body = {"model": "juno", "messages": said("Hello."), "user": "ana", **change}
        with pytest.raises(kind) as refusal:
            connect(alice.token).chat.completions.create(**body)
        assert refusal.value.message
        assert refusal.value.code

    def test_of_tokens(self, connect: Connect, alice: Person) -> None:
        with pytest.raises(openai.AuthenticationError):
            connect("map_wrong").models.list()
        _, narrow = issue_token(principal=alice.principal, name="n", scopes=["memory:read"])
        with pytest.raises(openai.PermissionDeniedError):
            connect(narrow).chat.completions.create(model="juno", messages=said("Hello."))
        _, bound = issue_token(principal=alice.principal, name="ana's", end_user="ana")
        with pytest.raises(openai.PermissionDeniedError):
            connect(bound).chat.completions.create(model="juno", messages=said("Hello."), user="ben")


def test_embeddings_are_those_of_memories(connect: Connect, alice: Person) -> None:
    create = connect(alice.token).embeddings.create
    one, two = create(model="any", input=["likes tea", "the harbour"]).data
    plain = create(model="any", input="likes tea", encoding_format="float").data[0]
    assert len(one.embedding) == 384
    assert plain.embedding == pytest.approx(one.embedding, abs=1e-5)
    assert two.embedding != one.embedding
    for bad in ([], [""], [[1, 2]]):
        with pytest.raises(openai.BadRequestError):
            create(model="any", input=bad)  # type: ignore[arg-type] # what must be refused
    with pytest.raises(openai.BadRequestError):
        create(model="any", input="x", dimensions=7)


class TestOtherModels:
    """An application that talks to a model gets a memory by changing its base address."""

    @pytest.fixture
    def endpoint(self, settings: Any) -> Iterator[ScriptedEndpoint]:
        with running_endpoint() as endpoint:
            settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = endpoint.base_url, "m", "none"
            settings.LLM_MAX_RETRIES = 0
            yield endpoint

    def remember(self, address: str, alice: Person, text: str) -> None:
        body = {"messages": text, "user_id": "ana", "infer": False}
        httpx2.post(f"{address}/memories/", json=body, headers=alice.headers).raise_for_status()

    def test_pass_through_with_memory_and_are_kept(
        self, connect: Connect, address: str, alice: Person, endpoint: ScriptedEndpoint
    ) -> None:
        self.remember(address, alice, "User drinks oat milk in coffee")
        endpoint.queue(completion("Oat milk, as always."))
        tools: Any = [{"type": "function", "function": {"name": "brew", "parameters": {"type": "object"}}}]
        client = connect(alice.token, X_Agent="juno", X_End_User="ana")
        talk = said("Which milk do I take?", system="You run a café.")
        answer = client.chat.completions.create(model="big-model", messages=talk, tools=tools, seed=7)
        assert answer.choices[0].message.content == "Oat milk, as always."
        sent = endpoint.received[-1].body
        assert (sent["model"], sent["seed"], sent["tools"]) == ("big-model", 7, tools)
        assert "user" not in sent
        contents = [message["content"] for message in sent["messages"]]
        assert (contents[0], contents[-1]) == ("You run a café.", "Which milk do I take?")
        assert "oat milk" in contents[1]
        assert stored(alice, "api:ana") == [["Which milk do I take?", "Oat milk, as always."]]

    def test_stream_through(self, connect: Connect, alice: Person, endpoint: ScriptedEndpoint) -> None:
        endpoint.queue(streamed("Oat ", "milk."))
        client = connect(alice.token)
        talk = said("Which milk do I take?")
        chunks = list(
            client.chat.completions.create(model="big-model", messages=talk, user="ana", stream=True)
        )
        assert "".join(each.choices[0].delta.content or "" for each in chunks if each.choices) == "Oat milk."
        assert stored(alice, "api:ana") == [["Which milk do I take?", "Oat milk."]]

    def test_stream_through_as_the_bytes_are_and_keep_no_thinking(
        self, address: str, alice: Person, endpoint: ScriptedEndpoint
    ) -> None:
        sent = chunk("<think>plan</think>Oat\u2028milk.") + chunk(finish_reason="stop")
        endpoint.queue(Stream([bytes([each]) for each in sent.replace(b"data: ", b"data:")]))
        body = {"model": "big", "messages": said("Which milk?"), "user": "ana", "stream": True}
        answer = httpx2.post(f"{address}/chat/completions", json=body, headers=alice.headers)
        assert answer.content == sent.replace(b"data: ", b"data:")
        assert stored(alice, "api:ana") == [["Which milk?", "Oat\u2028milk."]]

    def test_tell_their_own_failures(
        self, connect: Connect, alice: Person, endpoint: ScriptedEndpoint
    ) -> None:
        endpoint.queue(failure(429, "slow down"))
        with pytest.raises(openai.RateLimitError, match="slow down"):
            connect(alice.token).chat.completions.create(
                model="big-model", messages=said("Hello."), user="ana"
            )
        assert stored(alice, "api:ana") == []
