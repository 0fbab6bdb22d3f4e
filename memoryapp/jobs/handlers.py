"""Which function does which kind of job."""

from __future__ import annotations

from memoryapp.jobs.backups import BACKUP, DRILL, run_backup, run_drill
from memoryapp.jobs.embedding import EMBEDDING, run_embedding
from memoryapp.jobs.extraction import run_extraction
from memoryapp.jobs.night import NIGHT_HANDLERS
from memoryapp.jobs.outcomes import Handler
from memoryapp.jobs.scrub import SCRUB, run_scrub
from memoryapp.lifecycle.timing import EXTRACTION

HANDLERS: dict[str, Handler] = {
    BACKUP: run_backup,
    DRILL: run_drill,
    EMBEDDING: run_embedding,
    EXTRACTION: run_extraction,
    SCRUB: run_scrub,
    **NIGHT_HANDLERS,
}
