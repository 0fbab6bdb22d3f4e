"""The review inbox: facts that wait for a person's approval."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.reviews import (
    MOST_AT_ONCE,
    REVIEW_ACTIONS,
    load_reviewed,
    pending_facts,
    review_fact,
    review_facts,
)
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fact_bodies import FactBody
from memoryapp.api.fields import Text
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of


class ReviewBody(serializers.Serializer[Any]):
    action = serializers.ChoiceField(list(REVIEW_ACTIONS))
    text = Text(max_length=4_000, allow_blank=True, default="", help_text="approve, edit: in better words.")


class ReviewsBody(serializers.Serializer[Any]):
    ids = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MOST_AT_ONCE)
    action = serializers.ChoiceField(["approve", "decline", "undo"])


class ReviewOutcomes(serializers.Serializer[Any]):
    outcomes = serializers.DictField(
        child=serializers.CharField(), help_text="Per id: `done`, or why it could not be done."
    )


class ReviewsView(WorkspaceAPIView):
    @extend_schema(operation_id="list_reviews", parameters=PAGE_PARAMETERS, responses=page_of(FactBody))
    def get(self, request: Request, agent_id: str) -> Response:
        """Facts that are in no prompt and no search until somebody approves them, oldest first."""
        return self.page(pending_facts(self.principal, load_agent(self.principal, agent_id)), FactBody)

    @extend_schema(operation_id="review_facts", request=ReviewsBody, responses=ReviewOutcomes)
    def post(self, request: Request, agent_id: str) -> Response:
        """Decide on several facts at once, each separately."""
        decision = self.read(ReviewsBody)
        outcomes = review_facts(
            principal=self.principal,
            agent=load_agent(self.principal, agent_id),
            fact_ids=decision["ids"],
            action=decision["action"],
        )
        return Response({"outcomes": outcomes})


class ReviewView(WorkspaceAPIView):
    @extend_schema(operation_id="review_fact", request=ReviewBody, responses=FactBody)
    def post(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Approve, decline or edit a fact, or take that back."""
        decision = self.read(ReviewBody)
        fact = load_reviewed(self.principal, load_agent(self.principal, agent_id), fact_id)
        return Response(FactBody(review_fact(principal=self.principal, fact=fact, **decision)).data)
