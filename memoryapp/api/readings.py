"""Having a conversation read now for what is worth keeping, instead of when its time comes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.conversations import load_conversation
from memoryapp.jobs import enqueue_extraction
from memoryapp.lifecycle.extraction import Extracted, extract_now
from memoryapp.models import Conversation, Extraction
from tenants.scoping import workspace_scope

WAIT = OpenApiParameter("wait", bool, description="`true`: answer when it is done, with what came of it.")


class WaitQuery(serializers.Serializer[Any]):
    wait = serializers.BooleanField(default=False)


class ChangeBody(serializers.Serializer[Any]):
    operation = serializers.CharField(source="op")
    factId = serializers.UUIDField(source="fact.id")
    text = serializers.CharField(source="fact.text")
    category = serializers.CharField(source="fact.category")


class RefusalBody(serializers.Serializer[Any]):
    text = serializers.CharField()
    gate = serializers.CharField()
    reason = serializers.CharField()


class ReadingBody(serializers.Serializer[Any]):
    conversationId = serializers.CharField()
    status = serializers.ChoiceField(Extraction.Status.choices)
    reason = serializers.CharField()
    changes = ChangeBody(many=True)
    refused = RefusalBody(many=True)


class AcceptedBody(serializers.Serializer[Any]):
    eventId = serializers.UUIDField(
        allow_null=True, help_text="The job; null when this conversation is never read."
    )


def describe_reading(conversation: Conversation, extracted: Extracted) -> dict[str, Any]:
    """What a reading came to, on the wire."""
    told = {
        "conversationId": conversation.external_id,
        "status": extracted.status,
        "reason": extracted.reason,
        "changes": extracted.changes,
        "refused": extracted.refusals,
    }
    body: dict[str, Any] = ReadingBody(told).data
    return body


class SummarizeView(WorkspaceAPIView):
    # A reading waits for the model.
    unscoped = frozenset({"post"})

    @extend_schema(
        operation_id="summarize_conversation",
        parameters=[WAIT],
        request=None,
        responses={200: ReadingBody, 202: AcceptedBody},
    )
    def post(self, request: Request, agent_id: str, conversation_id: str) -> Response:
        """Read a conversation now, whatever its length and however recently another one was read."""
        wait = self.read_query(WaitQuery)["wait"]
        with workspace_scope(self.principal.workspace):
            agent = load_agent(self.principal, agent_id)
            conversation = load_conversation(self.principal, conversation_id, str(agent.pk))
            if not wait:
                event = enqueue_extraction(conversation, bypass=True)
                return Response({"eventId": event.pk if event else None}, status=202)
        extracted = extract_now(principal=self.principal, conversation=conversation)
        return Response(describe_reading(conversation, extracted))
