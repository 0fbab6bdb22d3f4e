"""A person's page: who they are to the agents, what is kept of them and why, for whoever may read it.

Oneself, a test end user, or somebody an admin has opened; of everybody else an admin sees numbers and a way to open.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from memoryapp.actions.opening import openings_of
from memoryapp.dashboard.actors import member_names
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.people.counts import with_counts
from memoryapp.dashboard.people.kept import show_facts, show_files, show_profile
from memoryapp.dashboard.people.known import known_owner
from memoryapp.dashboard.people.listing import name_of
from memoryapp.dashboard.people.talks import show_made, show_talks
from memoryapp.dashboard.whose import Subject, subject_of
from memoryapp.exceptions import NotFound
from memoryapp.models import Owner
from tenants.scoping import workspace_scope

SHOWS = {"profile": show_profile, "facts": show_facts, "conversations": show_talks, "files": show_files}


class PersonTab(NamedTuple):
    """One of the page's tabs."""

    name: str
    label: str
    amount: int | None
    current: bool


@page("people", scoped=False)
def show_person(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponse:
    """One person; the tab, the open conversation, the fact and the page stand in the address."""
    return render_person(visit, owner_id)


def render_person(visit: Visit, owner_id: UUID, *, refusal: str = "", reason: str = "") -> HttpResponse:
    """The page, with what an opening was refused for."""
    owner = known_owner(visit, owner_id, counted=True)
    subject = readable_subject(visit, owner)
    wanted = visit.request.GET.get("tab", "")
    current = wanted if wanted in SHOWS else "profile"
    name = _name(visit, owner, subject)
    context: dict[str, Any] = {
        "owner": owner,
        "name": name,
        "subject": subject,
        "tabs": _tabs(owner, current),
        "tab": current,
        "refusal": refusal,
        "reason": reason,
    }
    part = ""
    if subject is not None:
        with workspace_scope(visit.workspace):
            context |= SHOWS[current](visit, subject)
            part = "#made" if visit.htmx.target == "made" else ""
    return visit.render(
        f"dashboard/person.html{part}", context, crumbs=[Crumb(name)], status=400 if refusal else 200
    )


def _name(visit: Visit, owner: Owner, subject: Subject | None) -> str:
    """What the person is called; only members have a name that has to be looked for."""
    if subject is not None:
        return visit.person if subject.is_self else subject.name
    return name_of(owner, member_names(visit) if owner.owner_key.startswith("user:") else {})


def readable_subject(visit: Visit, owner: Owner) -> Subject | None:
    """The person as somebody whose memory the visitor may read; None while an admin has not opened it."""
    try:
        return subject_of(visit, owner.owner_key)
    except NotFound:
        return None


def _tabs(owner: Any, current: str) -> list[PersonTab]:
    labels = {
        "profile": (_("Profile"), None),
        "facts": (_("Facts"), owner.facts),
        "conversations": (_("Conversations"), owner.conversations),
        "files": (_("Files"), owner.files),
    }
    return [PersonTab(name, label, count, name == current) for name, (label, count) in labels.items()]


@page("people")
def show_yourself(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What is kept of the person who looks, in numbers, who else has looked, and the ways on."""
    owners = Owner.objects.visible_to(visit.principal).filter(owner_key=visit.principal.owner_key)
    owner = with_counts(owners.filter(erased_at=None)).first()
    openings = openings_of(visit.principal)
    names = member_names(visit) if openings else {}
    context = {
        "owner": owner,
        "openings": [(event, names.get(event.actor, event.actor)) for event in openings],
    }
    return visit.render("dashboard/yourself.html", context, crumbs=[Crumb(_("What is kept of you"))])


@page("people", scoped=False)
def show_words(request: HttpRequest, visit: Visit, owner_id: UUID) -> HttpResponse:
    """The facts that some words of a message made, as the part beside the conversation."""
    owner = known_owner(visit, owner_id)
    subject = readable_subject(visit, owner)
    if subject is None:
        raise NotFound
    with workspace_scope(visit.workspace):
        context = {"owner": owner, "subject": subject, "tab": "conversations", **show_made(visit, subject)}
        return visit.render("dashboard/person.html#made", context)
