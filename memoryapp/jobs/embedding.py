"""The job that gives vectors to what was written without any."""

from __future__ import annotations

from django.utils import timezone

from memoryapp.jobs.outcomes import Deferred, Done, Failed, Outcome
from memoryapp.models import Event
from memoryapp.retrieval.indexing import embed_missing
from memoryapp.retrieval.vectors import EmbedderUnavailable
from tenants.models import Workspace

EMBEDDING = "embed"


def run_embedding(event: Event) -> Outcome:
    """Embed a batch of what waits in the event's workspace; between batches other jobs get their turn."""
    try:
        progress = embed_missing(Workspace.objects.get(pk=event.workspace_id))
    except EmbedderUnavailable as error:
        return Failed(str(error) or "The embedder does not work at the moment.")
    if progress.left:
        return Deferred(timezone.now(), f"{progress.left} texts still wait for their vectors.")
    return Done({"embedded": progress.embedded, "refused": progress.refused})
