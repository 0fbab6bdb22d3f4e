"""Buckets of memory, the unit of the night's work: what the team shares with an agent, or one owner's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from django.db import connection
from django.utils import timezone

from memoryapp.exceptions import Conflict
from memoryapp.models import Agent
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal, principal_for_job
from tenants.scoping import Scope


class BucketBusy(Conflict):
    """409: somebody is at work on this memory already."""

    code = "dream_running"

    def __init__(self) -> None:
        super().__init__("A dream of this memory is running already.")


@dataclass(frozen=True, slots=True)
class BucketOf:
    """One bucket: whose memory with which agent."""

    workspace: Workspace
    agent: Agent
    scope: str
    owner_key: str

    @property
    def principal(self) -> Principal:
        """Whom work on this bucket runs as: its owner, or the system for what is shared."""
        return principal_for_job(self.workspace, self.owner_key or SYSTEM)

    @property
    def rows(self) -> dict[str, Any]:
        """The filter of the bucket's own rows, which is also what a new row of it is made with."""
        return {
            "workspace": self.workspace,
            "agent": self.agent,
            "scope": self.scope,
            "owner_key": self.owner_key,
        }

    @property
    def key(self) -> str:
        return f"{self.workspace.pk}:{self.agent.pk}:{self.scope}:{self.owner_key}"

    def subject(self, *parts: str) -> UUID:
        """An id for jobs about this bucket, the same whoever asks."""
        return uuid5(NAMESPACE_OID, ":".join((*parts, self.key)))

    def today(self, moment: datetime | None = None) -> date:
        """The day it is in the workspace's time zone."""
        return (moment or timezone.now()).astimezone(self.workspace.zone).date()


def bucket_of(workspace: Workspace, agent: Agent, owner_key: str = "") -> BucketOf:
    """The bucket of an owner, or without one the shared one."""
    scope = Scope.PERSONAL if owner_key and owner_key != SYSTEM else Scope.TEAM
    return BucketOf(workspace, agent, scope.value, owner_key if scope is Scope.PERSONAL else "")


@contextmanager
def held_bucket(bucket: BucketOf) -> Iterator[None]:
    """Be the only one who works on a bucket for as long as the block runs; raises BucketBusy when somebody is.

    The lock belongs to the database session: it spans model calls, and ends with its process however that dies.
    """
    key = _lock_key(f"bucket:{bucket.key}")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        if not cursor.fetchone()[0]:
            raise BucketBusy
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [key])


def refuse_if_busy(bucket: BucketOf) -> None:
    """Raise BucketBusy when somebody is at work on the bucket at this moment."""
    with held_bucket(bucket):
        return


def _lock_key(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
