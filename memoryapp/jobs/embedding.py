"""The job that gives vectors to what was written without any."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memoryapp.jobs.outcomes import Deferred, Done, Failed, Outcome
from memoryapp.lifecycle.locks import AlreadyRuns, alone
from memoryapp.models import Event
from memoryapp.retrieval.indexing import embed_missing
from memoryapp.retrieval.vectors import EmbedderUnavailable
from tenants.models import Workspace

EMBEDDING = "embed"
# A second or two of work: between batches other jobs get their turn.
BATCH = 16
LOOK_AGAIN = timedelta(seconds=5)
BUSY = AlreadyRuns("Texts of this workspace are being embedded.")


def run_embedding(event: Event) -> Outcome:
    """Embed a batch of what waits in the event's workspace, and come again while more does."""
    try:
        # Alone: a second worker would embed the same rows.
        with alone(f"embedding:{event.workspace_id}", BUSY):
            progress = embed_missing(Workspace.objects.get(pk=event.workspace_id), limit=BATCH)
    except AlreadyRuns as busy:
        return Deferred(timezone.now() + LOOK_AGAIN, busy.detail)
    except EmbedderUnavailable as error:
        return Failed(str(error) or "The embedder does not work at the moment.")
    if progress.left:
        return Deferred(timezone.now(), f"{progress.left} texts still wait for their vectors.")
    return Done({"embedded": progress.embedded, "refused": progress.refused})
