"""Time as Chinese writes it."""

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

NUMBERS: Final = {
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    "十": 10, "十一": 11, "十二": 12,
}  # fmt: skip
WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
DAYS: Final = {
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1,
    "今天": 0, "今日": 0, "今早": 0, "今晚": 0,
    "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2,
}  # fmt: skip
YEARS: Final = {"前年": -2, "去年": -1, "今年": 0, "明年": 1}
STEPS: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
UNITS: Final = {"天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}

NUMBER: Final = r"(?P<number>\d{1,3}|十[一二]?|[一二两三四五六七八九])"
STEP: Final = r"(?P<step>上上|上|这|本|下下|下)个?"
UNIT: Final = r"(?P<unit>天|周|星期|礼拜|月|年)"
WEEK: Final = r"(?:周|星期|礼拜)"

Match = regex.Match[str]


def _number(digits: str) -> int:
    return number_in(digits, NUMBERS)


def _units(match: Match, reference: date, direction: int) -> TimeReference | None:
    return units_from(reference, UNITS[match["unit"]], direction * _number(match["number"]))


def _weekday(match: Match, reference: date) -> TimeReference:
    """A weekday of a week named by its distance: 上周五 is Friday of the week before."""
    week = week_from(reference, STEPS[match["step"]])
    return weekday_from(week.first, WEEKDAYS[match["weekday"]], 0)


RULES: Final = [
    rule(r"(?P<year>\d{4})年(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]?",
         lambda match, reference: day_of(year_in(match["year"]), int(match["month"]), int(match["day"]), reference)),
    rule(r"(?P<year>\d{4})年(?P<month>\d{1,2})月",
         lambda match, reference: month_of(year_in(match["year"]), int(match["month"]), reference)),
    rule(r"(?P<year>\d{4})年", lambda match, reference: year_of(int(match["year"]))),
    rule(r"(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])月(?P<day>\d{1,2})[日号]",
         lambda match, reference: day_of(None, _number(match["month"]), int(match["day"]), reference)),
    rule(r"(?<!个)(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])月(?!前|后)",
         lambda match, reference: month_of(None, _number(match["month"]), reference)),
    rule("|".join(sorted(DAYS, key=len, reverse=True)), lambda match, reference: days_from(reference, DAYS[match[0]])),
    rule("|".join(YEARS), lambda match, reference: year_of(reference.year + YEARS[match[0]])),
    rule(r"(?:前几天|几天前|前些天)", lambda match, reference: a_few_days(reference, -1)),
    rule(rf"{NUMBER}个?{UNIT}(?:之?前|以前)", lambda match, reference: _units(match, reference, -1)),
    rule(rf"{NUMBER}个?{UNIT}(?:之?后|以后)", lambda match, reference: _units(match, reference, 1)),
    rule(rf"{STEP}(?:周末)", lambda match, reference: weekend_from(reference, STEPS[match["step"]])),
    rule(rf"{STEP}{WEEK}(?P<weekday>[一二三四五六日天])", _weekday),
    rule(rf"{STEP}{WEEK}", lambda match, reference: week_from(reference, STEPS[match["step"]])),
    rule(rf"{STEP}月", lambda match, reference: month_from(reference, STEPS[match["step"]])),
]  # fmt: skip
