"""The way from a turn to memory and back, through the doors that clients use."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Event
from tests.conftest import Person
from tests.lifecycle.conftest import add, reply

pytestmark = pytest.mark.django_db

Call = Callable[..., Any]
BANNER = ("Make the launch banner blue, please.", "And keep it blue until the launch.")


@pytest.fixture
def call(alice: Person, client: Client) -> Call:
    """Alice's program calls the API."""

    def call(method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        options = {"data": json.dumps(body), "content_type": "application/json"} if body is not None else {}
        answer = client.generic(method, f"/api/v1{path}", headers=alice.headers, **options)
        assert answer.status_code == expect, answer.content
        return json.loads(answer.content) if answer.content else None

    return call


@pytest.fixture
def talk(call: Call) -> Call:
    """An end user talks to the agent, one turn after the other."""

    def talk(*texts: str, conversation: str = "c-1", user: str = "mel") -> None:
        for text in texts:
            body = {"agentId": "juno", "message": text, "conversationId": conversation, "endUserId": user}
            call("POST", "/chat", body)

    return talk


@pytest.fixture
def extraction(model: ScriptedBackend) -> Callable[[Any], None]:
    """What the model answers to extractions; to people it says “Noted.”"""

    def script(answer: Any) -> None:
        def choose(request: ChatRequest) -> Any:
            if request.task != "extract":
                return "Noted."
            return answer(request) if callable(answer) else answer

        model.answer_always(choose)

    return script


def test_what_was_said_is_kept_for_its_owner_and_recalled_in_the_next_conversation(
    call: Call, talk: Call, extraction: Call, model: ScriptedBackend
) -> None:
    extraction(
        reply(operations=[add("User wants the launch banner blue")], daily_entry="Chose blue for the banner.")
    )
    talk(*BANNER)
    drain()
    account = call("GET", "/conversations/c-1/memory?endUserId=mel")
    assert (account["state"], account["unread"], account["extractedThrough"]) == ("read", 0, 4)
    assert [entry["op"] for entry in account["readings"][0]["kept"]] == ["ADD"]
    assert [fact["text"] for fact in call("GET", "/memory/juno/facts?endUserId=mel")["results"]] == [
        "User wants the launch banner blue"
    ]
    assert call("GET", "/memory/juno/facts?endUserId=ana")["count"] == 0
    talk("Which colour was the launch banner?", conversation="c-2")
    assert "launch banner blue" in str(model.requests[-1].messages)
    talk("Which colour was the launch banner?", conversation="c-2", user="ana")
    assert "launch banner blue" not in str(model.requests[-1].messages)


def test_an_edit_made_while_the_model_thinks_is_kept(call: Call, talk: Call, extraction: Call) -> None:
    """BC-008"""
    file = "/agents/juno/workspace/files/MEMORY.md?scope=personal&endUserId=mel"
    base = "# Memory\n\n- Banner is green\n"
    call("PUT", file, {"content": base}, expect=201)

    def edited_meanwhile(request: ChatRequest) -> dict[str, Any]:
        call("PUT", file, {"content": base + "- hand-written: budget 900\n"})
        return reply(memory_update=base.replace("green", "blue"))

    extraction(edited_meanwhile)
    talk(*BANNER)
    drain()
    assert "- hand-written: budget 900" in call("GET", file)["content"]


def test_a_failed_reading_says_why_and_is_started_anew_by_hand(
    call: Call, talk: Call, extraction: Call
) -> None:
    extraction("I'm unable to process this conversation.")
    talk(*BANNER)
    drain()
    [failed] = call("GET", "/events?status=FAILED&endUserId=mel")["results"]
    assert "JSON" in failed["reason"]
    account = call("GET", "/conversations/c-1/memory?endUserId=mel")
    assert (account["state"], account["unread"]) == ("deferred", 4)
    assert account["until"]
    extraction(reply(daily_entry="Chose blue for the banner."))
    call("POST", f"/events/{failed['id']}/retry?endUserId=mel", expect=202)
    drain()
    assert call("GET", "/conversations/c-1/memory?endUserId=mel")["state"] == "read"
    assert not Event.objects.filter(kind="extraction", status=Event.Status.PENDING).exists()


def test_a_conversation_that_says_nothing_new_says_so(call: Call, talk: Call, extraction: Call) -> None:
    extraction({"should_update": False, "reason": "Small talk."})
    talk("How is the weather in Porto today?", "And what about tomorrow then?")
    drain()
    account = call("GET", "/conversations/c-1/memory?endUserId=mel")
    assert (account["state"], account["reason"]) == ("read", "Small talk.")
    assert account["readings"][0]["status"] == "no_update"
