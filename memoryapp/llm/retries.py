"""When a failed call is worth another try, and how long to wait before it."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.llm.errors import BadReply, ModelError, ModelRateLimited


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most `max_retries` further tries; a server that wants more patience than `longest_wait` gets none."""

    max_retries: int = 2
    first_wait: float = 0.5
    longest_wait: float = 20.0

    def wait_before_retry(self, failure: ModelError, retries_so_far: int) -> float | None:
        """Seconds to wait, or None when trying again is pointless."""
        if retries_so_far >= self.max_retries or not failure.retryable or isinstance(failure, BadReply):
            return None
        if isinstance(failure, ModelRateLimited) and failure.retry_after is not None:
            return failure.retry_after if failure.retry_after <= self.longest_wait else None
        return float(min(self.first_wait * 2**retries_so_far, self.longest_wait))
