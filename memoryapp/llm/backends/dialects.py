"""What a server understands of the request, learnt from its refusals and remembered per address."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from memoryapp.llm.types import ChatMessage, ChatRequest, ToolSpec

SCHEMA_LEVELS = ("json_schema", "json_object", "none")
ABOUT_TOOLS = re.compile(
    r"tools?\b.{0,40}(?:not|n't|un)\s?support|support.{0,20}\btools?\b|tool.?choice|function.?call",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which optional parts of a request the server takes."""

    schema_level: str = "json_schema"
    stream_usage: bool = True
    length_field: str = "max_tokens"
    temperature: bool = True
    tools: bool = True
    # Whether its answers begin within a thought: the prompt's template opens it, and only its end is ever sent.
    begins_within: bool = False

    def after_refusal(self, said: str, request: ChatRequest, *, streaming: bool) -> Dialect | None:
        """The next dialect to try after the server refused the request, or None if nothing is left to leave out."""
        if request.max_tokens and "max_completion_tokens" in said and self.length_field == "max_tokens":
            return replace(self, length_field="max_completion_tokens")
        if request.temperature is not None and "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        if streaming and "stream_options" in said and self.stream_usage:
            return replace(self, stream_usage=False)
        if request.tools and self.tools and ABOUT_TOOLS.search(said):
            return replace(self, tools=False)
        # Few servers name what they dislike about a schema, so any refusal of one is taken to be about it.
        if request.schema and self.schema_level != "none":
            return replace(self, schema_level=SCHEMA_LEVELS[SCHEMA_LEVELS.index(self.schema_level) + 1])
        return None

    def body(self, request: ChatRequest, *, streaming: bool) -> dict[str, Any]:
        """The request in the words of the chat completions API."""
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [_message(one) for one in request.messages],
        }
        if request.max_tokens:
            body[self.length_field] = request.max_tokens
        if request.temperature is not None and self.temperature:
            body["temperature"] = request.temperature
        if request.tools and self.tools:
            body["tools"] = [_tool(spec) for spec in request.tools]
        if request.schema and self.schema_level == "json_schema":
            schema = {"name": request.schema.name, "schema": dict(request.schema.schema), "strict": False}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.schema and self.schema_level == "json_object":
            body["response_format"] = {"type": "json_object"}
        if streaming:
            body["stream"] = True
            body |= {"stream_options": {"include_usage": True}} if self.stream_usage else {}
        return body


def _message(message: ChatMessage) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.name:
        body["name"] = message.name
    if message.tool_call_id:
        body["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return body


def _tool(spec: ToolSpec) -> dict[str, Any]:
    function = {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
    return {"type": "function", "function": function}
