"""Database work from the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection

Result = TypeVar("Result")


async def off_loop(work: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
    """Run database work on a thread of its own and give the connection back at once: no stream ever holds one idle."""

    def run() -> Result:
        try:
            return work(*arguments, **named)
        finally:
            connection.close()

    return await asyncio.to_thread(run)


async def give_back_connection() -> None:
    """Let go of the connection of the request that a stream answers, which else holds it until the stream's end."""
    await sync_to_async(lambda: connection.close())()
