"""The filter language evaluated in plain Python over one fact: what the compiler's SQL must agree with."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable
from datetime import datetime
from typing import Any

from memoryapp.models import Fact
from memoryapp.retrieval.filters.metadata import equal_forms
from memoryapp.retrieval.filters.tree import And, Comparison, Moments, Node, Not, Or
from tenants.owners import owner_key_from_label

TEXT_COLUMNS = {
    "app_id": "app_id",
    "run_id": "run_id",
    "status": "status",
    "origin": "origin",
    "scope": "scope",
    "speaker": "speaker",
}
DATE_COLUMNS = {
    "created_at": "created_at",
    "timestamp": "said_at",
    "expiration_date": "expires_at",
    "event_date": "event_from",
}
MISSING = object()


def matches(node: Node, fact: Fact) -> bool:
    match node:
        case And(children):
            return all(matches(child, fact) for child in children)
        case Or(children):
            return any(matches(child, fact) for child in children)
        case Not(child):
            return not matches(child, fact)
        case Comparison():
            return _compare(node, fact)


def _values(node: Comparison) -> list[Any]:
    return list(node.value) if isinstance(node.value, tuple) else [node.value]


def _compare(node: Comparison, fact: Fact) -> bool:
    if node.field == "metadata":
        return _metadata(node, fact.metadata)
    if node.field == "categories":
        return _categories(node, [name for name in (fact.category, *fact.labels) if name])
    if node.field in DATE_COLUMNS:
        return _date(node, getattr(fact, DATE_COLUMNS[node.field]))
    if node.field in {"keywords", "text", "keywords_search"}:
        piece = str(node.value)
        return piece in fact.text if node.operator == "contains" else piece.upper() in fact.text.upper()
    if node.field == "memory_ids":
        return str(fact.pk) in _values(node)
    if node.field == "user_id":
        return _among(
            node,
            fact.owner_key,
            [owner_key_from_label(label) for label in _values(node) if isinstance(label, str)],
        )
    if node.field == "agent_id":
        names = {fact.agent_label, fact.agent.slug, str(fact.agent_id)}
        return (
            bool(fact.agent_label) is node.value
            if node.operator == "exists"
            else bool(names & set(_values(node)))
        )
    if node.field == "importance":
        return _order(node.operator, fact.importance, node.value)
    if node.field == "pinned":
        return fact.pinned is node.value
    return _among(node, getattr(fact, TEXT_COLUMNS[node.field]), _values(node))


def _among(node: Comparison, value: str, wanted: list[Any]) -> bool:
    return bool(value) is node.value if node.operator == "exists" else value in wanted


ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "in": lambda left, right: left in right,
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}


def _order(name: str, left: Any, right: Any) -> bool:
    return ORDER[name](left, right)


def _date(node: Comparison, value: datetime | None) -> bool:
    if node.operator == "exists":
        return (value is not None) is node.value
    return value is not None and any(_moment(node.operator, value, moments) for moments in _values(node))


def _moment(operator: str, value: datetime, moments: Moments) -> bool:
    is_day = moments.start < moments.end
    after = value >= moments.end if is_day else value > moments.start
    return {
        "gt": after,
        "gte": value >= moments.start,
        "lt": value < moments.start,
        "lte": not after,
    }.get(operator, value >= moments.start and not after)


def _categories(node: Comparison, names: list[str]) -> bool:
    if node.operator == "exists":
        return bool(names) is node.value
    if node.operator == "contains":
        return any(str(node.value).upper() in name.upper() for name in names)
    if node.operator == "all":
        return set(_values(node)) <= set(names)
    return bool(set(_values(node)) & set(names))


def _metadata(node: Comparison, data: Any) -> bool:
    found = _at(data, node.path)
    if node.operator == "exists":
        return (bool(data) if not node.path else found not in (MISSING, None)) is node.value
    if found is MISSING:
        return False
    if node.operator in {"eq", "in"}:
        return any(_same(found, form) for value in _values(node) for form in equal_forms(value))
    if node.operator in {"contains", "icontains"}:
        return _metadata_contains(node, found)
    kinds: Any = str if isinstance(node.value, str) else int | float
    return (
        isinstance(found, kinds) and not isinstance(found, bool) and _order(node.operator, found, node.value)
    )


def _metadata_contains(node: Comparison, found: Any) -> bool:
    piece = str(node.value)
    if isinstance(found, list):
        return node.operator == "contains" and any(
            _same(each, form) for each in found for form in equal_forms(piece)
        )
    if found is None or isinstance(found, dict):
        return False
    text = found if isinstance(found, str) else json.dumps(found)
    return piece in text if node.operator == "contains" else piece.upper() in text.upper()


def _same(left: Any, right: Any) -> bool:
    return (
        isinstance(left, bool) == isinstance(right, bool)
        and isinstance(left, str) == isinstance(right, str)
        and left == right
    )


def _at(data: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        if isinstance(data, dict) and step in data:
            data = data[step]
        elif isinstance(data, list) and step.isdecimal() and int(step) < len(data):
            data = data[int(step)]
        else:
            return MISSING
    return data
