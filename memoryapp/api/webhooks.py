"""Webhooks: addresses that are notified of what happens, and the log of every delivery."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.webhooks import (
    create_webhook,
    delete_webhook,
    load_webhook,
    replay_delivery,
    update_webhook,
)
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Flag, Text
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.models import Webhook, WebhookDelivery


class WebhookBody(serializers.Serializer[Webhook]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(Webhook.Happening.choices))
    enabled = serializers.BooleanField()
    createdAt = serializers.DateTimeField(source="created_at")


class CreatedWebhook(WebhookBody):
    secret = serializers.CharField(help_text="Signs every delivery; it cannot be shown again.")


class NewWebhook(serializers.Serializer[Any]):
    name = Text(max_length=120)
    url = Text(max_length=500)
    events = serializers.ListField(child=Text(max_length=32), allow_empty=False, max_length=20)


class WebhookChanges(serializers.Serializer[Any]):
    name = Text(max_length=120, required=False)
    url = Text(max_length=500, required=False)
    events = serializers.ListField(
        child=Text(max_length=32), allow_empty=False, max_length=20, required=False
    )
    enabled = Flag(required=False)


class DeliveryBody(serializers.Serializer[WebhookDelivery]):
    id = serializers.UUIDField()
    event = serializers.ChoiceField(Webhook.Happening.choices, source="happening")
    status = serializers.ChoiceField(WebhookDelivery.Status.choices)
    attempts = serializers.IntegerField()
    statusCode = serializers.IntegerField(source="status_code", allow_null=True)
    reason = serializers.CharField()
    createdAt = serializers.DateTimeField(source="created_at")
    nextAttemptAt = serializers.DateTimeField(source="next_attempt_at", allow_null=True)
    deliveredAt = serializers.DateTimeField(source="delivered_at", allow_null=True)


class WebhooksView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="list_webhooks", parameters=PAGE_PARAMETERS, responses=page_of(WebhookBody))
    def get(self, request: Request) -> Response:
        return self.page(Webhook.objects.visible_to(self.principal).order_by("created_at"), WebhookBody)

    @extend_schema(operation_id="create_webhook", request=NewWebhook, responses={201: CreatedWebhook})
    def post(self, request: Request) -> Response:
        """Have an address notified of what happens; the signing key is shown this once only."""
        webhook, secret = create_webhook(principal=self.principal, **self.read(NewWebhook))
        return Response({**WebhookBody(webhook).data, "secret": secret}, status=201)


class WebhookView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="read_webhook", responses=WebhookBody)
    def get(self, request: Request, webhook_id: UUID) -> Response:
        return Response(WebhookBody(load_webhook(self.principal, webhook_id)).data)

    @extend_schema(operation_id="change_webhook", request=WebhookChanges, responses=WebhookBody)
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        webhook = load_webhook(self.principal, webhook_id)
        changed = update_webhook(principal=self.principal, webhook=webhook, **self.read(WebhookChanges))
        return Response(WebhookBody(changed).data)

    @extend_schema(operation_id="delete_webhook", responses={204: None})
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        delete_webhook(principal=self.principal, webhook=load_webhook(self.principal, webhook_id))
        return Response(status=204)


class DeliveriesView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(
        operation_id="list_webhook_deliveries", parameters=PAGE_PARAMETERS, responses=page_of(DeliveryBody)
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """The deliveries of a webhook, newest first, and how each went."""
        webhook = load_webhook(self.principal, webhook_id)
        deliveries = WebhookDelivery.objects.visible_to(self.principal).filter(webhook=webhook)
        return self.page(deliveries.order_by("-created_at", "-id"), DeliveryBody)


class ReplayView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="replay_webhook_delivery", request=None, responses={202: DeliveryBody})
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Send it once more, with a new round of attempts."""
        webhook = load_webhook(self.principal, webhook_id)
        deliveries = WebhookDelivery.objects.visible_to(self.principal)
        delivery = deliveries.filter(webhook=webhook, pk=delivery_id).first()
        if delivery is None:
            raise NotFound
        replayed = replay_delivery(principal=self.principal, delivery=delivery)
        return Response(DeliveryBody(replayed).data, status=202)
