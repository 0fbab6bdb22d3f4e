"""The people a workspace's agents have met: who, and since when. What is known of them is their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from memoryapp.actions.erasure import erase_owner, is_genuine, owner_digest
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import Conversation, ErasureReceipt, Fact, Message, Owner, WorkspaceFile
from memoryapp.snapshots.export import export_owner
from memoryapp.snapshots.sending import file_response
from tenants.models import Membership, Role
from tenants.scoping import workspace_scope

PAGE_SIZE = 50
RECEIPTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Known:
    """One person of the list."""

    owner: Owner
    name: str
    channel: str


@page("people", role=Role.ADMIN)
def show_people(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Everybody met, last seen first, paged by key."""
    query = request.GET.get("q", "").strip()[:170]
    owners = Owner.objects.visible_to(visit.principal).filter(erased_at=None)
    if query:
        owners = owners.filter(Q(owner_key__icontains=query) | Q(display_name__icontains=query))
    before = _before(owners, request.GET.get("before", ""))
    shown = owners.filter(last_seen_at__lt=before.last_seen_at) if before else owners
    rows = list(shown.order_by("-last_seen_at")[: PAGE_SIZE + 1])
    names = _member_names(visit)
    people = [
        Known(
            owner,
            owner.display_name or names.get(owner.owner_key, owner.owner_key),
            owner.owner_key.partition(":")[0],
        )
        for owner in rows
    ]
    context = {
        "people": people[:PAGE_SIZE],
        "count": owners.count(),
        "query": query,
        "older": rows[PAGE_SIZE - 1].pk if len(rows) > PAGE_SIZE else "",
        "newer": bool(before),
        "receipts": ErasureReceipt.objects.visible_to(visit.principal)[:RECEIPTS_SHOWN],
    }
    return visit.render("dashboard/people.html", context)


@page("people")
def show_yourself(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What is kept of the person who looks, in numbers, to be taken along or erased."""
    key = visit.principal.owner_key
    kinds = {"facts": Fact, "files": WorkspaceFile, "conversations": Conversation, "messages": Message}
    owners = Owner.objects.visible_to(visit.principal).filter(owner_key=key, erased_at=None)
    owner = owners.annotate(**{name: _amount(model, key) for name, model in kinds.items()}).first()
    crumbs = [Crumb(_("What is kept of you"))]
    return visit.render("dashboard/yourself.html", {"owner": owner}, crumbs=crumbs)


def _amount(model: Any, owner_key: str) -> Coalesce:
    """How many rows of the owner a table has, as part of another query."""
    theirs = model._default_manager.filter(workspace=OuterRef("workspace"), owner_key=owner_key)
    count = theirs.order_by().values("owner_key").annotate(amount=Count("pk")).values("amount")
    return Coalesce(Subquery(count), 0)


def _before(owners: object, value: str) -> Owner | None:
    try:
        found: Owner | None = owners.filter(pk=UUID(value)).first()  # type: ignore[attr-defined]
    except ValueError:
        return None
    return found


def _member_names(visit: Visit) -> dict[str, str]:
    """Members by owner key, so that a colleague has a name and not a number."""
    members = Membership.objects.filter(workspace=visit.workspace).select_related("user")
    return {
        f"user:{member.user_id}": member.user.get_full_name() or member.user.get_username()
        for member in members
    }


@page("people", scoped=False)
def download(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponseBase:
    """Everything kept of a person: their own for anybody, others' for admins, which is audited."""
    owner = _load(visit, owner_id)
    file = export_owner(principal=visit.principal, owner_key=owner.owner_key)
    return file_response(request, file, f"owner-{owner.pk}.zip")


@page("people", scoped=False)
def erase(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponse:
    """Ask for the key to be typed, then erase all of one's own, or for admins of anybody's, and show the receipt."""
    owner = _load(visit, owner_id)
    sure = request.POST.get("confirm") == owner.owner_key
    if not sure:
        context = {"owner": owner, "mistyped": request.method == "POST"}
        status = 400 if context["mistyped"] else 200
        return visit.render("dashboard/erase.html", context, crumbs=[Crumb(owner.owner_key)], status=status)
    receipt = erase_owner(principal=visit.principal, owner_key=owner.owner_key)
    return redirect(visit.url("people-receipt", receipt.pk))


@page("people")
def show_receipt(request: HttpRequest, visit: Visit, receipt_id: UUID) -> HttpResponse:
    """What an erasure removed where, and whether the receipt is genuine; for admins and whoever was erased."""
    receipts = ErasureReceipt.objects.visible_to(visit.principal)
    if not visit.principal.can(Role.ADMIN):
        receipts = receipts.filter(owner_digest=owner_digest(visit.workspace, visit.principal.owner_key))
    receipt = receipts.filter(pk=receipt_id).first()
    if receipt is None:
        raise NotFound
    context = {"receipt": receipt, "genuine": is_genuine(receipt)}
    return visit.render("dashboard/erase.html", context, crumbs=[Crumb(_("Receipt"))])


def _load(visit: Visit, owner_id: UUID) -> Owner:
    with workspace_scope(visit.workspace):
        owner: Owner | None = Owner.objects.visible_to(visit.principal).filter(pk=owner_id).first()
    mine = owner is not None and owner.owner_key == visit.principal.owner_key
    if owner is None or not (mine or visit.principal.can(Role.ADMIN)):
        raise NotFound
    return owner


urlpatterns = [
    path("", show_people, name="people"),
    path("you/", show_yourself, name="people-you"),
    path("<uuid:owner_id>/download/", download, name="people-download"),
    path("<uuid:owner_id>/erase/", erase, name="people-erase"),
    path("erasures/<uuid:receipt_id>/", show_receipt, name="people-receipt"),
]
