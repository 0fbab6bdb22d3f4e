"""Drives mem0's own MCP server over its standard input and output: lists its tools and calls each.

The server can only be pointed at mem0's host, so a launcher gives its client class ours; nothing else is touched.
"""

import asyncio
import json
import os
import sys
from importlib.metadata import version

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ORDERS = json.load(sys.stdin)
LAUNCHER = """
import functools, os
import mem0
mem0.MemoryClient = functools.partial(mem0.MemoryClient, host=os.environ["CLIENT_TEST_HOST"])
from mem0_mcp_server.server import create_server
create_server().run(transport="stdio")
"""
CALLS = []


async def session_of(token, work):
    variables = {
        **os.environ,
        "MEM0_API_KEY": token,
        "MEM0_DEFAULT_USER_ID": "ana",
        "CLIENT_TEST_HOST": ORDERS["host"],
    }
    server = StdioServerParameters(command=sys.executable, args=["-c", LAUNCHER], env=variables)
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        return await work(session)


async def call(session, name, **arguments):
    CALLS.append(name)
    answer = await session.call_tool(name, arguments)
    assert not answer.isError, answer
    return json.loads(answer.content[0].text)


async def seed_stranger(session):
    await call(session, "add_memory", text="I drink soy milk and live in Faro")


async def everything(session):
    tools = {tool.name for tool in (await session.list_tools()).tools}
    assert len(tools) == 9, tools
    await call(session, "add_memory", text="My name is Ana and I live in Lisbon.")
    for _ in range(100):
        listed = await call(session, "get_memories", page=1, page_size=10)
        if "Lisbon" in json.dumps(listed):
            break
        await asyncio.sleep(0.1)
    (item, *_) = [each for each in listed["results"] if "Lisbon" in each["memory"]]
    assert "soy" not in json.dumps(listed)
    found = await call(session, "search_memories", query="where does she live", limit=1)
    assert len(found["results"]) == 1, found
    assert (await call(session, "get_memory", memory_id=item["id"]))["memory"] == item["memory"]
    await call(session, "update_memory", memory_id=item["id"], text="Lives in Porto")
    assert (await call(session, "get_memory", memory_id=item["id"]))["memory"] == "Lives in Porto"
    assert "ana" in json.dumps(await call(session, "list_entities"))
    await call(session, "delete_memory", memory_id=item["id"])
    assert "error" in await call(session, "get_memory", memory_id=item["id"])
    await call(session, "delete_all_memories")
    assert (await call(session, "get_memories"))["results"] == []
    await call(session, "delete_entities", user_id="ana")
    assert "ana" not in json.dumps(await call(session, "list_entities"))
    return tools


async def main():
    await session_of(ORDERS["stranger"], seed_stranger)
    await session_of(ORDERS["token"], everything)


asyncio.run(main())
report = {"client": f"mem0-mcp-server {version('mem0-mcp-server')}", "calls": len(CALLS)}
print(json.dumps({**report, "methods": sorted(set(CALLS))}))
