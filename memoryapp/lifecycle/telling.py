"""Notifying a webhook: what is sent, how it is signed, and how the other side responded."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import httpx2
from django.conf import settings
from django.utils import timezone

from memoryapp.model_settings import refuse_inside_scope
from memoryapp.models import Fact, Webhook, WebhookDelivery
from memoryapp.safety.public_addresses import PRIVATE, NotPublic, transport_for
from tenants.owners import end_user_of
from tenants.scoping import workspace_scope
from tenants.secrets import decrypt

# The rests between attempts: soon at first, then over most of a day.
RESTS: Final = tuple(timedelta(seconds=seconds) for seconds in (30, 120, 600, 3_600, 10_800, 21_600, 43_200))
PATIENCE: Final = httpx2.Timeout(10.0)
EVENTS: Final = {"memory_add": "ADD", "memory_update": "UPDATE", "memory_delete": "DELETE"}


@dataclass(frozen=True, slots=True)
class Heard:
    """How a telling went: the status of the answer, 0 for none, and what was wrong if it was."""

    status: int
    reason: str = ""

    @property
    def is_well(self) -> bool:
        return 200 <= self.status < 300


def tell(delivery: WebhookDelivery) -> Heard:
    """Send a delivery to its webhook, signed. Never inside a transaction; raises nothing that the network does."""
    refuse_inside_scope()
    webhook = delivery.webhook
    body = json.dumps(body_of(delivery), ensure_ascii=False, separators=(",", ":")).encode()
    headers = {"Content-Type": "application/json", **signed(body, decrypt(webhook.sealed_secret.encode()))}
    headers |= {"X-Webhook-Id": str(delivery.pk), "X-Webhook-Event": delivery.happening}
    try:
        transport = transport_for(public_only=not settings.ALLOW_PRIVATE_URLS)
        with httpx2.Client(timeout=PATIENCE, follow_redirects=False, transport=transport) as http:
            answer = http.post(webhook.url, content=body, headers=headers)
    except NotPublic:
        return Heard(0, PRIVATE)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return Heard(0, f"No answer: {type(error).__name__}.")
    return Heard(
        answer.status_code, "" if answer.is_success else f"The other side answered {answer.status_code}."
    )


def signed(body: bytes, secret: str) -> dict[str, str]:
    """The headers by which the other side knows that we said this, and when: HMAC-SHA256 over `<time>.<body>`."""
    moment = str(int(timezone.now().timestamp()))
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Webhook-Timestamp": moment, "X-Webhook-Signature": f"t={moment},v1={digest}"}


def body_of(delivery: WebhookDelivery) -> dict[str, Any]:
    """What is said. The words of a memory are looked up now, and those of a member's own are nobody else's."""
    about = delivery.payload
    owner_key = str(about.get("ownerKey", ""))
    return {
        "id": str(delivery.pk),
        "event": delivery.happening,
        "created_at": delivery.created_at.isoformat(),
        "workspace": str(delivery.workspace_id),
        "user_id": end_user_of(owner_key) if owner_key else None,
        "event_details": _details(delivery, owner_key),
    }


def _details(delivery: WebhookDelivery, owner_key: str) -> dict[str, Any]:
    subject = str(delivery.payload.get("subject", ""))
    happening = delivery.happening
    if happening in EVENTS or happening in {
        Webhook.Happening.MEMORY_CATEGORIZE,
        Webhook.Happening.REVIEW_PENDING,
    }:
        return _of_memory(happening, subject, _fact(delivery, owner_key))
    return {
        "id": subject,
        **{name: delivery.payload[name] for name in ("status", "kind") if name in delivery.payload},
    }


def _of_memory(happening: str, subject: str, fact: Fact | None) -> dict[str, Any]:
    if happening == Webhook.Happening.MEMORY_CATEGORIZE:
        categories = [name for name in (fact.category, *fact.labels) if name] if fact else []
        return {"event": "CATEGORIZE", "memory_id": subject, "categories": categories}
    text = fact.text if fact is not None and happening != Webhook.Happening.MEMORY_DELETE else None
    return {"id": subject, "event": EVENTS.get(happening, "PENDING"), "data": {"memory": text}}


def _fact(delivery: WebhookDelivery, owner_key: str) -> Fact | None:
    """The memory, as long as it is there and is an end user's or the team's."""
    if owner_key and end_user_of(owner_key) is None:
        return None
    with workspace_scope(delivery.workspace_id):
        facts = Fact.objects.filter(pk=delivery.payload.get("subject"), owner_key=owner_key)
        fact: Fact | None = facts.exclude(status=Fact.Status.FORGOTTEN).first()
    return fact
