"""Bodies over the limit are refused before they are read, whether they say how long they are or not."""

from __future__ import annotations

from typing import Any

from memoryapp.middleware import BodyLimit

LIMIT = 100


class Echo:
    """An application that reads its whole body and says how long it was."""

    def __init__(self) -> None:
        self.read = 0
        self.left_alone = True

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.left_alone = False
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            self.read += len(message["body"])
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})


async def call(echo: Echo, chunks: list[bytes], length: int | None = None) -> tuple[int, int]:
    """The status answered, and how many chunks were taken."""
    queue = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    queue.append({"type": "http.request", "body": b"", "more_body": False})
    sent: list[Any] = []

    async def receive() -> Any:
        return queue.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [] if length is None else [(b"content-length", str(length).encode())]
    await BodyLimit(echo, LIMIT)({"type": "http", "headers": headers}, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    return sent[0]["status"], len(chunks) + 1 - len(queue)


async def test_a_body_within_the_limit_passes() -> None:
    echo = Echo()
    assert await call(echo, [b"x" * 50, b"x" * 50], 100) == (200, 3)
    assert echo.read == 100


async def test_a_body_that_says_it_is_too_long_is_not_read_at_all() -> None:
    echo = Echo()
    assert await call(echo, [b"x" * 50], 101) == (413, 0)
    assert echo.left_alone


async def test_a_stream_is_cut_off_where_it_passes_the_limit() -> None:
    echo = Echo()
    assert await call(echo, [b"x" * 60] * 1000) == (413, 2)
    assert echo.read == 60
