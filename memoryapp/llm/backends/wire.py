"""What a server of models sends, taken as it comes: any part of it may be missing, null, or something else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memoryapp.llm.reasoning import Parts
from memoryapp.llm.types import FinishReason, Usage

FINISH_REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
FAILED = frozenset(("error", "abort", "cancelled"))
HALF_CHARACTER = re.compile("[\ud800-\udfff]")
HALF_AT_END = re.compile("[\ud800-\udbff]$")


def fields(value: object) -> Mapping[str, object]:
    """An object as it came."""
    return value if isinstance(value, dict) else {}


def listed(value: object) -> list[Mapping[str, object]]:
    """A list of objects as it came."""
    return [fields(each) for each in value] if isinstance(value, list) else []


def text_in(value: object) -> str:
    """A text as it came."""
    return value if isinstance(value, str) else ""


def count_in(value: object) -> int:
    """A whole number as it came."""
    return value if isinstance(value, int) else 0


def first_choice(answer: Mapping[str, object]) -> Mapping[str, object]:
    """The one answer that was asked for, also when a server gives several."""
    return next((each for each in listed(answer.get("choices")) if not count_in(each.get("index"))), {})


def content_of(message: Mapping[str, object]) -> Parts:
    """The text and the thinking of a message or of a piece of one, whose content is a text or a list of parts."""
    content = message.get("content")
    parts = listed(content)
    text = text_in(content) or "".join(text_in(part.get("text")) for part in parts)
    thought = "".join(_thought(part.get("thinking")) for part in parts)
    return Parts(text or text_in(message.get("refusal")), _beside(message) + thought)


def _beside(message: Mapping[str, object]) -> str:
    """The thinking that servers send beside the text, under either of the names in use."""
    return text_in(message.get("reasoning_content")) or text_in(message.get("reasoning"))


def _thought(value: object) -> str:
    return text_in(value) or "".join(text_in(part.get("text")) for part in listed(value))


def usage_in(answer: Mapping[str, object]) -> Usage | None:
    """What the answer cost, if the server says so."""
    usage = fields(answer.get("usage"))
    if not usage:
        return None
    return Usage(count_in(usage.get("prompt_tokens")), count_in(usage.get("completion_tokens")))


def finish_reason_of(told: str) -> FinishReason:
    """Our word for why the model stopped; what no one has heard of counts as an ordinary end."""
    return FINISH_REASONS.get(told, "stop")


def whole_characters(text: str) -> str:
    """The text with the halves of characters, as JSON may write them, put together; a half alone is left out."""
    if not HALF_CHARACTER.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


class CharacterJoiner:
    """Keeps half a character at the end of one piece of text for the beginning of the next."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        """The whole characters so far."""
        text = self._half + piece
        half = HALF_AT_END.search(text)
        self._half = half[0] if half else ""
        return whole_characters(text[: len(text) - len(self._half)])
