"""What a source of ours wants of every turn, written by the ORM once for each kind of reader and filled in ever after.

Writing it takes the ORM longer than PostgreSQL takes to answer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from django.db.models.expressions import RawSQL
from django.utils import timezone

from memoryapp.models import Agent
from memoryapp.providers.base import StandingRows
from memoryapp.retrieval.prepared import MOMENT, ReaderKind, filled, values_of
from tenants.principals import Principal

# Given the reader and the moment, an expression over the agent; it may depend on nothing else.
Standing: TypeAlias = Callable[[Principal, datetime], StandingRows]


def written_once(standing: Standing, principal: Principal) -> RawSQL:
    """The expression for this principal now."""
    sql, parameters, field = _written(standing, ReaderKind.of(principal))
    return RawSQL(  # noqa: S611 - the ORM wrote it, and what is filled in are parameters
        sql, filled(parameters, values_of(principal, timezone.now())), output_field=field
    )


@lru_cache(maxsize=64)
def _written(standing: Standing, reader: ReaderKind) -> tuple[str, tuple[Any, ...], Any]:
    expression = standing(reader.stand_in(), MOMENT)
    query = Agent.objects.annotate(standing=expression).values("standing").query
    compiler = query.get_compiler("default")
    compiler.pre_sql_setup()
    ((_, (sql, parameters), _),) = compiler.select
    return sql, tuple(parameters), expression.output_field
