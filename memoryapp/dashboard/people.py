"""The people a workspace's agents have met: who, and since when. What is known of them is their own."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from memoryapp.actions.erasure import erase_owner, is_genuine
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import ErasureReceipt, Owner
from memoryapp.snapshots.export import export_owner
from memoryapp.snapshots.sending import zip_response
from tenants.models import Membership, Role
from tenants.scoping import workspace_scope

PAGE_SIZE = 50


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
    }
    return visit.render("dashboard/people.html", context)


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
    return zip_response(request, file, f"owner-{owner.pk}.zip")


@page("people", role=Role.ADMIN, scoped=False)
def erase(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponse:
    """Ask for the person's key to be typed, then erase everything of theirs and show the receipt."""
    owner = _load(visit, owner_id)
    sure = request.POST.get("confirm") == owner.owner_key
    if not sure:
        context = {"owner": owner, "mistyped": request.method == "POST"}
        status = 400 if context["mistyped"] else 200
        return visit.render("dashboard/erase.html", context, crumbs=[Crumb(owner.owner_key)], status=status)
    receipt = erase_owner(principal=visit.principal, owner_key=owner.owner_key)
    return redirect(visit.url("people-receipt", receipt.pk))


@page("people", role=Role.ADMIN)
def show_receipt(request: HttpRequest, visit: Visit, receipt_id: UUID) -> HttpResponse:
    """What an erasure removed where, and whether the receipt is genuine."""
    receipt = ErasureReceipt.objects.visible_to(visit.principal).filter(pk=receipt_id).first()
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
    path("<uuid:owner_id>/download/", download, name="people-download"),
    path("<uuid:owner_id>/erase/", erase, name="people-erase"),
    path("erasures/<uuid:receipt_id>/", show_receipt, name="people-receipt"),
]
