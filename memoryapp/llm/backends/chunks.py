"""Puts the chunks of a streamed answer together: text, thinking, tool calls, usage, and whether it is complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memoryapp.llm.backends.wire import (
    FAILED,
    CharacterJoiner,
    content_of,
    count_in,
    fields,
    finish_reason_of,
    first_choice,
    listed,
    text_in,
    usage_in,
    whole_characters,
)
from memoryapp.llm.reasoning import Parts, ReasoningFilter
from memoryapp.llm.types import Delta, FinishReason, ToolCall, Usage


@dataclass(slots=True)
class _Call:
    """A tool call that is still being written."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class ChunkReader:
    """Reads chunks in order; `started` says whether anything was told on, `finished` whether the model has ended."""

    def __init__(self, *, begins_within: bool = False) -> None:
        self.started = False
        self.finished = False
        self._finish_reason: FinishReason = "stop"
        self._filter = ReasoningFilter(begins_within=begins_within)
        self._characters, self._thoughts = CharacterJoiner(), CharacterJoiner()
        self._calls: dict[int, _Call] = {}
        self._usage = Usage()

    def read(self, chunk: object) -> Iterator[Delta]:
        """What the chunk, as it came, adds for the reader of the answer."""
        told = fields(chunk)
        self._usage = usage_in(told) or self._usage
        choice = first_choice(told)
        yield from self._told(fields(choice.get("delta")))
        reason = text_in(choice.get("finish_reason"))
        if reason and reason not in FAILED:
            self.finished = True
            self._finish_reason = finish_reason_of(reason)

    def last(self) -> Delta:
        """The end of the answer: what was held back, the tool calls, the usage and why it ended."""
        rest = self._filter.finish()
        calls = tuple(
            ToolCall(call.id, call.name, whole_characters(call.arguments))
            for _, call in sorted(self._calls.items())
        )
        reason = "tool_calls" if calls else self._finish_reason
        return Delta(rest.text, rest.reasoning, tool_calls=calls, usage=self._usage, finish_reason=reason)

    def _told(self, delta: Mapping[str, object]) -> Iterator[Delta]:
        for call in listed(delta.get("tool_calls")):
            self._add_call(call)
        content = content_of(delta)
        text = self._characters.feed(content.text) if content.text else ""
        parts = self._filter.feed(text) if text else Parts("", "")
        reasoning = self._thoughts.feed(content.reasoning) + parts.reasoning
        if parts.text or reasoning or parts.takes_back:
            self.started = True
            yield Delta(parts.text, reasoning, takes_back=parts.takes_back)

    @property
    def began_within(self) -> bool:
        """Whether the answer began in the middle of a thought, as the templates of some models have it."""
        return self._filter.closed_unopened

    def _add_call(self, piece: Mapping[str, object]) -> None:
        call_id, function = text_in(piece.get("id")), fields(piece.get("function"))
        call = self._calls.setdefault(self._place(count_in(piece.get("index")), call_id), _Call())
        call.id = call.id or call_id
        call.name = call.name or text_in(function.get("name"))
        call.arguments += text_in(function.get("arguments"))

    def _place(self, place: int, call_id: str) -> int:
        """Some servers number every piece 0, or none, and tell calls apart by their ids only."""
        known = self._calls.get(place)
        is_other = bool(known and known.id and call_id and call_id != known.id)
        return max(self._calls) + 1 if is_other else place
