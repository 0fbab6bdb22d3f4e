"""What a chat completion asks for: read from a body, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memoryapp.exceptions import ValidationFailed

MAX_MESSAGES: Final = 2_000
MAX_TEXT: Final = 64_000
INSTRUCTING: Final = ("system", "developer")
ROLES: Final = (*INSTRUCTING, "user", "assistant", "tool", "function")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message of somebody's, as text."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat completion somebody wants."""

    model: str
    instructions: str
    # What was said before, and now.
    earlier: tuple[Spoken, ...]
    text: str
    stream: bool
    with_usage: bool
    max_tokens: int | None
    temperature: float | None

    @property
    def settings(self) -> dict[str, Any]:
        """What the request to the model gets from the caller."""
        given = {"max_tokens": self.max_tokens, "temperature": self.temperature}
        return {name: value for name, value in given.items() if value is not None}


def read_asked(body: Mapping[str, Any]) -> Asked:
    """The completion a body asks for; raises ValidationFailed unless its last words are a user's."""
    model, messages = body.get("model"), body.get("messages")
    if not isinstance(model, str) or not 0 < len(model) <= 200:
        raise ValidationFailed.of("model", "model is the name of an agent or of a model.")
    if not isinstance(messages, list) or not 0 < len(messages) <= MAX_MESSAGES:
        raise ValidationFailed.of("messages", f"messages is a list of 1 to {MAX_MESSAGES} messages.")
    read = [_message(each) for each in messages]
    spoken = [each for each in read if each.role in {"user", "assistant"} and each.text.strip()]
    if not spoken or read[-1].role != "user" or spoken[-1] is not read[-1]:
        raise ValidationFailed.of("messages", "The last message is a user's, and has a text.")
    if len(read[-1].text) > MAX_TEXT:
        raise ValidationFailed.of("messages", f"A message has at most {MAX_TEXT} characters.")
    options = body.get("stream_options")
    return Asked(
        model=model,
        instructions="\n\n".join(
            each.text for each in read if each.role in INSTRUCTING and each.text.strip()
        ),
        earlier=tuple(spoken[:-1]),
        text=read[-1].text,
        stream=_flag(body, "stream"),
        with_usage=isinstance(options, Mapping) and options.get("include_usage") is True,
        max_tokens=_whole(body, "max_completion_tokens") or _whole(body, "max_tokens"),
        temperature=_temperature(body.get("temperature")),
    )


def _message(given: object) -> Spoken:
    if not isinstance(given, Mapping) or given.get("role") not in ROLES:
        raise ValidationFailed.of(
            "messages", f"A message is an object whose role is one of {', '.join(ROLES)}."
        )
    return Spoken(str(given["role"]), text_of(given.get("content")))


def text_of(content: object) -> str:
    """The text of a message; pictures and sounds are left aside."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, Sequence):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "\n".join(text for text in parts if isinstance(text, str))
    raise ValidationFailed.of("messages", "A message's content is a text or a list of parts.")


def _flag(body: Mapping[str, Any], name: str) -> bool:
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise ValidationFailed.of(name, f"{name} is true or false.")
    return bool(value)


def _whole(body: Mapping[str, Any], name: str) -> int | None:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1_000_000:
        raise ValidationFailed.of(name, f"{name} is a whole number from 1.")
    return value


def _temperature(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 2:
        raise ValidationFailed.of("temperature", "temperature is a number from 0 to 2.")
    return float(value)
