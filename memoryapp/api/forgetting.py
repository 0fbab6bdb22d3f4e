"""Forgetting facts, with a receipt of what was removed where, and taking it back while there is time."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.forget import forget_fact, load_forgetting, undo_forget
from memoryapp.api.facts import AgentFactsView
from memoryapp.models import Forgetting


class PlaceBody(serializers.Serializer[Any]):
    place = serializers.CharField(help_text="A file by its path, or a kind of record.")
    count = serializers.IntegerField()


class ForgettingReceipt(serializers.Serializer[Forgetting]):
    id = serializers.UUIDField()
    success = serializers.SerializerMethodField()
    kind = serializers.ChoiceField(Forgetting.Kind.choices)
    factIds = serializers.ListField(source="fact_ids", child=serializers.UUIDField())
    removed = PlaceBody(source="places", many=True, help_text="What was removed where.")
    undoUntil = serializers.DateTimeField(source="undo_until", allow_null=True)
    undoneAt = serializers.DateTimeField(source="undone_at", allow_null=True)
    purgedAt = serializers.DateTimeField(source="purged_at", allow_null=True)
    at = serializers.DateTimeField(source="created_at")

    def get_success(self, forgetting: Forgetting) -> bool:
        return True


class ForgetFactView(AgentFactsView):
    @extend_schema(operation_id="forget_fact", request=None, responses=ForgettingReceipt)
    def post(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Forget a fact everywhere it can be read; it can be taken back for ten minutes, then it is gone for good."""
        fact = self.fact(agent_id, fact_id)
        return Response(ForgettingReceipt(forget_fact(principal=self.principal, fact=fact)).data)


class UndoForgetView(AgentFactsView):
    @extend_schema(operation_id="undo_forget_fact", request=None, responses=ForgettingReceipt)
    def post(self, request: Request, agent_id: str, fact_id: UUID) -> Response:
        """Take a forgetting back; 409 `undo_expired` once it is final."""
        act = load_forgetting(self.principal, self.agent(agent_id), fact_id)
        return Response(ForgettingReceipt(undo_forget(principal=self.principal, forgetting=act)).data)
