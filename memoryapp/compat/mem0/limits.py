"""How many calls a token may make in a minute, told in the headers that mem0's clients read."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from django.conf import settings
from django.core.cache import cache

from memoryapp.exceptions import RateLimited
from tenants.principals import Principal

WINDOW_SECONDS = 60


@dataclass(slots=True)
class Limit:
    """One token's calls in the running minute, as this process counts them."""

    key: str
    most: int
    headers: dict[str, str] = field(default_factory=dict)

    def count(self) -> None:
        """Count this call; raises RateLimited beyond the limit, and never when there is none."""
        if not self.most:
            return
        now = time.time()
        window = int(now // WINDOW_SECONDS)
        key = f"mem0-calls:{self.key}:{window}"
        cache.add(key, 0, timeout=WINDOW_SECONDS * 2)
        calls = cache.incr(key)
        ends = (window + 1) * WINDOW_SECONDS
        self.headers = {
            "X-RateLimit-Limit": str(self.most),
            "X-RateLimit-Remaining": str(max(self.most - calls, 0)),
            "X-RateLimit-Reset": str(ends),
        }
        if calls > self.most:
            raise RateLimited(
                f"At most {self.most} calls a minute with one token.", retry_after=math.ceil(ends - now)
            )


def limit_of(principal: Principal) -> Limit:
    """The limit a principal's calls count against."""
    return Limit(str(principal.token_id), settings.API_CALLS_PER_MINUTE)
