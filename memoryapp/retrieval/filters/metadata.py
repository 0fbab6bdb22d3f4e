"""Comparisons with a caller's own JSON, by JSON type; a number or truth value written as text is the same."""

from __future__ import annotations

import json
from typing import Any, Final

from django.contrib.postgres.fields import ArrayField
from django.db.models import BooleanField, CharField, F, Func, JSONField, Q, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.db.models.lookups import Contains, Exact, IContains, In

from memoryapp.retrieval.filters.tree import Comparison, Scalar

SYMBOLS: Final = {"eq": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
SCALAR_KINDS: Final = ("string", "number", "boolean")


class _At(Func):
    """What lies at a path, as JSON."""

    template = "(%(expressions)s)"
    arg_joiner = " #> "
    output_field = JSONField()


class _TextAt(Func):
    """What lies at a path, as text."""

    template = "(%(expressions)s)"
    arg_joiner = " #>> "
    output_field = TextField()


class _Kind(Func):
    function = "jsonb_typeof"
    output_field = CharField()


class _Holds(Func):
    """A comparison that is false, not unknown, where one side is missing."""

    template = "COALESCE(%(expressions)s, FALSE)"
    output_field = BooleanField()


def metadata_condition(node: Comparison) -> Q:
    """The condition of one comparison with the metadata."""
    found = _At(F("metadata"), _path(node.path))
    match node.operator:
        case "exists":
            present = _is_kind(found, (*SCALAR_KINDS, "array", "object")) if node.path else ~Q(metadata={})
            return present if node.value else ~present
        case "eq":
            return _any([_compare(found, "eq", form) for form in equal_forms(node.value)])
        case "in":
            values = node.value if isinstance(node.value, tuple) else ()
            return _any([_compare(found, "eq", form) for value in values for form in equal_forms(value)])
        case "contains" | "icontains":
            return _contains(node, found)
        case _:
            kind = "string" if isinstance(node.value, str) else "number"
            return _is_kind(found, (kind,)) & _compare(found, node.operator, node.value)


def equal_forms(value: Any) -> list[Scalar]:
    """The JSON values that count as equal to a given one: itself, and the same written as text or read from it."""
    if isinstance(value, str):
        return [value, *_read_from_text(value)]
    return [value, json.dumps(value)]


def _read_from_text(text: str) -> list[Scalar]:
    if text in {"true", "false"}:
        return [text == "true"]
    try:
        number = json.loads(text)
    except ValueError:
        return []
    return [number] if isinstance(number, int | float) and json.dumps(number) == text else []


def _path(path: tuple[str, ...]) -> Cast:
    return Cast(Value(list(path), output_field=ArrayField(TextField())), ArrayField(TextField()))


def _compare(found: Func, operator: str, value: Any) -> Q:
    wanted = Cast(Value(json.dumps(value)), JSONField())
    return Q(_Holds(found, wanted, arg_joiner=f" {SYMBOLS[operator]} "))


def _is_kind(found: Func, kinds: tuple[str, ...]) -> Q:
    return Q(In(Coalesce(_Kind(found), Value("")), list(kinds)))


def _any(conditions: list[Q]) -> Q:
    if not conditions:
        return Q(pk__in=[])
    joined = conditions[0]
    for condition in conditions[1:]:
        joined |= condition
    return joined


def _contains(node: Comparison, found: Func) -> Q:
    """A piece of a text, or, for the exact operator, an element of a list."""
    text = Coalesce(_TextAt(F("metadata"), _path(node.path)), Value(""), output_field=TextField())
    piece = str(node.value)
    lookup = IContains(text, piece) if node.operator == "icontains" else Contains(text, piece)
    in_text = _is_kind(found, SCALAR_KINDS) & Q(lookup)
    if node.operator == "icontains":
        return in_text
    forms = [Q(_Holds(found, _json([form]), arg_joiner=" @> ")) for form in equal_forms(piece)]
    return in_text | (Q(Exact(Coalesce(_Kind(found), Value("")), "array")) & _any(forms))


def _json(value: Any) -> Cast:
    return Cast(Value(json.dumps(value)), JSONField())
