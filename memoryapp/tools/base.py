"""What a memory tool is: a name and a description for the model, checked arguments, and a function.

Chat, MCP and the docs read the same list of tools. The owner always comes from the turn, never from the model.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from memoryapp.actions.agents import load_agent
from memoryapp.exceptions import MemoryAppError, NotFound, ValidationFailed
from memoryapp.llm.types import ToolSpec
from memoryapp.models import Agent, Conversation
from tenants.exceptions import TenancyError
from tenants.owners import owner_key_from_label
from tenants.principals import Principal

MOST_ARGUMENT_CHARS = 200_000


class Arguments(BaseModel):
    """Base of every tool's arguments: unknown ones are refused, so that a misspelt filter never widens anything."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class OwnerArguments(Arguments):
    """Arguments of tools that may name whose memory and which agent's; both are checked against the turn."""

    userId: str | None = None
    agentId: str | None = None


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The turn a tool is called in: who speaks, with which agent, in which conversation."""

    principal: Principal
    agent: Agent
    conversation: Conversation | None = None

    def agent_for(self, arguments: OwnerArguments) -> Agent:
        """The agent meant; raises NotFound for another person's memory or an agent that may not be used here."""
        if (
            arguments.userId is not None
            and owner_key_from_label(arguments.userId) != self.principal.owner_key
        ):
            raise NotFound
        return self.agent if arguments.agentId is None else load_agent(self.principal, arguments.agentId)


GivenArguments = TypeVar("GivenArguments", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[GivenArguments]):
    """One function that a model may call; `writes` when it can change memory, `scope` what a token needs for it."""

    name: str
    description: str
    arguments: type[GivenArguments]
    run: Callable[[ToolContext, GivenArguments], dict[str, Any]]
    writes: bool = False

    @property
    def spec(self) -> ToolSpec:
        return _spec(self)


@cache
def _spec(tool: Tool[Any]) -> ToolSpec:
    schema = tool.arguments.model_json_schema()
    schema.pop("title", None)
    schema.pop("description", None)
    return ToolSpec(tool.name, tool.description, schema)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered, as the JSON a model reads; `wrote` when it changed memory, `given` what it was asked."""

    name: str
    content: dict[str, Any]
    ok: bool
    wrote: bool
    given: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return json.dumps(self.content, ensure_ascii=False, default=str)


def call_tool(tool: Tool[Any], arguments: str | dict[str, Any], context: ToolContext) -> ToolResult:
    """Run a tool on a model's arguments. A refusal is an answer the model can act on, not an exception."""
    try:
        checked = _checked(tool, arguments)
        content = tool.run(context, checked)
    except (MemoryAppError, TenancyError) as error:
        refusal = {"error": error.code, "detail": error.detail, "errors": error.errors}
        return ToolResult(tool.name, refusal, ok=False, wrote=False)
    # A call that kept nothing, since a gate refused it or it was known, has changed nothing.
    wrote = tool.writes and content.get("stored", 1) > 0 and content.get("deleted", 1) > 0
    return ToolResult(tool.name, content, ok=True, wrote=wrote, given=checked.model_dump(exclude_unset=True))


def _checked(tool: Tool[GivenArguments], arguments: str | dict[str, Any]) -> GivenArguments:
    if isinstance(arguments, str) and len(arguments) > MOST_ARGUMENT_CHARS:
        raise ValidationFailed("The arguments are too long.", code="invalid_arguments")
    try:
        given = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        return tool.arguments.model_validate(given)
    except json.JSONDecodeError as error:
        raise ValidationFailed("The arguments are not a JSON object.", code="invalid_arguments") from error
    except ValidationError as error:
        errors = {".".join(map(str, one["loc"])) or "arguments": [one["msg"]] for one in error.errors()}
        raise ValidationFailed(
            "Some arguments cannot be used.", code="invalid_arguments", errors=errors
        ) from error
