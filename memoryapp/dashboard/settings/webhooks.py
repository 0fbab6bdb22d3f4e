"""Who is notified of what happens, how each delivery went, and sending one again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.webhooks import (
    create_webhook,
    delete_webhook,
    load_webhook,
    replay_delivery,
    update_webhook,
)
from memoryapp.dashboard.forms import REFUSALS, PageForm
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import Webhook, WebhookDelivery
from tenants.models import Role
from tenants.scoping import workspace_scope

DELIVERIES_SHOWN = 30


class WebhookForm(PageForm):
    """A new webhook: where it leads and what it is notified of."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    url = forms.CharField(
        label=gettext_lazy("Address"), max_length=500, help_text=gettext_lazy("It begins with https.")
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Is notified of"),
        widget=forms.CheckboxSelectMultiple,
        choices=[(name, name) for name in Webhook.Happening.values],
        initial=["memory_add", "memory_update", "memory_delete"],
    )


@page("settings", role=Role.ADMIN)
def show_webhooks(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The webhooks with their latest deliveries; the key of a new one appears once, in the page."""
    form = WebhookForm(request.POST or None)
    fresh: tuple[Webhook, str] | None = None
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            fresh = create_webhook(principal=visit.principal, **form.cleaned_data)
            form = WebhookForm()
    deliveries = WebhookDelivery.objects.visible_to(visit.principal).select_related("webhook")
    context: dict[str, Any] = {
        "form": form,
        "fresh": fresh,
        "webhooks": Webhook.objects.visible_to(visit.principal).order_by("created_at"),
        "deliveries": deliveries.order_by("-created_at")[:DELIVERIES_SHOWN],
    }
    crumbs = [Crumb(_("Webhooks"))]
    return visit.render("dashboard/settings_webhooks.html", context, crumbs=crumbs, status=form.status)


@page("settings", role=Role.ADMIN)
def change_webhook(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Pause a webhook, let it go on, or remove it; or tell one delivery once more."""
    try:
        if "replay" in request.POST:
            replay_delivery(principal=visit.principal, delivery=_delivery(visit, request.POST["replay"]))
            visit.toast(_("It is being sent once more."))
        else:
            _change(visit, load_webhook(visit.principal, request.POST.get("webhook", "")))
    except NotFound:
        raise
    except REFUSALS as error:
        visit.complain(error)
    return redirect(visit.url("settings-webhooks"))


def _change(visit: Visit, webhook: Webhook) -> None:
    if "remove" in visit.request.POST:
        delete_webhook(principal=visit.principal, webhook=webhook)
        visit.toast(_("“%(name)s” is no longer notified.") % {"name": webhook.name})
        return
    changed = update_webhook(principal=visit.principal, webhook=webhook, enabled=not webhook.enabled)
    words = _("“%(name)s” is notified again.") if changed.enabled else _("“%(name)s” is paused.")
    visit.toast(words % {"name": webhook.name})


def _delivery(visit: Visit, given: str) -> WebhookDelivery:
    try:
        key = UUID(given)
    except ValueError as error:
        raise NotFound from error
    with workspace_scope(visit.workspace):
        rows = WebhookDelivery.objects.visible_to(visit.principal)
        delivery: WebhookDelivery | None = rows.filter(pk=key).first()
    if delivery is None:
        raise NotFound
    return delivery
