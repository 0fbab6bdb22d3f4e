"""Removing facts for good: rows, vectors, sources and the texts of their history; that they were there stays."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.models import Fact, FactRevision
from tenants.principals import Principal


def purge_facts(principal: Principal, facts: Sequence[Fact]) -> None:
    """Remove facts with every text of theirs; history keeps id, time and actor. Inside the workspace's scope."""
    ids = [fact.pk for fact in facts]
    FactRevision.objects.filter(fact__in=ids).update(before=None, after=None, reason="")
    FactRevision.objects.bulk_create(
        [
            FactRevision(
                workspace_id=fact.workspace_id,
                agent_id=fact.agent_id,
                owner_key=fact.owner_key,
                scope=fact.scope,
                fact_id=fact.pk,
                operation=FactRevision.Operation.DELETE,
                actor=principal.actor,
                origin=fact.origin,
            )
            for fact in facts
        ]
    )
    Fact.objects.filter(pk__in=ids).delete()
