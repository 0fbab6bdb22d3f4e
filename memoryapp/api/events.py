"""Events: background jobs, as their owner sees them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.jobs import retry_event
from memoryapp.models import Event
from tenants.principals import Principal


class EventBody(serializers.Serializer[Event]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    status = serializers.ChoiceField(Event.Status.choices)
    reason = serializers.CharField()
    attempts = serializers.IntegerField()
    agentId = serializers.UUIDField(source="agent_id", allow_null=True)
    subjectId = serializers.UUIDField(source="subject_id", allow_null=True)
    result = serializers.JSONField()
    createdAt = serializers.DateTimeField(source="created_at")
    runAfter = serializers.DateTimeField(source="run_after")
    startedAt = serializers.DateTimeField(source="started_at", allow_null=True)
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)


class EventQuery(serializers.Serializer[Any]):
    status = serializers.ChoiceField(Event.Status.choices, required=False)
    kind = serializers.CharField(max_length=40, required=False)


def load_event(principal: Principal, event_id: UUID) -> Event:
    """The event, when it is the principal's own or the workspace's."""
    event = Event.objects.visible_to(principal).filter(pk=event_id).first()
    if event is None:
        raise NotFound
    return event


class EventsView(WorkspaceAPIView):
    @extend_schema(
        operation_id="list_events", parameters=[EventQuery, *PAGE_PARAMETERS], responses=page_of(EventBody)
    )
    def get(self, request: Request) -> Response:
        events = Event.objects.visible_to(self.principal).filter(**self.read_query(EventQuery))
        return self.page(events.order_by("-created_at"), EventBody)


class EventView(WorkspaceAPIView):
    @extend_schema(operation_id="read_event", responses=EventBody)
    def get(self, request: Request, event_id: UUID) -> Response:
        return Response(EventBody(load_event(self.principal, event_id)).data)


class EventRetryView(WorkspaceAPIView):
    @extend_schema(operation_id="retry_event", request=None, responses={202: EventBody})
    def post(self, request: Request, event_id: UUID) -> Response:
        """Give a failed job another round of attempts."""
        event = retry_event(principal=self.principal, event=load_event(self.principal, event_id))
        return Response(EventBody(event).data, status=202)
