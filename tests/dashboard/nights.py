"""A night that alice has slept through, for the pages that tell of it: a dream, a pair that disagrees, what waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from memoryapp.actions.contradictions import open_contradiction
from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import append_note
from memoryapp.actions.forget_texts import packed
from memoryapp.actions.soul import store_proposal
from memoryapp.jobs import dream_now, enqueue_dreams
from memoryapp.models import Agent, Contradiction, Dream, DreamArchive, DreamEntry, Event, Fact, SoulProposal
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.lifecycle.nights import offline_rules

LINE = "Oat milk with every coffee"
SAID = f"Remember this: {LINE}, please."
MONTH = "2026-01"
NIGHTLY = {
    "dreams-report",
    "dreams-progress",
    "dreams-archive",
    "dreams-decide",
    "dreams-entry",
    "inbox-contradiction",
    "inbox-resolve",
    "inbox-undo",
    "inbox-persona",
    "inbox-settle",
}


@dataclass(frozen=True)
class LivedNight:
    """What the night left behind."""

    dream: Dream
    entry: DreamEntry
    pair: Contradiction
    persona: SoulProposal
    event: Event
    fact: Fact


def lived_night(alice: Person) -> LivedNight:
    """Alice says something, three days' notes repeat it, a dream keeps it; other things wait for her word."""
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    fact = _said(alice)
    for back in range(3):
        append_note(**who, day=timezone.localdate() - timedelta(days=back), entry=LINE)
        append_note(**who, day=timezone.localdate() - timedelta(days=back), entry=f"Number {back}, said once")
    append_note(**who, day=timezone.localdate(), entry="A walk by the harbour")
    append_note(**who, day=timezone.localdate() - timedelta(days=1), entry="A walk by the harbour")
    with offline_rules():
        dream_now(**who)
    pair = _pair(alice)
    souls = {"before": "# Soul\n\nCalm.\n", "after": "# Soul\n\nCalm and brief.\n"}
    persona = store_proposal(**who, **souls, base_version=1, reason="It was asked for.")
    event = enqueue_dreams(**who)
    own = {"workspace": alice.workspace, "agent": alice.agent, "owner_key": alice.principal.owner_key}
    entry = {
        "operation": "add",
        "before": "",
        "after": "- Rides a bicycle",
        "gate": "",
        "reason": "named on 3 days",
    }
    report = {
        "startedAt": "2026-01-05T03:00:00+00:00",
        "kind": "nightly",
        "status": "succeeded",
        "entries": [entry],
    }
    with workspace_scope(alice.workspace):
        DreamArchive.objects.create(**own, scope="PERSONAL", month=MONTH, reports=1, packed=packed([report]))
        kept = DreamEntry.objects.select_related("dream").get(operation="add", after__contains=LINE)
    return LivedNight(kept.dream, kept, pair, persona, event, fact)


def _said(alice: Person) -> Fact:
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    talk = open_conversation(**who, external_id="breakfast", channel="web")
    message = add_message(principal=alice.principal, conversation=talk, role="user", text=SAID)
    start = SAID.index(LINE)
    source = SourceSpan(message=message, start=start, end=start + len(LINE))
    return add_fact(**who, new=NewFact(text=LINE, category="technical"), sources=[source]).fact


def _pair(alice: Person) -> Contradiction:
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    then = timezone.now() - timedelta(days=9)
    older = add_fact(**who, new=NewFact(text="The shop opens at 8 in the morning", said_at=then)).fact
    newer = add_fact(**who, new=NewFact(text="The shop opens at 10 in the morning")).fact
    pair = open_contradiction(principal=alice.principal, one=older, other=newer, reason="opening hours")
    assert pair is not None
    return pair


def waiting_facts(alice: Person, *texts: str) -> list[Fact]:
    """Facts that wait for a person's word."""
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    facts = [add_fact(**who, new=NewFact(text=text, confidence=0.5)).fact for text in texts]
    with workspace_scope(alice.workspace):
        Agent.objects.filter(pk=alice.agent.pk).update(review_mode="low_confidence")
        Fact.objects.filter(pk__in=[fact.pk for fact in facts]).update(status=Fact.Status.PENDING)
    return facts


def nightly_ids(name: str, night: LivedNight) -> list[Any]:
    """What a route's address names besides workspace and agent."""
    return {
        "dreams-report": [night.dream.pk],
        "dreams-progress": [night.event.pk],
        "dreams-archive": [MONTH],
        "dreams-decide": [night.dream.pk],
        "dreams-entry": [night.dream.pk, night.entry.pk],
        "inbox-contradiction": [night.pair.pk],
        "inbox-resolve": [night.pair.pk],
        "inbox-undo": [night.pair.pk],
        "inbox-persona": [night.persona.pk],
        "inbox-settle": [night.persona.pk],
    }[name]
