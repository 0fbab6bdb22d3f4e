"""The jobs that tell webhooks: one spreads a happening over whoever wants to know, one tells each until it is heard."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from memoryapp.actions.events import request_job
from memoryapp.actions.webhooks import DELIVER, HAPPENED
from memoryapp.jobs.outcomes import Deferred, Done, Failed, Handler, Outcome
from memoryapp.lifecycle.telling import RESTS, tell
from memoryapp.models import Event, Webhook, WebhookDelivery
from tenants.models import Workspace
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope


def run_happening(event: Event) -> Outcome:
    """Make a delivery for every webhook that wants to be told; a second run of the job makes no second ones."""
    workspace = Workspace.objects.get(pk=event.workspace_id)
    happening = event.payload["happening"]
    with workspace_scope(workspace):
        wanting = Webhook.objects.filter(workspace=workspace, enabled=True, events__contains=[happening])
        deliveries = [
            WebhookDelivery(
                workspace=workspace,
                webhook=webhook,
                event_id=event.pk,
                happening=happening,
                payload={name: value for name, value in event.payload.items() if name != "happening"},
            )
            for webhook in wanting
        ]
        WebhookDelivery.objects.bulk_create(deliveries, ignore_conflicts=True)
        made = WebhookDelivery.objects.filter(workspace=workspace, event_id=event.pk, status="pending")
        for key in made.values_list("pk", flat=True):
            request_job(principal=principal_for_job(workspace), kind=DELIVER, subject_id=key)
    return Done({"deliveries": len(deliveries)})


def run_delivery(event: Event) -> Outcome:
    """Notify a webhook; what does not arrive is sent again later, with growing pauses over most of a day."""
    if event.subject_id is None:
        return Failed("No delivery was named.", retryable=False)
    workspace = Workspace.objects.get(pk=event.workspace_id)
    with workspace_scope(workspace):
        rows = WebhookDelivery.objects.filter(pk=event.subject_id).exclude(status="delivered")
        # Counted before the call, so that one which kills the worker is not tried for ever.
        rows.update(attempts=F("attempts") + 1)
        delivery = rows.select_related("webhook").first()
    if delivery is None or not delivery.webhook.enabled:
        return Done({"skipped": "There is nobody left to notify."})
    heard = tell(delivery)
    rest = None if heard.is_well or delivery.attempts > len(RESTS) else RESTS[delivery.attempts - 1]
    _note(workspace, delivery, heard.status, heard.reason, is_well=heard.is_well, rest=rest)
    if heard.is_well:
        return Done({"status": heard.status})
    if rest is not None:
        return Deferred(timezone.now() + rest, heard.reason)
    return Failed(heard.reason, retryable=False)


def _note(
    workspace: Workspace,
    delivery: WebhookDelivery,
    status: int,
    reason: str,
    *,
    is_well: bool,
    rest: timedelta | None,
) -> None:
    now = timezone.now()
    state = WebhookDelivery.Status.PENDING if rest else WebhookDelivery.Status.FAILED
    with workspace_scope(workspace):
        WebhookDelivery.objects.filter(pk=delivery.pk).update(
            status=WebhookDelivery.Status.DELIVERED if is_well else state,
            status_code=status or None,
            reason=reason[:300],
            next_attempt_at=now + rest if rest else None,
            delivered_at=now if is_well else None,
        )


WEBHOOK_HANDLERS: dict[str, Handler] = {HAPPENED: run_happening, DELIVER: run_delivery}
