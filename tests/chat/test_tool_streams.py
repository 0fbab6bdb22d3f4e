"""Tools in a streamed turn, over the wire: what a client is told, and what becomes of a tool when everybody leaves."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from django.db import connection

from memoryapp.chat import streaming, tooling
from memoryapp.models import Fact
from memoryapp.tools import call_tool
from tenants.scoping import workspace_scope
from tests.chat.conftest import Open, stored
from tests.conftest import Person
from tests.scripted_endpoint import (
    DONE,
    ScriptedEndpoint,
    Stream,
    chunk,
    failure,
    streamed,
)

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "User prefers trains over planes because of the view"


def calls(name: str, arguments: dict[str, Any], *, said: str = "", call_id: str = "c1") -> Stream:
    """A streamed call of a tool, its arguments cut in the middle as models send them."""
    text = json.dumps(arguments)
    half = len(text) // 2
    head = {
        "index": 0,
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": text[:half]},
    }
    tail = {"index": 0, "function": {"arguments": text[half:]}}
    spoken = [chunk(said)] if said else []
    pieces = [chunk(tool_calls=[head]), chunk(tool_calls=[tail]), chunk(finish_reason="tool_calls")]
    return Stream([*spoken, *pieces, chunk(usage=True), DONE])


def kept(who: Person) -> list[str]:
    with workspace_scope(who.workspace):
        return list(Fact.objects.owned_by(who.principal).active().values_list("text", flat=True))


def test_tools_are_told_as_they_run(talk: Open, endpoint: ScriptedEndpoint, alice: Person) -> None:
    endpoint.queue(
        calls("memory_add", {"facts": [WORDS], "category": "preference"}, said="One moment."),
        calls("memory_get", {"memoryId": "nonsense"}),
        streamed("Trains", " it is."),
    )

    with talk("I prefer trains.") as reader:
        events = list(reader)

    assert [(event.name, event.data.get("name"), event.data.get("status")) for event in events[2:-2]] == [
        ("delta", None, None),
        ("tool", "memory_add", "running"),
        ("tool", "memory_add", "done"),
        ("tool", "memory_get", "running"),
        ("tool", "memory_get", "failed"),
        ("delta", None, None),
        ("delta", None, None),
    ]
    done = events[-1].data
    assert done["reply"] == stored(alice)[1].text == "One moment.\n\nTrains it is."
    assert "".join(event.data["text"] for event in events if event.name == "delta") == done["reply"]
    assert done["usage"]["totalTokens"] == 3 * 18
    assert done["tools"] == [
        {"name": "memory_add", "status": "done"},
        {"name": "memory_get", "status": "failed"},
    ]
    assert kept(alice) == [WORDS]
    first, second, third = (received.body for received in endpoint.received)
    assert {"memory_add", "read_workspace_memory_file"} <= {
        tool["function"]["name"] for tool in first["tools"]
    }
    assert second["messages"][-2]["tool_calls"][0]["id"] == second["messages"][-1]["tool_call_id"] == "c1"
    assert third["messages"][-1]["role"] == "tool"


def test_a_server_without_tools_is_asked_without_them(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person
) -> None:
    endpoint.queue(
        failure(400, "registry/tiny does not support tools"), streamed("Hello."), streamed("Again.")
    )

    for _ in range(2):
        with talk() as reader:
            events = list(reader)
        assert events[-1].name == "done"

    assert ["tools" in received.body for received in endpoint.received] == [True, False, False]


def test_an_answer_that_breaks_off_after_a_tool_keeps_what_the_tool_did(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person
) -> None:
    endpoint.queue(calls("memory_add", {"text": WORDS}), Stream([chunk("Tra")], hang_up=True))

    with talk() as reader:
        events = list(reader)

    assert events[-1].name == "error"
    reply = stored(alice)[1]
    assert (reply.text, reply.state, reply.detail["tools"][0]["status"]) == ("Tra", "partial", "done")
    assert kept(alice) == [WORDS]


def test_who_leaves_during_a_tool_ends_the_turn_behind_it(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "GRACE_SECONDS", 0.05)
    running, go_on, stored_reply = threading.Event(), threading.Event(), threading.Event()

    def slowly(*arguments: Any) -> Any:
        running.set()
        go_on.wait(10)
        return call_tool(*arguments)

    def told(*arguments: Any) -> None:
        break_off(*arguments)
        stored_reply.set()

    break_off = streaming.break_off_turn
    monkeypatch.setattr(tooling, "call_tool", slowly)
    monkeypatch.setattr(streaming, "break_off_turn", told)
    endpoint.queue(calls("memory_add", {"text": WORDS}))

    with talk() as reader:
        reader.until("tool")
        assert running.wait(10)
    threading.Timer(0.3, go_on.set).start()
    assert stored_reply.wait(10)

    reply = stored(alice)[1]
    assert (reply.state, [use["name"] for use in reply.detail["tools"]]) == ("failed", ["memory_add"])
    assert kept(alice) == [WORDS]
    assert len(endpoint.received) == 1


def test_no_transaction_is_open_while_the_model_thinks(
    talk: Open, endpoint: ScriptedEndpoint, alice: Person
) -> None:
    hold = threading.Event()
    endpoint.queue(
        calls("memory_list", {}), Stream([hold, chunk("Well."), chunk(finish_reason="stop"), DONE])
    )

    with talk() as reader:
        events = iter(reader)
        while next(events).data.get("status") != "done":
            pass
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND state LIKE 'idle in transaction%' AND pid <> pg_backend_pid()"
            )
            assert cursor.fetchone() == (0,)
        hold.set()
        assert [event.name for event in events][-1] == "done"
