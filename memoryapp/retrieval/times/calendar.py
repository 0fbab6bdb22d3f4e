"""Stretches of days that an expression of time means, and the arithmetic that all languages share."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

FEW_DAYS = (2, 5)
WEEK_SLACK = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class TimeReference:
    """The days, first and last included, that an expression means; `every_year` when it named no year."""

    first: date
    last: date
    every_year: bool = False

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def meets(self, first: date, last: date) -> bool:
        """Whether it shares a day with another stretch; without a year, in whichever year that one lies."""
        if self.every_year:
            moved = TimeReference(in_year(self.first, first.year), in_year(self.last, first.year))
            return moved.meets(first, last)
        return self.first <= last and first <= self.last


def a_day(day: date) -> TimeReference:
    return TimeReference(day, day)


def days_from(reference: date, days: int) -> TimeReference:
    return a_day(reference + timedelta(days=days))


def day_of(year: int | None, month: int, day: int, reference: date) -> TimeReference | None:
    """A day of a month, without a year the one nearest to the reference; None when there is no such day."""
    years = [year] if year is not None else [reference.year + shift for shift in range(-4, 5)]
    days = [
        date(each, month, day)
        for each in years
        if 1 <= month <= 12 and 1 <= day <= monthrange(each, month)[1]
    ]
    if not days:
        return None
    nearest = min(days, key=lambda candidate: abs(candidate - reference))
    return TimeReference(nearest, nearest, every_year=year is None)


def month_of(year: int | None, month: int, reference: date) -> TimeReference:
    """A month, without a year the latest that has begun."""
    chosen = year if year is not None else reference.year - (month > reference.month)
    return TimeReference(date(chosen, month, 1), _month_end(chosen, month), every_year=year is None)


def year_of(year: int) -> TimeReference:
    return TimeReference(date(year, 1, 1), date(year, 12, 31))


def month_from(reference: date, months: int) -> TimeReference:
    """The calendar month so many months away."""
    index = reference.year * 12 + reference.month - 1 + months
    year, month = divmod(index, 12)
    return TimeReference(date(year, month + 1, 1), _month_end(year, month + 1))


def week_from(reference: date, weeks: int) -> TimeReference:
    """The week, Monday to Sunday, so many weeks away."""
    monday = reference - timedelta(days=reference.weekday()) + timedelta(weeks=weeks)
    return TimeReference(monday, monday + timedelta(days=6))


def weekend_from(reference: date, weekends: int) -> TimeReference:
    """Saturday and Sunday: -1 the last one that is over, 0 the one of this week, 1 the next week's."""
    monday = reference - timedelta(days=reference.weekday())
    saturday = monday + timedelta(days=5, weeks=weekends)
    return TimeReference(saturday, saturday + timedelta(days=1))


def weekday_from(reference: date, weekday: int, step: int) -> TimeReference:
    """The nearest such weekday before (-1) or after (1) the reference, or that of its own week (0)."""
    if step == 0:
        return days_from(reference, weekday - reference.weekday())
    ahead = (weekday - reference.weekday()) % 7
    return days_from(reference, (ahead or 7) if step > 0 else ahead - 7)


def units_from(reference: date, unit: str, amount: int) -> TimeReference | None:
    """So many days, weeks, months or years away, as vague as the unit is; None past the calendar's end."""
    try:
        if unit == "day":
            return days_from(reference, amount)
        if unit == "week":
            middle = reference + timedelta(weeks=amount)
            return TimeReference(middle - WEEK_SLACK, middle + WEEK_SLACK)
        return month_from(reference, amount) if unit == "month" else year_of(reference.year + amount)
    except (OverflowError, ValueError):
        return None


def a_few_days(reference: date, direction: int) -> TimeReference:
    ends = sorted(reference + timedelta(days=direction * days) for days in FEW_DAYS)
    return TimeReference(ends[0], ends[1])


def _month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def in_year(day: date, year: int) -> date:
    """The same day of another year, the 28th of February for the 29th where there is none."""
    return date(year, day.month, min(day.day, monthrange(year, day.month)[1]))
