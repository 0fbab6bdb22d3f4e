"""What tests of tools in a turn share: a model that calls one, what it was told, and what is kept."""

from __future__ import annotations

import json
from typing import Any

from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.types import ToolCall
from memoryapp.models import Fact
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person


def calling(name: str, said: str = "", **arguments: Any) -> Scripted:
    """An answer that is a call of one tool."""
    call = ToolCall("c1", name, json.dumps(arguments))
    return Scripted(said, tool_calls=(call,), finish_reason="tool_calls")


def told(model: ScriptedBackend, place: int = -1) -> dict[str, Any]:
    """What the model was told by the tool it called last."""
    message = model.requests[place].messages[-1]
    assert message.role == "tool"
    content: dict[str, Any] = json.loads(message.content)
    return content


def facts(who: Person) -> list[str]:
    with workspace_scope(who.workspace):
        return list(Fact.objects.owned_by(who.principal).active().values_list("text", flat=True))


def say_to(call: Call, who: Person, text: str, **more: Any) -> Any:
    return call(who, "POST", "/chat", {"agentId": "juno", "message": text, **more})
