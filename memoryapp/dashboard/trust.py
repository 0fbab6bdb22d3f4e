"""Trust in the database's words, for sorting, filtering and counting many facts; `Fact.trust` says the same of one."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Case, DurationField, ExpressionWrapper, F, FloatField, Q, Value, When
from django.db.models.functions import Cast, Extract, Greatest, Least, Power
from django.utils import timezone

from memoryapp.models import Fact
from memoryapp.models.facts import JUDGED, TRUST_FLOOR, TRUST_START

SECONDS_A_DAY = 86400.0
UNJUDGED = Q(helpful_count=0, unhelpful_count=0, pinned=False)
# Between the moment that a bound is computed for and the one that trust is.
SPARE = timedelta(days=1)


def trust_now() -> Any:
    """An annotation with each fact's trust at this moment."""
    helpful, unhelpful = _as_float(F("helpful_count")), _as_float(F("unhelpful_count"))
    judged = Value(TRUST_START) + Value(0.1) * helpful - Value(0.2) * unhelpful
    base = Least(Greatest(judged, Value(0.0)), Value(1.0), output_field=FloatField())
    caps = [When(attributed_to=source, then=Value(cap)) for source, cap in Fact.SOURCE_TRUST.items()]
    cap = _as_float(Case(*caps, default=Value(1.0), output_field=FloatField()))
    return Greatest(Least(base * _decay(), cap), Value(TRUST_FLOOR), output_field=FloatField())


def within_trust(facts: Any, low: float, high: float) -> list[Any]:
    """The facts whose trust is at least `low` and below `high` now, as two parts that indexes find.

    Of a fact that nobody has judged it follows from the day of its last confirmation, which bounds those looked at.
    """
    exact = facts.alias(trust_now=trust_now()).filter(trust_now__gte=low, trust_now__lt=high)
    judged = exact.filter(JUDGED)
    if low > TRUST_START:
        return [judged]
    return [exact.filter(UNJUDGED, _confirmed_between(low, high)), judged]


def _confirmed_between(low: float, high: float) -> Q:
    """When an unjudged fact of that trust was confirmed."""
    bounds = Q()
    if not settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS:
        return bounds
    if low > TRUST_FLOOR:
        bounds &= Q(confirmed_at__gte=_fallen_to(low) - SPARE)
    if high <= min(Fact.SOURCE_TRUST.values()):
        # Higher bounds tell nothing: there is trust that its source keeps below them.
        bounds &= Q(confirmed_at__lte=_fallen_to(high) + SPARE)
    return bounds


def _fallen_to(trust: float) -> datetime:
    """When an unjudged fact was last confirmed that has come down to that trust now."""
    half_lives = math.log2(TRUST_START / trust)
    return timezone.now() - timedelta(days=half_lives * settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS)


def _decay() -> Any:
    half_life = settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS
    if not half_life:
        return _as_float(Value(1.0))
    age = ExpressionWrapper(Value(timezone.now()) - F("confirmed_at"), output_field=DurationField())
    days = Greatest(
        _as_float(Extract(age, "epoch")) / Value(SECONDS_A_DAY), Value(0.0), output_field=FloatField()
    )
    faded = Power(Value(2.0), days / Value(-float(half_life)), output_field=FloatField())
    return Case(When(pinned=True, then=Value(1.0)), default=faded, output_field=FloatField())


def _as_float(number: Any) -> Any:
    """A number as the machine computes it: PostgreSQL's exact decimals take ten times as long to raise to a power."""
    return Cast(number, FloatField())
