"""Talking to an agent over HTTP: what is accepted, what is refused, and what a retry gives."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.errors import ModelUnavailable
from memoryapp.models import Message
from tenants.actions import issue_token
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person


def said(who: Person) -> int:
    with workspace_scope(who.workspace):
        return Message.objects.filter(role="user").count()


def test_a_message_is_answered(call: Call, alice: Person, model: ScriptedBackend) -> None:
    body = {"agentId": "juno", "message": "Hello.", "conversationId": "talk", "endUserId": "ann"}

    answer = call(alice, "POST", "/chat", body)

    assert answer.status_code == 200
    assert set(answer.json()) == {"conversationId", "messageId", "reply", "recalled", "usage"}
    assert (answer.json()["conversationId"], answer.json()["reply"]) == ("talk", "Noted.")
    messages = call(alice, "GET", "/conversations/talk/messages?endUserId=ann").json()["results"]
    assert [row["text"] for row in messages] == ["Hello.", "Noted."]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"message": ""}, "message"),
        ({"message": " \n "}, "message"),
        ({"message": 5}, "message"),
        ({"message": None}, "message"),
        ({"message": ["a"]}, "message"),
        ({"message": "x" * 64_001}, "message"),
        ({"message": "a\x00b"}, "message"),
        ({"message": "bell \x07"}, "message"),
        ({"agentId": 7}, "agentId"),
        ({"agentId": ""}, "agentId"),
        ({"conversationId": ""}, "conversationId"),
        ({"conversationId": "x" * 129}, "conversationId"),
        ({"conversationId": 5}, "conversationId"),
        ({"conversationId": "a\nb"}, "conversationId"),
        ({"endUserId": ""}, "endUserId"),
        ({"endUserId": "x" * 129}, "endUserId"),
        ({"endUserId": "system"}, "endUserId"),
        ({"endUserId": 42}, "endUserId"),
        ({"endUserId": "a\tb"}, "endUserId"),
        ({"channel": "web"}, "channel"),
        ({"channel": "user"}, "channel"),
        ({"channel": "Bad channel"}, "channel"),
    ],
)
@pytest.mark.parametrize("path", ["/chat", "/chat/stream"])
def test_a_field_that_cannot_be_used(
    call: Call, alice: Person, model: ScriptedBackend, path: str, change: dict[str, Any], field: str
) -> None:
    answer = call(alice, "POST", path, {"agentId": "juno", "message": "Hello.", **change})

    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [field]
    assert said(alice) == 0
    assert not model.requests


def test_the_longest_message(call: Call, alice: Person, model: ScriptedBackend) -> None:
    assert call(alice, "POST", "/chat", {"agentId": "juno", "message": "x " * 32_000}).status_code == 200


def test_a_body_that_is_too_large(call: Call, alice: Person) -> None:
    answer = call(alice, "POST", "/chat", {"agentId": "juno", "message": "x", "more": "y" * 1024 * 1024})

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("agent", ["nobody", "01a00000-0000-7000-8000-000000000000", "juno\x00"])
def test_an_agent_that_does_not_exist(call: Call, alice: Person, model: ScriptedBackend, agent: str) -> None:
    answer = call(alice, "POST", "/chat", {"agentId": agent, "message": "Hello."})

    assert answer.status_code in {400, 404}
    assert not model.requests


def test_an_agent_of_another_workspace_does_not_exist(
    call: Call, alice: Person, charlie: Person, model: ScriptedBackend
) -> None:
    foreign = call(charlie, "POST", "/chat", {"agentId": str(alice.agent.pk), "message": "Hello."})
    missing = call(charlie, "POST", "/chat", {"agentId": "nobody", "message": "Hello."})

    assert foreign.status_code == 404
    assert foreign.content == missing.content


def test_a_token_bound_to_an_agent_talks_to_no_other(
    call: Call, alice: Person, model: ScriptedBackend
) -> None:
    call(alice, "POST", "/agents", {"name": "Other", "slug": "other"})
    token = issue_token(principal=alice.principal, name="bound", agent_id=alice.agent.pk)[1]
    bound = {"Authorization": f"Bearer {token}"}

    assert call(None, "POST", "/chat", {"agentId": "juno", "message": "Hello."}, **bound).status_code == 200
    assert call(None, "POST", "/chat", {"agentId": "other", "message": "Hello."}, **bound).status_code == 404


def test_when_the_model_is_down_the_message_is_kept_and_a_retry_does_not_double_it(
    call: Call, alice: Person, model: ScriptedBackend
) -> None:
    body = {"agentId": "juno", "message": "Remember Delft."}
    model.queue(ModelUnavailable(), "I will.")

    first = call(alice, "POST", "/chat", body, **{"Idempotency-Key": "k1"})
    again = call(alice, "POST", "/chat", body, **{"Idempotency-Key": "k1"})
    once_more = call(alice, "POST", "/chat", body, **{"Idempotency-Key": "k1"})

    assert (first.status_code, first.json()["code"]) == (503, "model_unavailable")
    assert first.json()["errors"] == {"model": ["model_unavailable"]}
    assert again.json()["reply"] == "I will."
    assert once_more.json() == again.json()
    assert said(alice) == 1


def test_a_key_belongs_to_one_message(call: Call, alice: Person, model: ScriptedBackend) -> None:
    key = {"Idempotency-Key": "k1"}
    call(alice, "POST", "/chat", {"agentId": "juno", "message": "One."}, **key)

    other = call(alice, "POST", "/chat", {"agentId": "juno", "message": "Two."}, **key)
    odd = call(
        alice, "POST", "/chat", {"agentId": "juno", "message": "One."}, **{"Idempotency-Key": "k" * 129}
    )

    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    assert odd.status_code == 400


class TestConversations:
    @pytest.mark.parametrize("name", ["talk", "a/b", "talk/messages", "日志 🚲", "100%", "?x=1"])
    def test_is_found_by_the_callers_word_and_by_our_id(
        self, call: Call, alice: Person, model: ScriptedBackend, name: str
    ) -> None:
        from urllib.parse import quote

        call(alice, "POST", "/chat", {"agentId": "juno", "message": "Hello.", "conversationId": name})
        listed = call(alice, "GET", "/conversations").json()["results"]

        assert [row["conversationId"] for row in listed] == [name]
        assert call(alice, "GET", f"/conversations/{listed[0]['id']}/messages").json()["count"] == 2
        if not name.endswith("/messages"):
            assert (
                call(alice, "GET", f"/conversations/{quote(name, safe='')}").json()["id"] == listed[0]["id"]
            )

    def test_the_same_word_of_another_owner_is_another_conversation(
        self, call: Call, alice: Person, model: ScriptedBackend
    ) -> None:
        for owner in ("ann", "ben"):
            body = {
                "agentId": "juno",
                "message": f"I am {owner}.",
                "conversationId": "talk",
                "endUserId": owner,
            }
            call(alice, "POST", "/chat", body)

        for owner in ("ann", "ben"):
            messages = call(alice, "GET", f"/conversations/talk/messages?endUserId={owner}").json()["results"]
            assert [row["text"] for row in messages] == [f"I am {owner}.", "Noted."]
        assert call(alice, "GET", "/conversations").json()["count"] == 0

    def test_is_deleted_with_its_messages(self, call: Call, alice: Person, model: ScriptedBackend) -> None:
        call(alice, "POST", "/chat", {"agentId": "juno", "message": "Hello.", "conversationId": "talk"})

        assert call(alice, "DELETE", "/conversations/talk").status_code == 204
        assert call(alice, "GET", "/conversations/talk").status_code == 404
        assert said(alice) == 0

    def test_says_what_was_made_of_it(self, call: Call, alice: Person, model: ScriptedBackend) -> None:
        call(alice, "POST", "/chat", {"agentId": "juno", "message": "Hello.", "conversationId": "talk"})

        memory = call(alice, "GET", "/conversations/talk/memory").json()

        assert (memory["messageCount"], memory["extractedThrough"], memory["readings"]) == (2, 0, [])


def test_the_preview_is_what_the_model_is_sent(call: Call, alice: Person, model: ScriptedBackend) -> None:
    fact = {"text": "Alice's bicycle is green.", "category": "technical", "endUserId": "ann"}
    call(alice, "POST", "/memory/juno/facts", fact)
    talk = {"agentId": "juno", "conversationId": "talk", "endUserId": "ann"}
    call(alice, "POST", "/chat", {**talk, "message": "Hello."})
    asked = {"message": "What colour is my bicycle?", "conversationId": "talk", "endUserId": "ann"}

    parts = call(alice, "POST", "/agents/juno/context", asked).json()["parts"]
    call(alice, "POST", "/chat", {**talk, **asked})

    assert [(part["role"], part["text"]) for part in parts] == [
        (message.role, message.content) for message in model.requests[-1].messages
    ]
    assert [part["name"] for part in parts] == ["system", "history", "history", "memory", "message"]
    assert all(part["tokens"] > 0 for part in parts)
    assert len(model.requests) == 2
