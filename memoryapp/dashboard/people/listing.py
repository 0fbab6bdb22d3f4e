"""The list of people a workspace's agents have met: who, since when, and how much is kept; never a word of it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from memoryapp.dashboard.actors import member_names, name_of_key, say_actor
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.people.counts import with_counts
from memoryapp.models import ErasureReceipt, Owner
from tenants.models import Role

PAGE_SIZE = 50
RECEIPTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Known:
    """One person of the list."""

    owner: Owner
    name: str


@page("people", role=Role.ADMIN)
def show_people(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Everybody met, last seen first, paged by key."""
    query = request.GET.get("q", "").strip()[:170]
    owners = Owner.objects.visible_to(visit.principal).filter(erased_at=None)
    if query:
        owners = owners.filter(Q(owner_key__icontains=query) | Q(display_name__icontains=query))
    before = _before(owners, request.GET.get("before", ""))
    shown = with_counts(owners, "facts", "conversations").order_by("-last_seen_at", "-pk")
    if before:
        earlier = Q(last_seen_at__lt=before.last_seen_at)
        shown = shown.filter(earlier | Q(last_seen_at=before.last_seen_at, pk__lt=before.pk))
    rows = list(shown[: PAGE_SIZE + 1])
    if before and not rows:
        return redirect(_first_page(visit, query))
    names = member_names(visit)
    receipts = ErasureReceipt.objects.visible_to(visit.principal)[:RECEIPTS_SHOWN]
    people = [Known(owner, name_of(owner, names)) for owner in rows]
    context = {
        "people": people[:PAGE_SIZE],
        "count": owners.count(),
        "query": query,
        "older": rows[PAGE_SIZE - 1].pk if len(rows) > PAGE_SIZE else "",
        "newer": bool(before),
        "receipts": [(row, say_actor(row.actor, names, visit.principal.actor)) for row in receipts],
    }
    return visit.render("dashboard/people.html", context)


def _first_page(visit: Visit, query: str) -> str:
    """Where to go when a page has nothing left: it was erased meanwhile."""
    return visit.url("people") + (f"?{urlencode({'q': query})}" if query else "")


def _before(owners: object, value: str) -> Owner | None:
    try:
        found: Owner | None = owners.filter(pk=UUID(value)).first()  # type: ignore[attr-defined]
    except ValueError:
        return None
    return found


def name_of(owner: Owner, names: dict[str, str]) -> str:
    """What a person is called: by themselves, as a member, by the program they come through."""
    return owner.display_name or name_of_key(owner.owner_key, names)
