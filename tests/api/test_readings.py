"""Having something read at once: a conversation that stands, or messages handed in."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.errors import ModelTimeout
from memoryapp.llm.types import ChatRequest
from tests.conftest import Call, Person

FACTS = "/memory/juno/facts"
SAID = [
    {"role": "user", "content": "I moved to Delft last week.", "at": "2026-05-04T09:00:00Z"},
    {"role": "assistant", "content": "How is it there?", "at": "2026-05-04T09:01:00Z"},
]


def keeping(text: str) -> Any:
    def answer(request: ChatRequest) -> Any:
        if request.task == "chat":
            return "Noted."
        operation = {"op": "ADD", "text": text, "category": "identity", "evidence": [1], "explicit": True}
        return {"should_update": True, "reason": "moved", "operations": [operation]}

    return answer


@pytest.fixture
def reader(model: ScriptedBackend) -> ScriptedBackend:
    model.answer_always(keeping("Alice lives in Delft."))
    return model


def test_messages_are_read_and_what_came_of_them_is_told(
    call: Call, alice: Person, reader: ScriptedBackend
) -> None:
    body = {"infer": True, "messages": SAID, "conversationId": "import", "endUserId": "ann"}

    answer = call(alice, "POST", FACTS, body)

    assert answer.status_code == 200
    told = answer.json()
    assert (told["conversationId"], told["status"]) == ("import", "succeeded")
    assert [(row["operation"], row["text"]) for row in told["changes"]] == [("ADD", "Alice lives in Delft.")]
    facts = call(alice, "GET", f"{FACTS}?endUserId=ann").json()["results"]
    assert [row["text"] for row in facts] == ["Alice lives in Delft."]
    assert call(alice, "GET", FACTS).json()["count"] == 0
    memory = call(alice, "GET", "/conversations/import/memory?endUserId=ann").json()
    assert memory["extractedThrough"] == 2


@pytest.mark.parametrize(
    "body",
    [
        {"infer": "true", "messages": SAID},
        {"infer": False, "messages": SAID},
        {"infer": True},
        {"infer": True, "messages": []},
        {"infer": True, "messages": "hello"},
        {"infer": True, "messages": [{"role": "system", "content": "x"}]},
        {"infer": True, "messages": [{"role": "user", "content": " "}]},
        {"infer": True, "messages": [{"role": "user", "content": 5}]},
    ],
)
def test_messages_that_cannot_be_read(
    call: Call, alice: Person, reader: ScriptedBackend, body: dict[str, Any]
) -> None:
    assert call(alice, "POST", FACTS, body).status_code == 400
    assert call(alice, "GET", "/conversations").json()["count"] == 0


def test_a_model_that_is_away_is_told_and_the_messages_are_kept(
    call: Call, alice: Person, model: ScriptedBackend
) -> None:
    model.queue(ModelTimeout())

    answer = call(alice, "POST", FACTS, {"infer": True, "messages": SAID, "conversationId": "import"})

    assert (answer.status_code, answer.json()["errors"]) == (503, {"model": ["model_timeout"]})
    assert call(alice, "GET", "/conversations/import").json()["messageCount"] == 2


class TestSummarize:
    @pytest.fixture(autouse=True)
    def talk(self, call: Call, alice: Person, reader: ScriptedBackend) -> None:
        body = {"agentId": "juno", "message": "I live in Delft now.", "conversationId": "a/talk"}
        assert call(alice, "POST", "/chat", body).status_code == 200

    def test_waits_for_what_came_of_it(self, call: Call, alice: Person) -> None:
        answer = call(alice, "POST", "/memory/juno/summarize/a/talk?wait=true")

        assert answer.status_code == 200
        assert [row["text"] for row in answer.json()["changes"]] == ["Alice lives in Delft."]

    def test_or_leaves_it_to_the_worker(self, call: Call, alice: Person) -> None:
        answer = call(alice, "POST", "/memory/juno/summarize/a/talk")

        assert answer.status_code == 202
        drain()
        event = call(alice, "GET", f"/events/{answer.json()['eventId']}").json()
        assert event["status"] == "SUCCEEDED"
        assert call(alice, "GET", FACTS).json()["count"] == 1

    def test_of_somebody_elses_conversation_is_not_found(self, call: Call, bob: Person) -> None:
        assert call(bob, "POST", "/memory/juno/summarize/a/talk").status_code == 404


def test_messages_sent_again_under_their_key_are_kept_and_read_once(call: Call, alice: Person) -> None:
    body = {"infer": True, "messages": [{"role": "user", "content": "I am allergic to peanuts."}]}
    sent = [
        call(alice, "POST", "/memory/juno/facts", body, **{"Idempotency-Key": "k-1"}).json() for _ in range(2)
    ]
    assert sent[0]["conversationId"] == sent[1]["conversationId"]
    assert [len(each["changes"]) for each in sent] == [1, 0]
    talk = sent[0]["conversationId"]
    assert call(alice, "GET", f"/conversations/{talk}/messages").json()["count"] == 1
