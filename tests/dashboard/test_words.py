"""Times in words, the night band, trust in words, and Markdown made safe."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from memoryapp.dashboard import dates
from memoryapp.dashboard.bands import day_band
from memoryapp.dashboard.diffs import weave_words
from memoryapp.dashboard.markup import markdown_to_html, markdown_to_line
from memoryapp.dashboard.tags import initials, kilo, thousands, when, with_masks

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 8, 3, 9, 0, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("utc", "said"),
    [("2026-08-02T15:30:00+00:00", "2 August 23:30"), ("2026-08-02T16:30:00+00:00", "3 August 00:30")],
)
def test_times_are_said_in_the_readers_zone(utc: str, said: str) -> None:
    with time_machine.travel(NOW), timezone.override(SHANGHAI):
        moment = datetime.fromisoformat(utc)
        assert dates.say_moment(moment) == said
        assert f'datetime="{utc}"' in when(moment, "moment")
        assert "CST" in when(moment, "moment")


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=1, seconds=5), "1 minute ago"),
        (timedelta(minutes=4), "4 minutes ago"),
        (timedelta(hours=2), "today 07:00"),
        (timedelta(hours=10), "yesterday 23:00"),
        (timedelta(days=60), "4 June"),
        (timedelta(days=400), "29 June 2025"),
    ],
)
def test_the_past_is_relative_within_a_day(ago: timedelta, said: str) -> None:
    with time_machine.travel(NOW), timezone.override(SHANGHAI):
        assert dates.say_when(timezone.now() - ago) == said


@pytest.mark.parametrize(("hours", "said"), [(1, "today"), (10, "yesterday"), (40, "1 August")])
def test_days_are_named(hours: int, said: str) -> None:
    with time_machine.travel(NOW), timezone.override(SHANGHAI):
        assert dates.say_day(timezone.now() - timedelta(hours=hours)) == said


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(seconds=3), "now"),
        (timedelta(minutes=12, seconds=1), "in 12 minutes"),
        (timedelta(hours=3, seconds=1), "in 3 hours"),
        (timedelta(days=5, hours=23), "in 6 days"),
        (timedelta(days=90), "1 November"),
    ],
)
def test_the_future_is_counted_down(left: timedelta, said: str) -> None:
    with time_machine.travel(NOW, tick=False), timezone.override(SHANGHAI):
        assert dates.say_until(timezone.now() + left) == said


def test_the_band_holds_the_night_and_what_happened_in_it() -> None:
    now = datetime(2026, 6, 11, 8, 42, tzinfo=ZoneInfo("Europe/Amsterdam"))
    band = day_band(now, acts=[now - timedelta(hours=1), now - timedelta(hours=6), now - timedelta(days=2)])
    assert (band.night, round(band.night_width, 2)) == (16.67, 33.33)
    assert not band.now_by_night
    assert [(act.label, act.by_night) for act in band.acts] == [("07:42", False), ("02:42", True)]
    assert [hour.label for hour in band.hours][:3] == ["18:00", "21:00", "00:00"]


def test_the_band_follows_the_clock_when_it_changes() -> None:
    """On the last Sunday of October the night has an hour more; the band still ends where the day does."""
    now = datetime(2026, 10, 25, 12, 0, tzinfo=ZoneInfo("Europe/Amsterdam"))
    assert day_band(now).now == 75.0


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Mei Lin", "ML"),
        ("王建国", "王"),
        ("mei.lin@harbour.example", "ML"),
        ("joost", "J"),
        ("", "?"),
        ("…", "?"),
    ],
)
def test_tiles_have_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_a_masked_credential_is_drawn_as_dots_and_the_rest_escaped() -> None:
    html = with_masks("It is [masked], <b>really</b>.")
    assert "It is <span" in html
    assert "••••" in html
    assert "&lt;b&gt;really" in html


def test_numbers_are_grouped() -> None:
    assert (thousands(12480), thousands(None), kilo(961), kilo(1100)) == ("12,480", "0", "961", "1.1 k")


@pytest.mark.parametrize(
    "payload",
    [
        "<img src=x onerror=window.__x=1>",
        "[a](javascript:window.__x=1)",
        "<svg/onload=window.__x=1>",
        "</script><script>window.__x=1</script>",
        "[a](data:text/html,<script>window.__x=1</script>)",
        "![a](https://tracker.example/x.png)",
    ],
)
def test_markdown_lets_nothing_run_or_load(payload: str) -> None:
    html = markdown_to_html(f"Before {payload} after")
    assert "<img" not in html
    assert "<svg" not in html
    assert "<script" not in html
    assert "href" not in html


def test_markdown_keeps_web_links_and_moves_headings_below_the_pages_own() -> None:
    html = markdown_to_html(
        "# Title\n\n[site](https://example.org) [mail](mailto:a@example.org) [in](/sign-out/)"
    )
    assert "<h3>Title</h3>" in html
    assert 'href="https://example.org"' in html
    assert 'href="mailto:a@example.org"' in html
    assert "/sign-out/" not in html


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("## Rules\n\n- One summary\n- In English\n", "Rules: One summary; In English"),
        ("- # is a hash", "- # is a hash"),
        ("# 2026-11-30\n1. First", "2026-11-30: First"),
        ("#\n", "#\n"),
    ],
)
def test_several_lines_are_told_as_one(text: str, line: str) -> None:
    assert markdown_to_line(text) == line


def test_a_change_is_told_where_it_happened() -> None:
    told = weave_words("User runs operations in Rotterdam", "User runs operations in Antwerp")
    assert [(strand.kind, strand.text) for strand in told] == [
        ("same", "User runs operations in "),
        ("removed", "Rotterdam"),
        ("added", "Antwerp"),
    ]
    assert [strand.kind for strand in weave_words("One thing", "什么都不同")] == ["removed", "same", "added"]
