"""The timeline: the dreams of one night together, quiet nights folded, months that were archived at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memoryapp.dashboard.dates import say_clock, say_weekday
from memoryapp.dashboard.pages import Visit
from memoryapp.models import Dream, DreamArchive
from tenants.scoping import Scope

SHOWN = 40
KIND_WORDS = {
    Dream.Kind.NIGHTLY.value: gettext_lazy("Nightly"),
    Dream.Kind.MANUAL.value: gettext_lazy("By hand"),
    Dream.Kind.FOCUSED.value: gettext_lazy("Focused"),
    Dream.Kind.CONSOLIDATION.value: gettext_lazy("Consolidation"),
}
KIND_ICONS = {"nightly": "moon", "manual": "moon", "focused": "target", "consolidation": "git-merge"}
BY_ITSELF = (Dream.Kind.NIGHTLY, Dream.Kind.CONSOLIDATION)
CHANGES = ("promoted", "merged", "superseded", "dropped")


@dataclass(frozen=True, slots=True)
class Night:
    """The dreams that one run made: of the shared memory and of one's own."""

    dreams: tuple[Dream, ...]

    @property
    def first(self) -> Dream:
        return self.dreams[0]

    @property
    def counts(self) -> Counter[str]:
        """How many changes of each kind, over its dreams."""
        counts: Counter[str] = Counter()
        for dream in self.dreams:
            counts.update({name: value for name, value in dream.statistics.items() if isinstance(value, int)})
        return counts

    @property
    def changes(self) -> int:
        return sum(self.counts[name] for name in CHANGES)

    @property
    def failed(self) -> bool:
        return any(dream.status == Dream.Status.FAILED for dream in self.dreams)

    @property
    def waits(self) -> bool:
        return any(dream.status == Dream.Status.PROPOSED for dream in self.dreams)

    @property
    def diaries(self) -> list[tuple[str, str]]:
        """What each dream wrote down, by scope, without the heading that the page says already."""
        return [(dream.scope, dream.diary.partition("\n")[2].strip()) for dream in self.dreams if dream.diary]

    @property
    def icon(self) -> str:
        return "triangle-alert" if self.failed else KIND_ICONS[self.first.kind]

    @property
    def day(self) -> date:
        return timezone.localtime(self.first.created_at).date()

    @property
    def title(self) -> str:
        return say_weekday(self.first.created_at)

    @property
    def heading(self) -> str:
        """What its page is called."""
        if self.first.kind == Dream.Kind.NIGHTLY:
            return _("Night of %(day)s") % {"day": self.title}
        return _("Dream of %(day)s") % {"day": self.title}

    @property
    def words(self) -> str:
        """What the timeline says of it."""
        kind, clock = KIND_WORDS[self.first.kind], say_clock(self.first.created_at)
        told = [f"{kind} {clock}"] if self.first.kind != Dream.Kind.NIGHTLY else []
        if self.first.topic:
            told.append(self.first.topic)
        if self.first.dry_run:
            told.append(_("dry run"))
        told.append(self._came_to)
        return ", ".join(told)

    @property
    def _came_to(self) -> str:
        if any(dream.status == Dream.Status.RUNNING for dream in self.dreams):
            return _("running")
        if self.failed and not self.changes:
            return _("failed")
        if self.waits:
            return _("waits for a decision")
        return (
            ngettext("%(n)d change", "%(n)d changes", self.changes) % {"n": self.changes}
            if self.changes
            else _("nothing changed")
        )


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nights in a row on which nothing was due."""

    nights: int

    @property
    def words(self) -> str:
        return ngettext("%(n)d quiet night", "%(n)d quiet nights", self.nights) % {"n": self.nights}


@dataclass(frozen=True, slots=True)
class Timeline:
    """The list beside every page of dreams."""

    entries: list[Night | Quiet]
    months: list[dict[str, Any]]
    older: str

    @property
    def nights(self) -> list[Night]:
        return [entry for entry in self.entries if isinstance(entry, Night)]


def load_timeline(visit: Visit) -> Timeline:
    """The latest nights, or those before the moment the address names, and the months in the archive."""
    dreams = latest_dreams(visit)
    before = visit.request.GET.get("before", "")
    if before.replace(".", "", 1).isdecimal():
        moment = datetime.fromtimestamp(float(before), tz=UTC)
        dreams = dreams.filter(created_at__lt=moment)
    rows = list(dreams[: SHOWN + 1])
    nights = group(rows[:SHOWN])
    older = str(rows[SHOWN - 1].created_at.timestamp()) if len(rows) > SHOWN else ""
    archives = DreamArchive.objects.visible_to(visit.principal).filter(agent=visit.the_agent)
    months: list[Any] = [*archives.order_by("-month").values("month").annotate(count=Sum("reports"))]
    return Timeline(list(_with_quiet(nights)), months, older)


def latest_dreams(visit: Visit) -> Any:
    """The dreams worth a line, the latest first; without those by themselves that had nothing to look at."""
    dreams = Dream.objects.visible_to(visit.principal).filter(agent=visit.the_agent)
    return dreams.exclude(status=Dream.Status.SKIPPED, kind__in=BY_ITSELF).order_by("-created_at", "-pk")


def group(dreams: Sequence[Dream]) -> list[Night]:
    """The dreams of one run together, one's own first."""
    runs: dict[Any, list[Dream]] = {}
    for dream in dreams:
        runs.setdefault((dream.kind, dream.slot) if dream.slot else dream.pk, []).append(dream)
    return [
        Night(tuple(sorted(together, key=lambda dream: dream.scope != Scope.PERSONAL)))
        for together in runs.values()
    ]


def _with_quiet(nights: Iterable[Night]) -> Iterable[Night | Quiet]:
    """The nights with one entry for every stretch of days between two of them."""
    last: date | None = None
    for night in nights:
        if last is not None and (missed := (last - night.day - timedelta(days=1)).days) > 0:
            yield Quiet(missed)
        last = night.day
        yield night
