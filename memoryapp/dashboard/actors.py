"""Who did something, as people call them, instead of the keys that revisions and the audit log keep."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from memoryapp.dashboard.pages import Visit
from tenants.models import Membership
from tenants.owners import SYSTEM, end_user_of, is_test_owner

ACTING_AS = " as "


def member_names(visit: Visit) -> dict[str, str]:
    """Members by owner key, so that a colleague has a name and not a number."""
    members = Membership.objects.filter(workspace=visit.workspace).select_related("user")
    return {
        f"user:{member.user_id}": member.user.get_full_name() or member.user.get_username()
        for member in members
    }


def name_of_key(owner_key: str, names: Mapping[str, str]) -> str:
    """A member’s name, what a program or a test calls its end user, else the key."""
    if is_test_owner(owner_key):
        return owner_key.partition(":")[2]
    return names.get(owner_key) or end_user_of(owner_key) or owner_key


def say_actor(actor: str, names: Mapping[str, str], mine: str = "") -> str:
    """“You” for one’s own, else a name, whom it acted for, or that the agent did it by itself."""
    if actor == mine:
        return _("You")
    person, _as, owner = actor.partition(ACTING_AS)
    doer = _("The agent") if person == SYSTEM else name_of_key(person, names)
    if not owner or owner == mine:
        return doer
    return _("%(person)s for %(owner)s") % {"person": doer, "owner": name_of_key(owner, names)}
