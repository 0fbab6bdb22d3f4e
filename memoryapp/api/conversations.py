"""Conversations: the acting owner's own, by our id or by the caller's."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.conversations import delete_conversation
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.lifecycle.account import State, explain_conversation
from memoryapp.models import Conversation, Extraction, Message
from tenants.principals import Principal

AGENT_PARAMETER = OpenApiParameter("agentId", str, description="Only with this agent, by id or slug.")


class ConversationBody(serializers.Serializer[Conversation]):
    id = serializers.UUIDField()
    conversationId = serializers.CharField(source="external_id", help_text="The caller's own name for it.")
    agentId = serializers.UUIDField(source="agent_id")
    title = serializers.CharField()
    channel = serializers.CharField()
    trigger = serializers.CharField()
    messageCount = serializers.IntegerField(source="message_count")
    lastMessageAt = serializers.DateTimeField(source="last_message_at", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")


class MessageBody(serializers.Serializer[Message]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    role = serializers.ChoiceField(Message.Role.choices)
    name = serializers.CharField()
    text = serializers.CharField()
    state = serializers.ChoiceField(Message.State.choices)
    saidAt = serializers.DateTimeField(source="said_at")


class ExtractionBody(serializers.Serializer[Extraction]):
    id = serializers.UUIDField()
    status = serializers.ChoiceField(Extraction.Status.choices)
    reason = serializers.CharField()
    firstNumber = serializers.IntegerField(source="first_number")
    lastNumber = serializers.IntegerField(source="last_number")
    kept = serializers.JSONField()
    refused = serializers.JSONField()
    files = serializers.JSONField()
    eventId = serializers.UUIDField(source="event_id", allow_null=True)
    at = serializers.DateTimeField(source="created_at")


class ToolTurnBody(serializers.Serializer[Message]):
    messageNumber = serializers.IntegerField(source="number")
    tools = serializers.SerializerMethodField(help_text="Those that wrote memory in this turn.")

    def get_tools(self, reply: Message) -> list[str]:
        return [use["name"] for use in reply.detail.get("tools", []) if "ids" in use]


class ConversationMemory(serializers.Serializer[Any]):
    conversationId = serializers.CharField()
    messageCount = serializers.IntegerField()
    extractedThrough = serializers.IntegerField(
        help_text="The number of the last message that has been read."
    )
    unread = serializers.IntegerField(
        help_text="How many messages from the person and the agent have not been read yet."
    )
    state = serializers.ChoiceField(
        [state.value for state in State], help_text="How things stand with what was said last."
    )
    reason = serializers.CharField()
    until = serializers.DateTimeField(allow_null=True, help_text="When a reading that waits will take place.")
    eventId = serializers.UUIDField(
        allow_null=True, help_text="The job that is reading it, is waiting, or was the last."
    )
    readings = ExtractionBody(many=True)
    byTool = ToolTurnBody(
        many=True, help_text="Turns whose memory the agent wrote itself; they are not read again."
    )


def load_conversation(principal: Principal, identifier: str, agent: str | None = None) -> Conversation:
    """The owner's conversation of our id, else of their own; with several agents under one word, the latest."""
    own = Conversation.objects.visible_to(principal)
    if agent is not None:
        own = own.filter(agent=load_agent(principal, agent))
    ours = own.filter(pk=identifier).first() if _is_uuid(identifier) else None
    found = ours or own.filter(external_id=identifier).order_by("-created_at").first()
    if found is None:
        raise NotFound
    return found


def _is_uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


class ConversationsView(WorkspaceAPIView):
    @extend_schema(
        operation_id="list_conversations",
        parameters=[AGENT_PARAMETER, *PAGE_PARAMETERS],
        responses=page_of(ConversationBody),
    )
    def get(self, request: Request) -> Response:
        own = Conversation.objects.visible_to(self.principal).order_by("-last_message_at", "-created_at")
        if "agentId" in request.query_params:
            own = own.filter(agent=load_agent(self.principal, request.query_params["agentId"]))
        return self.page(own, ConversationBody)


class OneConversationView(WorkspaceAPIView):
    """A view of the conversation its address names."""

    def conversation(self, identifier: str) -> Conversation:
        return load_conversation(self.principal, identifier, self.request.query_params.get("agentId"))


class ConversationView(OneConversationView):
    @extend_schema(operation_id="read_conversation", parameters=[AGENT_PARAMETER], responses=ConversationBody)
    def get(self, request: Request, conversation_id: str) -> Response:
        return Response(ConversationBody(self.conversation(conversation_id)).data)

    @extend_schema(operation_id="delete_conversation", parameters=[AGENT_PARAMETER], responses={204: None})
    def delete(self, request: Request, conversation_id: str) -> Response:
        delete_conversation(principal=self.principal, conversation=self.conversation(conversation_id))
        return Response(status=204)


class ConversationMessagesView(OneConversationView):
    @extend_schema(
        operation_id="list_messages",
        parameters=[AGENT_PARAMETER, *PAGE_PARAMETERS],
        responses=page_of(MessageBody),
    )
    def get(self, request: Request, conversation_id: str) -> Response:
        messages = Message.objects.visible_to(self.principal).filter(
            conversation=self.conversation(conversation_id)
        )
        return self.page(messages.order_by("number"), MessageBody)


class ConversationMemoryView(OneConversationView):
    @extend_schema(
        operation_id="read_conversation_memory", parameters=[AGENT_PARAMETER], responses=ConversationMemory
    )
    def get(self, request: Request, conversation_id: str) -> Response:
        """What was kept of a conversation, what was not, and why."""
        conversation = self.conversation(conversation_id)
        account = explain_conversation(self.principal, conversation)
        body = {
            "conversationId": conversation.external_id,
            "messageCount": conversation.message_count,
            "extractedThrough": conversation.extracted_through,
            "unread": account.unread,
            "state": account.state,
            "reason": account.reason,
            "until": account.until,
            "eventId": account.event.pk if account.event else None,
            "readings": account.readings,
            "byTool": account.by_tool,
        }
        return Response(ConversationMemory(body).data)
