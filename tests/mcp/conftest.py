"""The official client, connected to the product as a token's holder would connect it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.served import served


@pytest.fixture
def address(transactional_db: None, settings: Any) -> Iterator[str]:
    from memoryapp.asgi import (
        application,  # a server's own entrance, which makes its application as it is imported
    )

    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    with served(application) as address:
        yield address


@dataclass
class Desk:
    """A client's session with what its model sees of it."""

    client: Client

    async def tools(self) -> set[str]:
        return {tool.name for tool in (await self.client.list_tools()).tools}

    async def call(self, tool: str, *, fails: bool = False, **arguments: Any) -> dict[str, Any]:
        answer = await self.client.call_tool(tool, arguments)
        content: dict[str, Any] = json.loads(answer.content[0].text)  # type: ignore[union-attr]
        assert bool(answer.is_error) is fails, content
        return content


Connect = Callable[..., AbstractAsyncContextManager[Desk]]


@pytest.fixture
def connect(address: str) -> Connect:
    @asynccontextmanager
    async def connect(token: str, query: str = "", **headers: str) -> AsyncIterator[Desk]:
        sent = {"Authorization": f"Bearer {token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        async with httpx2.AsyncClient(headers=sent, timeout=60) as http:
            transport = streamable_http_client(f"{address}/mcp{query}", http_client=http)
            async with Client(transport) as client:
                yield Desk(client)

    return connect
