"""“Why not this one?”: the checks in the order of the engine, ending where the fact dropped out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from memoryapp.dashboard.recall.showing import Ordered, Row, Shown
from memoryapp.exceptions import NotFound
from memoryapp.models import Agent, Fact
from memoryapp.retrieval.absence import FILTER, Check, Checked, check_fact
from memoryapp.retrieval.filters import parse_filter
from memoryapp.retrieval.sources import Reading
from tenants.principals import Principal

CHOICES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the list: a check that was passed, or the one where the fact stopped."""

    passed: bool
    says: str
    detail: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer for one fact, or the facts among which to choose."""

    fact: Fact | None = None
    answers: tuple[Answer, ...] = ()
    choices: tuple[Fact, ...] = ()
    is_unknown: bool = False


def find_facts(principal: Principal, agent: Agent, wanted: str) -> list[Fact]:
    """The facts somebody may mean by an id or by some of their words."""
    rows: Any = Fact.objects.visible_to(principal).for_agent(agent).exclude(status=Fact.Status.FORGOTTEN)
    try:
        chosen = rows.filter(pk=UUID(wanted))
    except ValueError:
        chosen = rows.filter(text__icontains=wanted).order_by("-pk")
    return list(chosen[:CHOICES_SHOWN])


def explain_absence(
    wanted: str, reading: Reading, given: object, ordered: Ordered, shown: Shown, limit: int
) -> WhyNot:
    """Why the fact that somebody names is or is not among the results; inside the workspace's scope."""
    facts = find_facts(reading.principal, reading.agent, wanted)
    if len(facts) != 1:
        return WhyNot(choices=tuple(facts), is_unknown=not facts)
    try:
        checked = check_fact(facts[0].pk, reading, given, ordered.trace.model)
    except NotFound:
        return WhyNot(is_unknown=True)
    answers = [Answer(True, _("The reader may see it."))]
    for check in checked.checks:
        answers.append(_told(check, checked.fact))
        if not check.passed:
            return WhyNot(checked.fact, tuple(answers))
    return WhyNot(checked.fact, (*answers, *_rank(checked, ordered, shown, limit)))


def reading_of(principal: Principal, agent: Agent, given: object, moment: datetime) -> Reading:
    """The reading of a search as the debugger runs it."""
    return Reading(principal, agent, parse_filter(given), moment)


def _told(check: Check, fact: Fact) -> Answer:
    passed, stopped = {
        "status": (_("It is active."), _status(fact)),
        "valid": (_("It holds at that time."), _("It ended")),
        "session": (_("It is not bound to one conversation."), _("It belongs to one conversation only.")),
        "expiry": (_("It has not expired."), _("It expired")),
        FILTER: (_("It passes the filter:"), _("The filter leaves it out:")),
    }[check.name]
    ends = {"status": fact.valid_to, "valid": fact.valid_to, "expiry": fact.expires_at}
    at = None if check.passed else ends.get(check.name)
    return Answer(check.passed, passed if check.passed else stopped, check.says, at)


def _status(fact: Fact) -> str:
    return {
        Fact.Status.PENDING.value: _("It waits for review."),
        Fact.Status.SUPERSEDED.value: _("It was superseded"),
        Fact.Status.MERGED.value: _("It was merged into another fact"),
    }.get(fact.status, _("It is not active."))


def _rank(checked: Checked, ordered: Ordered, shown: Shown, limit: int) -> list[Answer]:
    """How far a readable fact came: no hit of any arm, ranked too low, below the least score, or a result."""
    key = str(checked.fact.pk)
    if key not in ordered.by_id:
        return [*_arms_without(checked, ordered, key)]
    place = shown.places[key]
    row = next((row for row in [*shown.results, *shown.below] if row.id == key), None)
    total = _("Its sum is %(sum).2f.") % {"sum": ordered.by_id[key].score}
    if row in shown.results:
        return [Answer(True, _("It is result %(place)d.") % {"place": place}, total)]
    if row is not None:
        says = _("Its score %(score).2f is below the minimum that was asked for.") % {
            "score": row.score or 0.0
        }
        return [Answer(False, says, total)]
    if key in ordered.trace.repeats:
        return [Answer(False, _("A better one says the same, so it comes after all others."), total)]
    says = _("It ranks %(place)d, and %(limit)d were asked for.") % {"place": place, "limit": limit}
    return [Answer(False, says, f"{total} {_last(shown.results)}".strip())]


def _last(results: list[Row]) -> str:
    return _("The last result has %(sum).2f.") % {"sum": results[-1].total} if results else ""


def _arms_without(checked: Checked, ordered: Ordered, key: str) -> list[Answer]:
    hit = ordered.words.get(key)
    words = (
        _("By its words it ranks %(place)d.") % {"place": hit[0]}
        if hit
        else _("It has none of the question’s words.")
    )
    if ordered.trace.asked is None:
        meaning = _("Meaning was not compared: the embedder is not answering.")
    elif not checked.has_vector:
        meaning = _("It has no vector yet, so its meaning could not be compared.")
    else:
        meaning = _("%(count)d others are nearer in meaning or wording.") % {"count": len(ordered.candidates)}
    return [Answer(bool(hit), words), Answer(False, meaning)]
