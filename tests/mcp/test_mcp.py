"""The MCP endpoint, driven by the official client over real sockets."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from asgiref.sync import sync_to_async
from mcp import Client, StdioServerParameters

from memoryapp.actions.agents import create_agent
from memoryapp.mcp.hosted import HOSTED_TOOLS
from memoryapp.tools import TOOLS
from tenants.actions import issue_token
from tests.conftest import Person
from tests.mcp.conftest import Connect

pytestmark = pytest.mark.django_db(transaction=True)

HOSTED = {
    "add_memory", "search_memories", "get_memories", "get_memory", "update_memory", "delete_memory",
    "delete_all_memories", "delete_entities", "list_entities", "list_events", "get_event_status",
}  # fmt: skip
ROOT = Path(__file__).resolve().parent.parent.parent


def texts(answer: dict[str, Any]) -> list[str]:
    return [each["memory"] for each in answer["results"]]


async def test_it_offers_the_hosted_tools_and_ours(connect: Connect, alice: Person) -> None:
    async with connect(alice.token) as desk:
        assert await desk.tools() == HOSTED | set(TOOLS)
        listed = (await desk.client.list_tools()).tools
    assert {tool.name for tool in HOSTED_TOOLS} == HOSTED
    hints = {tool.name: tool.annotations for tool in listed if tool.annotations}
    assert hints["search_memories"].read_only_hint is True
    assert hints["delete_all_memories"].destructive_hint is True


async def test_every_hosted_tool_works_for_a_declared_end_user(connect: Connect, alice: Person) -> None:
    async with connect(alice.token, X_End_User="ana") as desk:
        added = await desk.call("add_memory", text="My name is Ana and I live in Lisbon.", run_id="r1")
        assert any("Lisbon" in text for text in texts(added))
        (item, *_) = (await desk.call("get_memories"))["results"]
        assert (item["user_id"], item["run_id"]) == ("ana", "r1")
        await desk.call(
            "add_memory", text="I drink oat milk", infer=False, metadata={"turn": 2}, agent_id="bot"
        )
        found = await desk.call("search_memories", query="which milk", limit=1, user_id="ana")
        assert texts(found) == ["I drink oat milk"]
        only = await desk.call("search_memories", query="milk", filters={"metadata": {"turn": 2}})
        assert texts(only) == ["I drink oat milk"]
        key = found["results"][0]["id"]
        await desk.call("update_memory", memory_id=key, text="I drink soy milk")
        assert (await desk.call("get_memory", memory_id=key))["memory"] == "I drink soy milk"
        entities = (await desk.call("list_entities"))["results"]
        assert {(each["type"], each["name"]) for each in entities} >= {("user", "ana"), ("agent", "bot")}
        for event in (await desk.call("list_events"))["results"]:
            assert (await desk.call("get_event_status", event_id=event["id"]))["id"] == event["id"]
        await desk.call("delete_memory", memory_id=key)
        assert (await desk.call("get_memory", memory_id=key, fails=True))["error"] == "not_found"
        await desk.call("delete_all_memories", fails=True)
        assert (await desk.call("delete_all_memories", confirm=True))["deleted"] > 0
        assert (await desk.call("get_memories"))["count"] == 0


async def test_our_own_tools_are_there_too(connect: Connect, alice: Person) -> None:
    async with connect(alice.token) as desk:
        await desk.call("memory_add", facts=["User prefers trains to planes"], category="preference")
        found = await desk.call("memory_search", query="how does the user travel")
        assert [each["memory"] for each in found["memories"]] == ["User prefers trains to planes"]
        assert (await desk.call("list_workspace_memory_files", scope="shared"))["count"] > 0


async def test_no_word_of_a_model_changes_whose_memory_it_is(
    connect: Connect, alice: Person, charlie: Person
) -> None:
    async with connect(alice.token, X_End_User="ben") as desk:
        key = (await desk.call("add_memory", text="Ben's code word is heron", infer=False))["results"][0][
            "id"
        ]
    async with connect(alice.token, X_End_User="ana") as desk:
        for tool, given in {
            "search_memories": {"query": "code word"},
            "get_memories": {},
            "add_memory": {"text": "x", "infer": False},
            "delete_all_memories": {"confirm": True},
        }.items():
            assert (await desk.call(tool, user_id="ben", fails=True, **given))["error"] == "not_found"
        filters = {"user_id": "ben"}
        assert texts(await desk.call("search_memories", query="code word", filters=filters)) == []
        assert texts(await desk.call("get_memories", filters=filters)) == []
        assert (await desk.call("get_memory", memory_id=key, fails=True))["error"] == "not_found"
    async with connect(charlie.token, X_End_User="ben") as desk:
        assert texts(await desk.call("get_memories")) == []
        assert (await desk.call("delete_memory", memory_id=key, fails=True))["error"] == "not_found"


async def test_the_end_user_and_the_agent_may_stand_in_the_address(connect: Connect, alice: Person) -> None:
    make_agent = sync_to_async(create_agent)
    await make_agent(principal=alice.principal, name="Other", slug="other")
    async with connect(alice.token, "?user_id=ana&agent_id=other") as desk:
        await desk.call("add_memory", text="I drink oat milk", infer=False)
    async with connect(alice.token, "?endUserId=ana") as desk:
        assert (await desk.call("get_memories"))["count"] == 0
    async with connect(alice.token, X_End_User="ana", X_Agent="other") as desk:
        assert (await desk.call("get_memories"))["count"] == 1


@pytest.mark.parametrize(
    ("scopes", "tool", "arguments"),
    [
        (["memory:read"], "add_memory", {"text": "x"}),
        (["memory:read"], "memory_delete", {"all": True, "confirm": True}),
        (["memory:write"], "search_memories", {"query": "x"}),
        (["chat"], "memory_list", {}),
    ],
)
async def test_a_token_does_what_its_scopes_say(
    connect: Connect, alice: Person, scopes: list[str], tool: str, arguments: dict[str, Any]
) -> None:
    _, narrow = await sync_to_async(issue_token)(principal=alice.principal, name="n", scopes=scopes)
    async with connect(narrow) as desk:
        assert (await desk.call(tool, fails=True, **arguments))["error"] == "not_allowed"


async def test_bad_arguments_are_told_to_the_model(connect: Connect, alice: Person) -> None:
    async with connect(alice.token) as desk:
        for tool, arguments in {
            "search_memories": {"query": "x", "colour": "red"},
            "get_memory": {"memory_id": "nonsense"},
            "add_memory": {},
            "no_such_tool": {},
        }.items():
            assert (await desk.call(tool, fails=True, **arguments))["error"]


BODY = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.mark.parametrize(
    ("headers", "query", "status"),
    [
        ({}, "", 401),
        ({"Authorization": "Bearer map_wrong"}, "", 401),
        ({"X-End-User": ""}, "", 400),
        ({}, "?endUserId=%20", 400),
        ({"X-Agent": "nobody"}, "", 404),
        ({}, "?user_id=system", 400),
    ],
)
def test_a_connection_that_may_not_be_is_refused(
    address: str, alice: Person, headers: dict[str, str], query: str, status: int
) -> None:
    known = {} if status == 401 else {"Authorization": f"Token {alice.token}"}
    answer = httpx2.post(f"{address}/mcp{query}", json=BODY, headers={**known, **headers})
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)


def test_a_token_that_is_bound_stays_bound(address: str, alice: Person) -> None:
    _, bound = issue_token(principal=alice.principal, name="ana's", end_user="ana")
    sent = {"Authorization": f"Bearer {bound}", "X-End-User": "ben"}
    answer = httpx2.post(f"{address}/mcp", json=BODY, headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (403, "end_user_bound")
    assert httpx2.get(f"{address}/mcp/", headers={"Authorization": f"Bearer {bound}"}).status_code == 405


async def test_a_program_can_stand_between(address: str, alice: Person, tmp_path: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable,
        args=[str(ROOT / "manage.py"), "mcp", "--url", f"{address}/mcp", "--end-user", "ana"],
        env={**os.environ, "MEMORYAPP_TOKEN": alice.token, "MEMORYAPP_NO_BOOTSTRAP": "1"},
        cwd=tmp_path,
    )
    async with Client(command) as client:
        answer = await client.call_tool("add_memory", {"text": "I drink oat milk", "infer": False})
        assert json.loads(answer.content[0].text)["results"][0]["user_id"] == "ana"  # type: ignore[union-attr]
