"""Dates in filters: an ISO date is a whole day in UTC, an ISO time or a number of seconds an instant."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import regex

from memoryapp.retrieval.filters.tree import Moments

DATE_ONLY: Final = regex.compile(r"\d{4}-\d{2}-\d{2}")
# 0001-01-02 to 9999-12-30: a day to spare for time zones at both ends.
LEAST: Final = datetime(1, 1, 2, tzinfo=UTC)
MOST: Final = datetime(9999, 12, 30, tzinfo=UTC)


def parse_moments(value: object) -> Moments:
    """What a date means; raises ValueError for anything that is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(value)
    if isinstance(value, str) and DATE_ONLY.fullmatch(value.strip()):
        start = _checked(datetime.combine(date.fromisoformat(value.strip()), time.min, UTC))
        return Moments(start, start + timedelta(days=1))
    instant = _checked(_instant(value))
    return Moments(instant, instant)


def _instant(value: str | int | float) -> datetime:
    if isinstance(value, str):
        moment = datetime.fromisoformat(value.strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError(value) from error


def _checked(moment: datetime) -> datetime:
    if not LEAST <= moment <= MOST:
        raise ValueError(moment)
    return moment
