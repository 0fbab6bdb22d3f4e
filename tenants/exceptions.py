"""What tenancy refuses.

TenancyError
├── InvalidTenantInput  400: a field of a workspace, member, account or token that cannot be used
│   └── InvalidOwner    400: an owner key that cannot be used
├── InvalidCredentials  401: no, wrong or expired token
├── NotAllowed          403: role or scope lacking, within one's own workspace
│   └── EndUserBound    403: a token bound to one end user named another
├── TooManyAttempts     429: too many wrong codes or passwords; later
├── TooManyCalls        429: a workspace made all calls of this minute; carries retry_after
└── UnknownWorkspace    404: missing, or not yours; the two are the same answer
"""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from django.utils.translation import ngettext


class TenancyError(Exception):
    """Base of tenancy's refusals, ready to be told to a client."""

    status = 400
    code = "invalid"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors: dict[str, list[str]] = {}


class InvalidTenantInput(TenancyError):
    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail)
        self.errors = {field: [detail]}


class InvalidOwner(InvalidTenantInput):
    code = "invalid_owner"


class InvalidCredentials(TenancyError):
    status = 401
    code = "invalid_token"


class NotAllowed(TenancyError):
    status = 403
    code = "not_allowed"


class EndUserBound(NotAllowed):
    code = "end_user_bound"


class UnknownWorkspace(TenancyError):
    status = 404
    code = "not_found"

    def __init__(self) -> None:
        super().__init__("Not found.")


class TooManyAttempts(TenancyError):
    status = 429
    code = "too_many_attempts"

    def __init__(self, wait: timedelta) -> None:
        minutes = ceil(wait.total_seconds() / 60)
        told = ngettext(
            "Too many wrong attempts. Try again in %(count)d minute.",
            "Too many wrong attempts. Try again in %(count)d minutes.",
            minutes,
        )
        super().__init__(told % {"count": minutes})


class TooManyCalls(TenancyError):
    status = 429
    code = "rate_limited"

    def __init__(self, most: int, *, retry_after: int) -> None:
        super().__init__(f"At most {most} calls a minute in this workspace.")
        self.retry_after = retry_after
