"""Proposals for a new persona: made for the whole team, decided by a member, with every earlier text kept."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone

from memoryapp.actions.files import load_file, write_file
from memoryapp.exceptions import Conflict, NotFound, NotPermitted
from memoryapp.models import Agent, SoulProposal, WorkspaceFile
from tenants.actions import record_audit
from tenants.models import Role
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

SOUL = "SOUL.md"
Status = SoulProposal.Status


def store_proposal(
    *, principal: Principal, agent: Agent, base_version: int, before: str, after: str, reason: str
) -> SoulProposal:
    """Put a proposal before the team in the place of one that waits still."""
    with workspace_scope(principal.workspace):
        waiting = SoulProposal.objects.filter(agent=agent, status=Status.PENDING)
        waiting.update(status=Status.OUTDATED, decided_at=timezone.now())
        proposal: SoulProposal = SoulProposal.objects.create(
            workspace=principal.workspace,
            agent=agent,
            scope=Scope.TEAM,
            base_version=base_version,
            before=before,
            after=after,
            reason=reason[:2000],
        )
    return proposal


def proposals_of(principal: Principal, agent: Agent) -> Iterable[SoulProposal]:
    """The agent's proposals, the newest first. Inside the workspace's scope."""
    proposals: Iterable[SoulProposal] = SoulProposal.objects.visible_to(principal).filter(agent=agent)
    return proposals


def load_proposal(principal: Principal, agent: Agent, proposal_id: UUID) -> SoulProposal:
    """The proposal of that id; NotFound when there is none."""
    with workspace_scope(principal.workspace):
        found = SoulProposal.objects.visible_to(principal).filter(agent=agent, pk=proposal_id).first()
    if found is None:
        raise NotFound
    proposal: SoulProposal = found
    return proposal


def accept_proposal(*, principal: Principal, agent: Agent, proposal: SoulProposal) -> SoulProposal:
    """Make a proposal the agent's persona. Members only; raises Conflict when decided, or when SOUL.md moved on."""
    with workspace_scope(principal.workspace):
        row = _pending(principal, proposal)
        soul = (
            WorkspaceFile.objects.filter(agent=agent, scope=Scope.TEAM, path=SOUL).select_for_update().first()
        )
        outdated = (soul.version if soul else 0) != row.base_version
        if not outdated:
            write_file(
                principal=principal,
                agent=agent,
                path=SOUL,
                content=row.after,
                scope=Scope.TEAM,
                origin="dream",
                reason="persona proposal accepted",
            )
        _decide(principal, row, Status.OUTDATED if outdated else Status.ACCEPTED)
    if outdated:
        raise Conflict("SOUL.md has changed since this was proposed.", code="outdated")
    return row


def decline_proposal(*, principal: Principal, agent: Agent, proposal: SoulProposal) -> SoulProposal:
    """Leave the persona as it is. Members only; raises Conflict when it was decided already."""
    with workspace_scope(principal.workspace):
        row = _pending(principal, proposal)
        _decide(principal, row, Status.DECLINED)
    return row


def _pending(principal: Principal, proposal: SoulProposal) -> SoulProposal:
    if not principal.can(Role.MEMBER):
        raise NotPermitted("Only members of the workspace decide on personas.")
    row: SoulProposal = SoulProposal.objects.select_for_update().get(pk=proposal.pk)
    if row.status != Status.PENDING:
        raise Conflict("This was decided already.", code="already_decided")
    return row


def _decide(principal: Principal, row: SoulProposal, status: SoulProposal.Status) -> None:
    row.status, row.decided_by, row.decided_at = status, principal.actor, timezone.now()
    row.save(update_fields=["status", "decided_by", "decided_at", "updated_at"])
    record_audit(principal=principal, action=f"soul.{status.value}", target=str(row.pk))


def current_soul(principal: Principal, agent: Agent) -> tuple[str, int]:
    """The text and version of the agent's persona."""
    try:
        file = load_file(principal=principal, agent=agent, path=SOUL)
    except NotFound:
        return "", 0
    return file.content, file.version
