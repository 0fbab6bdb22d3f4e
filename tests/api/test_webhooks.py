"""Webhooks: somebody else's server is told of what happens, signed, again if it does not hear, and never of secrets."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from memoryapp.jobs import drain
from memoryapp.models import Event
from tests.compat.conftest import Mem0
from tests.conftest import Call, Person

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Listener:
    """A server on the loopback that hears, and answers what a test says."""

    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    status: int = 200
    url: str = ""

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.heard]


@pytest.fixture
def listener(settings: Any) -> Iterator[Listener]:
    settings.ALLOW_PRIVATE_URLS = True
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            listener.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(listener.status)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing on the test's output."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    listener.url = f"http://127.0.0.1:{server.server_port}/hook"
    yield listener
    server.shutdown()
    server.server_close()


ALL = ["memory_add", "memory_update", "memory_delete", "memory_categorize"]


def hook(call: Call, alice: Person, listener: Listener, *events: str) -> dict[str, Any]:
    body = {"name": "crm", "url": listener.url, "events": list(events) or ALL}
    created: dict[str, Any] = call(alice, "POST", "/webhooks", body).json()  # type: ignore[attr-defined]
    return created


def log(call: Call, alice: Person, webhook: dict[str, Any]) -> list[dict[str, Any]]:
    page = call(alice, "GET", f"/webhooks/{webhook['id']}/deliveries").json()  # type: ignore[attr-defined]
    return list(page["results"])


def test_what_happens_to_a_memory_is_told_and_signed(call: Call, alice: Person, listener: Listener) -> None:
    webhook = hook(call, alice, listener)
    mem0 = Mem0(alice.token)
    (item,) = mem0.added("likes tea", user_id="ana", metadata={"category": "preference"})
    mem0.call("PUT", f"/v1/memories/{item['id']}/", {"text": "likes coffee"})
    drain()
    told = {each["event"]: each for each in listener.told}
    assert set(told) == {"memory_add", "memory_categorize", "memory_update"}
    assert told["memory_add"]["user_id"] == "ana"
    assert told["memory_update"]["event_details"] == {
        "id": item["id"], "event": "UPDATE", "data": {"memory": "likes coffee"},
    }  # fmt: skip
    assert told["memory_categorize"]["event_details"]["categories"] == ["preference"]
    for headers, body in listener.heard:
        moment = headers["x-webhook-timestamp"]
        expected = hmac.new(
            webhook["secret"].encode(), f"{moment}.".encode() + body, hashlib.sha256
        ).hexdigest()
        assert headers["x-webhook-signature"] == f"t={moment},v1={expected}"
        assert abs(int(moment) - timezone.now().timestamp()) < 60
    mem0.call("DELETE", f"/v1/memories/{item['id']}/")
    drain()
    assert listener.told[-1]["event_details"] == {
        "id": item["id"],
        "event": "DELETE",
        "data": {"memory": None},
    }
    assert {entry["status"] for entry in log(call, alice, webhook)} == {"delivered"}


def test_a_forgotten_text_is_not_told_any_more(call: Call, alice: Person, listener: Listener) -> None:
    hook(call, alice, listener, "memory_add")
    mem0 = Mem0(alice.token)
    (item,) = mem0.added("the vault code word is heron", user_id="ana")
    mem0.call("DELETE", f"/v1/memories/{item['id']}/")
    drain()
    assert [each["event_details"]["data"] for each in listener.told] == [{"memory": None}]
    assert b"heron" not in b"".join(body for _, body in listener.heard)


def test_a_members_own_words_stay_theirs(call: Call, alice: Person, listener: Listener) -> None:
    hook(call, alice, listener, "memory_add")
    call(alice, "POST", "/memory/juno/facts", {"text": "Alice likes herons"})
    drain()
    (told,) = listener.told
    assert (told["user_id"], told["event_details"]["data"]) == (None, {"memory": None})


def test_what_is_not_heard_is_told_again_with_growing_rests(
    call: Call, alice: Person, listener: Listener
) -> None:
    webhook = hook(call, alice, listener, "memory_add")
    listener.status = 503
    Mem0(alice.token).added("likes tea", user_id="ana")
    drain()
    (entry,) = log(call, alice, webhook)
    assert (entry["status"], entry["attempts"], entry["statusCode"]) == ("pending", 1, 503)
    assert drain() == 0
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        drain()
    assert len(listener.heard) == 2
    listener.status = 204
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        drain()
    (entry,) = log(call, alice, webhook)
    assert (entry["status"], entry["attempts"], entry["reason"]) == ("delivered", 3, "")
    assert len({headers["x-webhook-id"] for headers, _ in listener.heard}) == 1


def test_in_the_end_it_is_given_up_and_may_be_told_by_hand(
    call: Call, alice: Person, listener: Listener
) -> None:
    webhook = hook(call, alice, listener, "memory_add")
    # A redirect is not followed: it would lead wherever the other side likes.
    listener.status = 302
    Mem0(alice.token).added("likes tea", user_id="ana")
    for hours in (0, 1, 3, 6, 12, 30, 60, 120, 240):
        with time_machine.travel(timezone.now() + timedelta(hours=hours)):
            drain()
    (entry,) = log(call, alice, webhook)
    assert (entry["status"], entry["attempts"]) == ("failed", 8)
    listener.status = 200
    path = f"/webhooks/{webhook['id']}/deliveries/{entry['id']}/replay"
    assert call(alice, "POST", path).status_code == 202
    drain()
    assert log(call, alice, webhook)[0]["status"] == "delivered"


def test_a_private_address_is_not_called(
    call: Call, alice: Person, listener: Listener, settings: Any
) -> None:
    webhook = hook(call, alice, listener, "memory_add")
    settings.ALLOW_PRIVATE_URLS = False
    Mem0(alice.token).added("likes tea", user_id="ana")
    drain()
    assert listener.heard == []
    assert "private network" in log(call, alice, webhook)[0]["reason"]


def test_who_wants_nothing_costs_nothing(call: Call, alice: Person, listener: Listener) -> None:
    webhook = hook(call, alice, listener, "dream_completed")
    Mem0(alice.token).added("likes tea", user_id="ana")
    assert not Event.objects.filter(workspace=alice.workspace, kind="webhook").exists()
    call(alice, "PATCH", f"/webhooks/{webhook['id']}", {"events": ["memory_add"], "enabled": False})
    Mem0(alice.token).added("likes jazz", user_id="ana")
    assert not Event.objects.filter(workspace=alice.workspace, kind="webhook").exists()
    assert call(alice, "DELETE", f"/webhooks/{webhook['id']}").status_code == 204
    assert call(alice, "GET", f"/webhooks/{webhook['id']}").status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"url": "ftp://example.org/"},
        {"url": "https://user:word@example.org/"},
        {"url": "nonsense"},
        {"url": "https://[::1"},
        {"url": "http://example.org/"},
        {"events": ["nothing"]},
        {"events": []},
        {"name": " "},
    ],
)
def test_a_webhook_that_cannot_be_is_refused(call: Call, alice: Person, change: Any) -> None:
    body = {"name": "crm", "url": "https://hooks.example.org/", "events": ["memory_add"], **change}
    assert call(alice, "POST", "/webhooks", body).status_code == 400


def test_mem0s_own_routes_do_the_same(alice: Person, charlie: Person, listener: Listener) -> None:
    mem0 = Mem0(alice.token)
    path = f"/api/v1/webhooks/projects/{mem0.call('GET', '/v1/ping/')['project_id']}/"
    created = mem0.call("POST", path, {"name": "n", "url": listener.url, "event_types": ["memory:add"]})
    assert created["event_types"] == ["memory_add"]
    assert [each["id"] for each in mem0.call("GET", path)] == [created["id"]]
    mem0.added("likes tea", user_id="ana")
    drain()
    assert listener.told[0]["event_details"]["data"] == {"memory": "likes tea"}
    one = f"/api/v1/webhooks/{created['id']}/"
    assert Mem0(charlie.token).send("DELETE", one).status_code == 404
    assert mem0.call("PUT", one, {"name": "other"})["name"] == "other"
    mem0.call("DELETE", one)
    assert mem0.call("GET", path) == []
