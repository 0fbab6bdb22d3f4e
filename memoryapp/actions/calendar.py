"""When something set in local time is due, whatever that zone does with its clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from croniter import croniter


def next_run(cron: str, zone: ZoneInfo, after: datetime) -> datetime:
    """The first moment after the given one at which the zone's clocks show the cron time.

    A time that a day skips is taken when the clocks have moved on; one that a day has twice, the first time only.
    """
    times = croniter(cron, after.astimezone(zone).replace(tzinfo=None))
    while True:
        moment = in_zone(times.get_next(datetime), zone)
        if moment > after:
            return moment


def last_run(cron: str, zone: ZoneInfo, until: datetime) -> datetime:
    """The last moment up to the given one at which the zone's clocks showed the cron time."""
    local = until.astimezone(zone).replace(tzinfo=None) + timedelta(minutes=1)
    times = croniter(cron, local)
    while True:
        moment = in_zone(times.get_prev(datetime), zone)
        if moment <= until:
            return moment


def in_zone(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment at which the zone's clocks show a time, in UTC."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def slot_of(moment: datetime, zone: ZoneInfo) -> str:
    """The name of a run: the local time it was set for, which a clock shows once."""
    return f"{moment.astimezone(zone):%Y-%m-%dT%H:%M}"
