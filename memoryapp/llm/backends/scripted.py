"""A backend that says what a test tells it to: it records requests, and can wait, fail, or break off on command."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import BaseModel

from memoryapp.llm.errors import ModelError, StreamBroken
from memoryapp.llm.types import ChatRequest, Completion, Delta, FinishReason, ToolCall, Usage

HOLD_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Scripted:
    """One scripted answer.

    `chunks` are the pieces of its stream (else the text is one); `hold` is waited for before the first piece, or before
    piece `hold_at`; with `breaks_off` a stream ends without being complete.
    """

    text: str = ""
    finish_reason: FinishReason = "stop"
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=lambda: Usage(10, 5))
    chunks: tuple[str, ...] = ()
    hold: threading.Event | None = None
    hold_at: int = 0
    breaks_off: bool = False

    @property
    def whole_text(self) -> str:
        return self.text or "".join(self.chunks)


Answer: TypeAlias = "str | Mapping[str, Any] | BaseModel | Scripted | ModelError"
Script: TypeAlias = "Answer | Callable[[ChatRequest], Answer]"


class ScriptExhausted(AssertionError):
    """More was asked than the test has answers for."""


class ScriptedBackend:
    """Answers from a queue, or from `otherwise` when the queue is empty.

    `before_call` runs at the beginning of every call, so that a test can assert that no transaction is open.
    """

    name = "scripted"

    def __init__(self, *answers: Script, otherwise: Script | None = None) -> None:
        self.requests: list[ChatRequest] = []
        self.before_call: Callable[[], None] | None = None
        self.cancelled = threading.Event()
        self._lock = threading.Lock()
        self._answers: deque[Script] = deque(answers)
        self._otherwise = otherwise

    def queue(self, *answers: Script) -> None:
        """Add answers, given out in this order."""
        self._answers.extend(answers)

    def answer_always(self, otherwise: Script) -> None:
        """Answer so whenever the queue is empty."""
        self._otherwise = otherwise

    def reset(self) -> None:
        """Forget answers and requests; the hook stays."""
        self.requests.clear()
        self._answers.clear()
        self._otherwise = None
        self.cancelled.clear()

    def complete(self, request: ChatRequest) -> Completion:
        """The next answer, whole."""
        answer = self._next(request)
        if answer.hold and not answer.hold.wait(HOLD_SECONDS):
            raise ScriptExhausted("Nobody released the held answer.")
        if answer.breaks_off:
            raise StreamBroken(started=False)
        return Completion(
            answer.whole_text,
            answer.finish_reason,
            answer.usage,
            answer.tool_calls,
            answer.reasoning,
            request.model,
        )

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        """The next answer in its pieces; `cancelled` is set when the reader leaves early."""
        answer = self._next(request)
        told = 0
        try:
            if answer.reasoning:
                yield Delta(reasoning=answer.reasoning)
            for piece in answer.chunks or ((answer.text,) if answer.text else ()):
                await _held(answer, told)
                told += 1
                yield Delta(text=piece)
            await _held(answer, told)
        except (GeneratorExit, asyncio.CancelledError):
            self.cancelled.set()
            raise
        if answer.breaks_off:
            raise StreamBroken(started=bool(told or answer.reasoning))
        yield Delta(tool_calls=answer.tool_calls, usage=answer.usage, finish_reason=answer.finish_reason)

    def _next(self, request: ChatRequest) -> Scripted:
        with self._lock:
            self.requests.append(request)
            script = self._answers.popleft() if self._answers else self._otherwise
        if self.before_call:
            self.before_call()
        answer = script(request) if callable(script) else script
        if answer is None:
            raise ScriptExhausted(f"No answer is scripted for this {request.task!r} request.")
        if isinstance(answer, ModelError):
            raise answer
        return _scripted(answer)


async def _held(answer: Scripted, told: int) -> None:
    # Asked again and again instead of waited for in a thread, so that leaving the stream leaves nothing behind.
    if answer.hold and told == answer.hold_at:
        async with asyncio.timeout(HOLD_SECONDS):
            while not answer.hold.is_set():
                await asyncio.sleep(0.002)


def _scripted(answer: str | Mapping[str, Any] | BaseModel | Scripted) -> Scripted:
    if isinstance(answer, Scripted):
        return answer
    if isinstance(answer, BaseModel):
        return Scripted(answer.model_dump_json())
    return Scripted(answer if isinstance(answer, str) else json.dumps(answer))


shared_script = ScriptedBackend()
"""The backend of every client that is configured as "scripted"."""
