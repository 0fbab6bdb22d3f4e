"""Which memories a call is about: its filters, and what older clients write beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memoryapp.compat.mem0.literals import read_object
from memoryapp.compat.mem0.places import IDS, Labels
from memoryapp.exceptions import ValidationFailed
from memoryapp.retrieval.filters import And, Node, names_entity, parse_filter
from memoryapp.retrieval.filters.tree import required_values

# What a deletion may say; anything else might have been meant to narrow it.
KNOWN_TO_DELETIONS: Final = frozenset(
    [
        *IDS, "filters", "metadata", "categories", "keywords", "start_date", "end_date",
        "source", "org_id", "project_id", "org_name", "project_name", "version", "output_format", "async_mode",
    ]
)  # fmt: skip
DATES: Final = {"start_date": "gte", "end_date": "lte"}


def read_condition(given: Mapping[str, Any]) -> Node:
    """The condition of a call that reads; raises ValidationFailed unless it names whose memories it is about."""
    node = And(tuple(_nodes(given, lenient="user_id" in given)))
    _require_entity(node)
    return node


def read_deletion(query: Mapping[str, Any], body: Mapping[str, Any]) -> Node:
    """The condition of a call that deletes: of the query string and of the body, each as strict as can be."""
    nodes: list[Node] = []
    for given in (query, body):
        for name, value in given.items():
            if name not in KNOWN_TO_DELETIONS:
                raise ValidationFailed.of(name[:80], "This parameter means nothing in a deletion.")
            if name in (*IDS, "filters") and (
                value is None or (isinstance(value, str) and not value.strip())
            ):
                raise ValidationFailed.of(name, f"{name} must not be empty.")
        nodes += _nodes(given, lenient=False)
    node = And(tuple(nodes))
    _require_entity(node)
    return node


def labels_of(node: Node) -> Labels:
    """The ids that every memory of a condition has, where it leaves no choice."""
    return Labels(**{name: _only_value(node, name) for name in IDS})


def _only_value(node: Node, field: str) -> str:
    values = required_values(node, field)
    return values[0] if values is not None and len(values) == 1 else ""


def _require_entity(node: Node) -> None:
    if not names_entity(node):
        raise ValidationFailed.of(
            "filters",
            "filters are required and must name a user_id, agent_id, app_id or run_id.",
            code="entity_required",
        )


def _nodes(given: Mapping[str, Any], *, lenient: bool) -> list[Node]:
    filters = given.get("filters")
    nodes = [parse_filter(None if filters is None else read_object("filters", filters))]
    nodes += [
        parse_filter(_id(name, given[name], lenient))
        for name in IDS
        if not _is_left_out(name, given.get(name))
    ]
    if given.get("categories"):
        nodes.append(parse_filter({"categories": {"in": _as_list(given["categories"])}}))
    if given.get("metadata"):
        nodes.append(parse_filter({"metadata": read_object("metadata", given["metadata"])}))
    if given.get("keywords"):
        nodes.append(parse_filter({"keywords": given["keywords"]}))
    nodes += [
        parse_filter({"created_at": {operator: given[name]}})
        for name, operator in DATES.items()
        if given.get(name) is not None
    ]
    return nodes


def _is_left_out(name: str, value: object) -> bool:
    """Whether an id is not given. A blank user is refused: without it a call would be about everybody."""
    if name == "user_id" and isinstance(value, str) and not value.strip():
        raise ValidationFailed.of(name, "user_id must not be blank.")
    return value is None or (isinstance(value, str) and not value.strip())


def _id(name: str, value: object, lenient: bool) -> dict[str, Any]:
    """An id beside the filters. A user's memories with an agent include those that are no agent's in particular."""
    if lenient and name == "agent_id" and value != "*":
        return {"OR": [{name: value}, {name: None}]}
    return {name: value}


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]
