"""The panel beside a talk tells what the API tells: what was kept, what waits, what never is read, what tools wrote."""

from __future__ import annotations

import json

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.types import ToolCall
from tests.conftest import Call, Person
from tests.dashboard.conftest import Pages


def panel(pages: Pages, name: str) -> str:
    return pages.client.get(pages.agent(f"playground/memory/?c={name}")).content.decode()


def test_the_reason_is_the_account_s(pages: Pages, alice: Person, call: Call) -> None:
    who = {"principal": alice.principal, "agent": alice.agent}
    talk = open_conversation(**who, external_id="brief")
    add_message(principal=alice.principal, conversation=talk, role="user", text="Good morning to you all!")
    told = call(alice, "GET", "/conversations/brief/memory").json()
    assert told["state"] == "skipped"
    assert told["reason"] in panel(pages, "brief")


def test_what_a_tool_wrote_is_told(pages: Pages, alice: Person, model: ScriptedBackend) -> None:
    arguments = json.dumps({"facts": ["User prefers trains over planes"], "category": "preference"})
    model.queue(
        Scripted(tool_calls=(ToolCall("c1", "memory_add", arguments),), finish_reason="tool_calls"), "Noted."
    )
    pages.client.post(pages.agent("playground/say/"), {"message": "I prefer trains.", "c": ""})
    drain()
    page = pages.client.get(pages.agent("playground/")).content.decode()
    assert "<code>memory_add</code>" in page
    assert "itself kept what mattered" in page
    assert "waits for extraction" not in page


def test_what_is_too_short_is_read_when_somebody_asks_for_it(pages: Pages, alice: Person) -> None:
    pages.client.post(pages.agent("playground/say/"), {"message": "I run the office in Porto.", "c": "brief"})
    assert 'form="read-now"' in panel(pages, "brief")
    asked = pages.client.post(pages.agent("playground/read/"), {"c": "brief"})
    assert asked.headers["Location"].endswith("playground/?c=brief")
    drain()
    assert "I run the office in Porto" in panel(pages, "brief")
