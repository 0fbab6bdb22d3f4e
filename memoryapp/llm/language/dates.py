"""Relative dates written out, so that "yesterday" still means something next year."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

import regex

from memoryapp.llm.language.calendar_words import NUMBERS, UNITS, WEEKDAYS, number_of
from memoryapp.llm.language.detection import is_cjk
from memoryapp.llm.language.han import compile_both, simplified

Match = regex.Match[str]
_PREPOSITIONS = (
    r"(?P<prep>\b(?:on|by|since|until|till|before|after|from|starting|for|due|as of|desde|hasta|para|"
    r"antes de|a partir de|"
    r"el|ab|seit|bis|am|vor)\s+)?"
)


@dataclass(frozen=True, slots=True)
class Anchored:
    """A text whose relative dates are written out, and the dates it names."""

    text: str
    dates: tuple[date, ...] = ()


def shift(day: date, amount: int, unit: str) -> date:
    """The day so many days, weeks, months or years away; the last of the month where the day does not exist."""
    if unit in ("day", "week"):
        return day + timedelta(days=amount * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + amount * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def weekday_date(today: date, weekday: int, which: str) -> date:
    """The day meant by this, next, last or a bare weekday; "next" means in the following week."""
    start = today - timedelta(days=today.weekday())
    if which == "next":
        return start + timedelta(days=7 + weekday)
    if which == "last":
        back = (today.weekday() - weekday) % 7 or 7
        return today - timedelta(days=back)
    if which == "this":
        return start + timedelta(days=weekday)
    return today + timedelta(days=(weekday - today.weekday()) % 7 or 7)


def period(day: date, unit: str) -> str:
    """A week, month or year as it is written in brackets."""
    if unit == "week":
        return f"week of {day - timedelta(days=day.weekday()):%Y-%m-%d}"
    return f"{day:%Y-%m}" if unit == "month" else f"{day:%Y}"


Write = Callable[[Match, date, bool], tuple[str, date]]


@dataclass(frozen=True, slots=True)
class DateRule:
    """A way of naming a date, and how it is written out."""

    pattern: regex.Pattern[str]
    write: Write
    bare: bool = False


def _rule(pattern: str, write: Write, *, bare: bool = False) -> DateRule:
    return DateRule(compile_both(pattern, regex.IGNORECASE), write, bare)


def _day(offset: int, word: str) -> Write:
    def write(match: Match, today: date, past: bool) -> tuple[str, date]:
        day = today + timedelta(days=offset)
        prep = match.groupdict().get("prep") or (word and f"{word} ")
        return f"{prep}{day:%Y-%m-%d}", day

    return write


def _ago(sign: int) -> Write:
    def write(match: Match, today: date, past: bool) -> tuple[str, date]:
        amount, unit = number_of(match["n"]) or 1, UNITS[simplified(match["unit"].lower())]
        day = shift(today, sign * amount, unit)
        shown = f"{day:%Y-%m-%d}" if unit in ("day", "week") else period(day, unit)
        return f"{match.group()} ({shown})", day

    return write


def _period(sign: int, week_of: str = "week of ") -> Write:
    def write(match: Match, today: date, past: bool) -> tuple[str, date]:
        unit = UNITS[simplified(match["unit"].lower())]
        day = shift(today, sign, unit)
        return f"{match.group()} ({period(day, unit).replace('week of ', week_of)})", day

    return write


def _weekday(which: str, word: str) -> Write:
    def write(match: Match, today: date, past: bool) -> tuple[str, date]:
        chosen = which or ("last" if past else "")
        day = weekday_date(today, WEEKDAYS[match["day"].lower()], chosen)
        prep = match.groupdict().get("prep") or (word and f"{word} ")
        return f"{prep}{match['day']} {day:%Y-%m-%d}", day

    return write


def _cjk_weekday(which: str, prefix: str) -> Write:
    def write(match: Match, today: date, past: bool) -> tuple[str, date]:
        place = "一二三四五六日天" if prefix else "月火水木金土日"
        day = weekday_date(today, min(place.index(match["day"]), 6), which)
        return f"{day:%Y-%m-%d}（{prefix}{match['day']}）", day

    return write


_N = "|".join(sorted((word for word in NUMBERS if word.isascii() or word.isalpha()), key=len, reverse=True))
_EN_DAY = "(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_ES_DAY = "(?P<day>lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)"
_DE_DAY = "(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
_PART = r"(?:\s+(?:morning|afternoon|evening|night))?"

ENGLISH = (
    _rule(rf"{_PREPOSITIONS}\bthe day before yesterday\b", _day(-2, "on")),
    _rule(rf"{_PREPOSITIONS}\bthe day after tomorrow\b", _day(2, "on")),
    _rule(rf"{_PREPOSITIONS}\b(?:yesterday{_PART}|last night)\b(?!['’]s)", _day(-1, "on")),
    _rule(rf"{_PREPOSITIONS}\btomorrow{_PART}\b(?!['’]s)", _day(1, "on")),
    _rule(
        rf"{_PREPOSITIONS}\b(?:today|tonight|this (?:morning|afternoon|evening))\b(?!['’]s)", _day(0, "on")
    ),
    _rule(rf"\b(?P<n>\d+|{_N}) (?P<unit>days?|weeks?|months?|years?) ago\b", _ago(-1)),
    _rule(rf"\bin (?P<n>\d+|{_N}) (?P<unit>days?|weeks?|months?|years?)(?: time)?\b(?! of)", _ago(1)),
    _rule(r"\bnext (?P<unit>week|month|year)\b", _period(1)),
    _rule(r"\blast (?P<unit>week|month|year)\b", _period(-1)),
    _rule(r"\bthis (?P<unit>week|month|year)\b", _period(0)),
    _rule(rf"{_PREPOSITIONS}\bnext {_EN_DAY}\b", _weekday("next", "on")),
    _rule(rf"{_PREPOSITIONS}\blast {_EN_DAY}\b", _weekday("last", "on")),
    _rule(rf"{_PREPOSITIONS}\bthis (?:coming )?{_EN_DAY}\b", _weekday("this", "on")),
    _rule(
        rf"(?P<prep>\b(?:on|by|since|until|till|before|from|starting)\s+){_EN_DAY}\b(?!s|\s+(?:the\s+)?\d|"
        r",?\s+\p{Lu}|\s+nights?|\s+(?:and|or)\b)",
        _weekday("", "on"),
        bare=True,
    ),
)

SPANISH = (
    _rule(rf"{_PREPOSITIONS}\banteayer\b", _day(-2, "el")),
    _rule(rf"{_PREPOSITIONS}\b(?:ayer(?: por la (?:mañana|tarde|noche))?|anoche)\b", _day(-1, "el")),
    _rule(rf"{_PREPOSITIONS}\bpasado mañana\b", _day(2, "el")),
    _rule(rf"{_PREPOSITIONS}(?<!\b(?:la|por la|de la|cada) )\bmañana\b", _day(1, "el")),
    _rule(rf"{_PREPOSITIONS}\b(?:hoy|esta (?:mañana|tarde|noche))\b", _day(0, "el")),
    _rule(rf"\bhace (?P<n>\d+|{_N}) (?P<unit>d[íi]as?|semanas?|mes(?:es)?|años?)\b", _ago(-1)),
    _rule(rf"\b(?:dentro de|en) (?P<n>\d+|{_N}) (?P<unit>d[íi]as?|semanas?|mes(?:es)?|años?)\b", _ago(1)),
    _rule(
        r"\b(?:la|el|del|al) (?:próxim[oa] (?P<unit>semana|mes|año)|(?P<unit>semana|mes|año) (?:que viene|"
        r"próxim[oa]|entrante))\b",
        _period(1, "semana del "),
    ),
    _rule(r"\b(?:la|el|del|al) (?P<unit>semana|mes|año) (?:pasad[oa])\b", _period(-1, "semana del ")),
    _rule(
        rf"(?:\b(?P<prep>el|para el|antes del|hasta el|desde el)\s+)?\bpr[óo]ximo {_ES_DAY}\b",
        _weekday("next", ""),
    ),
    _rule(
        rf"(?P<prep>\b(?:el|para el|antes del|hasta el|desde el)\s+){_ES_DAY} (?:que viene|próximo)\b",
        _weekday("next", ""),
    ),
    _rule(rf"(?P<prep>\b(?:el|para el)\s+){_ES_DAY} pasado\b", _weekday("last", "")),
    _rule(
        rf"(?P<prep>\b(?:el|para el|antes del|hasta el|desde el)\s+){_ES_DAY}\b(?!\s+(?:\d|(?:por la|y|"
        r"o)\b))",
        _weekday("", ""),
        bare=True,
    ),
)

_ZH_DAY = "(?P<day>[一二三四五六日天])"
CHINESE = (
    _rule("大后天", _day(3, "")),
    _rule("后天", _day(2, "")),
    _rule("明天|明早|明晚", _day(1, "")),
    _rule("前天", _day(-2, "")),
    _rule("昨天|昨晚|昨日", _day(-1, "")),
    _rule("今天|今早|今晚|今日", _day(0, "")),
    _rule(
        "(?P<n>[0-9]+|十[一二]?|[一二两三四五六七八九])(?P<unit>天|周|个?星期|个?礼拜|个月|年)(?:以|之)?前",
        _ago(-1),
    ),
    _rule(
        "(?P<n>[0-9]+|十[一二]?|[一二两三四五六七八九])(?P<unit>天|周|个?星期|个?礼拜|个月|年)(?:以|之)?后",
        _ago(1),
    ),
    _rule(f"下(?:个)?(?:周|星期|礼拜){_ZH_DAY}", _cjk_weekday("next", "周")),
    _rule(f"上(?:个)?(?:周|星期|礼拜){_ZH_DAY}", _cjk_weekday("last", "周")),
    _rule(f"(?:这|本)(?:个)?(?:周|星期|礼拜){_ZH_DAY}", _cjk_weekday("this", "周")),
    _rule("下(?:个)?(?P<unit>周|星期|月)", _period(1, "")),
    _rule("上(?:个)?(?P<unit>周|星期|月)", _period(-1, "")),
    _rule("这个(?P<unit>周|星期|月)|本(?P<unit>周|月)", _period(0, "")),
    _rule("明(?P<unit>年)", _period(1, "")),
    _rule("去(?P<unit>年)", _period(-1, "")),
    _rule("今(?P<unit>年)", _period(0, "")),
)

GERMAN = (
    _rule(rf"{_PREPOSITIONS}\bvorgestern\b", _day(-2, "am")),
    _rule(rf"{_PREPOSITIONS}\bgestern\b", _day(-1, "am")),
    _rule(rf"{_PREPOSITIONS}\bübermorgen\b", _day(2, "am")),
    _rule(rf"{_PREPOSITIONS}\bheute\b", _day(0, "am")),
    _rule(rf"\bvor (?P<n>\d+|{_N}) (?P<unit>Tage?n?|Wochen?|Monate?n?|Jahre?n?)\b", _ago(-1)),
    _rule(rf"\bin (?P<n>\d+|{_N}) (?P<unit>Tage?n?|Wochen?|Monate?n?|Jahre?n?)\b", _ago(1)),
    _rule(r"\bnächste[nrs]? (?P<unit>woche|monat|jahr)\b", _period(1, "Woche vom ")),
    _rule(r"\b(?:letzte[nrs]?|vorige[nrs]?) (?P<unit>woche|monat|jahr)\b", _period(-1, "Woche vom ")),
    _rule(rf"{_PREPOSITIONS}\b(?:nächsten|kommenden) {_DE_DAY}\b", _weekday("next", "am")),
    _rule(rf"(?P<prep>\b(?:am|bis|ab|seit)\s+){_DE_DAY}\b", _weekday("", "am"), bare=True),
)

JAPANESE = (
    _rule("明後日|あさって", _day(2, "")),
    _rule("明日", _day(1, "")),
    _rule("一昨日|おととい", _day(-2, "")),
    _rule("昨日", _day(-1, "")),
    _rule("今日|本日", _day(0, "")),
    _rule("来週の?(?P<day>[月火水木金土日])(?:曜日?)?", _cjk_weekday("next", "")),
)

RULES = {"en": ENGLISH, "es": SPANISH, "zh": CHINESE, "de": GERMAN, "ja": JAPANESE}


def anchor_dates(
    text: str, today: date, language: str, *, past: bool = False, bare_weekdays: bool = True
) -> Anchored:
    """The text with its relative dates written out; `past` tells what a bare weekday means, if it means a date."""
    dates: list[date] = []
    for rule in RULES.get(language, ()):
        if rule.bare and not bare_weekdays:
            continue

        def replace(match: Match, rule: DateRule = rule) -> str:
            if _WRITTEN_OUT.match(match.string, match.end()):
                return match.group()
            written, day = rule.write(match, today, past)
            dates.append(day)
            return written

        text = rule.pattern.sub(replace, text)
    return Anchored(_wide_brackets(text) if is_cjk(language) else text, tuple(dates))


def _wide_brackets(text: str) -> str:
    return _BRACKETED.sub(lambda match: f"（{match[2]}{'起的一周' if match[1] else ''}）", text)


_WRITTEN_OUT = regex.compile(r"\s*[（(](?:week of |semana del |Woche vom )?\d{4}")
_BRACKETED = regex.compile(r" \((week of )?(\d{4}[-\d]*)\)")
_ISO = regex.compile(r"(?<!as of )\b(\d{4})-(\d{2})-(\d{2})\b", regex.IGNORECASE)


def latest_date(text: str) -> date | None:
    """The latest ISO date the text names, its own anchor left out."""
    found = []
    for year, month, day in _ISO.findall(text):
        try:
            found.append(date(int(year), int(month), int(day)))
        except ValueError:
            continue
    return max(found, default=None)
