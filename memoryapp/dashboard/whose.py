"""Whose memory a page is about: one's own, a test end user's, or somebody's whom an admin has opened for a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from memoryapp.exceptions import NotFound
from memoryapp.models import Owner
from tenants.exceptions import InvalidOwner
from tenants.models import Role
from tenants.owners import TEST_CHANNEL, end_user_owner_key, is_test_owner
from tenants.principals import Principal
from tenants.scoping import workspace_scope

if TYPE_CHECKING:
    from memoryapp.dashboard.pages import Visit

SESSION_OPENED = "opened"
# An opening ends by itself: who forgets to close it does not go on reading.
OPEN_FOR = timedelta(hours=1)
TEST_USERS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Opened:
    """Somebody's personal memory that an admin is looking at."""

    owner_key: str
    owner_id: str
    name: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody whose memory a page may show to its visitor, and the principal that sees it."""

    key: str
    name: str
    principal: Principal
    is_self: bool = False

    @property
    def is_test(self) -> bool:
        return is_test_owner(self.key)

    @property
    def is_read_only(self) -> bool:
        """Opened, not acted as."""
        return not (self.is_self or self.is_test)


def note_opened(request: HttpRequest, workspace: str, owner: Owner, name: str, reason: str) -> None:
    """Keep in the session whom an admin opened; one person at a time in each workspace."""
    entry = {
        "owner": owner.owner_key,
        "id": str(owner.pk),
        "name": name,
        "reason": reason,
        "at": timezone.now().isoformat(),
    }
    request.session[SESSION_OPENED] = {**request.session.get(SESSION_OPENED, {}), workspace: entry}


def forget_opened(request: HttpRequest, workspace: str) -> str:
    """Close what is open in a workspace and return whose it was; empty when nothing is."""
    kept = dict(request.session.get(SESSION_OPENED, {}))
    entry: dict[str, Any] = kept.pop(workspace, {})
    request.session[SESSION_OPENED] = kept
    return str(entry.get("owner", ""))


def opened_by(request: HttpRequest, workspace: str, principal: Principal) -> Opened | None:
    """Whom the visitor has opened in a workspace and may still read: admins only, and for an hour."""
    entry = request.session.get(SESSION_OPENED, {}).get(workspace)
    if not entry:
        return None
    at = parse_datetime(entry["at"])
    if at is None or timezone.now() - at > OPEN_FOR or not principal.can(Role.ADMIN):
        # Over is over: neither a name nor a reason stays behind in the session.
        forget_opened(request, workspace)
        return None
    return Opened(entry["owner"], entry["id"], entry["name"], entry["reason"], at)


def own_subject(visit: Visit) -> Subject:
    """The visitor themselves."""
    return Subject(visit.principal.owner_key, _("Yourself"), visit.principal, is_self=True)


def subject_of(visit: Visit, key: str) -> Subject:
    """Whom an address names: nobody is oneself; raises NotFound for everybody whom the visitor may not look at."""
    if key in {"", visit.principal.owner_key}:
        return own_subject(visit)
    if is_test_owner(key):
        return test_subject(visit, key.partition(":")[2])
    opened = visit.opened
    if opened is None or opened.owner_key != key:
        raise NotFound
    return Subject(key, opened.name, visit.principal.reading_as(key))


def test_subject(visit: Visit, name: str) -> Subject:
    """A test end user, whom every member may act as; raises NotFound for an impossible name and for mere viewers."""
    if not visit.principal.can(Role.MEMBER):
        raise NotFound
    try:
        key = end_user_owner_key(name, TEST_CHANNEL)
    except InvalidOwner as error:
        raise NotFound from error
    return Subject(key, name, visit.principal.acting_as(name, TEST_CHANNEL))


def subjects(visit: Visit) -> list[Subject]:
    """Everybody the visitor may look at: themselves, whom they opened, the test end users lately seen."""
    people = [own_subject(visit)]
    if (opened := visit.opened) is not None:
        people.append(Subject(opened.owner_key, opened.name, visit.principal.reading_as(opened.owner_key)))
    if visit.principal.can(Role.MEMBER):
        with workspace_scope(visit.workspace):
            rows = Owner.objects.visible_to(visit.principal).filter(
                erased_at=None, owner_key__startswith=f"{TEST_CHANNEL}:"
            )
            names = rows.order_by("-last_seen_at").values_list("owner_key", flat=True)[:TEST_USERS_SHOWN]
            tests = [test_subject(visit, key.partition(":")[2]) for key in names]
        opened_key = opened.owner_key if opened else ""
        people += [person for person in tests if person.key != opened_key]
    return people
