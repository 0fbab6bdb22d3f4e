"""Listens to a stream that passes through, so that what was answered can be kept: whole, and without its thinking."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from memoryapp.llm.backends.chunks import ChunkReader
from memoryapp.llm.backends.wire import fields
from memoryapp.llm.types import Delta

END: Final = "[DONE]"


class Listener:
    """Hears bytes, however they are cut; `said` is what the model has answered so far."""

    def __init__(self) -> None:
        self.said = ""
        self._reader = ChunkReader()
        self._line = b""
        self._failed = False
        self._ended = False

    @property
    def is_whole(self) -> bool:
        """Whether the model has finished its answer, and nothing has gone wrong on the way."""
        return self._reader.finished and not self._failed

    @property
    def has_all(self) -> bool:
        """Whether it is whole and its end has been announced."""
        return self._ended and self.is_whole

    def hear(self, piece: bytes) -> None:
        """Take in the next bytes."""
        *lines, self._line = (self._line + piece).replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._note(line.removeprefix(b"data:").decode("utf-8", "replace").strip())

    def end(self) -> None:
        """Take what was held back for the end, which may come without being announced."""
        if not self._ended:
            self._ended = True
            self._add(iter((self._reader.last(),)))

    def _note(self, data: str) -> None:
        if data.startswith(END):
            self.end()
        elif data:
            chunk = _object_in(data)
            self._failed = self._failed or not isinstance(chunk, dict) or bool(chunk.get("error"))
            self._add(self._reader.read(fields(chunk)))

    def _add(self, deltas: Iterator[Delta]) -> None:
        for delta in deltas:
            self.said = delta.text if delta.takes_back else self.said + delta.text


def _object_in(data: str) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None
