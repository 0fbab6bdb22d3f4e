"""A memory source that does as a test tells it, and what its tests share."""

from __future__ import annotations

from typing import Any

from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.providers.base import (
    Exchanged,
    Forgotten,
    Kind,
    Provider,
    ProviderTool,
    Snippet,
    TurnQuery,
    Written,
)
from tests.conftest import Call, Person


class Notebook(Provider):
    """Answers as a test tells it to, and keeps what it heard."""

    name = "notebook"
    heard: list[Any] = []
    does: Any = staticmethod(lambda: None)

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        return [Snippet(Kind.FILE, "The office closes at six.", "NOTEBOOK.md")]

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        type(self).does()
        return [Snippet(Kind.RECALLED, f"Notebook of {turn.principal.owner_key}", "notebook")]

    def sync_turn(self, turn: Exchanged) -> None:
        type(self).does()
        self.heard.append(turn)

    def on_memory_write(self, written: Written) -> None:
        self.heard.append(written)

    def on_session_end(self, principal: Any, agent: Any, conversation_id: str) -> None:
        self.heard.append(("end", principal.owner_key, conversation_id))

    def on_pre_compress(self, principal: Any, agent: Any, messages: Any) -> list[str]:
        return [f"The notebook carries on {len(messages)} messages."]

    def on_forget(self, forgotten: Forgotten) -> None:
        self.heard.append(forgotten)

    def tools(self, agent: Any) -> list[ProviderTool]:
        schema = {"type": "object", "properties": {"page": {"type": "integer"}}}
        return [
            ProviderTool(
                "notebook_page", "Read a page.", schema, lambda turn, given: {"text": f"p. {given['page']}"}
            ),
            ProviderTool("memory_list", "Ours is not to be replaced.", schema, lambda turn, given: {}),
        ]


def say(call: Call, who: Person, text: str = "What is in the notebook?", **more: Any) -> Any:
    return call(who, "POST", "/chat", {"agentId": "juno", "message": text, "conversationId": "talk", **more})


def seen(model: ScriptedBackend) -> str:
    chat = [request for request in model.requests if request.task == "chat"]
    return "\n".join(message.content for message in chat[-1].messages)


def status(call: Call, who: Person, name: str = "notebook") -> dict[str, Any]:
    results = call(who, "GET", "/providers").json()["results"]
    return next(each for each in results if each["name"] == name)
