"""Runs every method of mem0's Python client, sync or async, 1.x or 2.x, unmodified; prints what it called."""

import asyncio
import inspect
import json
import sys
import time
from importlib.metadata import version

from mem0 import AsyncMemoryClient, MemoryClient

ORDERS = json.load(sys.stdin)
HOST, IS_ASYNC = ORDERS["host"], ORDERS["is_async"]
VERSION = version("mem0ai")
IS_NEW = int(VERSION.split(".")[0]) >= 2
CALLS = []


def make(token, host=HOST):
    return (AsyncMemoryClient if IS_ASYNC else MemoryClient)(api_key=token, host=host)


async def do(target, name, /, *arguments, **options):
    CALLS.append(name)
    answer = getattr(target, name)(*arguments, **options)
    return await answer if inspect.isawaitable(answer) else answer


async def fails(kind, target, name, /, *arguments, **options):
    """The error a call ends with, which must be of a class of that name."""
    try:
        await do(target, name, *arguments, **options)
    except Exception as error:
        # The old asynchronous client does not name the errors of some methods.
        unnamed = not IS_NEW and IS_ASYNC and type(error).__name__ == "HTTPStatusError"
        assert unnamed or type(error).__name__ == kind, (kind, error)
        return error
    raise AssertionError(f"{name} should have failed")


async def poll(client, event_id):
    for _ in range(200):
        answer = (client.async_client if IS_ASYNC else client.client).get(f"/v1/event/{event_id}/")
        event = (await answer if inspect.isawaitable(answer) else answer).json()
        if event["status"] in {"SUCCEEDED", "FAILED"}:
            return event
        await asyncio.sleep(0.1)
    raise AssertionError("the event never ended")


async def memories(client, user, **more):
    filters = {"AND": [{"user_id": user}]}
    return (await do(client, "get_all", filters=filters, **more))["results"]


async def main():
    try:
        make("map_wrong")
    except ValueError as error:
        assert "token" in str(error), error
    else:
        raise AssertionError("a wrong token was taken")
    client, stranger = make(ORDERS["token"]), make(ORDERS["stranger"])
    assert client.org_id and client.project_id and client.user_email == "alice@example.org"
    make(ORDERS["token"], HOST + "/")

    added = await do(
        client,
        "add",
        "I drink oat milk in my coffee",
        user_id="ana",
        agent_id="barista",
        run_id="r1",
        infer=False,
        metadata={"turn": 1, "camelKey": {"a_b": 1}},
    )
    (item,) = added["results"]
    assert item["event"] == "ADD" and item["id"], added
    again = await do(client, "add", "I drink oat milk in my coffee", user_id="ana", run_id="r1", infer=False)
    assert again["results"][0]["id"] == item["id"], again
    await do(client, "add", [{"role": "user", "content": "My flat is in Porto"}], user_id="ana", infer=False)
    await do(client, "add", "I drink water", user_id="ben", infer=False)
    await do(stranger, "add", "I drink soy milk", user_id="ana", infer=False)

    found = await do(client, "search", "what milk?", filters={"user_id": "ana"}, top_k=1)
    assert [hit["memory"] for hit in found["results"]] == ["I drink oat milk in my coffee"], found
    hit = found["results"][0]
    assert 0 < hit["score"] <= 1 and hit["metadata"] == {"turn": 1, "camelKey": {"a_b": 1}}, hit
    both = {"AND": [{"user_id": "ana"}, {"agent_id": "barista"}]}
    assert len((await do(client, "search", "milk", filters=both))["results"]) == 1
    everyone = await do(client, "search", "milk", filters={"AND": [{"user_id": "*"}]}, threshold=0.0)
    assert "I drink soy milk" not in str(everyone)

    queued = await do(client, "add", "My name is Ana and I live in Lisbon.", user_id="ina")
    entry = queued if "event_id" in queued else queued["results"][0]
    assert entry["status"] == "PENDING", queued
    event = await poll(client, entry["event_id"])
    assert event["status"] == "SUCCEEDED" and event["results"], event
    assert any("Lisbon" in each["memory"] for each in await memories(client, "ina"))

    page = await do(client, "get_all", filters={"user_id": "ana"}, page=2, page_size=1)
    assert (page["count"], len(page["results"]), page["next"]) == (2, 1, None), page
    read = await do(client, "get", item["id"])
    assert (read["memory"], read["user_id"], read["run_id"]) == (item["memory"], "ana", "r1"), read

    updated = await do(client, "update", item["id"], text="I drink oat milk in tea", metadata={"turn": 2})
    assert updated["memory"] == "I drink oat milk in tea", updated
    history = await do(client, "history", item["id"])
    assert [each["event"] for each in history] == ["ADD", "UPDATE"], history
    assert history[1]["old_memory"] == "I drink oat milk in my coffee"
    await do(client, "batch_update", [{"memory_id": item["id"], "text": "I drink oat milk in cocoa"}])
    assert (await do(client, "get", item["id"]))["memory"] == "I drink oat milk in cocoa"
    feedback = {"feedback": "POSITIVE", "feedback_reason": "true"}
    if IS_NEW:
        assert (await do(client, "feedback", item["id"], **feedback))["feedback"] == "POSITIVE"
    else:
        # In 1.x this method fails by itself, after the server has answered.
        await fails("TypeError", client, "feedback", item["id"], **feedback)

    schema = json.dumps({"type": "object", "properties": {"turn": {"type": "array"}}})
    export = await do(client, "create_memory_export", schema=schema, filters={"user_id": "ana"})
    exported = await do(client, "get_memory_export", memory_export_id=export["id"])
    assert exported["turn"] == [2], exported
    assert "cocoa" in (await do(client, "get_summary", filters={"user_id": "ana"}))["summary"]

    update, get = (
        ((client.project, "update"), (client.project, "get"))
        if IS_NEW
        else ((client, "update_project"), (client, "get_project"))
    )
    await do(*update, custom_instructions="Keep what is about ships.")
    project = await do(*get, fields=["custom_instructions"])
    assert project["custom_instructions"] == "Keep what is about ships.", project
    if IS_NEW:
        assert len((await do(client.project, "get_members"))["members"]) == 1

    if IS_NEW:
        invited = await do(client.project, "add_member", email="dora@example.org")
        assert "/join/" in invited["url"], invited
        alice = {"email": "alice@example.org"}
        await fails("AuthenticationError", client.project, "update_member", **alice, role="READER")
        await fails("AuthenticationError", client.project, "remove_member", **alice)
        await fails("ValidationError", client.project, "create", name="other")
        await fails("ValidationError", client.project, "delete")

        profile = await do(client, "get_profile", "ana")
        assert "cocoa" in str(profile["profile"]) and profile["status"] == "succeeded", profile
        shape = {"properties": {"turn": {"type": "number", "description": "Which turn."}}}
        await do(client, "update_profile_settings", enabled=True, schema=shape)
        kept = await do(client, "get_profile_settings")
        assert kept["entities"]["user"]["schema"] == shape, kept
        job = await do(client, "generate_profile", "ana")
        assert (await do(client, "get_profile_job", job["status_url"]))["job"]["status"] == "succeeded"
        assert (await do(client, "get_profile", "ana"))["profile"] == {"turn": 2}
        assert (await do(client, "sample_profiles", limit=2))["sampled"] == 2
        await do(client, "update_profile_settings", schema=None)
        await fails("MemoryNotFoundError", stranger, "get_profile", "ina")

    if IS_NEW:
        # Gone again before anything happens, so that nobody is told of it.
        place = {"url": "https://hooks.example.org/memory", "name": "crm", "event_types": ["memory_add"]}
        hook = await do(client, "create_webhook", project_id=client.project_id, **place)
        await do(client, "update_webhook", webhook_id=hook["webhook_id"], name="other")
        (kept,) = await do(client, "get_webhooks", project_id=client.project_id)
        assert (kept["name"], kept["url"]) == ("other", place["url"]), kept
        await do(client, "delete_webhook", webhook_id=hook["webhook_id"])

    users = await do(client, "users")
    assert {each["name"] for each in users["results"] if each["type"] == "user"} == {"ana", "ben", "ina"}

    for name in ("get", "delete", "history"):
        error = await fails("MemoryNotFoundError", stranger, name, item["id"])
        assert "not found" in str(error).lower(), error
    await fails("MemoryNotFoundError", stranger, "update", item["id"], text="mine now")
    await fails("ValidationError", client, "get", "nonsense")
    await fails("ValidationError", client, "search", "milk", filters={"colour": "red"})
    await fails("ValidationError", client, "add", "x", infer=False)
    await fails("ValidationError", client, "delete_all")

    await do(client, "batch_delete", [{"memory_id": item["id"]}])
    await fails("MemoryNotFoundError", client, "get", item["id"])
    (flat,) = await memories(client, "ana")
    await do(client, "delete", flat["id"])
    assert await memories(client, "ana") == []
    await do(client, "delete_all", user_id="ina")
    assert await memories(client, "ina") == []
    await do(client, "add", "I drink juice", user_id="cleo", run_id="r9", infer=False)
    if IS_NEW:
        await do(client, "add", "I drink mate", user_id="dora", infer=False)
        await do(client, "delete_all", filters={"user_id": "dora"})
        assert await memories(client, "dora") == []
        assert len(await memories(client, "cleo")) == 1
    await do(client, "delete_users", user_id="ben")
    await fails("MemoryNotFoundError", client, "delete_users", user_id="ben")
    assert len(await memories(client, "cleo")) == 1
    await do(client, "reset")
    assert (await do(client, "users"))["results"] == []
    assert [each["memory"] for each in await memories(stranger, "ana")] == ["I drink soy milk"]


started = time.monotonic()
asyncio.run(main())
kind = "async" if IS_ASYNC else "sync"
report = {"client": f"mem0ai {VERSION} ({kind})", "calls": len(CALLS), "methods": sorted(set(CALLS))}
print(json.dumps({**report, "seconds": round(time.monotonic() - started, 1)}))
