"""The Mem0 source against a server on the loopback: its two requests to the byte, its settings, its failures."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import ScriptedBackend
from tests.conftest import Call, Person
from tests.providers.conftest import Mem0Server


def say(call: Call, who: Person, text: str = "What tea do I like?", **more: Any) -> Any:
    return call(who, "POST", "/chat", {"agentId": "juno", "message": text, "conversationId": "talk", **more})


def seen(model: ScriptedBackend) -> str:
    chat = [request for request in model.requests if request.task == "chat"]
    return "\n".join(message.content for message in chat[-1].messages)


def remember(server: Mem0Server, who: Person, key: str, text: str, owner: str = "") -> None:
    owner = owner or who.principal.owner_key
    server.memories.append({"id": key, "memory": text, "user_id": owner, "agent_id": str(who.agent.pk)})


def test_it_is_asked_and_told_as_the_owner(
    call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server
) -> None:
    remember(mem0, alice, "m1", "Likes smoky tea")
    remember(
        mem0,
        alice,
        "m2",
        "",
    )
    remember(mem0, alice, "m3", "Somebody else's", owner="api:other")
    say(call, alice)
    drain()
    assert "Likes smoky tea (mem0)" in seen(model)
    assert "Somebody else" not in seen(model)
    (_, path, search, key), (_, told_path, told, _) = mem0.received
    owner, agent = alice.principal.owner_key, str(alice.agent.pk)
    assert (path, key) == ("/memories/search/", "Bearer key-1")
    assert search == {"query": search["query"], "user_id": owner, "agent_id": agent, "limit": 5}
    assert "tea" in search["query"]
    assert told_path == "/memories/"
    assert told == {
        "user_id": owner,
        "agent_id": agent,
        "messages": [
            {"role": "user", "content": "What tea do I like?"},
            {"role": "assistant", "content": "Noted."},
        ],
        "metadata": {"conversation_id": "talk"},
    }


def test_small_talk_asks_nothing(call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server) -> None:
    say(call, alice, "Hello!")
    assert mem0.received == []


@pytest.mark.parametrize("status", [401, 404, 500])
def test_a_server_that_refuses_ends_nothing(
    call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server, status: int
) -> None:
    mem0.status = status
    assert say(call, alice).status_code == 200
    known = next(e for e in call(alice, "GET", "/providers").json()["results"] if e["name"] == "mem0")
    assert known["failedCalls"] == 1


def test_a_server_that_is_slow_is_not_waited_for(
    call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server, settings: Any
) -> None:
    settings.MEMORY_PROVIDER_TIMEOUT_MS = 100
    mem0.hold = threading.Event()
    assert say(call, alice).status_code == 200
    mem0.hold.set()


def test_what_is_forgotten_here_is_deleted_there(
    call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server
) -> None:
    remember(mem0, alice, "m1", "The locker word is PELICAN")
    remember(mem0, alice, "m2", "Likes smoky tea")
    fact = call(alice, "POST", "/memory/juno/facts", {"text": "The locker word is PELICAN"}).json()
    key = fact.get("id") or fact["fact"]["id"]
    call(alice, "POST", f"/memory/juno/facts/{key}/forget")
    drain()
    assert [memory["id"] for memory in mem0.memories] == ["m2"]


def test_who_is_erased_here_is_erased_there(
    call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server
) -> None:
    remember(mem0, alice, "m1", "Likes smoky tea", owner="api:u1")
    remember(mem0, alice, "m2", "Likes rain")
    call(alice, "POST", "/memory/juno/facts", {"text": "Likes smoky tea", "endUserId": "u1"})
    call(alice, "POST", "/me/erase", {"confirm": True, "endUserId": "u1"})
    drain()
    assert [memory["id"] for memory in mem0.memories] == ["m2"]


class TestSettings:
    def test_a_workspace_has_its_own_and_never_shows_its_key(
        self,
        call: Call,
        alice: Person,
        charlie: Person,
        model: ScriptedBackend,
        mem0: Mem0Server,
        settings: Any,
    ) -> None:
        settings.MEM0_BASE_URL, settings.ALLOW_PRIVATE_URLS = "", True
        say(call, alice)
        assert mem0.received == []
        body = {"baseUrl": mem0.address, "apiKey": "own-key", "maxResults": 2, "timeoutMs": 500}
        answer = call(alice, "PATCH", "/providers/mem0", body)
        assert answer.json() == {
            "baseUrl": mem0.address,
            "apiKeySet": True,
            "searchEnabled": True,
            "syncEnabled": True,
            "maxResults": 2,
            "timeoutMs": 500,
        }
        assert "own-key" not in call(alice, "GET", "/providers/mem0").content.decode()
        say(call, alice)
        assert (mem0.received[0][2]["limit"], mem0.received[0][3]) == (2, "Bearer own-key")
        mem0.received.clear()
        say(call, charlie)
        assert mem0.received == []

    def test_searching_and_syncing_are_switched_by_themselves(
        self, call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server
    ) -> None:
        call(alice, "PATCH", "/providers/mem0", {"searchEnabled": False})
        say(call, alice)
        drain()
        assert [path for _, path, _, _ in mem0.received] == ["/memories/"]
        call(alice, "PATCH", "/providers/mem0", {"searchEnabled": True, "syncEnabled": False})
        mem0.received.clear()
        say(call, alice)
        drain()
        assert [path for _, path, _, _ in mem0.received] == ["/memories/search/"]

    def test_the_installation_s_key_goes_to_no_other_address(
        self, call: Call, alice: Person, model: ScriptedBackend, mem0: Mem0Server, settings: Any
    ) -> None:
        settings.ALLOW_PRIVATE_URLS, settings.MEM0_BASE_URL = True, "https://mem0.example.org"
        call(alice, "PATCH", "/providers/mem0", {"baseUrl": mem0.address})
        say(call, alice)
        assert mem0.received[0][3] == ""

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"baseUrl": "ftp://x.example.org"}, "baseUrl"),
            ({"baseUrl": "http://127.0.0.1:1"}, "baseUrl"),
            ({"baseUrl": "http://user:pass@x.example.org"}, "baseUrl"),
            ({"maxResults": 0}, "maxResults"),
            ({"maxResults": 51}, "maxResults"),
            ({"timeoutMs": 0}, "timeoutMs"),
            ({"timeoutMs": "soon"}, "timeoutMs"),
            ({"searchEnabled": "perhaps"}, "searchEnabled"),
        ],
    )
    def test_what_cannot_be_used_is_refused(
        self, call: Call, alice: Person, body: dict[str, Any], field: str
    ) -> None:
        answer = call(alice, "PATCH", "/providers/mem0", body)
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])

    def test_only_admins_may(self, call: Call, bob: Person) -> None:
        assert call(bob, "GET", "/providers").status_code == 403
        assert call(bob, "PATCH", "/providers/mem0", {}).status_code == 403
