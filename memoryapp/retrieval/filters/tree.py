"""A filter as a small tree: groups over comparisons, every name and value already checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Moments:
    """What a date means in a comparison: from a moment up to, not including, another; the same two for an instant."""

    start: datetime
    end: datetime


Value: TypeAlias = Scalar | Moments | tuple[Scalar, ...] | tuple[Moments, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One field, one operator, one value; `path` leads into the metadata."""

    field: str
    operator: str
    value: Value
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class And:
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    child: Node


Node: TypeAlias = And | Or | Not | Comparison

# No condition at all: what an absent filter means.
EVERYTHING = And(())
ENTITY_FIELDS = ("user_id", "agent_id", "app_id", "run_id")


def names_entity(node: Node) -> bool:
    """Whether a filter says positively whose memories it is about, on every branch of it."""
    match node:
        case And(children):
            return any(names_entity(child) for child in children)
        case Or(children):
            return bool(children) and all(names_entity(child) for child in children)
        case Comparison(field, operator, value, _):
            return (
                field in ENTITY_FIELDS and operator in {"eq", "in", "exists"} and value not in (None, False)
            )
        case _:
            return False


def mentions(node: Node, field: str) -> bool:
    """Whether a filter has anything to say about a field."""
    match node:
        case And(children) | Or(children):
            return any(mentions(child, field) for child in children)
        case Not(child):
            return mentions(child, field)
        case Comparison():
            return node.field == field


def required_values(node: Node, field: str) -> tuple[str, ...] | None:
    """The only values of a text field that rows of a filter can have; None when it leaves the field open."""
    match node:
        case And(children):
            found = [values for child in children if (values := required_values(child, field)) is not None]
            return min(found, key=len) if found else None
        case Or(children):
            branches = [required_values(child, field) for child in children]
            if not branches or any(values is None for values in branches):
                return None
            return tuple(dict.fromkeys(value for values in branches for value in values or ()))
        case Comparison(name, "eq", str(value), _) if name == field:
            return (value,)
        case Comparison(name, "in", tuple(values), _) if name == field:
            return tuple(str(value) for value in values)
        case _:
            return None
