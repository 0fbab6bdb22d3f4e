"""Asking for new facts to be compared with what is known, once for all of a bucket written at about the same time."""

from __future__ import annotations

from uuid import NAMESPACE_OID, UUID, uuid5

from django.conf import settings

from memoryapp.actions.events import request_job_after_commit
from memoryapp.models import Fact
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal, principal_for_job

COMPARE = "compare"


def request_comparison(principal: Principal, fact: Fact) -> None:
    """Have this fact and all others of its bucket that are new compared after the transaction."""
    if fact.status == Fact.Status.ACTIVE:
        request_comparison_of(principal.workspace, fact.agent_id, fact.scope, fact.owner_key)


def request_comparison_of(workspace: Workspace, agent_id: UUID, scope: str, owner_key: str) -> None:
    """Have the new facts of a bucket compared after the transaction, unless that is switched off."""
    if not settings.MEMORY_FACT_CONTRADICTION_CHECK_ENABLED:
        return
    request_job_after_commit(
        principal=principal_for_job(workspace, owner_key or SYSTEM),
        kind=COMPARE,
        subject_id=uuid5(NAMESPACE_OID, f"{COMPARE}:{workspace.pk}:{agent_id}:{scope}:{owner_key}"),
        agent_id=agent_id,
    )
