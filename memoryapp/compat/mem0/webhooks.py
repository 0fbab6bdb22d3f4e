"""mem0's webhooks over ours."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.webhooks import create_webhook, delete_webhook, load_webhook, update_webhook
from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.finding import read_id
from memoryapp.compat.mem0.project import require_project
from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Webhook
from tenants.scoping import workspace_scope

# Names by which mem0's documents write the same happenings.
NAMES = {"memory:add": "memory_add", "memory:update": "memory_update", "memory:delete": "memory_delete"}


def described(webhook: Webhook) -> dict[str, Any]:
    return {
        "webhook_id": str(webhook.pk),
        "id": str(webhook.pk),
        "name": webhook.name,
        "url": webhook.url,
        "event_types": webhook.events,
        "is_active": webhook.enabled,
        "created_at": webhook.created_at.isoformat(),
        "updated_at": webhook.updated_at.isoformat(),
    }


class WebhookWriting(Mem0View):
    """A view that reads a webhook out of a body."""

    def wanted(self) -> dict[str, Any]:
        """What the body sets, under our names; raises ValidationFailed for another shape."""
        found: dict[str, Any] = {name: self.body[name] for name in ("name", "url") if self.body.get(name)}
        events = self.body.get("event_types")
        if events is not None:
            if not isinstance(events, list) or not all(isinstance(each, str) for each in events):
                raise ValidationFailed.of("event_types", "event_types is a list of names.")
            found["events"] = [NAMES.get(each, each) for each in events]
        if isinstance(self.body.get("is_active"), bool):
            found["enabled"] = self.body["is_active"]
        return found


class ProjectWebhooksView(WebhookWriting):
    def get(self, request: Request, project_id: str) -> Response:
        require_project(self.principal, project_id)
        with workspace_scope(self.principal.workspace):
            webhooks = list(Webhook.objects.visible_to(self.principal).order_by("created_at"))
        return Response([described(each) for each in webhooks])

    def post(self, request: Request, project_id: str) -> Response:
        """Create a webhook; the answer has the key that signs its deliveries, this once."""
        require_project(self.principal, project_id)
        wanted = {"name": "", "url": "", "events": [], **self.wanted()}
        wanted.pop("enabled", None)
        webhook, secret = create_webhook(principal=self.principal, **wanted)
        return Response({**described(webhook), "secret": secret}, status=201)


class Mem0WebhookView(WebhookWriting):
    def put(self, request: Request, webhook_id: str) -> Response:
        webhook = load_webhook(self.principal, read_id(webhook_id, "webhook_id"))
        changed = update_webhook(principal=self.principal, webhook=webhook, **self.wanted())
        return Response({"message": "Webhook updated successfully", **described(changed)})

    def delete(self, request: Request, webhook_id: str) -> Response:
        webhook = load_webhook(self.principal, read_id(webhook_id, "webhook_id"))
        delete_webhook(principal=self.principal, webhook=webhook)
        return Response({"message": "Webhook deleted successfully"})
