"""An embeddings endpoint on loopback that can be down, picky or of the wrong size."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from zlib import crc32

import numpy as np


@dataclass
class FakeEndpoint:
    """What the endpoint does, and what it was asked."""

    dimensions: int = 8
    longest_text: int = 1_000_000
    largest_batch: int = 1_000_000
    is_down: bool = False
    calls: list[int] = field(default_factory=list)
    url: str = ""

    def answer(self, texts: list[str]) -> tuple[int, object]:
        self.calls.append(len(texts))
        if self.is_down:
            return 503, {"error": {"message": "down"}}
        if len(texts) > self.largest_batch or any(len(text) > self.longest_text for text in texts):
            return 400, {"error": {"message": "too much"}}
        data = [
            {"object": "embedding", "index": place, "embedding": self.vector(text)}
            for place, text in enumerate(texts)
        ]
        return 200, {
            "object": "list",
            "data": data,
            "model": "fake",
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }

    def vector(self, text: str) -> list[float]:
        """A vector that two texts share as far as they share words."""
        parts = [
            np.random.default_rng(crc32(word.encode())).normal(size=self.dimensions)
            for word in text.lower().split()
        ]
        return [float(number) for number in np.sum(parts, axis=0)]


@contextmanager
def serving(endpoint: FakeEndpoint) -> Iterator[FakeEndpoint]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = endpoint.answer(body["input"])
            payload = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
