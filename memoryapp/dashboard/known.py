"""What is known at a glance: by category, by trust, and what is about to fall out of use."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from memoryapp.dashboard.charts import Bar, bars, columns
from memoryapp.dashboard.newest import NEWEST_FIRST, Newest, places
from memoryapp.dashboard.tags import FADING_BELOW, LOW_TRUST
from memoryapp.dashboard.trust import TrustNow
from memoryapp.models import Agent
from memoryapp.retrieval.statements import Piece, fetch
from memoryapp.wording import say
from tenants.principals import Principal

CATEGORIES_SHOWN = 5
FADING_SHOWN = 3
# More would only make the same shape more slowly; the pages say that it is that of the newest.
MOST_CHARTED = 10_000

COUNTED = """
SELECT category, least(floor(now * 10), 9)::int AS tenth, count(*),
  count(*) FILTER (WHERE now < %s), count(*) FILTER (WHERE NOT pinned AND now >= %s AND now < %s)
FROM ({newest}) AS newest GROUP BY category, tenth
"""
FIRST_TO_FADE = """
SELECT pk, text, now FROM ({newest}) AS newest WHERE NOT pinned AND now >= %s AND now < %s
ORDER BY now, pk LIMIT %s
"""


class Share(NamedTuple):
    """How many facts of one category have a trust in one tenth, and how many of these are low or fading."""

    category: str
    tenth: int
    amount: int
    low: int
    fading: int


def what_is_known(principal: Principal, agent: Agent) -> dict[str, Any]:
    """The newest facts one can see by category and by trust, counted by the database, and those that fade first."""
    newest, parameters = _newest(principal, agent)
    fades = (LOW_TRUST, FADING_BELOW)
    counted = fetch(COUNTED.format(newest=newest), [LOW_TRUST, *fades, *parameters])
    shares = [Share(*row) for row in counted]
    fading = sum(share.fading for share in shares)
    first = FIRST_TO_FADE.format(newest=newest)
    total = sum(share.amount for share in shares)
    return {
        "charted": True,
        "categories": _by_category(_summed((share.category, share.amount) for share in shares)),
        "trust": _histogram(_summed((share.tenth, share.amount) for share in shares)),
        "fading": fetch(first, [*parameters, *fades, FADING_SHOWN]) if fading else [],
        "amounts": {"all": total, "fading": fading, "low": sum(share.low for share in shares)},
        "charted_newest": total if total == MOST_CHARTED else None,
    }


def current_facts(principal: Principal, agent: Agent) -> Newest:
    """The facts one can see that an answer may use."""
    return Newest.of(rows.current() for rows in places(principal, agent).values())


def _newest(principal: Principal, agent: Agent) -> Piece:
    """The statement over the facts that are charted."""
    current = Newest.of(rows.annotate(now=TrustNow()) for rows in current_facts(principal, agent).parts)
    merged = current.merged(MOST_CHARTED, NEWEST_FIRST, "category", "pinned", "now", "text")
    sql, parameters = merged.query.sql_with_params()
    return sql, tuple(parameters)


def _summed(pairs: Any) -> Counter[Any]:
    """The amounts of equal keys added up."""
    amounts: Counter[Any] = Counter()
    for key, amount in pairs:
        amounts[key] += amount
    return amounts


def _by_category(counts: Counter[str]) -> list[Bar]:
    """The largest categories, then all the others together."""
    most = counts.most_common(CATEGORIES_SHOWN)
    named = {(say(name.capitalize()) or _("No category")): count for name, count in most}
    others = {_("Others"): left} if (left := counts.total() - sum(named.values())) else {}
    return sorted(bars({**named, **others}), key=lambda bar: bar.label in others)


def _histogram(tenths: Counter[int]) -> list[Bar]:
    return columns([tenths[place] for place in range(10)], [f"{place / 10:.1f}" for place in range(10)])
