"""The inbox of contradictions: two facts that cannot both hold, and what somebody decided."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.contradictions import (
    RESOLVERS,
    inbox,
    load_contradiction,
    resolve_contradiction,
    undo_resolution,
)
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fact_bodies import FactBody
from memoryapp.api.fields import Text
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.models import Contradiction
from tenants.scoping import Scope


class ContradictionBody(serializers.Serializer[Contradiction]):
    id = serializers.UUIDField()
    scope = serializers.ChoiceField(Scope.choices)
    reason = serializers.CharField()
    factA = FactBody(source="fact_a", help_text="The older one.")
    factB = FactBody(source="fact_b", help_text="The newer one, which is used in the meantime.")
    resolution = serializers.ChoiceField(Contradiction.Resolution.choices)
    resolvedBy = serializers.CharField(source="resolved_by")
    resolvedAt = serializers.DateTimeField(source="resolved_at", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")


class ContradictionQuery(serializers.Serializer[Any]):
    resolved = serializers.BooleanField(default=False, help_text="Those that were decided instead.")


class ResolutionBody(serializers.Serializer[Any]):
    resolution = serializers.ChoiceField(list(RESOLVERS))
    text = Text(max_length=4_000, allow_blank=True, default="", help_text="MERGE: what both say together.")


class ContradictionsView(WorkspaceAPIView):
    @extend_schema(
        operation_id="list_contradictions",
        parameters=[ContradictionQuery, *PAGE_PARAMETERS],
        responses=page_of(ContradictionBody),
    )
    def get(self, request: Request, agent_id: str) -> Response:
        """Contradictions that wait for a decision, newest first."""
        pairs = inbox(self.principal, load_agent(self.principal, agent_id))
        is_open = {"resolution": Contradiction.Resolution.OPEN}
        decided = self.read_query(ContradictionQuery)["resolved"]
        shown = pairs.exclude(**is_open) if decided else pairs.filter(**is_open)
        return self.page(shown.order_by("-created_at", "-id"), ContradictionBody)


class OneContradictionView(WorkspaceAPIView):
    """A view of the pair its address names."""

    def pair(self, agent_id: str, contradiction_id: UUID) -> Contradiction:
        return load_contradiction(self.principal, load_agent(self.principal, agent_id), contradiction_id)


class ResolveContradictionView(OneContradictionView):
    @extend_schema(operation_id="resolve_contradiction", request=ResolutionBody, responses=ContradictionBody)
    def post(self, request: Request, agent_id: str, contradiction_id: UUID) -> Response:
        """Decide: keep one, merge both, or let both stand; the facts are edited accordingly."""
        decision = self.read(ResolutionBody)
        pair = self.pair(agent_id, contradiction_id)
        return Response(
            ContradictionBody(resolve_contradiction(principal=self.principal, pair=pair, **decision)).data
        )


class UndoResolutionView(OneContradictionView):
    @extend_schema(operation_id="undo_resolution", request=None, responses=ContradictionBody)
    def post(self, request: Request, agent_id: str, contradiction_id: UUID) -> Response:
        """Take a decision back: both facts are as they were."""
        pair = self.pair(agent_id, contradiction_id)
        return Response(ContradictionBody(undo_resolution(principal=self.principal, pair=pair)).data)
