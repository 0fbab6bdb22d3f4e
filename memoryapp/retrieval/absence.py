"""Why a fact is not among a search's results: what keeps it from being looked at at all, in the engine's own words.

The conditions are the ones the search itself uses, asked of one row and told apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, Value, When

from memoryapp.exceptions import NotFound
from memoryapp.models import Embedding, Fact
from memoryapp.retrieval.filters import compile_filter, parse_filter
from memoryapp.retrieval.sources import Reading, fact_conditions

FILTER: Final = "filter"


@dataclass(frozen=True, slots=True)
class Check:
    """One condition on a fact: its name, for a filter what it says, and whether the fact meets it."""

    name: str
    passed: bool
    says: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A fact with every condition a search puts on it, and whether it has a vector of the model yet."""

    fact: Fact
    checks: list[Check]
    has_vector: bool


def check_fact(fact_id: UUID, reading: Reading, given: object, model: str) -> Checked:
    """Hold one fact against the conditions of a search, inside the workspace's scope, in one statement.

    Raises NotFound for what the reader may not see: somebody else's is answered as if it did not exist.
    """
    parts = [*fact_conditions(reading).items()]
    asked = filter_parts(given)
    parts += [(FILTER, compile_filter(parse_filter(part))) for part in asked]
    rows: Any = Fact.objects.visible_to(reading.principal).for_agent(reading.agent)
    vectors = Embedding.objects.filter(fact=OuterRef("pk"), model=model, vector__isnull=False)
    columns = {f"check_{place}": _holds(condition) for place, (_name, condition) in enumerate(parts)}
    fact = (
        rows.exclude(status=Fact.Status.FORGOTTEN)
        .filter(pk=fact_id)
        .annotate(has_vector=Exists(vectors), **columns)
        .first()
    )
    if fact is None:
        raise NotFound
    said = [""] * (len(parts) - len(asked)) + [_told(part) for part in asked]
    checks = [
        Check(name, getattr(fact, f"check_{place}"), said[place]) for place, (name, _) in enumerate(parts)
    ]
    return Checked(fact, checks, fact.has_vector)


def filter_parts(given: object) -> Sequence[Mapping[str, Any]]:
    """The conditions of a filter that must all hold, each as a filter of its own."""
    if not isinstance(given, Mapping) or not given:
        return []
    found: list[Mapping[str, Any]] = []
    for name, value in given.items():
        found += list(value) if name == "AND" and isinstance(value, list) else [{name: value}]
    return found


def _holds(condition: Q) -> Case:
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())


def _told(part: object) -> str:
    return json.dumps(part, ensure_ascii=False)
