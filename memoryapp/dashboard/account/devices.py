"""What to call a browser: its name and system, as far as it says them."""

from __future__ import annotations

from django.utils.translation import gettext as _

# The first that a browser names is it: most claim to be others as well.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
    "curl": "curl",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}
PHONES = {"iPhone", "Android"}


def name_of_device(user_agent: str) -> str:
    """Browser and system in words, such as “Firefox on Linux”."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("A browser that does not say what it is")


def is_phone(user_agent: str) -> bool:
    """Whether it is something one carries in a pocket."""
    return _first(SYSTEMS, user_agent) in PHONES


def _first(names: dict[str, str], user_agent: str) -> str:
    return next((name for sign, name in names.items() if sign in user_agent), "")
