"""The list: searched with the real engine, else newest first and paged by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memoryapp.dashboard.counting import say_count
from memoryapp.dashboard.facts.drafts import Draft, take_draft
from memoryapp.dashboard.facts.filters import FactFilters
from memoryapp.dashboard.facts.opened import OpenedFact, open_fact
from memoryapp.dashboard.newest import Newest, Place
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import Fact, FactFeedback
from memoryapp.retrieval.results import LEAST_RELATED
from memoryapp.retrieval.search import Hit, search_memories
from tenants.scoping import workspace_scope

PAGE_SIZE = 50
# A search looks for what a page shows, and for more where filters will leave out some of it.
FILTERED_DEPTH = 200
PALETTE_HITS = 3
# A hit that is half as sure as the best one is not what was typed.
LEAST_OF_BEST = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """One fact as the list shows it."""

    fact: Fact
    trust: float
    judged: str
    is_new: bool
    # The row's own address, and the list's with this row open and closed.
    address: str
    open_query: str
    close_query: str
    opened: OpenedFact | None = None
    # What was typed for it and refused.
    draft: Draft | None = None

    @property
    def toggle_query(self) -> str:
        return self.close_query if self.opened else self.open_query


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list; `position` is the number of its first row."""

    rows: list[Row]
    count: int
    position: int = 1
    newer: str = ""
    older: str = ""
    took_ms: int | None = None
    degraded: bool = False
    # Whether there may be more than were counted.
    is_open: bool = False
    # The fact that the address names, where it is on no row of this page.
    named: Row | None = None

    @property
    def shown(self) -> list[Row]:
        """What the page lists: the fact somebody followed a link to stands above the others."""
        return [self.named, *self.rows] if self.named else self.rows

    @property
    def last(self) -> int:
        return self.position + len(self.rows) - 1

    @property
    def amount(self) -> str:
        """How many there are, “50+” where nobody looked for more."""
        return f"{self.count:,}+" if self.is_open else say_count(self.count)


@page("facts", scoped=False)
def show_facts(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The facts of an agent that one may see."""
    filters = FactFilters.from_query(request.GET)
    listing = _searched(visit, filters) if filters.q else _paged(visit, filters)
    listing = replace(listing, named=_named(visit, listing))
    part = "#results" if visit.htmx.target == "facts-results" else ""
    context = {
        "filters": filters,
        "listing": listing,
        "part": part,
        **_around(visit, filters, listing),
        **addresses(visit),
    }
    return visit.render(f"dashboard/facts.html{part}", context)


def _named(visit: Visit, listing: Listing) -> Row | None:
    """The fact that the address names, whatever page, filter or state it is on; None where it is listed anyway."""
    wanted = _key(visit, "open")
    if wanted is None or any(row.fact.pk == wanted for row in listing.rows):
        return None
    with workspace_scope(visit.workspace):
        facts = visible_facts(visit).exclude(status=Fact.Status.FORGOTTEN).filter(pk=wanted)
        return next(iter(as_rows(visit, list(facts))), None)


def _around(visit: Visit, filters: FactFilters, listing: Listing) -> dict[str, Any]:
    """The subtitle's counts, and which single filter to drop when nothing is left."""
    total, remedy = listing.count, ""
    # A search with hits names no total: counting takes longer than the words are worth while somebody types.
    if not listing.rows if filters.q else filters.narrowing:
        with workspace_scope(visit.workspace):
            total = FactFilters().select(visit.principal, visit.the_agent).count()
    if not listing.rows and len(filters.narrowing) == 1:
        remedy = filters.narrowing[0]
    return {"total": total, "remedy": remedy, "chips": filters.chips(), "page_shortcuts": SHORTCUTS}


def visible_facts(visit: Visit) -> Any:
    """The facts of the visit's agent that its principal may see."""
    return Fact.objects.visible_to(visit.principal).for_agent(visit.the_agent)


def _searched(visit: Visit, filters: FactFilters) -> Listing:
    """The best matches, ranked by the engine and then filtered."""
    depth = FILTERED_DEPTH if filters.narrowing else PAGE_SIZE
    found = search_memories(
        filters.q,
        principal=visit.principal,
        agent=visit.the_agent,
        top_k=depth,
        sources=("facts",),
        show_expired=True,
        latest_only=False,
        explain=True,
    )
    rank = {UUID(str(hit.id)): i for i, hit in enumerate(_fitting(found.items))}
    with workspace_scope(visit.workspace):
        chosen = filters.among(list(rank), visit.principal, visit.the_agent)
        facts = sorted(chosen, key=lambda fact: rank[fact.pk])
        rows = as_rows(visit, facts[:PAGE_SIZE])
    return Listing(
        rows,
        len(facts),
        is_open=len(rank) == depth,
        took_ms=round(found.took_ms),
        degraded=found.degraded,
    )


def _fitting(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that have a word of what was typed or likely mean it; the rest is merely what there is."""
    least = max(LEAST_RELATED, LEAST_OF_BEST * max((hit.score for hit in hits), default=0.0))
    return [hit for hit in hits if hit.score >= least or _has_word(hit)]


def _has_word(hit: Hit) -> bool:
    words = (hit.explain or {}).get("lexical", {})
    return words.get("rank") is not None


def _paged(visit: Visit, filters: FactFilters) -> Listing:
    """Newest first. A page begins below the last fact before it, whatever came or went meanwhile."""
    with workspace_scope(visit.workspace):
        older_than, newer_than = _place(visit, "before"), _place(visit, "after")
        chosen = filters.select(visit.principal, visit.the_agent)
        count = chosen.count()
        facts, has_older = _page_of(chosen, older_than, newer_than)
        position = 1
        if facts and (older_than or newer_than):
            position += chosen.newer_than(Place(facts[0].created_at, facts[0].pk)).count()
        rows = as_rows(visit, facts)
    return Listing(
        rows,
        count,
        position,
        newer=filters.query(after=rows[0].fact.pk) if position > 1 else "",
        older=filters.query(before=rows[-1].fact.pk) if has_older else "",
    )


def _page_of(chosen: Newest, older_than: Place | None, newer_than: Place | None) -> tuple[list[Fact], bool]:
    """One page of facts, newest first, and whether older ones follow; the first page where the wanted one is gone."""
    if newer_than:
        newer = list(chosen.newer_than(newer_than).last(PAGE_SIZE))
        if newer:
            return newer[::-1], True
    below = chosen.older_than(older_than) if older_than else chosen
    facts = list(below.first(PAGE_SIZE + 1))
    if not facts and older_than:
        facts = list(chosen.first(PAGE_SIZE + 1))
    return facts[:PAGE_SIZE], len(facts) > PAGE_SIZE


def _place(visit: Visit, name: str) -> Place | None:
    """Where the fact stands that the address names, forgotten ones included; None for one that is gone."""
    key = _key(visit, name)
    found = visible_facts(visit).filter(pk=key).values_list("created_at", "pk").first() if key else None
    return Place(*found) if found else None


def _key(visit: Visit, name: str) -> UUID | None:
    return _uuid(visit.request.GET.get(name, ""))


def _uuid(value: str) -> UUID | None:
    try:
        return UUID(value)
    except ValueError:
        return None


def addresses(visit: Visit) -> dict[str, str]:
    """The list's address, bare and as it stands, for the links of its rows."""
    address = visit.url("facts")
    return {"list_url": address, "here": f"{address}?{visit.request.GET.urlencode()}"}


def as_rows(visit: Visit, facts: list[Fact]) -> list[Row]:
    """The facts as rows, with what the reader thought of each and the one opened that the address names."""
    mine = FactFeedback.objects.visible_to(visit.principal).filter(
        fact__in=facts, given_by=visit.principal.owner_key
    )
    judged = dict(mine.values_list("fact_id", "kind"))
    wanted, today, kept = _key(visit, "open"), timezone.localdate(), visit.request.GET.copy()
    for name in ("open", "edit"):
        kept.pop(name, None)
    closed, base = f"?{kept.urlencode()}", visit.url("facts")
    return [
        Row(
            fact=fact,
            trust=fact.trust,
            judged=judged.get(fact.pk, ""),
            is_new=timezone.localtime(fact.created_at).date() == today,
            address=f"{base}{fact.pk}/",
            open_query=f"{closed}{'&' if kept else ''}open={fact.pk}",
            close_query=closed,
            opened=open_fact(visit.principal, fact) if fact.pk == wanted else None,
            draft=take_draft(visit, fact.pk) if fact.pk == wanted else None,
        )
        for fact in facts
    ]


@page("facts")
def show_row(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """One row, opened or closed, as a part of the list."""
    fact = visible_facts(visit).exclude(status=Fact.Status.FORGOTTEN).filter(pk=fact_id).first()
    if fact is None:
        raise NotFound
    return visit.render("dashboard/facts.html#row", {"row": as_rows(visit, [fact])[0], **addresses(visit)})


@page("facts", scoped=False)
def search_from_palette(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The best few memories for what was typed into the palette."""
    query = request.GET.get("q", "").strip()[:500]
    hits: list[Any] = []
    took = None
    if query:
        found = search_memories(
            query, principal=visit.principal, agent=visit.the_agent, top_k=PALETTE_HITS, explain=True
        )
        hits, took = _fitting(found.items), round(found.took_ms)
    return visit.render("dashboard/palette_hits.html#hits", {"hits": hits, "query": query, "took_ms": took})


SHORTCUTS = (
    (("j", "k"), _("next, previous fact")),
    (("Enter",), _("open")),
    (("x",), _("select")),
    (("e",), _("edit")),
    (("p",), _("pin")),
    (("+", "-"), _("helpful, not helpful")),
    (("#",), _("forget")),
)
