"""Structured values in query strings, as the clients write them there: JSON, or Python's own way of printing a dict."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from memoryapp.exceptions import ValidationFailed

OBJECTS: Final = ("filters", "metadata")
LISTS: Final = ("categories", "fields")
LONGEST: Final = 20_000


def read_query(query: Any) -> dict[str, Any]:
    """The parameters of a query string; raises ValidationFailed for an object that cannot be read as one."""
    read: dict[str, Any] = {}
    for name in query:
        values = query.getlist(name)
        if len(values) > 1 and name not in LISTS:
            raise ValidationFailed.of(name, f"{name} is given more than once.")
        if name in OBJECTS:
            read[name] = read_object(name, values[0])
        elif name in LISTS:
            read[name] = [each for value in values for each in _list(value)]
        else:
            read[name] = _plain(name, values[0])
    return read


def _plain(name: str, value: str) -> str:
    if "\0" in value:
        raise ValidationFailed.of(name[:80], "This text has NUL characters.")
    return value


def read_object(name: str, value: object) -> Mapping[str, Any]:
    """An object that may stand in a string; what is none is refused, never ignored."""
    found = _literal(name, value) if isinstance(value, str) else value
    if not isinstance(found, Mapping):
        raise ValidationFailed.of(name, f"{name} is an object, as JSON.")
    return found


def _literal(name: str, text: str) -> object:
    """The value that a text says; both readers know literals only, and nothing is run."""
    if len(text) > LONGEST or "\0" in text:
        raise ValidationFailed.of(name, f"{name} is too long.")
    for reader in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            return reader(text)
    raise ValidationFailed.of(name, f"{name} must be written as JSON.")


def _list(value: str) -> list[Any]:
    if value.lstrip().startswith("["):
        found = _literal("categories", value)
        if isinstance(found, list):
            return found
    return [part.strip() for part in _plain("categories", value).split(",") if part.strip()]
