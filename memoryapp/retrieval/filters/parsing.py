"""From JSON to the tree: whatever is not in the table of fields is refused by name, nothing is dropped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import UUID

import regex

from memoryapp.exceptions import ValidationFailed
from memoryapp.retrieval.filters.dates import parse_moments
from memoryapp.retrieval.filters.fields import FIELDS, LOGIC, ORDER, SUBSTRING, Field
from memoryapp.retrieval.filters.tree import EVERYTHING, And, Comparison, Node, Not, Or, Scalar, Value

MAX_DEPTH: Final = 10
MAX_NODES: Final = 200
MAX_LIST: Final = 1_000
MAX_TEXT: Final = 2_000
LIST_OPERATORS: Final = ("in", "nin", "all")
NEGATIONS: Final = {"ne": "eq", "nin": "in"}
SYMBOLS: Final = {
    "=": "eq",
    "==": "eq",
    "!=": "ne",
    "<>": "ne",
    ">": "gt",
    ">=": "gte",
    "<": "lt",
    "<=": "lte",
}
DOT: Final = regex.compile(r"(?<!\\)\.")
LARGEST_NUMBER: Final = 1e300


def parse_filter(given: object) -> Node:
    """The tree of a filter; none at all, or an empty object, is EVERYTHING.

    Raises ValidationFailed naming the field or operator that is not known and those that are, the value that does
    not fit, or the limit of depth and size.
    """
    if given is None or given == {}:
        return EVERYTHING
    return _Parser().parse(given)


@dataclass
class _Parser:
    nodes: int = 0

    def parse(self, given: object, depth: int = 1) -> Node:
        if not isinstance(given, Mapping):
            raise _refusal("filter", f"A filter is an object, not {_kind(given)}.")
        if not given:
            raise _refusal("filter", "A group of a filter must not be empty.")
        if depth > MAX_DEPTH:
            raise _refusal("filter", f"A filter is nested at most {MAX_DEPTH} deep.")
        return _all([self._member(str(name), value, depth) for name, value in given.items()])

    def _member(self, name: str, value: object, depth: int) -> Node:
        if name in LOGIC:
            return self._group(name, value, depth)
        if name not in FIELDS:
            raise _unknown_field(name)
        if FIELDS[name].kind == "metadata":
            return self._metadata(name, value)
        return self._conditions(name, value)

    def _group(self, name: str, value: object, depth: int) -> Node:
        children = value if isinstance(value, list) else [value]
        if not isinstance(value, list) and name != "NOT":
            raise _refusal(name, f"{name} takes a list of filters.")
        if not children:
            raise _refusal(name, f"{name} must not be empty.")
        self._count(1)
        parsed = tuple(self.parse(child, depth + 1) for child in children)
        if name == "NOT":
            return Not(parsed[0] if len(parsed) == 1 else Or(parsed))
        return And(parsed) if name == "AND" else Or(parsed)

    def _conditions(self, name: str, value: object, path: tuple[str, ...] = ()) -> Node:
        """The comparisons of one field, or of one key of the metadata."""
        self._count(1)
        if not isinstance(value, Mapping):
            return _bare(name, value, path)
        conditions = dict(value)
        strict = _strict(name, conditions)
        if not conditions:
            raise _refusal(name, "A condition must not be empty.")
        self._count(len(conditions) - 1)
        found = [_condition(name, str(operator), each, path, strict) for operator, each in conditions.items()]
        return _all(found)

    def _metadata(self, name: str, value: object) -> Node:
        if not isinstance(value, Mapping):
            self._count(1)
            return _bare(name, value, ())
        if not value:
            raise _refusal(name, "Name at least one key of the metadata.")
        return _all([self._conditions(name, condition, _path(str(key))) for key, condition in value.items()])

    def _count(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise _refusal("filter", f"A filter has at most {MAX_NODES} conditions.")


def _all(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else And(tuple(nodes))


def _bare(name: str, value: object, path: tuple[str, ...]) -> Node:
    """A value without an operator: equality, a wildcard, or, for ids, a list."""
    field = FIELDS[name]
    if value == "*" and (_allows(field, "exists")) and not path:
        return Comparison(name, "exists", True, path)
    if field.kind == "metadata" and not path and value is not None:
        raise _refusal(name, 'Write the keys of the metadata as an object: {"metadata": {"key": "value"}}.')
    if field.kind == "substring":
        return _condition(name, "icontains", value, path, False)
    if isinstance(value, list) and field.kind != "id":
        raise _refusal(name, f'For several values write {{"{name}": {{"in": […]}}}}.')
    return _condition(name, "in" if field.kind == "id" else "eq", value, path, False)


def _strict(name: str, conditions: dict[Any, Any]) -> bool:
    strict = conditions.pop("strict", False)
    if not isinstance(strict, bool):
        raise _refusal(name, "strict is true or false.")
    return strict


def _condition(name: str, operator: str, value: object, path: tuple[str, ...], strict: bool) -> Node:
    field = FIELDS[name]
    if not _allows(field, operator):
        raise _unknown_operator(name, operator, field)
    if value is None and operator in {"eq", "ne"} and _allows(field, "exists"):
        return Comparison(name, "exists", operator == "ne", path)
    checked = _checked(name, field, operator, value)
    if operator not in NEGATIONS:
        return Comparison(name, operator, checked, path)
    negated = Not(Comparison(name, NEGATIONS[operator], checked, path))
    return And((negated, Comparison(name, "exists", True, path))) if strict else negated


def _allows(field: Field, operator: str) -> bool:
    return operator in field.operators


def _checked(name: str, field: Field, operator: str, value: object) -> Value:
    if operator == "exists":
        if not isinstance(value, bool):
            raise _refusal(name, "exists is true or false.")
        return value
    if operator not in LIST_OPERATORS:
        scalar: Value = _scalar(name, field, operator, value)
        return scalar
    if not isinstance(value, list):
        raise _refusal(name, f"{operator} takes a list.")
    if len(value) > MAX_LIST:
        raise _refusal(name, f"A list has at most {MAX_LIST} values.")
    return cast("Value", tuple(_scalar(name, field, operator, each) for each in value))


def _scalar(name: str, field: Field, operator: str, value: object) -> Any:
    if isinstance(value, Mapping | list) or value is None:
        raise _refusal(name, f"{operator} takes a single value, not {_kind(value)}.")
    if isinstance(value, str) and (len(value) > MAX_TEXT or "\0" in value):
        raise _refusal(name, f"A value has at most {MAX_TEXT} characters, and none that is not text.")
    if field.kind == "date":
        try:
            return parse_moments(value)
        except ValueError as error:
            raise _refusal(
                name, "A date is written 2026-01-31, 2026-01-31T12:00:00Z, or in Unix seconds."
            ) from error
    if not isinstance(value, str | int | float):
        raise _refusal(name, f"{operator} takes a text, a number or a truth value.")
    return _plain(name, field, operator, value)


def _plain(name: str, field: Field, operator: str, value: str | float | bool) -> Scalar:
    is_truth = isinstance(value, bool)
    if not is_truth and isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:
        raise _refusal(name, "A number must be finite.")
    if field.kind == "metadata":
        return _metadata_value(name, operator, value)
    if field.kind == "number" and (is_truth or isinstance(value, str)):
        raise _refusal(name, "A number is needed.")
    if field.kind == "flag" and not is_truth:
        raise _refusal(name, "true or false is needed.")
    if field.kind in {"number", "flag"}:
        return value
    if is_truth or isinstance(value, float):
        raise _refusal(name, "A text is needed.")
    return str(value)


def _metadata_value(name: str, operator: str, value: str | float | bool) -> Scalar:
    if operator in ORDER and isinstance(value, bool):
        raise _refusal(name, f"{operator} takes a number or a text.")
    if operator in SUBSTRING and not isinstance(value, str):
        return json.dumps(value)
    return value


def _path(key: str) -> tuple[str, ...]:
    if not key or len(key) > MAX_TEXT or "\0" in key:
        raise _refusal("metadata", "A key of the metadata is a text that is not empty.")
    return tuple(part.replace("\\.", ".") for part in DOT.split(key))


def parse_id(value: str) -> UUID | None:
    """The id a caller means, None for what cannot be one of ours."""
    try:
        return UUID(value)
    except ValueError:
        return None


def _kind(value: object) -> str:
    names: Iterable[tuple[type, str]] = (
        (dict, "an object"),
        (list, "a list"),
        (str, "a text"),
        (bool, "a truth value"),
    )
    return next(
        (name for kind, name in names if isinstance(value, kind)), "null" if value is None else "a number"
    )


def _refusal(name: str, detail: str) -> ValidationFailed:
    return ValidationFailed.of(name, detail, code="invalid_filter")


def _unknown_field(name: str) -> ValidationFailed:
    allowed = ", ".join([*LOGIC, *FIELDS])
    shown = name[:80]
    return ValidationFailed.of(
        shown, f"Unknown filter field “{shown}”. Allowed: {allowed}.", code="unknown_field"
    )


def _unknown_operator(name: str, operator: str, field: Field) -> ValidationFailed:
    shown = operator[:80]
    hint = f" Write “{SYMBOLS[operator]}”." if operator in SYMBOLS else ""
    detail = f"Unknown operator “{shown}” for {name}.{hint} Allowed: {', '.join(field.operators)}."
    return ValidationFailed.of(name, detail, code="unknown_operator")
