"""How often something may happen in a stretch of time: calls of programs, and wrong passwords."""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import dataclass
from datetime import timedelta

from django.core.cache import cache

from tenants.exceptions import TooManyAttempts, TooManyCalls
from tenants.models import Workspace

QUOTAS, CALLS_PER_MINUTE = "quotas", "calls_per_minute"
MINUTE = 60
WRONG_PASSWORDS, WRONG_PASSWORDS_SECONDS = 10, 300


@dataclass(frozen=True, slots=True)
class Window:
    """The running stretch of time in which something is counted, as this process sees it."""

    key: str
    ends_at: int

    @classmethod
    def of(cls, name: str, seconds: int) -> Window:
        """The stretch of so many seconds that runs now; all of a length begin and end together."""
        number = int(time.time() // seconds)
        return cls(f"{name}:{number}", (number + 1) * seconds)

    @property
    def seconds_left(self) -> int:
        return max(math.ceil(self.ends_at - time.time()), 1)

    @property
    def count(self) -> int:
        return int(cache.get(self.key, 0))

    def count_one(self) -> int:
        """Count once more, and return how often that was."""
        cache.add(self.key, 0, timeout=self.seconds_left + MINUTE)
        try:
            return int(cache.incr(self.key))
        except ValueError:
            # A full cache has dropped it in between; the count starts anew.
            return 1


def count_call(workspace: Workspace) -> None:
    """Count a call with a token; raises TooManyCalls beyond the workspace's limit."""
    most = int(workspace.setting(QUOTAS, {}).get(CALLS_PER_MINUTE, 0))
    if not most:
        return
    window = Window.of(f"calls:{workspace.pk}", MINUTE)
    if window.count_one() > most:
        raise TooManyCalls(most, retry_after=window.seconds_left)


class PasswordTries:
    """The wrong passwords given lately for a user name, whether there is such a user or not, from one address."""

    def __init__(self, username: str, address: str) -> None:
        digest = hashlib.sha256(f"{address} {username.casefold()}".encode()).hexdigest()
        self._window = Window.of(f"wrong-passwords:{digest}", WRONG_PASSWORDS_SECONDS)

    def check(self) -> None:
        """Raise TooManyAttempts when so many were wrong that none is looked at for a while."""
        if self._window.count >= WRONG_PASSWORDS:
            raise TooManyAttempts(timedelta(seconds=self._window.seconds_left))

    def count_wrong(self) -> None:
        """Count a password that was wrong."""
        self._window.count_one()
