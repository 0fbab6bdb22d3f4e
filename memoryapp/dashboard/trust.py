"""Trust in the database's words, for sorting, filtering and counting many facts; `Fact.trust` says the same of one."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Case, DurationField, ExpressionWrapper, F, FloatField, Q, Value, When
from django.db.models.functions import Extract, Greatest, Least, Power
from django.utils import timezone

from memoryapp.models import Fact
from memoryapp.models.facts import TRUST_FLOOR, TRUST_START

SECONDS_A_DAY = 86400.0


def trust_now() -> Any:
    """An annotation with each fact's trust at this moment."""
    judged = Value(TRUST_START) + 0.1 * F("helpful_count") - 0.2 * F("unhelpful_count")
    base = Least(Greatest(judged, Value(0.0)), Value(1.0), output_field=FloatField())
    caps = [When(attributed_to=source, then=Value(cap)) for source, cap in Fact.SOURCE_TRUST.items()]
    cap = Case(*caps, default=Value(1.0), output_field=FloatField())
    return Greatest(Least(base * _decay(), cap), Value(TRUST_FLOOR), output_field=FloatField())


def may_be_trusted(least: float) -> Q:
    """What a fact of at least that trust fulfils in any case, cheap to judge: it is pinned, or was confirmed lately."""
    half_life = settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS
    if not half_life or least <= TRUST_FLOOR:
        return Q()
    oldest = timezone.now() - timedelta(days=half_life * math.log2(1 / min(least, 1.0)) + 1)
    return Q(pinned=True) | Q(confirmed_at__gte=oldest)


def _decay() -> Any:
    half_life = settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS
    if not half_life:
        return Value(1.0)
    age = ExpressionWrapper(Value(timezone.now()) - F("confirmed_at"), output_field=DurationField())
    days = Greatest(Extract(age, "epoch") / Value(SECONDS_A_DAY), Value(0.0), output_field=FloatField())
    faded = Power(Value(2.0), days / Value(-float(half_life)), output_field=FloatField())
    return Case(When(pinned=True, then=Value(1.0)), default=faded, output_field=FloatField())
