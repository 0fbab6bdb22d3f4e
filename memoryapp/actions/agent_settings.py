"""What an agent's settings may hold: which tools and memory sources it does without."""

from __future__ import annotations

from typing import Any

from memoryapp.exceptions import ValidationFailed

MOST_NAMES, LONGEST_NAME = 100, 64
# Settings that are lists of names; with the first, true means all of them.
SWITCHES = ("toolsOff", "providersOff")


def checked_settings(given: Any) -> dict[str, Any]:
    """An agent's settings as they may be stored; keys of the caller's own are kept. Raises ValidationFailed."""
    if not isinstance(given, dict):
        raise ValidationFailed.of("settings", "An object.")
    for name in SWITCHES:
        if name in given and not (name == "toolsOff" and given[name] is True) and not _is_names(given[name]):
            detail = "true, or a list of names of tools." if name == "toolsOff" else "A list of names."
            raise ValidationFailed.of("settings", f"{name}: {detail}")
    return given


def _is_names(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_NAMES
        and all(isinstance(name, str) and 0 < len(name) <= LONGEST_NAME for name in value)
    )
