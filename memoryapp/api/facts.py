"""Facts: the shared ones and the acting owner's own; added word for word, changed with history, deleted at once."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.fact_lifecycle import delete_fact, delete_facts
from memoryapp.actions.facts import NewFact, add_fact, load_fact, update_fact
from memoryapp.actions.masking import masked
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fact_bodies import (
    Deleted,
    FactBody,
    FactChanges,
    FactDeletion,
    FactQuery,
    NewFactBody,
    NewMessages,
    WrittenFact,
)
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.api.parsing import parse_json
from memoryapp.api.readings import ReadingBody, describe_reading
from memoryapp.exceptions import ValidationFailed
from memoryapp.lifecycle.extraction import NewMessage, extract_messages
from memoryapp.models import Agent, Fact
from memoryapp.models.facts import FactQuerySet
from memoryapp.retrieval.filters import compile_filter, parse_filter
from memoryapp.retrieval.indexing import embed_now
from memoryapp.retrieval.vectors import Vector
from tenants.principals import Principal
from tenants.scoping import Scope

ADDING = PolymorphicProxySerializer(
    component_name="FactOrMessages", serializers=[NewFactBody, NewMessages], resource_type_field_name=None
)
ADDED = PolymorphicProxySerializer(
    component_name="FactOrReading", serializers=[WrittenFact, ReadingBody], resource_type_field_name=None
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="A key of your own for these messages: sent again, they are kept only once.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag you read; 412 if the file or fact has changed since.",
)


class AgentFactsView(WorkspaceAPIView):
    """A view of an agent's facts."""

    def agent(self, agent_id: str) -> Agent:
        return load_agent(self.principal, agent_id)

    def fact(self, agent_id: str, fact_id: UUID) -> Fact:
        return load_fact(self.principal, self.agent(agent_id), fact_id)


def filtered(facts: FactQuerySet, wanted: Any) -> FactQuerySet:
    """The facts that a filter of the filter language lets through."""
    return facts.filter(compile_filter(parse_filter(wanted)))


def tagged(fact: Fact, status: int = 200, **more: Any) -> Response:
    """A fact with its version as ETag."""
    return Response({**FactBody(fact).data, **more}, status=status, headers={"ETag": f'"{fact.version}"'})


class FactsView(AgentFactsView):
    # Adding embeds, and deleting many works in batches: both open their own scopes.
    unscoped = frozenset({"post", "delete"})

    @extend_schema(
        operation_id="list_facts", parameters=[FactQuery, *PAGE_PARAMETERS], responses=page_of(FactBody)
    )
    def get(self, request: Request, agent_id: str) -> Response:
        """The facts you may see, newest first; expired ones only on request."""
        query = self.read_query(FactQuery)
        facts = Fact.objects.visible_to(self.principal).for_agent(self.agent(agent_id))
        facts = facts.filter(status=query.get("status", Fact.Status.ACTIVE)).exclude(
            status=Fact.Status.FORGOTTEN
        )
        if not query["showExpired"]:
            facts = facts.unexpired()
        if "filter" in query:
            facts = filtered(facts, parse_json(query["filter"]))
        return self.page(facts.order_by("-created_at", "-id"), FactBody)

    @extend_schema(operation_id="delete_facts", request=FactDeletion, responses=Deleted)
    def delete(self, request: Request, agent_id: str) -> Response:
        """Delete the facts that match a filter, or all of your own with `{"all": true, "confirm": true}`."""
        wanted = checked_deletion(set(request.data), self.read(FactDeletion))
        agent = self.agent(agent_id)
        own = Fact.objects.owned_by(self.principal).filter(agent=agent)
        if wanted["scope"] == Scope.TEAM:
            own = Fact.objects.visible_to(self.principal).filter(agent=agent, scope=Scope.TEAM)
        if "filter" in wanted:
            own = filtered(own, wanted["filter"])
        return Response({"deleted": delete_facts(principal=self.principal, agent=agent, facts=own)})

    @extend_schema(
        operation_id="add_fact",
        parameters=[IDEMPOTENCY_KEY],
        request=ADDING,
        responses={200: ADDED, 201: WrittenFact},
    )
    def post(self, request: Request, agent_id: str) -> Response:
        """Add a fact word for word (200 with `duplicate: true` when it is known already), or have messages read."""
        if "infer" in request.data or "messages" in request.data:
            return self.infer(agent_id)
        new = NewFact(**self.read(NewFactBody))
        vector = inline_vector(self.principal, new.text)
        agent = load_agent(self.principal, agent_id)
        added = add_fact(principal=self.principal, agent=agent, new=new, vector=vector, lift_tombstone=True)
        flags = {
            "duplicate": not added.created,
            "indexing": "ready" if vector is not None or not added.created else "pending",
            "masked": added.masked,
        }
        return tagged(added.fact, 201 if added.created else 200, **flags)

    def infer(self, agent_id: str) -> Response:
        """Keep messages as a conversation and read them at once; once only under one Idempotency-Key."""
        body = self.read(NewMessages)
        if not body["infer"]:
            raise ValidationFailed.of("infer", "Messages are read with infer: true; a fact has a text.")
        said = [
            NewMessage(
                role=each["role"], text=each["content"], name=each.get("name", ""), said_at=each.get("at")
            )
            for each in body["messages"]
        ]
        conversation, extracted = extract_messages(
            principal=self.principal,
            agent=load_agent(self.principal, agent_id),
            messages=said,
            conversation_id=body.get("conversationId"),
            idempotency_key=self.request.headers.get("Idempotency-Key", "").strip(),
        )
        return Response(describe_reading(conversation, extracted))


def checked_deletion(sent: set[str], wanted: dict[str, Any]) -> dict[str, Any]:
    """The deletion, once it is clear beyond doubt what is meant; raises ValidationFailed otherwise."""
    unknown = sorted(sent - {"filter", "all", "confirm", "scope", "endUserId", "channel"})
    if unknown:
        raise ValidationFailed.of(unknown[0], "This field means nothing here.")
    if ("filter" in sent) == ("all" in sent):
        raise ValidationFailed.of("filter", "Send either a filter, or all and confirm.")
    if "filter" in sent and not wanted.get("filter"):
        raise ValidationFailed.of("filter", "An empty filter deletes nothing.")
    if "all" in sent and not (wanted["all"] and wanted.get("confirm")):
        raise ValidationFailed.of(
            "confirm", "Deleting everything takes all: true together with confirm: true."
        )
    return wanted


def inline_vector(principal: Principal, text: str) -> Vector | None:
    """The vector of a text about to be stored, of what will stand there: credentials masked."""
    return embed_now([masked(text, principal.workspace)[0]])[0]


class FactView(AgentFactsView):
    # Another text is embedded before it is stored.
    unscoped = frozenset({"patch"})

    @extend_schema(operation_id="read_fact", responses=FactBody)
    def get(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        return tagged(self.fact(agent_id, fact_id))

    @extend_schema(operation_id="change_fact", parameters=[IF_MATCH], request=FactChanges, responses=FactBody)
    def patch(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        fact = self.fact(agent_id, fact_id)
        changes = self.read(FactChanges)
        if "text" in changes and changes["text"] != fact.text:
            changes["vector"] = inline_vector(self.principal, changes["text"])
        return tagged(update_fact(principal=self.principal, fact=fact, if_version=self.if_version, **changes))

    @extend_schema(operation_id="delete_fact", responses={204: None})
    def delete(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Remove a fact at once, with every text of its history."""
        delete_fact(principal=self.principal, fact=self.fact(agent_id, fact_id))
        return Response(status=204)

    @property
    def if_version(self) -> int | None:
        tag = self.request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
        # A tag that is no version of ours matches none.
        return None if tag in {"", "*"} else int(tag) if tag.isdecimal() and len(tag) < 10 else -1
