"""The product behind a real server on the loopback, for what only shows over sockets: streams, clients that leave."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import uvicorn

from memoryapp.handling import make_handler


@contextmanager
def served(application: Any = None) -> Iterator[str]:
    """Serve the pages and APIs, or another application, in this process for a block, and give the address."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        application or make_handler(),
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listener.close()


@dataclass(frozen=True)
class StreamEvent:
    """One event as a client reads it."""

    name: str
    data: dict[str, Any]
    id: str


@dataclass
class StreamReader:
    """Reads a response as server-sent events, as strictly as a browser does."""

    response: httpx2.Response
    comments: int = 0
    seen: list[StreamEvent] = field(default_factory=list)

    def __iter__(self) -> Iterator[StreamEvent]:
        fields: dict[str, str] = {}
        for line in self.response.iter_lines():
            if line.startswith(":"):
                self.comments += 1
            elif line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields:
                event = StreamEvent(fields["event"], json.loads(fields["data"]), fields["id"])
                fields = {}
                self.seen.append(event)
                yield event

    def until(self, name: str) -> StreamEvent:
        """Read on to the next event of that name."""
        return next(event for event in self if event.name == name)
