"""Replies as OpenAI's clients read them: whole, or in chunks."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

from memoryapp.chat.events import on_one_line
from memoryapp.chat.replies import TurnReply

DONE: Final = b"data: [DONE]\n\n"


def whole(reply: TurnReply, model: str) -> dict[str, Any]:
    """A reply as one chat completion; what was recalled for it stands beside it."""
    return {
        **_head(str(reply.message_id), "chat.completion", model),
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reply.text, "refusal": None},
                "logprobs": None,
                "finish_reason": reply.finish_reason,
            }
        ],
        "usage": _usage(reply.usage),
        "memory": {
            "conversationId": reply.conversation,
            "recalled": [each.body for each in reply.recalled],
        },
    }


def _head(message_id: str, kind: str, model: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{message_id}", "object": kind, "created": int(time.time()), "model": model}


def _usage(counted: dict[str, int]) -> dict[str, int]:
    return {
        "prompt_tokens": counted.get("promptTokens", 0),
        "completion_tokens": counted.get("completionTokens", 0),
        "total_tokens": counted.get("totalTokens", 0),
    }


async def chunks(
    events: AsyncGenerator[bytes, None], model: str, *, with_usage: bool
) -> AsyncGenerator[bytes, None]:
    """A streamed turn of ours, event by event, as OpenAI's chunks."""
    head = _head("", "chat.completion.chunk", model)
    async with aclosing(events):
        async for event in events:
            name, data = _read(event)
            if name == "session":
                head = {**_head(data["messageId"], "chat.completion.chunk", model)}
                yield _chunk(head, {"role": "assistant", "content": ""})
            elif name == "delta":
                yield _chunk(head, {"content": data["text"]})
            elif name == "usage" and with_usage:
                head = {**head, "usage": _usage(data)}
            elif name == "done":
                usage = head.pop("usage", None)
                yield _chunk(head, {}, finish=data.get("finishReason", "stop"))
                if usage:
                    yield _encoded({**head, "choices": [], "usage": usage})
                yield DONE
            elif name == "error":
                yield _encoded(
                    {"error": {"message": data["detail"], "type": "server_error", "code": data["code"]}}
                )
            elif not name:
                yield event


def _read(event: bytes) -> tuple[str, dict[str, Any]]:
    """The name and the data of an event; no name for a comment, which keeps the connection alive."""
    fields = dict(line.split(": ", 1) for line in event.decode().splitlines() if ": " in line)
    return (fields["event"], json.loads(fields["data"])) if "event" in fields else ("", {})


def _chunk(head: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return _encoded({**head, "choices": [choice]})


def _encoded(body: dict[str, Any]) -> bytes:
    return f"data: {on_one_line(body)}\n\n".encode()
