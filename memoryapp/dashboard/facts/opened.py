"""The opened row of a fact: where it comes from, how it changed, how far it is trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memoryapp.dashboard.charts import TRACE_HEIGHT, trace
from memoryapp.dashboard.diffs import Strand, weave_words
from memoryapp.dashboard.tags import LOW_TRUST
from memoryapp.models import Fact, FactRevision, FactSource
from memoryapp.models.facts import TRUST_START
from tenants.principals import Principal

AROUND = 140
# The curve shows half a year from the last confirmation, and always two months ahead.
SHOWN, AHEAD = timedelta(days=180), timedelta(days=60)
POINTS = 46
OPERATION_WORDS = {
    "ADD": _("Added"),
    "UPDATE": _("Changed"),
    "MERGE": _("Merged"),
    "SUPERSEDE": _("Superseded"),
    "DELETE": _("Forgotten"),
    "RESTORE": _("Restored"),
}
ORIGIN_WORDS = {
    "chat": _("from a chat"),
    "tool": _("from a tool"),
    "api": _("through the API"),
    "import": _("with an import"),
    "projection": _("from a file"),
    "dream": _("by a dream"),
    "dashboard": _("in the dashboard"),
}


@dataclass(frozen=True, slots=True)
class Quote:
    """Some words of a message or a file that became the fact, with the words around them."""

    source: FactSource
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class Step:
    """One change in a fact's life."""

    revision: FactRevision
    by_you: bool
    change: tuple[Strand, ...] = ()

    @property
    def word(self) -> str:
        return str(OPERATION_WORDS.get(self.revision.operation, self.revision.operation))

    @property
    def origin(self) -> str:
        return str(ORIGIN_WORDS.get(self.revision.origin, self.revision.origin))


@dataclass(frozen=True, slots=True)
class TrustCurve:
    """Trust from the last confirmation on, as it will be unless somebody says something; places in the chart's box."""

    points: str
    now: str
    low: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class TrustSum:
    """The sum that makes a fact's trust."""

    start: float
    helpful: float
    unhelpful: float
    age_factor: float
    cap: float
    total: float
    falls_on: datetime | None
    curve: TrustCurve


@dataclass(frozen=True, slots=True)
class OpenedFact:
    """The three answers of an opened row."""

    quotes: list[Quote]
    steps: list[Step]
    trust: TrustSum
    origin: str


def open_fact(principal: Principal, fact: Fact) -> OpenedFact:
    """Everything the opened row shows, in two queries."""
    sources = (
        FactSource.objects.visible_to(principal)
        .filter(fact=fact)
        .select_related("message__conversation", "section__file")
    )
    revisions = FactRevision.objects.visible_to(principal).filter(fact_id=fact.pk).order_by("-created_at")
    return OpenedFact(
        quotes=[_quote(source) for source in sources],
        steps=[_step(principal, revision) for revision in revisions[:20]],
        trust=explain_trust(fact),
        origin=str(ORIGIN_WORDS.get(fact.origin, fact.origin)),
    )


def _quote(source: FactSource) -> Quote:
    text = source.message.text if source.message else (source.section.text if source.section else "")
    start, end = min(source.start, len(text)), min(source.end, len(text))
    if end <= start:
        return Quote(source, "", "", _clip_end(text, 2 * AROUND))
    return Quote(source, _clip_start(text[:start], AROUND), text[start:end], _clip_end(text[end:], AROUND))


def _clip_start(text: str, length: int) -> str:
    return text if len(text) <= length else "…" + text[-length:]


def _clip_end(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "…"


def _step(principal: Principal, revision: FactRevision) -> Step:
    before, after = _text_of(revision.before), _text_of(revision.after)
    by_you = revision.actor == principal.actor
    if not before or not after or before == after:
        return Step(revision, by_you)
    return Step(revision, by_you, weave_words(before, after))


def _text_of(snapshot: Any) -> str:
    return str(snapshot.get("text", "")) if isinstance(snapshot, dict) else ""


def explain_trust(fact: Fact) -> TrustSum:
    """The parts of a fact's trust, and the day on which it would fall below what is used."""
    helpful, unhelpful = 0.1 * fact.helpful_count, -0.2 * fact.unhelpful_count
    base = min(max(TRUST_START + helpful + unhelpful, 0.0), 1.0)
    half_life = settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS
    days = max((timezone.now() - fact.confirmed_at).total_seconds() / 86400, 0.0)
    decays = bool(half_life) and not fact.pinned
    falls_on = None
    if half_life and base > LOW_TRUST:
        falls_on = fact.confirmed_at + timedelta(days=half_life * math.log2(base / LOW_TRUST))
    return TrustSum(
        start=TRUST_START,
        helpful=helpful,
        unhelpful=unhelpful,
        age_factor=2.0 ** (-days / half_life) if decays else 1.0,
        cap=Fact.SOURCE_TRUST[fact.attributed_to],
        total=fact.trust,
        falls_on=falls_on,
        curve=_curve(fact),
    )


def _curve(fact: Fact) -> TrustCurve:
    now, since = timezone.now(), fact.confirmed_at
    until = max(since + SHOWN, now + AHEAD)
    moments = [since + (until - since) * number / (POINTS - 1) for number in range(POINTS)]
    return TrustCurve(
        points=trace([fact.trust_at(moment) for moment in moments]),
        now=f"{100 * max((now - since) / (until - since), 0.0):.2f}",
        low=f"{TRACE_HEIGHT * (1 - LOW_TRUST):.2f}",
        since=since,
        until=until,
    )
