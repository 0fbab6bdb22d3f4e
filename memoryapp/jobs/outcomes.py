"""How a job can end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoryapp.models import Event


@dataclass(frozen=True, slots=True)
class Done:
    """The job is finished; `result` is what the API shows of it."""

    result: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Deferred:
    """It is too early for the job: it waits until then, which costs it no attempt."""

    until: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The job did not work out; tried again later, with growing pauses, unless that cannot help."""

    reason: str
    retryable: bool = True


Outcome = Done | Deferred | Failed
Handler = Callable[[Event], Outcome]
