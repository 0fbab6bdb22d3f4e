"""What the product refuses, and how a client is told.

MemoryAppError
├── ValidationFailed      400: input that cannot be used, per field
├── NotFound              404: missing, or not yours; the two are the same answer
├── NotPermitted          403: role or scope lacking, within one's own workspace
├── Conflict              409: the request meets a state it cannot be applied to
│   └── AmbiguousEdit     409: the text to replace occurs more than once
├── PreconditionFailed    412: the row changed since the caller read it
├── TooLarge              413: over a limit of ours
├── RateLimited           429: too many calls; carries retry_after
│   └── QuotaReached      429: a workspace has used what it may
└── ModelUnavailable      503: the model endpoint is down or misconfigured; carries the reason
"""

from __future__ import annotations


class MemoryAppError(Exception):
    """Base of our refusals: a sentence for people, a stable word for programs, and errors per field."""

    status = 400
    code = "invalid"

    def __init__(
        self, detail: str, *, code: str | None = None, errors: dict[str, list[str]] | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or type(self).code
        self.errors = errors or {}


class ValidationFailed(MemoryAppError):
    code = "invalid"

    @classmethod
    def of(cls, field: str, detail: str, *, code: str | None = None) -> ValidationFailed:
        """The refusal of one field."""
        return cls(detail, code=code, errors={field: [detail]})


class NotFound(MemoryAppError):
    status = 404
    code = "not_found"

    def __init__(self) -> None:
        super().__init__("Not found.")


class NotPermitted(MemoryAppError):
    status = 403
    code = "not_allowed"


class Conflict(MemoryAppError):
    status = 409
    code = "conflict"


class AmbiguousEdit(Conflict):
    code = "ambiguous_edit"


class PreconditionFailed(MemoryAppError):
    status = 412
    code = "version_conflict"


class TooLarge(MemoryAppError):
    status = 413
    code = "too_large"


class RateLimited(MemoryAppError):
    status = 429
    code = "rate_limited"

    def __init__(self, detail: str, *, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class QuotaReached(RateLimited):
    code = "quota_reached"


class ModelUnavailable(MemoryAppError):
    status = 503
    code = "model_unavailable"
