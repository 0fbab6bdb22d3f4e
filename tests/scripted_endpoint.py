"""A model server on the loopback that speaks OpenAI's chat completions and does exactly what a test tells it to.

It is a real server over real sockets, down to the bytes of its streams and the way it hangs up, so that what is tested
is the real client. A whole-system test gives its `base_url` to the product.
"""

from __future__ import annotations

import hashlib
import json
import math
import select
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

HOLD_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it arrived."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]  # by lower-case name

    @property
    def text(self) -> str:
        """All that the request says to the model."""
        return "\n".join(str(message.get("content")) for message in self.body.get("messages", []))


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer in one piece: a status, headers and a body (an object is sent as JSON)."""

    body: Mapping[str, Any] | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hold: threading.Event | None = None


@dataclass(frozen=True, slots=True)
class Stream:
    """A streamed answer: the bytes of each write; an Event among them is waited for. `hang_up` drops the connection."""

    pieces: Sequence[bytes | threading.Event]
    hang_up: bool = False


Answer: TypeAlias = Whole | Stream
Script: TypeAlias = "Answer | Callable[[Received], Answer]"


def completion(text: str, *, finish_reason: str = "stop", **message: Any) -> Whole:
    """An ordinary answer."""
    choice = {
        "index": 0,
        "finish_reason": finish_reason,
        "message": {"role": "assistant", "content": text, **message},
    }
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return Whole(
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
    )


def failure(status: int, message: str = "no", *, code: str | None = None, **headers: str) -> Whole:
    """An error in the usual form; header names are written with underscores."""
    error = {"message": message, "type": "error", "code": code, "param": None}
    return Whole({"error": error}, status, {name.replace("_", "-"): value for name, value in headers.items()})


def chunk(
    text: str | list[dict[str, str]] | None = None,
    *,
    finish_reason: str | None = None,
    usage: bool = False,
    **delta: Any,
) -> bytes:
    """One event of a stream."""
    choice = {
        "index": 0,
        "finish_reason": finish_reason,
        "delta": {**({"content": text} if text is not None else {}), **delta},
    }
    body: dict[str, Any] = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }
    if usage:
        body |= {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}
    return event(body)


def event(body: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def streamed(*texts: str) -> Stream:
    """An ordinary streamed answer."""
    return Stream([*(chunk(text) for text in texts), chunk(finish_reason="stop"), chunk(usage=True), DONE])


class ScriptedEndpoint:
    """The server: answers from a queue, or from `otherwise` when it is empty, and keeps what it received."""

    def __init__(self, otherwise: Script | None = None) -> None:
        self.received: list[Received] = []
        self.left = threading.Event()  # set when a client goes away in the middle of a stream
        self.otherwise = otherwise
        self._answers: deque[Script] = deque()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.endpoint = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def queue(self, *answers: Script) -> None:
        self._answers.extend(answers)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer_to(self, received: Received) -> Answer:
        with self._lock:
            self.received.append(received)
            script = self._answers.popleft() if self._answers else self.otherwise
        answer = script(received) if callable(script) else script
        return answer or failure(500, "Nothing is scripted for this request.")


@contextmanager
def running_endpoint(otherwise: Script | None = None) -> Iterator[ScriptedEndpoint]:
    """A server for the length of a block."""
    endpoint = ScriptedEndpoint(otherwise)
    try:
        yield endpoint
    finally:
        endpoint.close()


class _Server(ThreadingHTTPServer):
    endpoint: ScriptedEndpoint
    daemon_threads = True
    request_queue_size = 512  # many streams may begin at once
    block_on_close = False


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._send(Whole({"object": "list", "data": [{"id": "m", "object": "model"}]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.path, body, headers)
        if self.path.endswith("/embeddings"):
            self.server.endpoint.received.append(received)
            self._send(_embeddings(body))
            return
        answer = self.server.endpoint.answer_to(received)
        if isinstance(answer, Whole):
            self._send(answer)
        else:
            self._stream(answer)

    def _send(self, answer: Whole) -> None:
        if answer.hold:
            answer.hold.wait(HOLD_SECONDS)
        is_text = isinstance(answer.body, str)
        body = answer.body.encode() if isinstance(answer.body, str) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        headers = {"Content-Type": "text/html" if is_text else "application/json", **answer.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, answer: Stream) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.close_connection = True
        try:
            for piece in answer.pieces:
                if isinstance(piece, threading.Event):
                    self._wait(piece)
                else:
                    self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                    self.wfile.flush()
            if not answer.hang_up:
                self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.server.endpoint.left.set()

    def _wait(self, release: threading.Event) -> None:
        """Wait for the release or for the client to go away, whichever comes first."""
        for _ in range(int(HOLD_SECONDS / 0.005)):
            if release.wait(0.005):
                return
            if select.select([self.connection], [], [], 0)[0] and not self.connection.recv(
                1, socket.MSG_PEEK
            ):
                raise ConnectionResetError

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing on the test's output."""


def _embeddings(body: Mapping[str, Any]) -> Whole:
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    size = int(body.get("dimensions") or 384)
    data = [
        {"object": "embedding", "index": place, "embedding": _vector(text, size)}
        for place, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Whole({"object": "list", "model": body.get("model", "m"), "data": data, "usage": usage})


def _vector(text: str, size: int) -> list[float]:
    """A made-up unit vector in which texts that share words are close."""
    vector = [0.0] * size
    for word in text.lower().split():
        vector[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % size] += 1.0
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]
