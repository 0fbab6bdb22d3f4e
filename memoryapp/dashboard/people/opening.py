"""Opening somebody's personal memory and closing it again: with a reason, and noted where the person can see it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from memoryapp.actions.opening import close_memory, open_memory
from memoryapp.dashboard.actors import member_names
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.people.known import known_owner
from memoryapp.dashboard.people.listing import name_of
from memoryapp.dashboard.people.person import render_person
from memoryapp.dashboard.whose import forget_opened, note_opened
from memoryapp.exceptions import ValidationFailed
from tenants.models import Role


@page("people", role=Role.ADMIN)
def open_person(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponse:
    """Open a person's memory for an hour, for an admin who says why."""
    owner, reason = known_owner(visit, owner_id), request.POST.get("reason", "")
    before = visit.opened
    if owner.owner_key == visit.principal.owner_key:
        return redirect(visit.url("people-person", owner.pk))
    try:
        opened = open_memory(principal=visit.principal, owner_key=owner.owner_key, reason=reason)
    except ValidationFailed as error:
        return render_person(visit, owner_id, refusal=error.detail, reason=reason)
    if before is not None and before.owner_key != owner.owner_key:
        close_memory(principal=visit.principal, owner_key=before.owner_key)
    name = name_of(opened.owner, member_names(visit))
    note_opened(request, visit.workspace.slug, opened.owner, name, opened.reason)
    return redirect(visit.url("people-person", owner.pk))


@page("people")
def close_person(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Close what is open and go back to the person, of whom only numbers are shown again."""
    opened = visit.opened
    owner_key = forget_opened(request, visit.workspace.slug)
    if owner_key:
        close_memory(principal=visit.principal, owner_key=owner_key)
    return redirect(visit.url("people-person", opened.owner_id) if opened else visit.url("people"))
