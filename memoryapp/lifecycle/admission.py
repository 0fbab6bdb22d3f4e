"""Admission of a single fact that an agent's tool or another program proposes: the same four gates as extraction."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils import timezone

from memoryapp.actions.facts import AddedFact, NewFact, add_fact
from memoryapp.actions.masking import credential_patterns, masked
from memoryapp.lifecycle.asking import overlay_of
from memoryapp.lifecycle.background import load_background
from memoryapp.lifecycle.transcripts import owner_zone
from memoryapp.lifecycle.triage import judge
from memoryapp.llm.tasks import Candidate, Operation
from memoryapp.models import Agent
from memoryapp.models.categories import FactCategory
from tenants.principals import Principal
from tenants.scoping import workspace_scope


@dataclass(frozen=True, slots=True)
class Admission:
    """What became of a proposed fact: kept (or known already), else the gate that stopped it and why."""

    added: AddedFact | None = None
    gate: str = ""
    reason: str = ""

    @property
    def kept(self) -> bool:
        return self.added is not None and self.added.created


def admit_fact(*, principal: Principal, agent: Agent, new: NewFact) -> Admission:
    """Keep a proposed fact if it passes the gates of triage; not inside a scope, since the search may ask an embedder.

    Raises what add_fact raises for a text that cannot be stored at all.
    """
    with workspace_scope(principal.workspace):
        today = timezone.now().astimezone(owner_zone(principal)).date()
    background = load_background(principal, agent, [new.text], today)
    verdict = judge(
        Candidate(op=Operation.ADD, text=new.text, category=new.category),
        known=background.known,
        today=today,
        overlay=overlay_of(agent),
        secrets=credential_patterns(principal.workspace),
    )
    if not verdict.accepted:
        return Admission(gate=verdict.gate, reason=verdict.reason)
    kept = replace(new, text=verdict.text, category=_category(new, verdict.candidate))
    added = add_fact(principal=principal, agent=agent, new=kept)
    return Admission(replace(added, masked=masked(new.text, principal.workspace)[1]))


def _category(new: NewFact, judged: Candidate) -> str:
    """The caller's own category where it is theirs to choose; what a gate made of a credential is configuration."""
    return judged.category if new.category in {"", *FactCategory.proposable()} else new.category
