"""A bridge for clients that can only start a program: what it says on its standard input goes to a server's `/mcp`.

Knows no Django and no database: it may run on another machine than the server.
"""

from __future__ import annotations

from typing import Any

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server

PATIENCE_SECONDS = 300.0


async def carry(url: str, token: str, end_user: str = "", agent: str = "") -> None:
    """Carry messages both ways until the client closes its end."""
    headers = {"Authorization": f"Bearer {token}"}
    headers |= {name: value for name, value in (("X-End-User", end_user), ("X-Agent", agent)) if value}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE_SECONDS) as http,
        stdio_server() as (from_client, to_client),
        streamable_http_client(url, http_client=http) as (from_server, to_server),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(_pass_on, from_server, to_client)
        await _pass_on(from_client, to_server)
        tasks.cancel_scope.cancel()


async def _pass_on(source: Any, target: Any) -> None:
    async for message in source:
        if isinstance(message, Exception):
            continue
        await target.send(message)
