"""The page of webhooks: added with a key that is shown once, paused, removed, and a delivery told again."""

from __future__ import annotations

import re

import pytest

from memoryapp.models import Event, Webhook, WebhookDelivery
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages

pytestmark = pytest.mark.django_db

NEW = {"name": "crm", "url": "https://hooks.example.org/memory", "events": ["memory_add"]}
SECRET = re.compile(r"whsec_[\w-]{20,}")


def test_a_webhook_is_added_paused_and_removed(pages: Pages, alice: Person) -> None:
    path = pages.workspace("settings/webhooks/")
    assert SECRET.search(pages.client.post(path, NEW).content.decode())
    assert not SECRET.search(pages.client.get(path).content.decode())
    with workspace_scope(alice.workspace):
        webhook = Webhook.objects.get(workspace=alice.workspace)
    for enabled in (False, True):
        pages.client.post(f"{path}do/", {"webhook": str(webhook.pk)})
        with workspace_scope(alice.workspace):
            webhook.refresh_from_db()
        assert webhook.enabled is enabled
    pages.client.post(f"{path}do/", {"webhook": str(webhook.pk), "remove": "1"})
    assert "Nobody is notified" in pages.client.get(path).content.decode()


@pytest.mark.parametrize("change", [{"url": "http://hooks.example.org/"}, {"events": []}, {"name": ""}])
def test_one_that_cannot_be_is_refused_in_the_page(
    pages: Pages, alice: Person, change: dict[str, str]
) -> None:
    assert pages.client.post(pages.workspace("settings/webhooks/"), {**NEW, **change}).status_code == 400
    with workspace_scope(alice.workspace):
        assert not Webhook.objects.filter(workspace=alice.workspace).exists()


def test_a_delivery_is_told_again(pages: Pages, stranger: Pages, alice: Person) -> None:
    path = pages.workspace("settings/webhooks/")
    pages.client.post(path, NEW)
    with workspace_scope(alice.workspace):
        delivery = WebhookDelivery.objects.create(
            workspace=alice.workspace,
            webhook=Webhook.objects.get(workspace=alice.workspace),
            event_id=alice.workspace.pk,
            happening="memory_add",
            status="failed",
            attempts=8,
            reason="The other side answered 500.",
        )
    assert "The other side answered 500." in pages.client.get(path).content.decode()
    other = stranger.client.post(stranger.workspace("settings/webhooks/do/"), {"replay": str(delivery.pk)})
    assert other.status_code == 404
    pages.client.post(f"{path}do/", {"replay": str(delivery.pk)})
    assert Event.objects.filter(kind="webhook_delivery", subject_id=delivery.pk).exists()
