"""SOUL evolution: after so many writes of any owner, a new persona is proposed out of what the whole team shares.

Writes of every scope count, but only shared files and team facts are read: nobody's own memory shapes what all meet.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.soul import SOUL, accept_proposal, current_soul, store_proposal
from memoryapp.actions.tombstones import load_forgotten
from memoryapp.lifecycle.buckets import bucket_of
from memoryapp.lifecycle.comparison import dated
from memoryapp.llm.language.wording import count_words
from memoryapp.llm.night_requests import build_soul_request
from memoryapp.llm.night_tasks import SoulInput, SoulReply
from memoryapp.model_settings import client_for
from memoryapp.models import Agent, Fact, FactRevision, SoulProposal, WorkspaceFile
from tenants.models import Workspace
from tenants.principals import principal_for_job
from tenants.scoping import Scope, workspace_scope

WORD_LIMIT = 500
LEAST_CHARACTERS = 50
MOST_FACTS = 100
WRITES = (FactRevision.Operation.ADD, FactRevision.Operation.UPDATE, FactRevision.Operation.MERGE)


class Unusable(Exception):
    """A persona that must not be proposed, and why."""


def is_due(workspace: Workspace, agent: Agent) -> bool:
    """Whether enough was learnt since the persona was last thought about. 0 writes: never."""
    interval = settings.MEMORY_SOUL_UPDATE_INTERVAL
    if not interval:
        return False
    with workspace_scope(workspace):
        since = Agent.objects.values_list("soul_looked_at", flat=True).get(pk=agent.pk) or agent.created_at
        writes = FactRevision.objects.filter(
            workspace=workspace, agent=agent, created_at__gt=since, operation__in=WRITES
        )
        return bool(writes[: interval + 1].count() >= interval)


def propose_new_soul(workspace: Workspace, agent: Agent) -> SoulProposal | None:
    """Ask for a new persona and put it before the team; None when there is nothing to change.

    Raises ModelError, and Unusable for an answer that is too long, too short or says something forgotten.
    """
    principal = principal_for_job(workspace)
    looked_at = timezone.now()
    before, version = current_soul(principal, agent)
    with workspace_scope(workspace):
        task = soul_input(workspace, agent, before)
        forgotten = load_forgotten(principal=principal, agent=agent, scope=Scope.TEAM)
    reply = client_for(workspace).complete_json(build_soul_request(task, model=agent.model), SoulReply).value
    _mark(workspace, agent, looked_at)
    after = forgotten.without(reply.soul_content).strip() + "\n"
    if not reply.should_update or after.strip() == before.strip():
        return None
    _check(after)
    proposal = store_proposal(
        principal=principal,
        agent=agent,
        base_version=version,
        before=before,
        after=after,
        reason=reply.reason,
    )
    if settings.MEMORY_SOUL_AUTO_ACCEPT:
        return accept_proposal(principal=principal, agent=agent, proposal=proposal)
    return proposal


def soul_input(workspace: Workspace, agent: Agent, soul: str) -> SoulInput:
    """What a persona may grow from: nothing that is anybody's own. Inside the workspace's scope."""
    bucket = bucket_of(workspace, agent)
    files = WorkspaceFile.objects.filter(**bucket.rows, path__in=["PROFILE.md", "MEMORY.md"])
    texts = dict(files.values_list("path", "content"))
    facts = Fact.objects.filter(**bucket.rows).current().order_by("-importance", "-confirmed_at")[:MOST_FACTS]
    return SoulInput(
        soul=soul,
        profile=texts.get("PROFILE.md", ""),
        memory=texts.get("MEMORY.md", ""),
        facts=tuple(dated(number, fact) for number, fact in enumerate(facts, start=1)),
        today=bucket.today(),
        word_limit=WORD_LIMIT,
    )


def _mark(workspace: Workspace, agent: Agent, moment: datetime) -> None:
    with workspace_scope(workspace):
        Agent.objects.filter(pk=agent.pk).update(soul_looked_at=moment)


def _check(text: str) -> None:
    if len(text) < LEAST_CHARACTERS:
        raise Unusable(f"The proposed {SOUL} was too short to be a persona.")
    words = count_words(text)
    if words > WORD_LIMIT:
        raise Unusable(f"The proposed {SOUL} has {words} words; {WORD_LIMIT} is the limit.")
