"""Puts the chunks of a streamed answer together: text, thinking, tool calls, usage, and whether it is complete."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import ChoiceDelta, ChoiceDeltaToolCall

from memoryapp.llm.reasoning import Parts, ReasoningFilter
from memoryapp.llm.types import Delta, FinishReason, ToolCall, Usage

FINISH_REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
FAILED = frozenset(("error", "abort", "cancelled"))


@dataclass(slots=True)
class _Call:
    """A tool call that is still being written."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class ChunkReader:
    """Reads chunks in order; `started` says whether anything was told on, `finished` whether the model has ended."""

    def __init__(self) -> None:
        self.started = False
        self.finished = False
        self._finish_reason: FinishReason = "stop"
        self._filter = ReasoningFilter()
        self._calls: dict[int, _Call] = {}
        self._usage = Usage()

    def read(self, chunk: ChatCompletionChunk) -> Iterator[Delta]:
        """What the chunk adds for the reader of the answer."""
        if chunk.usage:
            self._usage = usage_of(chunk.usage)
        for choice in (chunk.choices or ())[:1]:
            yield from self._told(choice.delta)
            if choice.finish_reason and choice.finish_reason not in FAILED:
                self.finished = True
                self._finish_reason = finish_reason_of(choice.finish_reason)

    def last(self) -> Delta:
        """The end of the answer: what was held back, the tool calls, the usage and why it ended."""
        rest = self._filter.finish()
        calls = tuple(ToolCall(call.id, call.name, call.arguments) for _, call in sorted(self._calls.items()))
        reason = "tool_calls" if calls else self._finish_reason
        return Delta(rest.text, rest.reasoning, tool_calls=calls, usage=self._usage, finish_reason=reason)

    def _told(self, delta: ChoiceDelta | None) -> Iterator[Delta]:
        # The package checks nothing it reads, so what its types promise may be missing.
        if delta is None:
            return
        for call in delta.tool_calls or ():
            self._add_call(call)
        parts = self._filter.feed(delta.content) if delta.content else Parts("", "")
        reasoning = reasoning_of(delta) + parts.reasoning
        if parts.text or reasoning:
            self.started = True
            yield Delta(parts.text, reasoning)

    def _add_call(self, piece: ChoiceDeltaToolCall) -> None:
        place = self._place(piece.index, piece.id)
        call = self._calls.setdefault(place, _Call())
        call.id = call.id or piece.id or ""
        if piece.function:
            call.name = call.name or piece.function.name or ""
            call.arguments += piece.function.arguments or ""

    def _place(self, index: int | None, call_id: str | None) -> int:
        """Some servers number every piece 0, or none, and tell calls apart by their ids only."""
        place = index or 0
        known = self._calls.get(place)
        is_other = bool(known and known.id and call_id and call_id != known.id)
        return max(self._calls) + 1 if is_other else place


def reasoning_of(message: Any) -> str:
    """The thinking that servers send beside the text, under either of the names in use."""
    extra = message.model_extra or {}
    told = extra.get("reasoning_content") or extra.get("reasoning") or ""
    return told if isinstance(told, str) else ""


def usage_of(usage: CompletionUsage | None) -> Usage:
    """Our usage for the package's; zero where the server does not say."""
    return Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0) if usage else Usage()


def finish_reason_of(told: str | None) -> FinishReason:
    """Our word for why the model stopped; what no one has heard of counts as an ordinary end."""
    return FINISH_REASONS.get(told or "stop", "stop")
