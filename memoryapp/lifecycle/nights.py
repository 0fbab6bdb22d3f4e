"""Which buckets of an agent a night works on: those with something to look at, whoever waited longest first."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from memoryapp.lifecycle.buckets import BucketOf, bucket_of
from memoryapp.models import Agent, Bucket, Recall, WorkspaceFile
from tenants.models import Workspace
from tenants.scoping import Scope, workspace_scope

NEVER = datetime.min.replace(tzinfo=timezone.get_default_timezone())


def buckets_to_dream(workspace: Workspace, agent: Agent) -> tuple[list[BucketOf], int]:
    """The buckets to be dreamt of this night, the shared one first, and how many owners have to wait for the next."""
    shared = bucket_of(workspace, agent)
    with workspace_scope(workspace):
        owners = by_turns(workspace, agent, _owners_with_material(shared), "dreamed_at")
    limit = settings.MEMORY_DREAM_MAX_OWNERS_PER_RUN or len(owners)
    return [shared, *(bucket_of(workspace, agent, owner) for owner in owners[:limit])], len(owners[limit:])


def _owners_with_material(shared: BucketOf) -> set[str]:
    """The owners with a note of the last days, or who recalled something in them."""
    if not settings.MEMORY_PER_OWNER:
        return set()
    days = settings.MEMORY_EMERGENCE_DAY_RANGE
    files = WorkspaceFile.objects.filter(
        workspace=shared.workspace, agent=shared.agent, scope=Scope.PERSONAL, path__startswith="memory/"
    )
    recalls = Recall.objects.filter(workspace=shared.workspace, agent=shared.agent, scope=Scope.PERSONAL)
    if days:
        first = shared.today() - timedelta(days=days - 1)
        files = files.filter(path__gte=f"memory/{first.isoformat()}.md")
        recalls = recalls.filter(created_at__gte=timezone.now() - timedelta(days=days))
    return {*files.values_list("owner_key", flat=True), *recalls.values_list("owner_key", flat=True)}


def by_turns(workspace: Workspace, agent: Agent, owners: Iterable[str], mark: str) -> list[str]:
    """The owners in the order in which it is their turn: never served first, then whoever was served longest ago."""
    rows = Bucket.objects.filter(workspace=workspace, agent=agent, scope=Scope.PERSONAL)
    served = dict(rows.values_list("owner_key", mark))
    return sorted(owners, key=lambda owner: (served.get(owner) or NEVER, owner))
