"""The night band: 24 hours as a strip, with the night dark and what happened marked on it. Places are in per cent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

NIGHT_STARTS = 22
NIGHT_LASTS = timedelta(hours=8)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on the strip."""

    place: float
    label: str = ""
    by_night: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """One strip, ready to be drawn."""

    now: float
    night: float
    night_width: float
    now_by_night: bool
    hours: list[Tick] = field(default_factory=list)
    acts: list[Tick] = field(default_factory=list)
    dreams: list[Tick] = field(default_factory=list)
    due: Tick | None = None


def day_band(
    now: datetime,
    *,
    acts: Iterable[datetime] = (),
    dreams: Iterable[datetime] = (),
    due: datetime | None = None,
    starts: int = 18,
) -> Band:
    """The 24 hours around a local moment, beginning at the last `starts` o'clock."""
    start = now.replace(hour=starts, minute=0, second=0, microsecond=0)
    if start > now:
        start -= DAY
    night = start.replace(hour=NIGHT_STARTS)
    return Band(
        now=_place(now, start),
        night=_place(night, start),
        night_width=100 * (NIGHT_LASTS / DAY),
        now_by_night=night <= now < night + NIGHT_LASTS,
        hours=[Tick(_place(hour, start), f"{hour:%H:%M}") for hour in _hours(start)],
        acts=_ticks(acts, start, night),
        dreams=_ticks(dreams, start, night),
        due=next(iter(_ticks([due] if due else [], start, night)), None),
    )


def _hours(start: datetime) -> list[datetime]:
    return [start + timedelta(hours=hours) for hours in range(0, 24, 3)]


def _ticks(moments: Iterable[datetime], start: datetime, night: datetime) -> list[Tick]:
    inside = (moment.astimezone(start.tzinfo) for moment in moments)
    return [
        Tick(_place(moment, start), f"{moment:%H:%M}", by_night=night <= moment < night + NIGHT_LASTS)
        for moment in inside
        if start <= moment < start + DAY
    ]


def _place(moment: datetime, start: datetime) -> float:
    return round(100 * ((moment - start) / DAY), 2)
