"""Which function does which kind of job."""

from __future__ import annotations

from memoryapp.jobs.outcomes import Handler

HANDLERS: dict[str, Handler] = {}
