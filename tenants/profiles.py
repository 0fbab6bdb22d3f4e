"""How a person wants the dashboard: the one door for changing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

from tenants.actions import checked_time_zone
from tenants.exceptions import InvalidTenantInput
from tenants.models import Profile

if TYPE_CHECKING:
    from django.contrib.auth.models import User

THEMES = ("system", "light", "dark")


def update_profile(*, user: User, **changes: Any) -> Profile:
    """Change a person's theme, time zone, language or shortcuts; raises InvalidTenantInput for unknown values."""
    if changes.get("theme", "system") not in THEMES:
        raise InvalidTenantInput("theme", f"A theme is one of {', '.join(THEMES)}.")
    if changes.get("time_zone"):
        checked_time_zone(changes["time_zone"])
    if changes.get("language") and changes["language"] not in dict(settings.LANGUAGES):
        raise InvalidTenantInput("language", f"A language is one of {', '.join(dict(settings.LANGUAGES))}.")
    profile, _ = Profile.objects.update_or_create(user=user, defaults=changes)
    return profile
