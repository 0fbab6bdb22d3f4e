from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import memoryapp.providers as providers
from memoryapp.providers.base import Provider
from memoryapp.providers.breaker import reset_breakers
from tests.providers.notebook import Notebook


@dataclass
class Point:
    """An entry point as a package's metadata gives it."""

    name: str
    value: Any

    def load(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


Use = Callable[..., None]


@pytest.fixture(autouse=True)
def _forgotten_breakers() -> Iterator[None]:
    reset_breakers()
    yield
    reset_breakers()


@pytest.fixture
def use(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Installs packages that bring memory sources, and uses them behind ours."""

    def use(*brought: Any) -> None:
        points = [Point(getattr(each, "name", "broken"), each) for each in brought]
        monkeypatch.setattr(providers, "entry_points", lambda group: points)
        providers.known_providers.cache_clear()
        names = [each.name for each in brought if isinstance(each, type) and issubclass(each, Provider)]
        settings.MEMORY_PROVIDERS = ["files", "structured", "facts", *names]

    yield use
    providers.known_providers.cache_clear()


@dataclass
class Mem0Server:
    """A Mem0 server of our own: real sockets, a list for a memory."""

    memories: list[dict[str, str]] = field(default_factory=list)
    received: list[tuple[str, str, Any, str]] = field(default_factory=list)
    status: int = 200
    hold: threading.Event | None = None
    address: str = ""

    def answer(self, method: str, path: str, body: Any) -> Any:
        if path.startswith("/memories/search/"):
            found = [m for m in self.memories if m["user_id"] == body["user_id"]]
            return {"results": [m for m in found if m["agent_id"] == body["agent_id"]][: body["limit"]]}
        if method == "DELETE" and path.startswith("/memories/?user_id="):
            owner = path.partition("user_id=")[2].replace("%3A", ":")
            self.memories = [m for m in self.memories if m["user_id"] != owner]
        elif method == "DELETE":
            self.memories = [m for m in self.memories if f"/memories/{m['id']}/" != path]
        return {"results": []}


@pytest.fixture
def mem0(settings: Any) -> Iterator[Mem0Server]:
    state = Mem0Server()

    class Handler(BaseHTTPRequestHandler):
        def respond(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            key = self.headers.get("Authorization", "")
            state.received.append((self.command, self.path, body, key))
            if state.hold:
                state.hold.wait(10)
            answer = json.dumps(state.answer(self.command, self.path, body)).encode()
            self.send_response(state.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_POST = do_DELETE = respond

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing on the test's output."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.address = f"http://127.0.0.1:{server.server_port}"
    settings.MEMORY_PROVIDERS = ["files", "structured", "facts", "mem0"]
    settings.MEM0_BASE_URL, settings.MEM0_API_KEY = state.address + "/", "key-1"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def _fresh_notebook() -> None:
    Notebook.heard = []
    Notebook.does = staticmethod(lambda: None)
