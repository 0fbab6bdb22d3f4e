"""Times that texts and questions name, in three languages."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.retrieval.times import event_interval, find_times
from tests.conftest import Person

TUESDAY = datetime(2026, 7, 14, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 2026-05-09", "2026-05-09", "2026-05-09"),
        ("on 9 November, 2025", "2025-11-09", "2025-11-09"),
        ("November 9th, 2025", "2025-11-09", "2025-11-09"),
        ("Nov 2025", "2025-11-01", "2025-11-30"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("between August 11 and August 15 2025", "2025-08-11", "2025-08-15"),
        ("yesterday", "2026-07-13", "2026-07-13"),
        ("the day before yesterday", "2026-07-12", "2026-07-12"),
        ("last Friday", "2026-07-10", "2026-07-10"),
        ("next Friday", "2026-07-17", "2026-07-17"),
        ("last week", "2026-07-06", "2026-07-12"),
        ("last weekend", "2026-07-11", "2026-07-12"),
        ("three days ago", "2026-07-11", "2026-07-11"),
        ("two weeks ago", "2026-06-27", "2026-07-03"),
        ("last month", "2026-06-01", "2026-06-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("in 3 days", "2026-07-17", "2026-07-17"),
        ("el 3 de mayo de 2026", "2026-05-03", "2026-05-03"),
        ("anteayer", "2026-07-12", "2026-07-12"),
        ("el viernes pasado", "2026-07-10", "2026-07-10"),
        ("la semana pasada", "2026-07-06", "2026-07-12"),
        ("hace dos días", "2026-07-12", "2026-07-12"),
        ("el mes que viene", "2026-08-01", "2026-08-31"),
        ("2026年5月3日", "2026-05-03", "2026-05-03"),
        ("前天", "2026-07-12", "2026-07-12"),
        ("上周五", "2026-07-10", "2026-07-10"),
        ("三天前", "2026-07-11", "2026-07-11"),
        ("上个月", "2026-06-01", "2026-06-30"),
        ("去年", "2025-01-01", "2025-12-31"),
    ],
)
def test_a_named_time_is_its_days(text: str, first: str, last: str) -> None:
    (found,) = find_times(f"We met {text}." if text.isascii() else text, TUESDAY)
    assert (found.first, found.last) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "you may march on",
        "room 1999a",
        "it costs $2000",
        "version 2.2024",
        "call 555-2024-1",
        "on 31 February",
        "mañana por la mañana"[10:],
        "9999999 years ago",
    ],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert find_times(text, TUESDAY) == []


def test_without_a_year_any_year_will_do() -> None:
    (found,) = find_times("on the 3rd of May", TUESDAY)
    assert found.every_year
    assert found.meets(date(2019, 5, 3), date(2019, 5, 3))
    assert not found.meets(date(2019, 5, 4), date(2019, 5, 4))
    (leap,) = find_times("February 29", TUESDAY)
    assert leap.meets(date(2023, 2, 28), date(2023, 2, 28))


def test_an_event_is_dated_where_it_was_told() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    late = datetime(2026, 7, 14, 20, tzinfo=UTC)  # already the 15th in Tokyo
    assert event_interval("yesterday we moved", late, tokyo) == (
        datetime(2026, 7, 14, tzinfo=tokyo),
        datetime(2026, 7, 15, tzinfo=tokyo),
    )
    assert event_interval("we moved", late, tokyo) is None


def test_times_far_apart_mean_the_first() -> None:
    first, last = event_interval("born in May 1990, moved here last week", TUESDAY) or (None, None)
    assert first == datetime(1990, 5, 1, tzinfo=UTC)
    assert last == datetime(1990, 6, 1, tzinfo=UTC)


@pytest.mark.django_db
def test_when_something_was_known_is_not_when_it_takes_place(alice: Person) -> None:
    texts = (
        "As of 2026-11-30, the catalogue goes to print on 15 January 2027",
        "Password was configured (as of 2026-11-30)",
    )
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    dated, undated = (add_fact(**who, new=NewFact(text=text)).fact for text in texts)
    assert dated.event_from is not None
    assert dated.event_from.date() == date(2027, 1, 15)
    assert undated.event_from is None
