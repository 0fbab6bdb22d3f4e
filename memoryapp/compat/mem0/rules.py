"""What a caller may ask of the reading: instructions, things to keep or leave, categories of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memoryapp.exceptions import ValidationFailed

MAX_TEXT: Final = 20_000
MAX_CATEGORIES: Final = 100


def read_rules(body: Mapping[str, Any], *, by_name: bool = False) -> dict[str, Any]:
    """The rules a body gives, under the names in which a reading knows them; `by_name` takes bare names too."""
    rules: dict[str, Any] = {}
    if body.get("custom_instructions") is not None:
        rules["instructions"] = read_text(body, "custom_instructions")
    for name, kept in (("includes", "include"), ("excludes", "exclude")):
        if body.get(name):
            rules[kept] = [read_text(body, name)]
    if body.get("custom_categories") is not None:
        rules["categories"] = read_categories(body["custom_categories"], by_name=by_name)
    return rules


def read_text(body: Mapping[str, Any], name: str) -> str:
    """A text of bounded length."""
    value = body.get(name)
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise ValidationFailed.of(name, f"{name} is a text of at most {MAX_TEXT} characters.")
    return value.strip()


def read_categories(given: object, *, by_name: bool) -> list[dict[str, str]]:
    """Categories from a list of one-key objects, name to description."""
    if not isinstance(given, list) or len(given) > MAX_CATEGORIES:
        raise _refused()
    found = [pair for entry in given for pair in _pairs(entry, by_name)]
    return [{"name": name.strip(), "description": description} for name, description in found]


def _pairs(entry: object, by_name: bool) -> list[tuple[str, str]]:
    pairs = {entry: ""} if by_name and isinstance(entry, str) else entry
    if not isinstance(pairs, Mapping) or not pairs:
        raise _refused()
    for name, description in pairs.items():
        if not name.strip() or len(name) > 64 or not isinstance(description, str):
            raise _refused()
    return [(name, description[:1_000]) for name, description in pairs.items()]


def _refused() -> ValidationFailed:
    return ValidationFailed.of(
        "custom_categories",
        f"custom_categories is a list of at most {MAX_CATEGORIES} objects, each a name with its description.",
    )
