"""The names of the night's jobs."""

from __future__ import annotations

from memoryapp.actions.schedules import ARCHIVE, CONSOLIDATION, DREAM, PROJECTION, SWEEP, USAGE

# A night of an agent, which asks for a dream of every bucket; a dream of one or a few buckets.
NIGHT, DREAMS = "night", "dream"
CONSOLIDATE, PROJECT, ARCHIVING, SWEEPING, SOUL = "consolidation", "projection", "archive", "sweep", "soul"

COUNTING = "usage"

KIND_OF_SCHEDULE = {
    DREAM: NIGHT,
    CONSOLIDATION: CONSOLIDATE,
    PROJECTION: PROJECT,
    ARCHIVE: ARCHIVING,
    SWEEP: SWEEPING,
    USAGE: COUNTING,
}
