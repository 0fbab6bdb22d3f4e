"""Trust in the database's words, for sorting, filtering and counting many facts; `Fact.trust` says the same of one."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import FloatField, Func, Q
from django.utils import timezone

from memoryapp.models import Fact
from memoryapp.models.facts import JUDGED, TRUST_FLOOR, TRUST_START

SECONDS_A_DAY = 86_400
UNJUDGED = Q(helpful_count=0, unhelpful_count=0, pinned=False)


class TrustNow(Func):
    """Each fact's trust at this moment: one expression, since the ORM takes long to put twenty together."""

    template = """greatest(least(
      least(greatest({start} + 0.1 * {helpful}::float8 - 0.2 * {unhelpful}::float8, 0), 1) * {left},
      CASE {source} {caps} END
    ), {floor})"""
    faded = "power(2::float8, -greatest(extract(epoch FROM %s - {confirmed_at})::float8, 0) / {half_life})"
    output_field = FloatField()

    def __init__(self) -> None:
        self.moment = timezone.now()
        super().__init__("helpful_count", "unhelpful_count", "pinned", "confirmed_at", "attributed_to")

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> tuple[str, list[Any]]:
        columns = [compiler.compile(column)[0] for column in self.get_source_expressions()]
        helpful, unhelpful, pinned, confirmed_at, source = columns
        days = settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS
        faded = self.faded.format(confirmed_at=confirmed_at, half_life=float(days * SECONDS_A_DAY))
        sql = self.template.format(
            start=TRUST_START,
            floor=TRUST_FLOOR,
            helpful=helpful,
            unhelpful=unhelpful,
            source=source,
            caps=" ".join(f"WHEN '{name}' THEN {cap}" for name, cap in Fact.SOURCE_TRUST.items()),
            left=f"CASE WHEN {pinned} THEN 1 ELSE {faded} END" if days else "1",
        )
        return sql, [self.moment] if days else []


def within_trust(facts: Any, low: float, high: float) -> list[Any]:
    """The facts whose trust is at least `low` and below `high` now, as two parts that indexes find.

    Of a fact that nobody has judged it follows from the day of its last confirmation and from whose word it is.
    """
    judged = facts.filter(JUDGED).alias(trust_now=TrustNow())
    return [
        facts.filter(UNJUDGED, _unjudged_from(low), ~_unjudged_from(high)),
        judged.filter(trust_now__gte=low, trust_now__lt=high),
    ]


def _unjudged_from(trust: float) -> Q:
    """What unjudged facts of at least that trust have in common."""
    if trust <= TRUST_FLOOR:
        return ~Q(pk__in=[])
    sources = [source for source, cap in Fact.SOURCE_TRUST.items() if cap >= trust]
    if not sources or trust > TRUST_START:
        return Q(pk__in=[])
    trusted = Q() if len(sources) == len(Fact.SOURCE_TRUST) else Q(attributed_to__in=sources)
    if settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS:
        trusted &= Q(confirmed_at__gte=_fallen_to(trust))
    return trusted


def _fallen_to(trust: float) -> datetime:
    """When an unjudged fact was last confirmed that has come down to that trust now."""
    half_lives = math.log2(TRUST_START / trust)
    return timezone.now() - timedelta(days=half_lives * settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS)
