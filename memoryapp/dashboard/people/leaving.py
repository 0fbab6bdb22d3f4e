"""Exporting somebody's memory, and leaving: the download, the erasure with its receipt."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from memoryapp.actions.erasure import erase_owner, is_genuine, owner_digest
from memoryapp.dashboard.actors import member_names, say_actor
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.people.known import known_owner
from memoryapp.dashboard.whose import forget_opened
from memoryapp.exceptions import NotFound
from memoryapp.models import ErasureReceipt
from memoryapp.snapshots.export import export_owner
from memoryapp.snapshots.sending import file_response
from tenants.models import Role


@page("people", scoped=False)
def download(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponseBase:
    """Everything kept of a person: their own for anybody, others' for admins, which is audited."""
    owner = known_owner(visit, owner_id)
    file = export_owner(principal=visit.principal, owner_key=owner.owner_key)
    return file_response(request, file, f"owner-{owner.pk}.zip")


@page("people", scoped=False)
def erase(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponse:
    """Ask for the key to be typed, then erase all of one's own, or for admins of anybody's, and show the receipt."""
    owner = known_owner(visit, owner_id)
    sure = request.POST.get("confirm") == owner.owner_key
    if not sure:
        context = {"owner": owner, "mistyped": request.method == "POST"}
        status = 400 if context["mistyped"] else 200
        return visit.render("dashboard/erase.html", context, crumbs=[Crumb(owner.owner_key)], status=status)
    receipt = erase_owner(principal=visit.principal, owner_key=owner.owner_key)
    if visit.opened is not None and visit.opened.owner_key == owner.owner_key:
        forget_opened(request, visit.workspace.slug)
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
    by = say_actor(receipt.actor, member_names(visit), visit.principal.actor)
    context = {"receipt": receipt, "genuine": is_genuine(receipt), "by": by}
    return visit.render("dashboard/erase.html", context, crumbs=[Crumb(_("Receipt"))])
