"""Puts the chunks of a streamed answer together: text, thinking, tool calls, usage, and whether it is complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from openai.types import CompletionUsage

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

    def read(self, chunk: object) -> Iterator[Delta]:
        """What the chunk, as it came, adds for the reader of the answer."""
        told = _fields(chunk)
        if usage := _fields(told.get("usage")):
            self._usage = Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
        for choice in _listed(told.get("choices"))[:1]:
            yield from self._told(_fields(choice.get("delta")))
            reason = _text(choice.get("finish_reason"))
            if reason and reason not in FAILED:
                self.finished = True
                self._finish_reason = finish_reason_of(reason)

    def last(self) -> Delta:
        """The end of the answer: what was held back, the tool calls, the usage and why it ended."""
        rest = self._filter.finish()
        calls = tuple(ToolCall(call.id, call.name, call.arguments) for _, call in sorted(self._calls.items()))
        reason = "tool_calls" if calls else self._finish_reason
        return Delta(rest.text, rest.reasoning, tool_calls=calls, usage=self._usage, finish_reason=reason)

    def _told(self, delta: Mapping[str, object]) -> Iterator[Delta]:
        for call in _listed(delta.get("tool_calls")):
            self._add_call(call)
        content = _text(delta.get("content"))
        parts = self._filter.feed(content) if content else Parts("", "")
        reasoning = _thinking(delta) + parts.reasoning
        if parts.text or reasoning:
            self.started = True
            yield Delta(parts.text, reasoning)

    def _add_call(self, piece: Mapping[str, object]) -> None:
        call_id, function = _text(piece.get("id")), _fields(piece.get("function"))
        call = self._calls.setdefault(self._place(_count(piece.get("index")), call_id), _Call())
        call.id = call.id or call_id
        call.name = call.name or _text(function.get("name"))
        call.arguments += _text(function.get("arguments"))

    def _place(self, place: int, call_id: str) -> int:
        """Some servers number every piece 0, or none, and tell calls apart by their ids only."""
        known = self._calls.get(place)
        is_other = bool(known and known.id and call_id and call_id != known.id)
        return max(self._calls) + 1 if is_other else place


def _fields(value: object) -> Mapping[str, object]:
    """An object as it came; a server may send anything in its place."""
    return value if isinstance(value, dict) else {}


def _listed(value: object) -> list[Mapping[str, object]]:
    return [_fields(each) for each in value] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _thinking(message: Mapping[str, object]) -> str:
    return _text(message.get("reasoning_content")) or _text(message.get("reasoning"))


def reasoning_of(message: Any) -> str:
    """The thinking that servers send beside the text, under either of the names in use."""
    return _thinking(message.model_extra or {})


def usage_of(usage: CompletionUsage | None) -> Usage:
    """Our usage for the package's; zero where the server does not say."""
    return Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0) if usage else Usage()


def finish_reason_of(told: str | None) -> FinishReason:
    """Our word for why the model stopped; what no one has heard of counts as an ordinary end."""
    return FINISH_REASONS.get(told or "stop", "stop")
