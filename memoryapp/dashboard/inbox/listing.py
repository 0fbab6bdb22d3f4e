"""The list of what waits, and one of it opened: both sides, the sentences they came from, what each choice does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from memoryapp.actions.contradictions import load_contradiction, open_contradictions
from memoryapp.actions.reviews import load_reviewed, pending_facts
from memoryapp.actions.soul import load_proposal, proposals_of
from memoryapp.dashboard.actors import member_names, say_actor
from memoryapp.dashboard.diffs import Piece, compare_words
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.provenance import Trace, Traced, trace_lines
from memoryapp.models import Contradiction, Fact, SoulProposal
from memoryapp.retrieval.search import search_memories
from tenants.models import Role
from tenants.scoping import Scope, workspace_scope

SHOWN = 100
KINDS = {"pair": _("Contradiction"), "review": _("Review"), "persona": _("Persona")}
SHORTCUTS = (
    (("j", "k"), _("next, previous")),
    (("a", "b"), _("keep A or B")),
    (("m",), _("merge")),
    (("i",), _("ignore")),
    (("y", "n"), _("approve or decline a review")),
    (("e",), _("edit the text")),
    (("x",), _("select a review")),
    (("u",), _("undo")),
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Everything that waits for this person, in the order in which it is shown."""

    pairs: list[Contradiction]
    facts: list[Fact]
    personas: list[SoulProposal]
    # Whether more of them wait than are listed.
    more_pairs: bool = False
    more_facts: bool = False

    @property
    def count(self) -> int:
        return len(self.pairs) + len(self.facts) + len(self.personas)

    def place_of(self, key: UUID) -> int:
        """Which of them it is, from 1; 0 when it waits no more."""
        keys = [row.pk for row in (*self.pairs, *self.facts, *self.personas)]
        return keys.index(key) + 1 if key in keys else 0


@dataclass(frozen=True, slots=True)
class Side:
    """One of two facts that disagree."""

    letter: str
    fact: Fact
    pieces: tuple[Piece, ...]
    trace: Trace


def load_waiting(visit: Visit) -> Waiting:
    """What waits; inside the workspace's scope."""
    member = visit.principal.can(Role.MEMBER)
    agent = visit.the_agent
    personas: Any = proposals_of(visit.principal, agent)
    pairs = list(open_contradictions(visit.principal, agent)[: SHOWN + 1])
    facts = list(pending_facts(visit.principal, agent)[: SHOWN + 1])
    return Waiting(
        pairs[:SHOWN],
        facts[:SHOWN],
        list(personas.filter(status=SoulProposal.Status.PENDING)[:SHOWN]) if member else [],
        more_pairs=len(pairs) > SHOWN,
        more_facts=len(facts) > SHOWN,
    )


@page("inbox", scoped=False)
def show_inbox(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The list with the first of it open."""
    with workspace_scope(visit.workspace):
        waiting = load_waiting(visit)
    if waiting.pairs:
        return _show_pair(visit, waiting, waiting.pairs[0], listed=True)
    if waiting.facts:
        return _show_fact(visit, waiting, waiting.facts[0], listed=True)
    if waiting.personas:
        return _show_persona(visit, waiting, waiting.personas[0], listed=True)
    return _render(visit, waiting, None, {})


@page("inbox")
def show_contradiction(request: HttpRequest, visit: Visit, pair_id: UUID) -> HttpResponse:
    """One pair, open or decided."""
    return _show_pair(
        visit, load_waiting(visit), load_contradiction(visit.principal, visit.the_agent, pair_id)
    )


@page("inbox", scoped=False)
def show_review(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """One fact that waits, or was decided."""
    fact = load_reviewed(visit.principal, visit.the_agent, fact_id)
    with workspace_scope(visit.workspace):
        waiting = load_waiting(visit)
    return _show_fact(visit, waiting, fact)


@page("inbox", role=Role.MEMBER)
def show_persona(request: HttpRequest, visit: Visit, proposal_id: UUID) -> HttpResponse:
    """A proposed persona beside the one that stands."""
    proposal = load_proposal(visit.principal, visit.the_agent, proposal_id)
    return _show_persona(visit, load_waiting(visit), proposal)


def _show_pair(visit: Visit, waiting: Waiting, pair: Contradiction, *, listed: bool = False) -> HttpResponse:
    a, b = pair.fact_a, pair.fact_b
    with workspace_scope(visit.workspace):
        traces = trace_lines(
            visit.principal, visit.the_agent, [Traced(fact.text, (), (fact.pk,)) for fact in (a, b)]
        )
    words = compare_words(a.text, b.text)
    context = {
        "pair": pair,
        "decided_by": _decided_by(visit, pair),
        "sides": [
            Side(letter, fact, pieces, trace)
            for letter, fact, pieces, trace in zip("AB", (a, b), words, traces, strict=True)
        ],
        "merged": f"{b.text.rstrip(' .。')} (before: {a.text.rstrip(' .。')})",
        "may_decide": pair.scope == Scope.PERSONAL or visit.principal.can(Role.MEMBER),
    }
    return _render(visit, waiting, pair.pk, context, listed=listed)


def _decided_by(visit: Visit, pair: Contradiction) -> str:
    if not pair.resolved_by:
        return ""
    return say_actor(pair.resolved_by, member_names(visit), visit.principal.actor)


def _show_fact(visit: Visit, waiting: Waiting, fact: Fact, *, listed: bool = False) -> HttpResponse:
    found = search_memories(
        fact.text, principal=visit.principal, agent=visit.the_agent, top_k=1, sources=("facts",)
    )
    with workspace_scope(visit.workspace):
        traced = trace_lines(visit.principal, visit.the_agent, [Traced(fact.text, (), (fact.pk,))])
    context = {
        "review": fact,
        "trace": traced[0],
        "similar": next(iter(found.items), None),
        "may_decide": fact.scope == Scope.PERSONAL or visit.principal.can(Role.MEMBER),
    }
    return _render(visit, waiting, fact.pk, context, listed=listed)


def _show_persona(
    visit: Visit, waiting: Waiting, proposal: SoulProposal, *, listed: bool = False
) -> HttpResponse:
    return _render(visit, waiting, proposal.pk, {"persona": proposal, "may_decide": True}, listed=listed)


def _render(
    visit: Visit, waiting: Waiting, current: UUID | None, context: dict[str, Any], *, listed: bool = False
) -> HttpResponse:
    more = {
        "waiting": waiting,
        "current": current,
        "place": waiting.place_of(current) if current else 0,
        "listed": listed,
        "page_shortcuts": SHORTCUTS,
    }
    kind = next((word for key, word in KINDS.items() if key in context), "")
    crumbs = [] if listed or current is None else [Crumb(str(kind))]
    return visit.render("dashboard/inbox.html", {**context, **more}, crumbs=crumbs)
