"""Which function does which kind of job."""

from __future__ import annotations

from django.utils.module_loading import import_string

from memoryapp.jobs.embedding import EMBEDDING, run_embedding
from memoryapp.jobs.extraction import run_extraction
from memoryapp.jobs.night import NIGHT_HANDLERS
from memoryapp.jobs.night_kinds import COUNTING
from memoryapp.jobs.outcomes import Handler
from memoryapp.jobs.outside import OUTSIDE_HANDLERS
from memoryapp.jobs.scrub import SCRUB, run_scrub
from memoryapp.jobs.usage import run_count
from memoryapp.jobs.webhooks import WEBHOOK_HANDLERS
from memoryapp.lifecycle.timing import EXTRACTION

BACKUP, DRILL = "backup", "drill"
# Snapshots stand above jobs: they are named, and imported when one is to run.
HANDLERS: dict[str, Handler | str] = {
    BACKUP: "memoryapp.snapshots.background.run_backup",
    DRILL: "memoryapp.snapshots.background.run_drill",
    EMBEDDING: run_embedding,
    EXTRACTION: run_extraction,
    SCRUB: run_scrub,
    COUNTING: run_count,
    **NIGHT_HANDLERS,
    **OUTSIDE_HANDLERS,
    **WEBHOOK_HANDLERS,
}


def handler_of(kind: str) -> Handler | None:
    """The function for a kind of job; None for a kind that this version does not know."""
    handler = HANDLERS.get(kind)
    return import_string(handler) if isinstance(handler, str) else handler
