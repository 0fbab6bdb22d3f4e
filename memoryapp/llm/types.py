"""What goes to a model and what comes back, in words that no vendor owns."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]
Task = Literal[
    "chat",
    "extract",
    "conflicts",
    "dream",
    "focused_dream",
    "consolidate",
    "compress",
    "rewrite_query",
    "soul",
]
FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A function the model may ask for; `parameters` is its JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function the model asks for; `arguments` is the JSON text exactly as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a request."""

    role: Role
    content: str
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """The JSON schema a reply must follow, with the name a server wants for it."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Everything one model call needs; an empty `model` means the client's own.

    `context` is the task's typed data: backends that reason without a model read it instead of the prompt.
    """

    messages: tuple[ChatMessage, ...]
    model: str = ""
    task: Task = "chat"
    context: object = None
    schema: ReplySchema | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens a call cost, zero where the server does not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def plus(self, other: Usage | None) -> Usage:
        """What both calls cost together."""
        if other is None:
            return self
        return Usage(
            self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """A finished answer; `reasoning` is the model's private thinking and never part of `text`."""

    text: str
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a streamed answer; `takes_back`: the text before it was thinking, which only now has shown.

    The last one has a `finish_reason`, the usage and the complete tool calls; a stream that ends without it is broken.
    """

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    finish_reason: FinishReason | None = None
    takes_back: bool = False


class Backend(Protocol):
    """One way to reach a model; every failure is a ModelError."""

    @property
    def name(self) -> str: ...

    def complete(self, request: ChatRequest) -> Completion: ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[Delta, None]: ...
