"""How many calls a token may make in a minute, in the headers that mem0's clients read."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings

from memoryapp.exceptions import RateLimited
from tenants.limits import MINUTE, Window
from tenants.principals import Principal


@dataclass(slots=True)
class Limit:
    """One token's calls in the running minute."""

    key: str
    most: int
    headers: dict[str, str] = field(default_factory=dict)

    def count(self) -> None:
        """Count this call; raises RateLimited beyond the limit, and never when there is none."""
        if not self.most:
            return
        window = Window.of(f"mem0-calls:{self.key}", MINUTE)
        calls = window.count_one()
        self.headers = {
            "X-RateLimit-Limit": str(self.most),
            "X-RateLimit-Remaining": str(max(self.most - calls, 0)),
            "X-RateLimit-Reset": str(window.ends_at),
        }
        if calls > self.most:
            raise RateLimited(
                f"At most {self.most} calls a minute with one token.", retry_after=window.seconds_left
            )


def limit_of(principal: Principal) -> Limit:
    """The limit a principal's calls count against."""
    return Limit(str(principal.token_id), settings.API_CALLS_PER_MINUTE)
