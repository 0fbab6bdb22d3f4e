"""What a mem0 client searches for: read from the many shapes its versions send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from memoryapp.compat.mem0.conditions import labels_of, read_condition
from memoryapp.compat.mem0.places import Labels
from memoryapp.exceptions import ValidationFailed
from memoryapp.retrieval.filters import Node
from memoryapp.retrieval.filters.dates import parse_moments
from memoryapp.retrieval.search import MOST_RESULTS

DEFAULT_RESULTS: Final = 10


@dataclass(frozen=True, slots=True)
class Search:
    """One call that searches memories."""

    query: str
    node: Node
    labels: Labels
    top_k: int
    threshold: float | None
    fields: frozenset[str]
    show_expired: bool
    latest_only: bool
    reference_date: datetime | None


def read_search(body: Mapping[str, Any]) -> Search:
    """The search a body asks for; raises ValidationFailed for what cannot be understood."""
    query = body.get("query")
    if not isinstance(query, str) or not query.strip():
        raise ValidationFailed.of("query", "query is a text that is not empty.")
    node = read_condition(body)
    return Search(
        query=query,
        node=node,
        labels=labels_of(node),
        top_k=_count(body.get("top_k", body.get("limit"))),
        threshold=_threshold(body.get("threshold")),
        fields=read_fields(body.get("fields")),
        show_expired=body.get("show_expired") is True,
        latest_only=body.get("latest_only") is True,
        reference_date=_reference(body.get("reference_date")),
    )


def _count(value: object) -> int:
    if value is None:
        return DEFAULT_RESULTS
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_RESULTS:
        raise ValidationFailed.of("top_k", f"top_k is a whole number from 1 to {MOST_RESULTS}.")
    return value


def _threshold(value: object) -> float | None:
    """The least score; none by default, as these routes had before the newest version of the API."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValidationFailed.of("threshold", "threshold is a number from 0 to 1.")
    return float(value)


def read_fields(value: object) -> frozenset[str]:
    """The names a caller wants to see of each memory; none given means all."""
    if value is None:
        return frozenset()
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValidationFailed.of("fields", "fields is a list of names.")
    return frozenset(value)


def _reference(value: object) -> datetime | None:
    if value is None:
        return None
    try:
        return parse_moments(value).start.astimezone(UTC)
    except ValueError as error:
        raise ValidationFailed.of(
            "reference_date", "reference_date is a date, a time or Unix seconds."
        ) from error
