"""One round of consolidation over an agent: the shared bucket, then as many owners as a run may serve, by turns."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count

from memoryapp.lifecycle.buckets import BucketBusy, BucketOf, bucket_of
from memoryapp.lifecycle.consolidation import Consolidated, consolidate_bucket
from memoryapp.lifecycle.nights import by_turns
from memoryapp.models import Agent, Fact
from memoryapp.models.categories import FactCategory
from tenants.models import Workspace
from tenants.scoping import Scope, workspace_scope


@dataclass(slots=True)
class Round:
    """What a round came to."""

    owners_consolidated: int = 0
    updated: int = 0
    skipped_small: int = 0
    skipped_over_cap: int = 0
    failed: int = 0
    entries_before: int = 0
    entries_after: int = 0

    def note(self, bucket: BucketOf, result: Consolidated) -> None:
        self.owners_consolidated += bucket.scope == Scope.PERSONAL and not result.failed
        self.updated += result.updated
        self.failed += result.failed
        self.entries_before += result.before
        self.entries_after += result.after

    def as_json(self) -> dict[str, Any]:
        return {
            "ownersConsolidated": self.owners_consolidated,
            "updated": self.updated,
            "skippedSmall": self.skipped_small,
            "skippedOverCap": self.skipped_over_cap,
            "failed": self.failed,
            "entriesBefore": self.entries_before,
            "entriesAfter": self.entries_after,
        }


def consolidate_agent(workspace: Workspace, agent: Agent, *, again: bool = False) -> Round:
    """Consolidate the buckets whose turn it is. One that fails or is busy stops no other."""
    totals = Round()
    limit = settings.MEMORY_STRUCTURED_CONSOLIDATION_MAX_OWNERS_PER_RUN
    shared, owners = _buckets(workspace, agent, totals)
    served = owners[:limit] if limit else owners
    # A slow model must not run into the job's time-out; who was not reached is first the next time.
    ends = time.monotonic() + settings.JOB_TIMEOUT_SECONDS / 2
    for position, bucket in enumerate([*shared, *served]):
        if time.monotonic() > ends:
            totals.skipped_over_cap += len(shared) + len(served) - position
            break
        try:
            totals.note(bucket, consolidate_bucket(bucket, again=again))
        except BucketBusy:
            totals.skipped_over_cap += 1
    totals.skipped_over_cap += len(owners) - len(served)
    return totals


def _buckets(workspace: Workspace, agent: Agent, totals: Round) -> tuple[list[BucketOf], list[BucketOf]]:
    """The shared bucket and the owners', those with too few entries counted only."""
    least = settings.MEMORY_STRUCTURED_CONSOLIDATION_MIN_ENTRIES
    with workspace_scope(workspace):
        facts = Fact.objects.filter(workspace=workspace, agent=agent).current()
        counted = facts.in_category(*FactCategory.always_on()).values("scope", "owner_key")
        sizes = {
            (row["scope"], row["owner_key"]): row["entries"]
            for row in counted.annotate(entries=Count("pk")).order_by()
        }
        large = [owner for (scope, owner), size in sizes.items() if size >= least and scope == Scope.PERSONAL]
        owners = by_turns(workspace, agent, large, "consolidated_at")
    totals.skipped_small = sum(size < least for size in sizes.values())
    shared = [bucket_of(workspace, agent)] if sizes.get((Scope.TEAM, ""), 0) >= max(least, 1) else []
    return shared, [bucket_of(workspace, agent, owner) for owner in owners]
