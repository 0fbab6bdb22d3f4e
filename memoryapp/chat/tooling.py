"""The tools of a turn: which are offered, and the exchange in which the model calls them, a bounded number of times.

Told piece by piece, so that a turn answered at once and one that is streamed take the same way.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.conf import settings

from memoryapp.llm.errors import MalformedReply
from memoryapp.llm.types import ChatMessage, ChatRequest, Delta, FinishReason, ToolCall, ToolSpec, Usage
from memoryapp.model_settings import has_model
from memoryapp.models import Agent
from memoryapp.providers import providers_for
from memoryapp.providers.base import ProviderTool, TurnQuery
from memoryapp.providers.chain import guarded
from memoryapp.safety.fences import neutralise
from memoryapp.tools import TOOLS, ToolContext, ToolResult, call_tool
from tenants.models import Role, Workspace
from tenants.owners import user_owner_key
from tenants.principals import Principal

logger = logging.getLogger(__name__)

MOST_CALLS_A_ROUND = 16
BREAK = "\n\n"
SHORT_RESULT = 2_000
CUT_MARK = " … [cut here: too long]"
# Arguments that say where and how much, never what: only these are kept with the reply.
TELLING = {
    "memoryId",
    "event_id",
    "agentId",
    "filename",
    "filenamePrefix",
    "scope",
    "category",
    "categories",
    "limit",
}
TELLING |= {"longTerm", "all", "confirm"}


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool and how it ended."""

    call: ToolCall
    result: ToolResult

    @property
    def status(self) -> str:
        return "done" if self.result.ok else "failed"

    @property
    def stored(self) -> dict[str, Any]:
        """What the reply's row keeps: no text of anybody's, so that there is nothing in it to be forgotten."""
        told = self.result.given.items()
        kept: dict[str, Any] = {
            "name": self.result.name,
            "status": self.status,
            "arguments": {name: value for name, value in told if name in TELLING},
        }
        if self.result.wrote:
            kept["ids"] = _ids(self.result.content)
        if not self.result.ok:
            kept["error"] = self.result.content["error"]
        return kept


def _ids(content: dict[str, Any]) -> list[str]:
    rows = [content, *content.get("results", [])]
    return [*map(str, content.get("ids", [])), *(str(row["id"]) for row in rows if "id" in row)]


def offered_tools(agent: Agent, workspace: Workspace) -> tuple[ToolSpec, ...]:
    """The tools that the agent's model may call: none without a model, or where they are switched off."""
    off = agent.settings.get("toolsOff", [])
    if not settings.MEMORY_TOOL_MAX_ROUNDS or off is True or not has_model(workspace):
        return ()
    ours = [tool.spec for tool in TOOLS.values()]
    theirs = [
        ToolSpec(tool.name, tool.description, tool.parameters)
        for tool in provider_tools(agent, workspace).values()
    ]
    return tuple(spec for spec in (*ours, *theirs) if spec.name not in off)


def provider_tools(agent: Agent, workspace: Workspace) -> dict[str, ProviderTool]:
    """The tools that memory sources bring; none of them takes the name of one of ours."""
    found: dict[str, ProviderTool] = {}
    for provider in providers_for(agent, workspace):
        if provider.hears("tools"):
            for tool in guarded(provider, "tools", partial(provider.tools, agent)) or []:
                if tool.name not in TOOLS:
                    found.setdefault(tool.name, tool)
    return found


def tool_principal(principal: Principal) -> Principal:
    """As whom a turn's tools act: the owner. Whoever talks through somebody else's token has no say over the team's."""
    speaks_for_self = principal.user_id is not None and principal.owner_key == user_owner_key(
        principal.user_id
    )
    return principal if speaks_for_self else replace(principal, role=Role.VIEWER)


class Exchange:
    """A turn's talk with the model: the next request, what it has said and cost so far, which tools it has called."""

    def __init__(
        self,
        request: ChatRequest,
        context: ToolContext,
        turn: TurnQuery,
        shorter: tuple[ChatMessage, ...] = (),
        given: Mapping[str, ProviderTool] | None = None,
    ) -> None:
        self.request = request
        self._turn = turn
        self._given = given or {}
        self._shorter = shorter
        self._beginning = len(request.messages)
        self.text = ""
        self.reasoning = ""
        self.usage: Usage | None = None
        self.finish_reason: FinishReason = "stop"
        self.uses: list[ToolUse] = []
        self._context = context
        self._offered = {spec.name for spec in request.tools}
        self._said = ""
        self._calls: tuple[ToolCall, ...] = ()
        self._rounds = 0

    @property
    def wrote(self) -> bool:
        """Whether a tool has changed memory."""
        return any(use.result.wrote for use in self.uses)

    def shorten(self) -> bool:
        """Say it all in fewer words, since the model found it too long: False when that was done, or does not help."""
        asked = self.request.messages
        if not self._shorter:
            return False
        # What the tools were asked and have answered stays together, the answers in short.
        since = tuple(_in_short(message) for message in asked[self._beginning :])
        self.request = replace(self.request, messages=(*self._shorter, *since))
        self._beginning, self._shorter = len(self._shorter), ()
        return self.request.messages != asked

    def check_answer(self) -> None:
        """Raise MalformedReply when there is nothing in it to store as a reply."""
        if not self.text.strip():
            raise MalformedReply("The language model gave an empty answer.")

    @property
    def written_ids(self) -> list[str]:
        """The memories that tools have written."""
        return [key for use in self.uses if use.result.wrote for key in _ids(use.result.content)]

    def take(self, piece: Delta) -> str:
        """Take in a piece of the model's answer, and give what of it is to be shown."""
        if piece.takes_back:
            self.reasoning += self._said
            self.text = self.text.removesuffix(self._said).removesuffix(BREAK)
            self._said = ""
        self._calls = piece.tool_calls or self._calls
        self.reasoning += piece.reasoning
        self.finish_reason = piece.finish_reason or self.finish_reason
        if piece.usage:
            self.usage = piece.usage.plus(self.usage)
        begins = bool(piece.text and self.text and not self._said)
        shown = BREAK + piece.text if begins else piece.text
        self._said += piece.text
        self.text += shown
        return shown

    def wanted_calls(self) -> tuple[ToolCall, ...]:
        """The calls that the answer, now complete, waits for; none when it was the model's last word."""
        calls = tuple(
            call if call.id else replace(call, id=f"call-{self._rounds}-{place}")
            for place, call in enumerate(self._calls)
        )
        if not calls or not self.request.tools:
            return ()
        self._rounds += 1
        self._add(ChatMessage("assistant", self._said, tool_calls=calls))
        self._said, self._calls = "", ()
        if self._rounds >= settings.MEMORY_TOOL_MAX_ROUNDS:
            # The model has to answer with what it has.
            self.request = replace(self.request, tools=())
        return calls

    def use(self, call: ToolCall, place: int = 0) -> ToolUse:
        """Run one of the wanted calls and tell the model what came of it. Opens its own short transactions."""
        use = ToolUse(call, self._run(call, place))
        self._add(ChatMessage("tool", _told(use.result), tool_call_id=call.id))
        self.uses.append(use)
        return use

    def _run(self, call: ToolCall, place: int) -> ToolResult:
        if call.name not in self._offered:
            return _failed(call, "unknown_tool", "There is no tool of this name.")
        if place >= MOST_CALLS_A_ROUND:
            return _failed(call, "too_many_calls", "Too many calls at once. Call it again by itself.")
        try:
            if call.name in self._given:
                return _call_given(self._given[call.name], call, self._turn)
            return call_tool(TOOLS[call.name], call.arguments, self._context)
        except Exception:
            # The edge towards what a model made up: a defect of ours is logged, and the person gets an answer.
            logger.exception("The tool %s failed.", call.name)
            return _failed(call, "tool_failed", "The tool failed. Go on without it.")

    def _add(self, message: ChatMessage) -> None:
        self.request = replace(self.request, messages=(*self.request.messages, message))


def _in_short(message: ChatMessage) -> ChatMessage:
    if message.role != "tool" or len(message.content) <= SHORT_RESULT:
        return message
    return replace(message, content=message.content[:SHORT_RESULT] + CUT_MARK)


def _call_given(tool: ProviderTool, call: ToolCall, turn: TurnQuery) -> ToolResult:
    """Run a tool of a memory source's; its writes are its own business and not ours to extract or not."""
    try:
        arguments = json.loads(call.arguments or "{}")
    except json.JSONDecodeError:
        return _failed(call, "invalid_arguments", "The arguments are not a JSON object.")
    if not isinstance(arguments, dict):
        return _failed(call, "invalid_arguments", "The arguments are not a JSON object.")
    answer = tool.run(turn, arguments)
    # What is no JSON is the source's failure and not the turn's.
    json.dumps(answer, default=str)
    return ToolResult(call.name, answer, ok=True, wrote=False)


def _failed(call: ToolCall, code: str, detail: str) -> ToolResult:
    return ToolResult(call.name[:64], {"error": code, "detail": detail}, ok=False, wrote=False)


def _told(result: ToolResult) -> str:
    """The result as the model reads it: data that can speak for nobody, and no longer than fits."""
    text = neutralise(result.text)
    limit = settings.MEMORY_TOOL_RESULT_MAX_CHARS
    return text if not limit or len(text) <= limit else text[:limit] + CUT_MARK
