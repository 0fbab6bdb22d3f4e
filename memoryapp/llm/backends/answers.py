"""A whole answer as a server sends it, also instead of a stream; anything may come under a status of 200."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memoryapp.llm.backends.failures import says_too_long
from memoryapp.llm.backends.wire import (
    FAILED,
    content_of,
    fields,
    finish_reason_of,
    first_choice,
    listed,
    text_in,
    usage_in,
    whole_characters,
)
from memoryapp.llm.errors import ContextTooLong, ModelUnavailable
from memoryapp.llm.reasoning import split_reasoning
from memoryapp.llm.types import Completion, ToolCall, Usage


def completion_of(answer: object) -> Completion:
    """The answer in our words; raises ModelUnavailable, or ContextTooLong, when it is none."""
    told = fields(_parsed(answer))
    if told.get("error"):
        raise (
            ContextTooLong
            if says_too_long(str(told["error"]))
            else ModelUnavailable("The language model's server reported an error.")
        )
    choice = first_choice(told)
    message, reason = fields(choice.get("message")), text_in(choice.get("finish_reason"))
    if not message:
        raise ModelUnavailable("The language model's server sent no answer.")
    if reason in FAILED:
        raise ModelUnavailable("The language model's server broke its answer off.")
    content = content_of(message)
    parts = split_reasoning(whole_characters(content.text))
    calls = tuple(_calls(message))
    return Completion(
        text=parts.text,
        finish_reason="tool_calls" if calls else finish_reason_of(reason),
        usage=usage_in(told) or Usage(),
        tool_calls=calls,
        reasoning=whole_characters(content.reasoning) + parts.reasoning,
        model=text_in(told.get("model")),
    )


def _parsed(answer: object) -> object:
    """JSON that came under another name."""
    if not isinstance(answer, (str, bytes)):
        return answer
    try:
        return json.loads(answer)
    except ValueError:
        return None


def _calls(message: Mapping[str, object]) -> list[ToolCall]:
    found = []
    for call in listed(message.get("tool_calls")):
        function = fields(call.get("function"))
        if function:
            arguments = whole_characters(text_in(function.get("arguments")))
            found.append(ToolCall(text_in(call.get("id")), text_in(function.get("name")), arguments))
    return found
