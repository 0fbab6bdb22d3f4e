"""What can be asked and said about facts: searching them, where they come from, how they changed, whether they help."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.fact_lifecycle import confirm_fact, give_feedback, pin_fact
from memoryapp.actions.masking import masked
from memoryapp.api.fact_bodies import (
    FactBody,
    FactRevisionBody,
    FactSearch,
    FeedbackBody,
    FoundFact,
    FoundFacts,
    PinBody,
    SourceBody,
)
from memoryapp.api.facts import AgentFactsView, tagged
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.models import Fact, FactRevision, FactSource, FileSection, Message
from memoryapp.retrieval.filters import parse_filter
from memoryapp.retrieval.search import search_memories
from tenants.principals import Principal


class FactSearchView(AgentFactsView):
    unscoped = frozenset({"post"})

    @extend_schema(operation_id="search_facts", request=FactSearch, responses=FoundFacts)
    def post(self, request: Request, agent_id: str) -> Response:
        """What answers a question, best first: facts and, on request, file sections and past messages."""
        wanted = self.read(FactSearch)
        found = search_memories(
            masked(wanted["query"], self.principal.workspace)[0],
            principal=self.principal,
            agent=load_agent(self.principal, agent_id),
            filters=parse_filter(wanted["filter"]) if wanted.get("filter") else None,
            top_k=wanted["topK"],
            threshold=wanted.get("threshold"),
            sources=wanted["sources"],
            explain=wanted["explain"],
            show_expired=wanted["showExpired"],
            latest_only=wanted["latestOnly"],
            reference_date=wanted.get("referenceDate"),
        )
        shown = {"fields": {"id", *wanted["wanted"]} if "wanted" in wanted else None}
        results = FoundFact(found.items, many=True, context=shown).data
        return Response({"results": results, "degraded": found.degraded, "tookMs": found.took_ms})


class FactHistoryView(AgentFactsView):
    @extend_schema(
        operation_id="list_fact_history", parameters=PAGE_PARAMETERS, responses=page_of(FactRevisionBody)
    )
    def get(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Everything that happened to a fact; for a deleted one, when and by whom, without any text."""
        agent = self.agent(agent_id)
        revisions = FactRevision.objects.visible_to(self.principal).filter(agent=agent, fact_id=fact_id)
        if not revisions.exists():
            raise NotFound
        return self.page(revisions.order_by("created_at", "id"), FactRevisionBody)


class FactProvenanceView(AgentFactsView):
    @extend_schema(
        operation_id="list_fact_provenance", parameters=PAGE_PARAMETERS, responses=page_of(SourceBody)
    )
    def get(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """The messages and file sections a fact rests on."""
        fact = self.fact(agent_id, fact_id)
        return self.page(describe_sources(self.principal, fact), SourceBody)


def describe_sources(principal: Principal, fact: Fact) -> list[dict[str, Any]]:
    """Where a fact comes from; a shared fact may rest on somebody's own words, which only they are shown."""
    sources = list(FactSource.objects.visible_to(principal).filter(fact=fact).order_by("created_at", "id"))
    said = Message.objects.visible_to(principal).filter(pk__in=[source.message_id for source in sources])
    messages: dict[UUID | None, Message] = {
        message.pk: message for message in said.select_related("conversation")
    }
    seen = FileSection.objects.visible_to(principal).filter(pk__in=[source.section_id for source in sources])
    sections: dict[UUID | None, FileSection] = {section.pk: section for section in seen}
    return [_source(row, messages.get(row.message_id), sections.get(row.section_id)) for row in sources]


def _source(source: FactSource, message: Message | None, section: FileSection | None) -> dict[str, Any]:
    end = source.end or None
    text = (
        message.text[source.start : end] if message else section.text[source.start : end] if section else ""
    )
    return {
        "kind": "message" if source.message_id else "section",
        "text": text,
        "messageId": message.pk if message else None,
        "conversationId": message.conversation.external_id if message else None,
        "path": source.path,
        "start": source.start,
        "end": source.end,
        "at": message.said_at if message else source.created_at,
    }


class FactFeedbackView(AgentFactsView):
    @extend_schema(operation_id="judge_fact", request=FeedbackBody, responses=FactBody)
    def post(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Say that a fact helped or did not; one judgement per person, the latest counts."""
        kind = self.read(FeedbackBody)["kind"]
        return tagged(give_feedback(principal=self.principal, fact=self.fact(agent_id, fact_id), kind=kind))


class FactConfirmView(AgentFactsView):
    @extend_schema(operation_id="confirm_fact", request=None, responses=FactBody)
    def post(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Say that a fact still holds."""
        return tagged(confirm_fact(principal=self.principal, fact=self.fact(agent_id, fact_id)))


class FactPinView(AgentFactsView):
    @extend_schema(operation_id="pin_fact", request=PinBody, responses=FactBody)
    def post(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Pin a fact, so that it does not decay, or unpin it."""
        pinned = self.read(PinBody)["pinned"]
        return tagged(pin_fact(principal=self.principal, fact=self.fact(agent_id, fact_id), pinned=pinned))
