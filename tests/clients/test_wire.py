"""Clients that need no package: a plugin's two requests byte for byte, and the self-hosted server's routes."""

from __future__ import annotations

import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.clients.conftest import LiveServer

pytestmark = pytest.mark.long

PATIENCE_SECONDS = 3.0


def send(live: LiveServer, path: str, body: str, token: str) -> dict[str, Any]:
    """One request as the plugin's Java client writes it, and the answer's JSON, within the plugin's patience."""
    parts = urlsplit(live.address)
    content = body.encode()
    head = (
        f"POST {path} HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: {len(content)}\r\n"
        f"Host: {parts.netloc}\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\nUpgrade: h2c\r\n"
        f"User-Agent: Java-http-client/21.0.2\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\n\r\n"
    )
    started = time.monotonic()
    with socket.create_connection(
        (str(parts.hostname), int(parts.port or 0)), timeout=PATIENCE_SECONDS
    ) as wire:
        wire.sendall(head.encode() + content)
        answer = b""
        while b"\r\n\r\n" not in answer or not complete(answer):
            piece = wire.recv(65_536)
            assert piece, answer
            answer += piece
    assert time.monotonic() - started < PATIENCE_SECONDS
    status, _, rest = answer.partition(b"\r\n")
    assert b" 200 " in status + b" ", answer
    found: dict[str, Any] = json.loads(rest.partition(b"\r\n\r\n")[2])
    return found


def complete(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().splitlines() if line.startswith(b"content-length:")]
    return bool(lengths) and len(body) >= int(lengths[0].split(b":")[1])


def warm_up(live: LiveServer) -> None:
    """The first requests of a process load what all later ones use, an embedder among it; no client waits for that."""
    headers = {"Authorization": f"Bearer {live.stranger}"}
    with httpx2.Client(base_url=live.address, headers=headers, timeout=60) as client:
        client.post("/memories", json={"messages": "Likes tea", "user_id": "warm", "infer": False})
        client.post("/search", json={"query": "tea", "filters": {"user_id": "warm"}})
        client.post("/memories/", json={"messages": "I like tea a lot.", "user_id": "warm"})


@pytest.mark.parametrize("base", ["", "/v1"])
def test_a_plugins_two_requests_byte_for_byte(live: LiveServer, base: str) -> None:
    said = (
        '{"user_id":"user:42","agent_id":"7","messages":[{"role":"user","content":"My name is Ana and I live in '
        'Lisbon."},{"role":"assistant","content":"Nice to meet you, Ana."}],"metadata":{"conversation_id":"c-1"}}'
    )
    asked = '{"query":"where does she live","user_id":"user:42","agent_id":"7","limit":5}'
    warm_up(live)
    send(live, f"{base}/memories/", said, live.token)
    found: list[dict[str, Any]] = []
    for _ in range(100):
        found = send(live, f"{base}/memories/search/", asked, live.token)["results"]
        if found:
            break
    assert any("Lisbon" in each["memory"] for each in found)
    assert send(live, f"{base}/memories/search/", asked, live.stranger)["results"] == []


def test_the_self_hosted_servers_routes(live: LiveServer) -> None:
    def client(token: str) -> httpx2.Client:
        return httpx2.Client(base_url=live.address, headers={"X-API-Key": token}, timeout=30)

    with client(live.token) as mine, client(live.stranger) as theirs:
        said = {
            "messages": [{"role": "user", "content": "My name is Ana and I live in Lisbon."}],
            "user_id": "ana",
        }
        added = mine.post("/memories", json=said).json()["results"]
        assert {each["event"] for each in added} == {"ADD"}
        item = next(each for each in added if "Lisbon" in each["memory"])
        found = mine.post("/search", json={"query": "where does she live", "filters": {"user_id": "ana"}})
        assert item["id"] in {each["id"] for each in found.json()["results"]}
        assert mine.get(f"/memories/{item['id']}").json()["memory"] == item["memory"]
        assert mine.get("/memories", params={"user_id": "ana", "top_k": 1}).json()["count"] >= len(added)
        assert mine.put(f"/memories/{item['id']}", json={"text": "Lives in Porto"}).is_success
        assert [each["event"] for each in mine.get(f"/memories/{item['id']}/history").json()] == [
            "ADD",
            "UPDATE",
        ]
        assert {each["id"] for each in mine.get("/entities").json()} == {"ana"}
        assert theirs.get(f"/memories/{item['id']}").status_code == 404
        assert theirs.get("/memories", params={"user_id": "ana"}).json()["results"] == []
        assert mine.delete("/memories").status_code == 400
        assert mine.delete(f"/memories/{item['id']}").is_success
        assert mine.delete("/memories", params={"user_id": "ana"}).is_success
        assert mine.get("/memories", params={"user_id": "ana"}).json()["count"] == 0
        assert mine.delete("/entities/user/ana").is_success
        assert mine.get("/entities").json() == []
