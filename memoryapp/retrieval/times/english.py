"""Time as English writes it."""

from __future__ import annotations

from datetime import date
from typing import Final

import regex

from memoryapp.retrieval.times.calendar import (
    TimeReference,
    a_few_days,
    day_of,
    days_from,
    month_from,
    month_of,
    units_from,
    week_from,
    weekday_from,
    weekend_from,
    year_of,
)
from memoryapp.retrieval.times.rules import number_in, rule, year_in

MONTH_NAMES: Final = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]  # fmt: skip
MONTHS: Final = {
    **{name: number for number, name in enumerate(MONTH_NAMES, 1)},
    **{name[:3]: number for number, name in enumerate(MONTH_NAMES, 1)},
    "sept": 9,
}
WEEKDAY_NAMES: Final = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: Final = {
    **{name: number for number, name in enumerate(WEEKDAY_NAMES)},
    **{name[:3]: number for number, name in enumerate(WEEKDAY_NAMES)},
    "tues": 1, "thur": 3, "thurs": 3,
}  # fmt: skip
NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple of": 2, "a couple of": 2,
}  # fmt: skip
STEPS: Final = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1, "upcoming": 1}

MONTH: Final = "(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
WEEKDAY: Final = "(?P<weekday>" + "|".join(sorted(WEEKDAYS, key=len, reverse=True)) + r")\b"
STEP: Final = r"\b(?P<step>" + "|".join(STEPS) + r")"
DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
YEAR: Final = r"(?P<year>\d{4})\b"
NUMBER: Final = r"(?P<number>\d{1,3}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + r")"
UNIT: Final = r"(?P<unit>day|week|month|year)s?"
WHEN: Final = r"\b(?:in|of|during|since|until|by|last|this|next|early|late|mid|before|after|from|around)"

Match = regex.Match[str]


def _day(match: Match, reference: date) -> TimeReference | None:
    return day_of(year_in(match["year"]), MONTHS[match["month"].lower()], int(match["day"]), reference)


def _month(match: Match, reference: date) -> TimeReference:
    return month_of(year_in(match["year"]), MONTHS[match["month"].lower()], reference)


def _bare_month(match: Match, reference: date) -> TimeReference:
    return month_of(None, MONTHS[match["month"].lower()], reference)


def _ago(match: Match, reference: date) -> TimeReference | None:
    return units_from(reference, match["unit"].lower(), -number_in(match["number"], NUMBERS))


def _ahead(match: Match, reference: date) -> TimeReference | None:
    return units_from(reference, match["unit"].lower(), number_in(match["number"], NUMBERS))


def _step_unit(match: Match, reference: date) -> TimeReference | None:
    step, unit = STEPS[match["step"].lower()], match["unit"].lower()
    if unit == "week":
        return week_from(reference, step)
    if unit == "weekend":
        return weekend_from(reference, step)
    return month_from(reference, step) if unit == "month" else year_of(reference.year + step)


def _step_weekday(match: Match, reference: date) -> TimeReference:
    return weekday_from(reference, WEEKDAYS[match["weekday"].lower()], STEPS[match["step"].lower()])


RULES: Final = [
    rule(r"\b(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})\b",
         lambda match, reference: day_of(year_in(match["year"]), int(match["month"]), int(match["day"]), reference)),
    rule(rf"\b{DAY}(?: of)? {MONTH}(?:,? {YEAR})?", _day),
    rule(rf"\b{MONTH} {DAY}\b(?:,? {YEAR})?", _day),
    rule(rf"\b{MONTH},?(?: of)? {YEAR}", _month),
    # “may” and “march” are common words: without a day or a year they need a capital and a word before them.
    rule(rf"{WHEN} (?P<month>{'|'.join(name.capitalize() for name in MONTH_NAMES)})\b", _bare_month, case=True),
    rule(r"\bday before yesterday\b", lambda match, reference: days_from(reference, -2)),
    rule(r"\b(?:yesterday|last night)\b", lambda match, reference: days_from(reference, -1)),
    rule(r"\bday after tomorrow\b", lambda match, reference: days_from(reference, 2)),
    rule(r"\btomorrow\b", lambda match, reference: days_from(reference, 1)),
    rule(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", lambda match, reference: days_from(reference, 0)),
    rule(r"\b(?:(?:a )?few|several) days ago\b|\bthe other day\b", lambda match, reference: a_few_days(reference, -1)),
    rule(rf"\b{NUMBER} {UNIT} (?:ago|back)\b", _ago),
    rule(rf"\bin {NUMBER} {UNIT}\b(?! ago)", _ahead),
    rule(rf"{STEP} (?P<unit>weekend|week|month|year)\b", _step_unit),
    rule(rf"{STEP} {WEEKDAY}", _step_weekday),
]  # fmt: skip

# A bare year, which any language may write: tried after everything that a year may be part of.
YEAR_RULE: Final = rule(
    r"(?<![\d$€£#.,/-])\b(?P<year>19\d\d|20\d\d)\b(?![\d%]|[.,]\d|[-/]\d)",
    lambda match, reference: year_of(int(match["year"])),
)
