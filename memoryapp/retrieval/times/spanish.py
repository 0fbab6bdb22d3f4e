"""Time as Spanish writes it."""

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
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
    "diciembre",
]  # fmt: skip
MONTHS: Final = {**{name: number for number, name in enumerate(MONTH_NAMES, 1)}, "setiembre": 9}
WEEKDAYS: Final = {
    "lunes": 0, "martes": 1, "miércoles": 2, "miercoles": 2, "jueves": 3, "viernes": 4, "sábado": 5, "sabado": 5,
    "domingo": 6,
}  # fmt: skip
NUMBERS: Final = {
    "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9,
    "diez": 10,
}  # fmt: skip
UNITS: Final = {"día": "day", "dia": "day", "semana": "week", "mes": "month", "año": "year"}

MONTH: Final = "(?P<month>" + "|".join(MONTHS) + r")\b"
WEEKDAY: Final = "(?P<weekday>" + "|".join(WEEKDAYS) + r")\b"
UNIT: Final = r"(?P<unit>día|dia|semana|mes|año)(?:s|es)?\b"
NUMBER: Final = r"(?P<number>\d{1,3}|" + "|".join(NUMBERS) + r")"
SPAN: Final = r"(?P<span>fin de semana|semana|mes|año)"

Match = regex.Match[str]


def _day(match: Match, reference: date) -> TimeReference | None:
    return day_of(year_in(match["year"]), MONTHS[match["month"].lower()], int(match["day"]), reference)


def _month(match: Match, reference: date) -> TimeReference:
    return month_of(year_in(match["year"]), MONTHS[match["month"].lower()], reference)


def _bare_month(match: Match, reference: date) -> TimeReference:
    return month_of(None, MONTHS[match["month"].lower()], reference)


def _ago(match: Match, reference: date) -> TimeReference | None:
    return units_from(reference, UNITS[match["unit"].lower()], -number_in(match["number"], NUMBERS))


def _ahead(match: Match, reference: date) -> TimeReference | None:
    return units_from(reference, UNITS[match["unit"].lower()], number_in(match["number"], NUMBERS))


def _span(match: Match, reference: date, step: int) -> TimeReference:
    span = match["span"].lower()
    if span == "semana":
        return week_from(reference, step)
    if span == "fin de semana":
        return weekend_from(reference, step)
    return month_from(reference, step) if span == "mes" else year_of(reference.year + step)


def _weekday(match: Match, reference: date, step: int) -> TimeReference:
    return weekday_from(reference, WEEKDAYS[match["weekday"].lower()], step)


RULES: Final = [
    rule(rf"\b(?P<day>\d{{1,2}}) de {MONTH}(?:(?: de| del)? (?P<year>\d{{4}})\b)?", _day),
    rule(rf"\b{MONTH} (?:de|del) (?P<year>\d{{4}})\b", _month),
    rule(rf"\b(?:en|desde|hasta|durante) {MONTH}", _bare_month),
    rule(r"\b(?:anteayer|antes de ayer)\b", lambda match, reference: days_from(reference, -2)),
    rule(r"\b(?:ayer|anoche)\b", lambda match, reference: days_from(reference, -1)),
    rule(r"\bpasado mañana\b", lambda match, reference: days_from(reference, 2)),
    rule(r"\b(?:hoy|esta (?:mañana|tarde|noche))\b", lambda match, reference: days_from(reference, 0)),
    rule(r"(?<!\b(?:la|esta|por|de|cada|una) )\bmañana\b", lambda match, reference: days_from(reference, 1)),
    rule(r"\bhace (?:unos|algunos|varios) días\b", lambda match, reference: a_few_days(reference, -1)),
    rule(rf"\bhace {NUMBER} {UNIT}", _ago),
    rule(rf"\b(?:dentro de|en) {NUMBER} {UNIT}", _ahead),
    rule(rf"\b{SPAN} pasad[oa]\b", lambda match, reference: _span(match, reference, -1)),
    rule(rf"\bpasad[oa] {SPAN}\b", lambda match, reference: _span(match, reference, -1)),
    rule(rf"\best[ea] {SPAN}\b", lambda match, reference: _span(match, reference, 0)),
    rule(rf"\bpróxim[oa] {SPAN}\b", lambda match, reference: _span(match, reference, 1)),
    rule(rf"\b{SPAN} que viene\b", lambda match, reference: _span(match, reference, 1)),
    rule(rf"\b{WEEKDAY} pasado\b", lambda match, reference: _weekday(match, reference, -1)),
    rule(rf"\bpasado {WEEKDAY}", lambda match, reference: _weekday(match, reference, -1)),
    rule(rf"\beste {WEEKDAY}", lambda match, reference: _weekday(match, reference, 0)),
    rule(rf"\bpróximo {WEEKDAY}", lambda match, reference: _weekday(match, reference, 1)),
    rule(rf"\b{WEEKDAY} que viene\b", lambda match, reference: _weekday(match, reference, 1)),
]  # fmt: skip
