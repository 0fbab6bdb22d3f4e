"""Webhooks: who is notified of what, and the record of each event, made in the transaction in which it happens."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.events import request_job
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Fact, Webhook, WebhookDelivery
from tenants.actions import record_audit, update_workspace
from tenants.models import Role, Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope
from tenants.secrets import encrypt

HAPPENED, DELIVER = "webhook", "webhook_delivery"
# In the workspace's settings, which every principal carries: most workspaces tell nobody, and that must cost nothing.
TOLD: Final = "webhook_events"
MOST_WEBHOOKS: Final = 50
CHANGEABLE: Final = ("name", "url", "events", "enabled")


def note_happening(
    workspace: Workspace,
    happening: Webhook.Happening,
    *,
    subject_id: UUID,
    agent_id: UUID | None,
    owner_key: str,
    **about: Any,
) -> None:
    """Note that something happened, for whoever wants to be told; ids only, never text."""
    if happening.value not in workspace.setting(TOLD, ()):
        return
    request_job(
        principal=principal_for_job(workspace, owner_key or SYSTEM),
        kind=HAPPENED,
        agent_id=agent_id,
        payload={"happening": happening.value, "subject": str(subject_id), "ownerKey": owner_key, **about},
    )


def note_of_facts(workspace: Workspace, happening: Webhook.Happening, facts: Iterable[Fact]) -> None:
    """Note that something happened to each of several facts."""
    if happening.value not in workspace.setting(TOLD, ()):
        return
    for fact in facts:
        note_happening(
            workspace, happening, subject_id=fact.pk, agent_id=fact.agent_id, owner_key=fact.owner_key
        )


def create_webhook(
    *, principal: Principal, name: str, url: str, events: Sequence[str]
) -> tuple[Webhook, str]:
    """Create a webhook and return it with the key that signs its deliveries, which is shown this once. Admins only."""
    principal.require(Role.ADMIN)
    values = _checked({"name": name, "url": url, "events": list(events)})
    secret = f"whsec_{secrets.token_urlsafe(32)}"
    with workspace_scope(principal.workspace):
        if Webhook.objects.visible_to(principal).count() >= MOST_WEBHOOKS:
            raise ValidationFailed(f"A workspace has at most {MOST_WEBHOOKS} webhooks.")
        webhook = Webhook.objects.create(
            workspace=principal.workspace, sealed_secret=encrypt(secret).decode(), **values
        )
        record_audit(principal=principal, action="webhook.created", target=webhook.name)
    _tell_workspace(principal)
    return webhook, secret


def update_webhook(*, principal: Principal, webhook: Webhook, **changes: Any) -> Webhook:
    """Change where a webhook leads, what it is notified of, or whether it is enabled. Admins only."""
    principal.require(Role.ADMIN)
    for name, value in _checked(changes).items():
        setattr(webhook, name, value)
    with workspace_scope(principal.workspace):
        webhook.save()
        record_audit(
            principal=principal, action="webhook.changed", target=webhook.name, fields=sorted(changes)
        )
    _tell_workspace(principal)
    return webhook


def delete_webhook(*, principal: Principal, webhook: Webhook) -> None:
    """Remove a webhook with its log. Admins only."""
    principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        record_audit(principal=principal, action="webhook.deleted", target=webhook.name)
        webhook.delete()
    _tell_workspace(principal)


def load_webhook(principal: Principal, webhook_id: object) -> Webhook:
    """The workspace's webhook of that id; NotFound when there is none."""
    try:
        key = UUID(str(webhook_id))
    except ValueError as error:
        raise NotFound from error
    with workspace_scope(principal.workspace):
        webhook: Webhook | None = Webhook.objects.visible_to(principal).filter(pk=key).first()
    if webhook is None:
        raise NotFound
    return webhook


def replay_delivery(*, principal: Principal, delivery: WebhookDelivery) -> WebhookDelivery:
    """Tell it once more, with all its attempts before it. Admins only."""
    principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        delivery.status, delivery.attempts = WebhookDelivery.Status.PENDING, 0
        delivery.reason, delivery.next_attempt_at = "", timezone.now()
        delivery.save()
        request_job(principal=principal_for_job(principal.workspace), kind=DELIVER, subject_id=delivery.pk)
        record_audit(principal=principal, action="webhook.replayed", target=str(delivery.pk))
    return delivery


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(values) - set(CHANGEABLE))
    if unknown:
        raise ValidationFailed.of(unknown[0], "This field cannot be set.")
    if "name" in values and not 0 < len(str(values["name"]).strip()) <= 120:
        raise ValidationFailed.of("name", "A webhook needs a name of at most 120 characters.")
    if "url" in values:
        _check_url(str(values["url"]))
    if "events" in values:
        known = Webhook.Happening.values
        if not values["events"] or any(each not in known for each in values["events"]):
            raise ValidationFailed.of("events", f"A list of one or more of {', '.join(known)}.")
        values["events"] = list(dict.fromkeys(values["events"]))
    return values


def _check_url(url: str) -> None:
    """Refuse what is no plain address on the web; whether it is private is judged each time it is called."""
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain or parts.username or parts.password or len(url) > 500:
        raise ValidationFailed.of("url", "Write an address such as https://example.org/hooks.")
    if parts.scheme == "http" and not settings.ALLOW_PRIVATE_URLS:
        raise ValidationFailed.of("url", "Webhooks carry memories: the address must begin with https.")


def _tell_workspace(principal: Principal) -> None:
    """Note in the workspace's settings which happenings anybody wants to be told of."""
    with workspace_scope(principal.workspace):
        wanted = Webhook.objects.visible_to(principal).filter(enabled=True).values_list("events", flat=True)
        events = sorted({event for each in wanted for event in each})
    update_workspace(principal=principal, settings={TOLD: events})
    principal.workspace.settings[TOLD] = events
