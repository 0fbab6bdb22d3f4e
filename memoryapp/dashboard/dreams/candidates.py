"""What the coming night would look at: every candidate with the parts of its score and the gate that stops it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from memoryapp.dashboard.dreams.reports import gate_words, part_rows
from memoryapp.dashboard.dreams.timeline import load_timeline
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.jobs.by_hand import own_buckets
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.lifecycle.dream_candidates import Candidate, judge_candidates
from memoryapp.lifecycle.dream_sources import load_material
from tenants.models import Role
from tenants.scoping import Scope

SHOWN = 100


@dataclass(frozen=True, slots=True)
class Considered:
    """One candidate as the table shows it."""

    candidate: Candidate
    scope: str

    @property
    def gate(self) -> str:
        return gate_words(self.candidate.gate) if self.candidate.gate else ""

    @property
    def parts(self) -> list[tuple[str, float]]:
        return part_rows(self.candidate.parts)

    @property
    def how_far(self) -> str:
        """How much was missing at the gate that stopped it."""
        signal = self.candidate.signal
        match self.candidate.gate:
            case "recalls":
                return _("%(had)d of %(wanted)d recalls") % {
                    "had": signal.recalls,
                    "wanted": settings.MEMORY_EMERGENCE_MIN_RECALL_COUNT,
                }
            case "queries":
                return _("%(had)d of %(wanted)d questions") % {
                    "had": signal.queries,
                    "wanted": settings.MEMORY_EMERGENCE_MIN_UNIQUE_QUERIES,
                }
            case "score":
                wanted = settings.MEMORY_EMERGENCE_SCORE_THRESHOLD
                return _("%(had).2f of %(wanted).2f") % {"had": self.candidate.score, "wanted": wanted}
        return ""

    @property
    def notes(self) -> list[str]:
        return [source["path"] for source in self.candidate.sources if source.get("path")]


@page("dreams")
def show_candidates(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What would be promoted now, then what a gate stops, the nearest miss first: of one's own memory or the team's.

    Each is a dream of its own and reads as much as one, so a page shows one of them.
    """
    own = own_buckets(visit.principal, visit.the_agent)
    buckets = {"team" if bucket.scope == Scope.TEAM else "own": bucket for bucket in own}
    wanted = request.GET.get("of", "own")
    chosen = buckets.get(wanted) or next(reversed(buckets.values()))
    found = list(_considered(chosen))
    stopped = [one for one in found if one.candidate.gate]
    context = {
        "timeline": load_timeline(visit),
        "buckets": [(name, bucket is chosen) for name, bucket in reversed(buckets.items())],
        "passed": [one for one in found if not one.candidate.gate],
        "stopped": sorted(stopped, key=lambda one: -one.candidate.score)[:SHOWN],
        "may_dream": visit.principal.can(Role.MEMBER),
        "days": settings.MEMORY_EMERGENCE_DAY_RANGE,
        "recurring": settings.MEMORY_EMERGENCE_RECURRING_DAYS,
    }
    return visit.render("dashboard/dreams_candidates.html", context, crumbs=[Crumb(_("Candidates"))])


def _considered(bucket: BucketOf) -> Iterator[Considered]:
    judged = judge_candidates(load_material(bucket))
    return (Considered(one, bucket.scope) for one in (*judged.passed, *judged.stopped))
