"""Expressions of time in questions and stored texts, in English, Spanish and Chinese, resolved to days."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

import regex

from memoryapp.retrieval.times import chinese, english, spanish
from memoryapp.retrieval.times.calendar import TimeReference, in_year
from memoryapp.retrieval.times.rules import Found, find

__all__ = ["TimeReference", "event_interval", "find_times"]

RULES: Final = [*english.RULES, *spanish.RULES, *chinese.RULES, english.YEAR_RULE]
# What is past this of one text is not read for times.
MAX_CHARACTERS: Final = 4_000
# A text that names times far apart is about the first of them rather than about all that lies between.
MAX_EVENT_DAYS: Final = 31

# No rule finds a time in a text without one of these, and most texts have none.
MARKS: Final = regex.compile(
    r"\d|day|week|month|year|morning|afternoon|evening|night|\b(?:last|past|previous|next|coming|upcoming|this|tomorrow)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\b(?:hoy|ayer|anoche|anteayer|mañana|enero|febrero|marzo|abril|mayo|junio|julio|agosto|se[pt]+iembre|octubre"
    r"|noviembre|diciembre|semana|mes|año|lunes|martes|jueves|viernes|domingo|días?)\b|s[áa]bado|mi[ée]rcoles"
    r"|[天日周月年昨今明]|星期|礼拜|前|后",
    regex.IGNORECASE,
)

FROM: Final = regex.compile(r"\b(?:between|from|entre|desde|del?)(?: the| el)?\s*$|从$", regex.IGNORECASE)
UNTIL: Final = regex.compile(
    r"\s*(?:and|to|until|till|through|y|a|al|hasta(?: el)?|至|到|-|–)\s*(?:the |el )?", regex.IGNORECASE
)


def find_times(text: str, reference: datetime) -> list[TimeReference]:
    """The times a text names, in its order; relative ones seen from the reference and in its time zone."""
    shown = text[:MAX_CHARACTERS]
    if not MARKS.search(shown):
        return []
    return [found.time for found in _joined(shown, find(shown, RULES, reference.date()))]


def event_interval(text: str, said_at: datetime, zone: tzinfo = UTC) -> tuple[datetime, datetime] | None:
    """When what a text tells took place, as far as it says so: from the first moment to the end of the last day.

    “Last Friday”, said on a Tuesday, is that Friday in the given time zone. None when the text names no time.
    """
    times = find_times(text, said_at.astimezone(zone))
    if not times:
        return None
    first, last = min(each.first for each in times), max(each.last for each in times)
    if (last - first).days >= MAX_EVENT_DAYS:
        first, last = times[0].first, times[0].last
    return datetime.combine(first, time.min, zone), datetime.combine(last + timedelta(days=1), time.min, zone)


def _joined(text: str, found: list[Found]) -> list[Found]:
    """“Between A and B” is one stretch; a start without a year takes the end's."""
    joined: list[Found] = []
    for item in found:
        before = joined[-1] if joined else None
        if before is not None and _is_range(text, before, item):
            start = before.time.first
            if before.time.every_year and not item.time.every_year:
                start = in_year(start, item.time.first.year)
            if start <= item.time.last:
                joined[-1] = Found(before.start, item.end, replace(item.time, first=start))
                continue
        joined.append(item)
    return joined


def _is_range(text: str, first: Found, second: Found) -> bool:
    return bool(UNTIL.fullmatch(text, first.end, second.start) and FROM.search(text[: first.start]))
