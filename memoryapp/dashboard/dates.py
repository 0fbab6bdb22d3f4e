"""Times in words: relative within a day, then the date; the exact time always goes with them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def say_when(moment: datetime) -> str:
    """A past moment: “4 minutes ago”, “today 07:55”, “yesterday 18:06”, “9 June”, “9 June 2024”."""
    local, now = timezone.localtime(moment), timezone.localtime()
    ago = now - local
    if timedelta(0) <= ago < MINUTE:
        return gettext("just now")
    if timedelta(0) <= ago < HOUR:
        minutes = ago // MINUTE
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", minutes) % {"count": minutes}
    clock = f"{local:%H:%M}"
    if local.date() == now.date():
        return gettext("today %(clock)s") % {"clock": clock}
    if local.date() == now.date() - DAY:
        return gettext("yesterday %(clock)s") % {"clock": clock}
    return say_date(moment)


def say_date(moment: datetime) -> str:
    """“9 June”, with the year when it is not this one."""
    return say_calendar_day(timezone.localtime(moment).date())


def say_calendar_day(day: date) -> str:
    """The same of a day that no zone moves."""
    this_year = day.year == timezone.localdate().year
    return date_format(day, pgettext("date", "j F") if this_year else pgettext("date", "j F Y"))


def say_day(moment: datetime) -> str:
    """“today”, “yesterday”, then the date."""
    local, today = timezone.localtime(moment).date(), timezone.localdate()
    if local == today:
        return gettext("today")
    return gettext("yesterday") if local == today - DAY else say_date(moment)


def say_moment(moment: datetime) -> str:
    """“2 August 23:30”."""
    return f"{say_date(moment)} {timezone.localtime(moment):%H:%M}"


def say_clock(moment: datetime) -> str:
    """“23:30”, for a moment known to be near."""
    return f"{timezone.localtime(moment):%H:%M}"


def say_until(moment: datetime) -> str:
    """A coming moment: “in 12 minutes”, “in 3 hours”, “in 6 days”, then the date."""
    left = moment - timezone.now()
    if left < MINUTE:
        return gettext("now")
    if left < HOUR:
        minutes = left // MINUTE
        return ngettext("in %(count)d minute", "in %(count)d minutes", minutes) % {"count": minutes}
    if left < DAY:
        hours = left // HOUR
        return ngettext("in %(count)d hour", "in %(count)d hours", hours) % {"count": hours}
    days = -(-left // DAY)
    return (
        ngettext("in %(count)d day", "in %(count)d days", days) % {"count": days}
        if days < 30
        else say_date(moment)
    )


def say_exactly(moment: datetime) -> str:
    """Date, time and zone, for the tooltip."""
    local = timezone.localtime(moment)
    day = date_format(local, pgettext("date", "l j F Y"))
    return f"{day} {local:%H:%M:%S} {local.tzname()}"


def say_weekday(moment: datetime) -> str:
    """“Tuesday 9 June”."""
    return date_format(timezone.localtime(moment), pgettext("date", "l j F"))
