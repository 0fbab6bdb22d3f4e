"""The morning card: what the night changed for this owner, and what waits for their decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone

from memoryapp.actions.contradictions import open_contradictions
from memoryapp.actions.reviews import pending_facts
from memoryapp.lifecycle.buckets import bucket_of
from memoryapp.models import Agent, Dream, DreamEntry, MorningCard
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

# What happened longer ago is no news.
NEWS = timedelta(days=7)
MOST_ITEMS = 20
TOLD = (Dream.Status.SUCCEEDED, Dream.Status.PROPOSED)


@dataclass(frozen=True, slots=True)
class Card:
    """What somebody is told in the morning."""

    dreams: tuple[Dream, ...]
    items: tuple[DreamEntry, ...]
    more: int
    contradictions: int
    reviews: int
    since: datetime

    @property
    def is_empty(self) -> bool:
        return not (self.items or self.contradictions or self.reviews)

    def as_json(self) -> dict[str, Any]:
        """The card as the API and a chat's reply carry it."""
        return {
            "reportIds": [str(dream.pk) for dream in self.dreams],
            "since": self.since.isoformat(),
            "reasons": [dream.reason for dream in self.dreams if dream.reason],
            "items": [item_as_json(entry) for entry in self.items],
            "more": self.more,
            "openContradictions": self.contradictions,
            "pendingReviews": self.reviews,
        }


def item_as_json(entry: DreamEntry) -> dict[str, Any]:
    """One change, with what its confirm, edit and forget are called by."""
    return {
        "id": str(entry.pk),
        "reportId": str(entry.dream_id),
        "operation": entry.operation,
        "scope": entry.scope,
        "before": entry.before,
        "after": entry.after,
        "reason": entry.reason,
        "factId": str(entry.fact_id) if entry.fact_id else None,
        "verdict": entry.verdict,
        "actions": ["confirm", "edit", "forget", "revert"] if entry.after else ["revert"],
    }


def morning_card(principal: Principal, agent: Agent) -> Card | None:
    """What is new for the principal since they last saw their card; None when nothing is."""
    with workspace_scope(principal.workspace):
        since = _seen_at(principal, agent)
        dreams = list(
            Dream.objects.visible_to(principal)
            .filter(agent=agent, status__in=TOLD, dry_run=False, seen_at=None, finished_at__gt=since)
            .order_by("-finished_at")
        )
        entries = _changes(dreams)
        card = Card(
            dreams=tuple(dreams),
            items=tuple(entries[:MOST_ITEMS]),
            more=len(entries[MOST_ITEMS:]),
            contradictions=open_contradictions(principal, agent).count(),
            reviews=pending_facts(principal, agent).count(),
            since=since,
        )
    return None if card.is_empty else card


def _seen_at(principal: Principal, agent: Agent) -> datetime:
    seen = (
        MorningCard.objects.owned_by(principal).filter(agent=agent).values_list("seen_at", flat=True).first()
    )
    oldest = timezone.now() - NEWS
    return max(seen, oldest) if seen else oldest


def _changes(dreams: Sequence[Dream]) -> list[DreamEntry]:
    """What the dreams changed and nobody has judged or taken back yet, one's own first."""
    entries = DreamEntry.objects.filter(dream__in=dreams, reverted_at=None, verdict="")
    changed = entries.exclude(operation=DreamEntry.Operation.KEEP).exclude(Q(before="") & Q(after=""))
    rows = changed.select_related("dream").order_by("-dream__finished_at", "position")
    return sorted(rows, key=lambda entry: entry.scope != Scope.PERSONAL)


def note_seen(principal: Principal, agent: Agent) -> None:
    """Note that the principal has seen their card: only what happens from now on is news."""
    if principal.is_system:
        return
    now = timezone.now()
    with workspace_scope(principal.workspace):
        MorningCard.objects.update_or_create(
            **_key(principal, agent), defaults={"seen_at": now, "shown_on": _today(principal, agent)}
        )


def shown_on(principal: Principal) -> Subquery:
    """When the principal was last shown the card of an agent, as an expression over the agent."""
    key = {"workspace": principal.workspace, "owner_key": principal.owner_key}
    return Subquery(MorningCard.objects.filter(**key, agent=OuterRef("pk")).values("shown_on")[:1])


def card_of_first_conversation(principal: Principal, agent: Agent, shown: date | None = None) -> Card | None:
    """The card, for the first conversation of the workspace's day only; whoever asks again that day gets None.

    It stays news until it is marked as seen: showing it in a chat is not reading it. `shown` is when it was shown last,
    as far as the caller knows: on all but the day's first conversation that spares the look.
    """
    key, today = _key(principal, agent), _today(principal, agent)
    if principal.is_system or (shown is not None and shown >= today):
        return None
    with workspace_scope(principal.workspace):
        # Of two first conversations at once, one shows it.
        late = MorningCard.objects.filter(**key).filter(Q(shown_on=None) | Q(shown_on__lt=today))
        is_first = bool(late.update(shown_on=today)) or _begin(key, today)
    return morning_card(principal, agent) if is_first else None


def _begin(key: dict[str, Any], today: date) -> bool:
    """Make the row of somebody who never had a card; False when another conversation has just made it."""
    card = MorningCard(**key, shown_on=today)
    MorningCard.objects.bulk_create([card], ignore_conflicts=True)
    return MorningCard.objects.filter(pk=card.pk).exists()


def _today(principal: Principal, agent: Agent) -> date:
    return bucket_of(principal.workspace, agent).today()


def _key(principal: Principal, agent: Agent) -> dict[str, Any]:
    return {
        "workspace": principal.workspace,
        "agent": agent,
        "owner_key": principal.owner_key,
        "scope": Scope.PERSONAL,
    }
