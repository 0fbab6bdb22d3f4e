"""The circuit breakers of memory sources: after three failures in a row a hook is left alone for half a minute.

Each hook has its own: one that looks something up in memory must not pass for a sign that the network works.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from threading import Lock

from django.utils import timezone

FAILURES, REST_SECONDS = 3, 30.0
# So many calls that nobody waits for any more may still hang; each holds a thread that all sources share.
MOST_HANGING = 4


class BreakerState(StrEnum):
    """Closed: it works. Open: it is left alone. Half open: the next call is its trial."""

    CLOSED = "closed"
    HALF_OPEN = "half_open"
    OPEN = "open"


@dataclass(slots=True)
class Breaker:
    """How one hook of a source has been doing, in this process."""

    failures: int = 0
    calls: int = 0
    failed_calls: int = 0
    last_error: str = ""
    last_failed_at: datetime | None = None
    last_ms: float = 0.0
    hanging: int = 0
    _open_until: float = 0.0
    _on_trial: bool = False
    _lock: Lock = field(default_factory=Lock)

    @property
    def state(self) -> BreakerState:
        if self.failures < FAILURES:
            return BreakerState.CLOSED
        return BreakerState.OPEN if time.monotonic() < self._open_until else BreakerState.HALF_OPEN

    def admits(self) -> bool:
        """Whether it may be called now; of those who come after the rest only the first is its trial."""
        with self._lock:
            if self.hanging >= MOST_HANGING:
                return False
            if self.state is BreakerState.CLOSED:
                return True
            if self.state is BreakerState.OPEN or self._on_trial:
                return False
            self._on_trial = True
            return True

    def succeeded(self, seconds: float) -> None:
        with self._lock:
            self.calls += 1
            self.failures, self._on_trial, self.last_ms = 0, False, seconds * 1000

    def failed(self, error: str) -> None:
        with self._lock:
            self.calls += 1
            self.failed_calls += 1
            self.failures += 1
            self._on_trial = False
            self.last_error, self.last_failed_at = error, timezone.now()
            if self.failures >= FAILURES:
                self._open_until = time.monotonic() + REST_SECONDS

    def hangs(self, calls: int) -> None:
        """Count a call that was left behind, or one of them that has come to its end after all."""
        with self._lock:
            self.hanging += calls


_breakers: dict[tuple[str, str], Breaker] = {}


def breaker_of(name: str, hook: str) -> Breaker:
    """The breaker of a source's hook."""
    return _breakers.setdefault((name, hook), Breaker())


def breakers_of(name: str) -> list[Breaker]:
    """The breakers of all hooks of a source that have been called."""
    return [breaker for (whose, _), breaker in list(_breakers.items()) if whose == name]


def reset_breakers() -> None:
    """Forget how everything has been doing."""
    _breakers.clear()
