"""Relative dates written out."""

from __future__ import annotations

from datetime import date

import pytest

from memoryapp.llm.language.dates import anchor_dates, latest_date, shift

WEDNESDAY = date(2026, 5, 13)


@pytest.mark.parametrize(
    ("language", "said", "written"),
    [
        ("en", "We finished it yesterday", "We finished it on 2026-05-12"),
        ("en", "The audit is next Friday", "The audit is on Friday 2026-05-22"),
        ("en", "in by Monday.", "in by Monday 2026-05-18."),
        ("en", "starting tomorrow", "starting 2026-05-14"),
        ("en", "in two weeks", "in two weeks (2026-05-27)"),
        ("en", "three days ago", "three days ago (2026-05-10)"),
        ("en", "From next month on", "From next month (2026-06) on"),
        ("en", "since last year", "since last year (2025)"),
        ("en", "last week", "last week (week of 2026-05-04)"),
        ("en", "every Monday and on Mondays", "every Monday and on Mondays"),
        ("en", "next month (2026-06)", "next month (2026-06)"),
        ("es", "Ayer terminó", "el 2026-05-12 terminó"),
        ("es", "la reunión es mañana", "la reunión es el 2026-05-14"),
        ("es", "por la mañana", "por la mañana"),
        ("es", "el viernes que viene", "el viernes 2026-05-22"),
        ("es", "la semana pasada", "la semana pasada (semana del 2026-05-04)"),
        ("zh", "我下周三去拉萨", "我2026-05-20（周三）去拉萨"),
        ("zh", "我上个月搬了", "我上个月（2026-04）搬了"),
        ("zh", "三天前完成", "三天前（2026-05-10）完成"),
        ("de", "seit gestern", "seit 2026-05-12"),
        ("de", "in drei Wochen", "in drei Wochen (2026-06-03)"),
        ("ja", "明日出発", "2026-05-14出発"),
        ("fi", "huomenna", "huomenna"),
    ],
)
def test_dates_are_written_out(language: str, said: str, written: str) -> None:
    assert anchor_dates(said, WEDNESDAY, language).text == written


def test_a_bare_weekday_lies_where_the_tense_says() -> None:
    assert anchor_dates("on Monday", WEDNESDAY, "en").dates == (date(2026, 5, 18),)
    assert anchor_dates("on Monday", WEDNESDAY, "en", past=True).dates == (date(2026, 5, 11),)
    assert anchor_dates("on Monday", WEDNESDAY, "en", bare_weekdays=False).dates == ()


def test_months_end_where_they_end() -> None:
    assert shift(date(2026, 1, 31), 1, "month") == date(2026, 2, 28)
    assert shift(date(2024, 2, 29), 1, "year") == date(2025, 2, 28)


def test_the_latest_date_named() -> None:
    assert latest_date("As of 2026-12-24, due on 2026-06-15, begun 2026-01-02") == date(2026, 6, 15)
    assert latest_date("on 2026-13-45") is None
