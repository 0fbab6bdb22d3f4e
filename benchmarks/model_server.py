"""A language model's server that says the same to everybody and does no work to find it.

The model's name says how: `20x0.5` answers in 20 pieces, half a second apart; any other in 20 pieces at once.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

PACE = re.compile(r"(\d+)x([\d.]+)")
STREAM = [(b"content-type", b"text/event-stream")]

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer every request with a stream of words at the pace that its model's name says."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    pace = PACE.fullmatch(json.loads(body)["model"]) if body else None
    pieces, pause = (int(pace[1]), float(pace[2])) if pace else (20, 0.0)
    await send({"type": "http.response.start", "status": 200, "headers": STREAM})
    for number in range(pieces):
        if number and pause:
            await asyncio.sleep(pause)
        await send(_piece({"content": f"word{number} "}))
    await send(_piece({}, finish_reason="stop"))
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


def _piece(delta: dict[str, str], finish_reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    body = b"data: " + json.dumps(chunk).encode() + b"\n\n"
    return {"type": "http.response.body", "body": body, "more_body": True}
