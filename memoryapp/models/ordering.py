"""The order of lists that are read page by page."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import QuerySet
from django.db.models.expressions import OrderBy

Rows = TypeVar("Rows", bound=QuerySet[Any])


def in_total_order(rows: Rows) -> Rows:
    """The rows in their order, those that are equal in it by their key: no page repeats or drops what another shows."""
    given = tuple(rows.query.order_by or rows.model._meta.ordering)
    if given and given[-1] in ("pk", "-pk", "id", "-id"):
        return rows
    # In the direction of what it follows, so that one index can give both.
    return rows.order_by(*given, "-pk" if given and _descends(given[-1]) else "pk")


def _descends(column: Any) -> bool:
    return column.descending if isinstance(column, OrderBy) else str(column).startswith("-")
