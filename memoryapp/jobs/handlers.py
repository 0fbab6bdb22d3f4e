"""Which function does which kind of job."""

from __future__ import annotations

from memoryapp.jobs.extraction import EXTRACTION, run_extraction
from memoryapp.jobs.outcomes import Handler

HANDLERS: dict[str, Handler] = {
    EXTRACTION: run_extraction,
}
