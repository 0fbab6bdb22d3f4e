"""What the model would see for a message, part by part, without asking it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.chat import MAX_MESSAGE
from memoryapp.api.fields import Text
from memoryapp.chat.preview import show_turn
from memoryapp.chat.turns import Said


class ContextQuestion(serializers.Serializer[Any]):
    message = Text(max_length=MAX_MESSAGE)
    conversationId = Text(max_length=128, required=False, allow_null=True)
    endUserId = serializers.CharField(required=False, allow_null=True)


class PartBody(serializers.Serializer[Any]):
    name = serializers.CharField()
    role = serializers.CharField()
    text = serializers.CharField()
    tokens = serializers.IntegerField(help_text="About so many.")


class OmissionBody(serializers.Serializer[Any]):
    name = serializers.CharField()
    reason = serializers.CharField()


class RecallPlanBody(serializers.Serializer[Any]):
    query = serializers.CharField(help_text="What is searched for; empty if nothing is.")
    categories = serializers.ListField(child=serializers.CharField(), help_text="Looked for first.")
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    by = serializers.ChoiceField(["rules", "off"], help_text="A preview never asks a model for it.")
    reason = serializers.CharField(help_text="Why nothing is searched for.")


class OriginBody(serializers.Serializer[Any]):
    quote = serializers.CharField()
    conversationId = serializers.CharField(source="conversation")
    path = serializers.CharField()
    at = serializers.DateTimeField()


# Declared by hand, since a serializer class has an attribute named `source` of its own.
RecollectedBody = inline_serializer(
    "RecollectedBody",
    {
        "kind": serializers.CharField(),
        "id": serializers.UUIDField(allow_null=True),
        "text": serializers.CharField(help_text="As it stands in the prompt."),
        "source": serializers.CharField(),
        "score": serializers.FloatField(),
        "explain": serializers.JSONField(help_text="Every arm's rank and score, and every boost."),
        "provenance": OriginBody(many=True, source="origins"),
    },
    many=True,
)


class ContextBody(serializers.Serializer[Any]):
    tokens = serializers.IntegerField(help_text="About so many in all, the tools' descriptions included.")
    window = serializers.IntegerField(help_text="How many tokens there is room for.")
    tools = serializers.ListField(child=serializers.CharField(), help_text="What the model may call.")
    toolsTokens = serializers.IntegerField(source="tools_tokens")
    recalled = RecollectedBody
    plan = RecallPlanBody(help_text="How the message is searched for.")
    parts = PartBody(many=True)
    omitted = OmissionBody(many=True)


class ContextView(WorkspaceAPIView):
    unscoped = frozenset({"post"})

    @extend_schema(operation_id="preview_context", request=ContextQuestion, responses=ContextBody)
    def post(self, request: Request, agent_id: str) -> Response:
        """Every part of what a turn would send, in order; part 0 is the stable system prompt. No model is called."""
        body = self.read(ContextQuestion)
        said = Said(agent_id, body["message"], body.get("conversationId"))
        return Response(ContextBody(show_turn(principal=self.principal, said=said)).data)
