"""Memory sources of other people's making: each by itself, each for so long, none at the turn's expense."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.providers import breaker, known_providers
from memoryapp.providers.base import (
    Kind,
    Provider,
    Snippet,
    TurnQuery,
)
from tests.conftest import Call, Person
from tests.providers.conftest import Use
from tests.providers.notebook import Notebook, say, seen, status


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


def test_the_time_for_all_is_one_for_both_hooks(
    call: Call, alice: Person, model: ScriptedBackend, use: Use, settings: Any
) -> None:
    settings.MEMORY_PROVIDER_TIMEOUT_MS, settings.MEMORY_PROVIDERS_TIMEOUT_MS = 60_000, 50
    never = threading.Event()

    def wait(self: Provider, turn: TurnQuery) -> list[Snippet]:
        never.wait(8)
        return []

    use(type("Slow", (Provider,), {"name": "slow", "prefetch": wait, "system_prompt_block": wait}))
    started = time.monotonic()
    assert say(call, alice).status_code == 200
    assert time.monotonic() - started < 6
    never.set()


def test_one_that_hangs_for_ever_takes_no_more_threads_than_it_has(
    call: Call,
    alice: Person,
    model: ScriptedBackend,
    use: Use,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(Notebook)
    settings.MEMORY_PROVIDER_TIMEOUT_MS = 10
    monkeypatch.setattr(breaker, "REST_SECONDS", 0.0)
    monkeypatch.setattr(Notebook, "system_prompt_block", Provider.system_prompt_block)
    release, calls = threading.Event(), []
    Notebook.does = staticmethod(lambda: (calls.append(1), release.wait(30)))
    for _ in range(breaker.MOST_HANGING + 3):
        assert say(call, alice).status_code == 200
    assert len(calls) == breaker.MOST_HANGING
    release.set()


@pytest.mark.parametrize(
    "answer",
    [
        None,
        ["words"],
        [Snippet(Kind.RECALLED, 7, "x")],  # type: ignore[arg-type]
        [Snippet(Kind.STANDING, "Keeps bees", "x", group="hobbies")],
    ],
)
def test_what_is_no_answer_ends_no_turn(
    call: Call, alice: Person, model: ScriptedBackend, use: Use, answer: Any
) -> None:
    hooks = dict.fromkeys(("prefetch", "system_prompt_block"), lambda self, turn: answer)
    use(type("Odd", (Provider,), {"name": "odd", **hooks}))
    assert say(call, alice).status_code == 200
    told = seen(model)
    assert "older entries" not in told
    assert ("Keeps bees" in told) == (status(call, alice, "odd")["failedCalls"] == 0)


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
