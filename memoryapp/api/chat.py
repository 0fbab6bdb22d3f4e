"""Talking to an agent: all at once, or as a stream of events that a client can leave and come back to."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.dream_bodies import MorningCardBody
from memoryapp.api.fields import Text
from memoryapp.chat.events import EventId
from memoryapp.chat.replies import find_reply
from memoryapp.chat.returning import events_of_reply, tell, tell_end
from memoryapp.chat.streaming import find_live_turn, stream_turn
from memoryapp.chat.turns import CUT_SHORT, OpenTurn, Said, open_turn, run_turn
from memoryapp.exceptions import ValidationFailed
from tenants.owners import CHANNEL_PATTERN, RESERVED_CHANNELS
from tenants.scoping import workspace_scope

MAX_MESSAGE = 64_000
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="A key of your own for this message: sent again, it gives the same answer and stores nothing twice.",
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    str,
    OpenApiParameter.HEADER,
    description="The last event you have seen; the stream continues after it.",
)
EVENT_STREAM = {(200, "text/event-stream"): OpenApiTypes.STR}


class ChatMessageBody(serializers.Serializer[Any]):
    agentId = Text(max_length=120, help_text="The agent's id or slug.")
    message = Text(max_length=MAX_MESSAGE)
    conversationId = Text(
        max_length=128,
        required=False,
        allow_null=True,
        help_text="Your own name for it; without one, a new conversation begins.",
    )
    endUserId = serializers.CharField(required=False, allow_null=True, help_text="Whom the message is from.")
    channel = Text(max_length=32, required=False)

    def validate_channel(self, channel: str) -> str:
        if not CHANNEL_PATTERN.fullmatch(channel) or channel in RESERVED_CHANNELS:
            raise serializers.ValidationError("A short lower-case word; user, system and web are reserved.")
        return channel


# Declared by hand, since a serializer class has an attribute named `source` of its own.
RecalledBody = inline_serializer(
    "RecalledBody",
    {
        "kind": serializers.CharField(),
        "id": serializers.UUIDField(),
        "text": serializers.CharField(),
        "source": serializers.CharField(),
        "score": serializers.FloatField(),
    },
    many=True,
)


class UsageBody(serializers.Serializer[Any]):
    promptTokens = serializers.IntegerField()
    completionTokens = serializers.IntegerField()
    totalTokens = serializers.IntegerField()


class ToolUseBody(serializers.Serializer[Any]):
    name = serializers.CharField()
    status = serializers.ChoiceField(["done", "failed"])


class ChatReplyBody(serializers.Serializer[Any]):
    conversationId = serializers.CharField()
    messageId = serializers.UUIDField(help_text="The reply's id.")
    reply = serializers.CharField()
    recalled = RecalledBody
    usage = UsageBody()
    tools = ToolUseBody(
        many=True, required=False, help_text="The tools that the model called on the way, if any."
    )
    finishReason = serializers.ChoiceField(
        CUT_SHORT, required=False, help_text="Why the model was cut short, if it was."
    )
    morningCard = MorningCardBody(
        required=False, help_text="What the night changed, with the first conversation of the day."
    )


class ChattingView(WorkspaceAPIView):
    """A view that takes a message; it waits for models and embedders, so it opens its own short scopes."""

    unscoped = frozenset({"get", "post"})

    def said(self) -> Said:
        body = self.read(ChatMessageBody)
        return Said(
            agent=body["agentId"],
            text=body["message"],
            conversation=body.get("conversationId"),
            channel=body.get("channel", "api"),
            idempotency_key=self.request.headers.get("Idempotency-Key", "").strip(),
        )


class ChatView(ChattingView):
    @extend_schema(
        operation_id="chat", parameters=[IDEMPOTENCY_KEY], request=ChatMessageBody, responses=ChatReplyBody
    )
    def post(self, request: Request) -> Response:
        """Say something to an agent and wait for its answer."""
        return Response(run_turn(principal=self.principal, said=self.said()).body)


class ChatStreamView(ChattingView):
    @extend_schema(
        operation_id="chat_stream",
        parameters=[IDEMPOTENCY_KEY, LAST_EVENT_ID],
        request=ChatMessageBody,
        responses=EVENT_STREAM,
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Say something to an agent and read its answer as it comes. With Last-Event-ID, come back to one."""
        if "Last-Event-ID" in request.headers:
            return self.resume(request.headers["Last-Event-ID"])
        turn = open_turn(principal=self.principal, said=self.said())
        if isinstance(turn, OpenTurn):
            return event_stream(stream_turn(turn))
        return event_stream(tell(str(turn.message_id), events_of_reply(turn)))

    @extend_schema(operation_id="resume_chat_stream", parameters=[LAST_EVENT_ID], responses=EVENT_STREAM)
    def get(self, request: Request) -> HttpResponseBase:
        """Come back to an answer that was left: what was missed, then the rest."""
        return self.resume(
            request.headers.get("Last-Event-ID") or request.query_params.get("lastEventId", "")
        )

    def resume(self, given: str) -> HttpResponseBase:
        at = EventId.parse(given)
        live = find_live_turn(self.principal, at.turn) if at is not None else None
        if at is None or (live is not None and at.number > len(live.events)):
            raise ValidationFailed.of("Last-Event-ID", "This is not the id of an event of ours.")
        if live is not None:
            return event_stream(live.read(after=at.number))
        with workspace_scope(self.principal.workspace):
            reply = find_reply(self.principal, at.turn)
        return event_stream(tell_end(self.principal, reply, after=at.number))


def event_stream(events: AsyncGenerator[bytes, None]) -> StreamingHttpResponse:
    """Server-sent events that no proxy in between holds back."""
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)
