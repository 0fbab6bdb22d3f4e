"""Noting that memories were used: batched after the reply, never on the read path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.statements import undressed
from memoryapp.llm.language.wording import content_words
from memoryapp.models import Agent, Conversation, Fact, Recall
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope
from tenants.secrets import keyed_digest

FACT, SECTION = "fact", "section"


class Recalled(Protocol):
    """A fact or file section that a search gave."""

    @property
    def kind(self) -> str: ...

    @property
    def id(self) -> UUID: ...

    @property
    def score(self) -> float: ...

    @property
    def text(self) -> str: ...


def query_key(query: str) -> str:
    """What tells two queries apart without holding a word of either."""
    return keyed_digest(" ".join(query.casefold().split()), purpose="recall-query")


def line_key(line: str) -> str:
    """What tells two lines of a note apart without holding a word of either."""
    return keyed_digest(text_key(undressed(line)), purpose="recall-line")


def _answering_line(hit: Recalled, query: str) -> str:
    """The key of the line of a section that answers the query best; empty when none shares a word with it."""
    if hit.kind != SECTION:
        return ""
    wanted = content_words(query)
    lines = [line for line in hit.text.splitlines() if line.strip() and not line.startswith("#")]
    best = max(lines, key=lambda line: len(wanted & content_words(line)), default="")
    return line_key(best) if wanted & content_words(best) else ""


def note_recalls(
    *,
    principal: Principal,
    agent: Agent,
    conversation: Conversation | None,
    hits: Sequence[Recalled],
    query: str,
) -> None:
    """Record that the hits were recalled for a query, with one insert and one update whatever their number.

    The rows belong to whoever asked, also for shared facts: who recalled what is nobody else's business.
    """
    used = [hit for hit in hits if hit.kind in {FACT, SECTION}]
    if not used or principal.is_system:
        return
    key = query_key(query)
    with workspace_scope(principal.workspace):
        Recall.objects.bulk_create(
            Recall(
                workspace=principal.workspace,
                agent=agent,
                owner_key=principal.owner_key,
                scope=Scope.PERSONAL,
                conversation=conversation,
                fact_id=hit.id if hit.kind == FACT else None,
                section_id=hit.id if hit.kind == SECTION else None,
                query_key=key,
                line_key=_answering_line(hit, query),
                score=hit.score,
            )
            for hit in used
        )
        _count_recalls([hit.id for hit in used if hit.kind == FACT])


def _count_recalls(fact_ids: Sequence[UUID]) -> None:
    # Locked in one order: two turns that recall the same shared facts take turns instead of blocking each other.
    facts = Fact.objects.filter(pk__in=fact_ids).order_by("pk").select_for_update(no_key=True)
    Fact.objects.filter(pk__in=facts.values("pk")).update(
        recall_count=F("recall_count") + 1, last_recalled_at=timezone.now()
    )
