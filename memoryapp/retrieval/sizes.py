"""How many rows a large owner has, counted now and then: statistics and plans need the size, not the very number."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import Final, TypeAlias
from uuid import UUID

from memoryapp.retrieval.prepared import Readable

COUNTED_EVERY: Final = 300.0
REMEMBERED: Final = 1_024

Key: TypeAlias = tuple[UUID, UUID, str, bool, str]


class OwnerSizes:
    """The sizes of the owners that turned out to be large lately; each process counts for itself."""

    def __init__(self) -> None:
        self._sizes: OrderedDict[Key, tuple[float, int]] = OrderedDict()
        self._lock = Lock()

    def known(self, readable: Readable) -> int | None:
        """The size counted lately; None for an owner who has not been seen to be large."""
        with self._lock:
            counted_at, size = self._sizes.get(_key(readable), (0.0, 0))
        return size if size and time.monotonic() - counted_at < COUNTED_EVERY else None

    def count(self, readable: Readable) -> int:
        """The size, counted unless that was done lately. A filter is left out: it asks about the same owner."""
        known = self.known(readable)
        if known is not None:
            return known
        size = readable.source.rows(readable.reading).count()
        with self._lock:
            self._sizes[_key(readable)] = (time.monotonic(), size)
            while len(self._sizes) > REMEMBERED:
                self._sizes.popitem(last=False)
        return size


def _key(readable: Readable) -> Key:
    principal = readable.reading.principal
    place = principal.workspace.pk, readable.reading.agent.pk, principal.owner_key
    return (*place, principal.integrator, readable.source.kind)


SIZES: Final = OwnerSizes()
