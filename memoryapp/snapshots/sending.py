"""Sending a file piece by piece, on the sync and on the async path, and closing it whatever happens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import IO, Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse

PIECE = 64 * 1024


class Pieces:
    """An open file as the content of a response, which closes it."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def __iter__(self) -> Iterator[bytes]:
        while piece := self.file.read(PIECE):
            yield piece

    def close(self) -> None:
        self.file.close()


class AsyncPieces:
    """The same for a server that would otherwise first gather all of it in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await sync_to_async(self.file.read)(PIECE):
            yield piece

    def close(self) -> None:
        self.file.close()


def file_response(
    request: Any, file: IO[bytes], filename: str, content_type: str = "application/zip"
) -> StreamingHttpResponse:
    """The file as a download; `request` is Django's own."""
    content: Any = AsyncPieces(file) if isinstance(request, ASGIRequest) else Pieces(file)
    headers = {"Content-Disposition": f'attachment; filename="{filename}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(content, content_type=content_type, headers=headers)
