"""Querysets as pieces of hand-written SQL: the one read door stays the ORM's, the arms around it are ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

from memoryapp.retrieval.vectors import Vector

Piece: TypeAlias = tuple[str, tuple[Any, ...]]


def as_piece(rows: QuerySet[Any], *columns: str) -> Piece | None:
    """A queryset's statement and parameters over the given columns; None when it can have no rows."""
    try:
        sql, parameters = rows.order_by().values(*columns).query.sql_with_params()
    except EmptyResultSet:
        return None
    return sql, tuple(parameters)


def as_halfvec(vector: Vector) -> str:
    """A vector as PostgreSQL writes it: a parameter to be cast."""
    return "[" + ",".join(f"{number:.5g}" for number in vector.tolist()) + "]"


def fetch(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement whose values, without exception, are parameters."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
