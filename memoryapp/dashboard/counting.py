"""Counts that stay cheap on a hundred thousand rows: exact up to a limit, “more than” beyond it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

MOST_COUNTED = 10_000


def count_up_to_limit(rows: Any) -> int:
    """How many rows there are; one more than the limit stands for any number above it."""
    count: int = rows.order_by().values("pk")[: MOST_COUNTED + 1].count()
    return count


def say_count(count: int | None) -> str:
    """The count with its thousands grouped, “10,000+” beyond the limit."""
    return f"{MOST_COUNTED:,}+" if (count or 0) > MOST_COUNTED else f"{count or 0:,}"


def say_place(first: int, last: int, count: int) -> str:
    """Where a page stands in its list; beyond what is counted nobody knows exactly."""
    if first > MOST_COUNTED:
        return _("beyond the first %(limit)s") % {"limit": f"{MOST_COUNTED:,}"}
    place = {"first": f"{first:,}", "last": f"{last:,}", "count": say_count(count)}
    return _("%(first)s to %(last)s of %(count)s") % place
