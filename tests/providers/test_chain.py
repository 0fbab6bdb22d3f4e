"""Memory sources of other people's making: each by itself, each for so long, none at the turn's expense."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.types import ToolCall
from memoryapp.models import Event
from memoryapp.providers import breaker, known_providers
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
from tests.providers.conftest import Use


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


@pytest.fixture(autouse=True)
def _fresh_notebook() -> None:
    Notebook.heard = []
    Notebook.does = staticmethod(lambda: None)


def say(call: Call, who: Person, text: str = "What is in the notebook?", **more: Any) -> Any:
    return call(who, "POST", "/chat", {"agentId": "juno", "message": text, "conversationId": "talk", **more})


def seen(model: ScriptedBackend) -> str:
    chat = [request for request in model.requests if request.task == "chat"]
    return "\n".join(message.content for message in chat[-1].messages)


def status(call: Call, who: Person, name: str = "notebook") -> dict[str, Any]:
    results = call(who, "GET", "/providers").json()["results"]
    return next(each for each in results if each["name"] == name)


def test_what_it_offers_stands_in_the_prompt_for_its_owner(
    call: Call, alice: Person, bob: Person, model: ScriptedBackend, use: Use
) -> None:
    use(Notebook)
    say(call, alice)
    told = [request for request in model.requests if request.task == "chat"][-1].messages
    assert "The office closes at six." in told[0].content
    assert f"Notebook of {alice.principal.owner_key} (notebook)" in told[-2].content
    assert told[-2].role == "user"
    say(call, bob)
    assert alice.principal.owner_key not in seen(model)
    known = status(call, alice)
    assert (known["state"], known["builtIn"], known["inUse"], known["failedCalls"]) == (
        "closed",
        False,
        True,
        0,
    )
    assert "prefetch" in known["hooks"]


def test_an_agent_does_without_it(call: Call, alice: Person, model: ScriptedBackend, use: Use) -> None:
    use(Notebook)
    call(alice, "PATCH", "/agents/juno", {"settings": {"providersOff": ["notebook"]}})
    say(call, alice)
    drain()
    assert "Notebook" not in seen(model)
    assert Notebook.heard == []


def test_one_that_fails_is_left_out_and_then_left_alone(
    call: Call, alice: Person, model: ScriptedBackend, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(Notebook)
    calls = []

    def fail() -> None:
        calls.append(1)
        raise ZeroDivisionError("secret words")

    Notebook.does = staticmethod(fail)
    monkeypatch.setattr(Notebook, "system_prompt_block", Provider.system_prompt_block)
    for _ in range(5):
        assert say(call, alice).status_code == 200
    assert len(calls) == 3
    known = status(call, alice)
    assert (known["state"], known["lastError"]) == ("open", "ZeroDivisionError")
    told = call(alice, "POST", "/agents/juno/context", {"message": "What is in the notebook?"}).json()
    assert {"name": "notebook", "reason": "this memory source did not answer in time, or failed"} in told[
        "omitted"
    ]

    # After the rest one call tries it out.
    monkeypatch.setattr(breaker, "REST_SECONDS", 0.0)
    breaker.breaker_of("notebook", "prefetch").failed("x")
    Notebook.does = staticmethod(lambda: None)
    assert status(call, alice)["state"] == "half_open"
    say(call, alice)
    assert "Notebook of" in seen(model)
    assert status(call, alice)["state"] == "closed"


def test_one_that_is_slow_is_not_waited_for(
    call: Call, alice: Person, model: ScriptedBackend, use: Use, settings: Any
) -> None:
    use(Notebook)
    settings.MEMORY_PROVIDER_TIMEOUT_MS = 100
    never = threading.Event()
    Notebook.does = staticmethod(lambda: never.wait(5))
    started = time.monotonic()
    assert say(call, alice).status_code == 200
    assert time.monotonic() - started < 4
    never.set()
    assert "Notebook of" not in seen(model)
    assert "100 ms" in status(call, alice)["lastError"]


def test_several_are_asked_at_the_same_time(
    call: Call, alice: Person, model: ScriptedBackend, use: Use
) -> None:
    meeting = threading.Barrier(3, timeout=5)

    def one(number: int) -> type[Provider]:
        def prefetch(self: Provider, turn: TurnQuery) -> list[Snippet]:
            meeting.wait()
            return [Snippet(Kind.RECALLED, f"Source {number} speaks", "x")]

        return type(f"P{number}", (Provider,), {"name": f"p{number}", "prefetch": prefetch})

    use(*(one(number) for number in range(3)))
    say(call, alice)
    places = [seen(model).index(f"Source {number} speaks") for number in range(3)]
    assert places == sorted(places)


def test_our_own_failing_ends_no_turn_either(
    call: Call, alice: Person, model: ScriptedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoryapp.providers.structured import StructuredProvider

    def broken(*_: Any) -> list[Snippet]:
        raise ZeroDivisionError

    monkeypatch.setattr(StructuredProvider, "prefetch", broken)
    assert say(call, alice).status_code == 200
    assert status(call, alice, "structured")["failedCalls"] == 1


def test_a_package_that_cannot_be_loaded_is_left_out(
    call: Call, alice: Person, model: ScriptedBackend, use: Use, caplog: Any
) -> None:
    class Impostor(Provider):
        name = "facts"

    use(Notebook, ImportError("no such thing"), "not a class", Impostor)
    assert say(call, alice).status_code == 200
    assert "Notebook of" in seen(model)
    assert known_providers()["facts"] is not Impostor
    assert "cannot be loaded" in caplog.text


class TestHooks:
    def test_a_finished_turn_is_told_by_a_worker(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        secret = "gh" + "p_" + "A1b2C3d4E5" * 4
        say(call, alice, f"My token is {secret}, hello.", endUserId="u1")
        assert Notebook.heard == []
        drain()
        (told,) = [each for each in Notebook.heard if isinstance(each, Exchanged)]
        assert (told.principal.owner_key, told.conversation_id, told.reply) == ("api:u1", "talk", "Noted.")
        assert secret not in told.said

    def test_what_has_failed_is_told_again_later(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        say(call, alice, "Hello there, notebook.")
        Notebook.does = staticmethod(lambda: 1 / 0)
        drain()
        failed = Event.objects.get(kind="provider_sync", status="FAILED")
        assert "notebook" in failed.reason
        Notebook.does = staticmethod(lambda: None)
        Event.objects.filter(kind="provider_sync", status="PENDING").update(run_after=failed.created_at)
        drain()
        assert len([each for each in Notebook.heard if isinstance(each, Exchanged)]) == 1

    def test_memory_written_and_the_end_of_a_talk_are_told(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        words = "User's dentist is Doctor Ferreira in Porto"
        candidate = {"op": "ADD", "text": words, "category": "relationship", "evidence": [1]}
        model.queue("Noted.", {"should_update": True, "operations": [candidate]})
        say(call, alice, "Remember that my dentist is Doctor Ferreira in Porto.")
        drain()
        drain()
        (written,) = [each for each in Notebook.heard if isinstance(each, Written)]
        assert written.texts == (words,)
        assert ("end", alice.principal.owner_key, "talk") in Notebook.heard

    def test_what_is_forgotten_is_told_also_when_its_rows_are_gone(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        for text in ("The locker word is PELICAN", "The locker word is HERON"):
            call(alice, "POST", "/memory/juno/facts", {"text": text})
        facts = call(alice, "GET", "/memory/juno/facts").json()["results"]
        by_text = {each["text"]: each["id"] for each in facts}
        call(alice, "POST", f"/memory/juno/facts/{by_text['The locker word is PELICAN']}/forget")
        call(alice, "DELETE", f"/memory/juno/facts/{by_text['The locker word is HERON']}")
        assert not [event for event in Event.objects.all() if "PELICAN" in str(event.payload)]
        drain()
        told = [each for each in Notebook.heard if isinstance(each, Forgotten)]
        assert sorted(text for each in told for text in each.texts) == sorted(by_text)
        assert all("sealed" not in event.payload for event in Event.objects.filter(kind="provider_forget"))

    def test_somebody_erased_is_erased_there_too(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        call(alice, "POST", "/memory/juno/facts", {"text": "The locker word is PELICAN", "endUserId": "u1"})
        assert call(alice, "POST", "/me/erase", {"confirm": True, "endUserId": "u1"}).status_code in {
            200,
            201,
        }
        drain()
        told = [each for each in Notebook.heard if isinstance(each, Forgotten)]
        assert ("api:u1", True) in {(each.owner_key, each.everything) for each in told}
        assert "api:u1" not in str(list(Event.objects.values_list("owner_key", "payload")))

    def test_its_tools_are_offered_beside_ours(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        page = ToolCall("c1", "notebook_page", '{"page": 7}')
        model.queue(Scripted(tool_calls=(page,), finish_reason="tool_calls"), "Page seven.")
        assert say(call, alice).json()["reply"] == "Page seven."
        assert '{"text": "p. 7"}' in model.requests[-1].messages[-1].content
        names = [spec.name for spec in model.requests[0].tools]
        assert names.count("memory_list") == 1

    @pytest.mark.parametrize("arguments", ["{", "[]", "{}"])
    def test_arguments_it_cannot_use_end_nothing(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use, arguments: str
    ) -> None:
        use(Notebook)
        page = ToolCall("c1", "notebook_page", arguments)
        model.queue(Scripted(tool_calls=(page,), finish_reason="tool_calls"), "Well.")
        assert say(call, alice).json()["reply"] == "Well."
        assert "error" in model.requests[-1].messages[-1].content


def test_past_messages_are_recalled_where_that_is_switched_on(
    call: Call, alice: Person, bob: Person, model: ScriptedBackend, settings: Any
) -> None:
    settings.MEMORY_PROVIDERS = ["files", "structured", "facts", "conversations"]
    say(call, alice, "The green Gazelle bicycle stands in the north shed.", conversationId="first")
    say(call, alice, "Where does the green Gazelle bicycle stand?", conversationId="second")
    assert "The person said: The green Gazelle bicycle stands in the north shed." in seen(model)
    assert seen(model).count("stands in the north shed") == 1
    say(call, alice, "Where does the green Gazelle bicycle stand?", conversationId="first")
    assert seen(model).count("stands in the north shed") == 1  # it stands in the history already
    say(call, bob, "Where does the green Gazelle bicycle stand?", conversationId="first")
    assert "north shed" not in seen(model)
