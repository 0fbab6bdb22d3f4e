"""Which of what is known a request to forget means: one thing, several to choose from, or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.statements import Statements
from memoryapp.llm.language.forget_talk import Request
from memoryapp.llm.language.wording import content_words, is_weak
from memoryapp.models import Agent, Fact
from memoryapp.retrieval.search import search_memories
from tenants.models import Role
from tenants.owners import user_owner_key
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

LOOKED_AT = 40
MOST_NAMED = 5
# Of the request's words a fact must share as many to be meant without being asked, when no other shares as many.
CLEARLY = 0.6
# Without a shared word a fact is named only when the search was this sure of it.
SURE = 0.5
STANDING = (Fact.Status.ACTIVE, Fact.Status.PENDING)


@dataclass(frozen=True, slots=True)
class Match:
    """The facts that are meant beyond doubt, or else those that may be; `others` came close."""

    meant: tuple[Fact, ...] = ()
    maybe: tuple[Fact, ...] = ()
    others: tuple[Fact, ...] = ()


def own_facts(principal: Principal, agent: Agent) -> Any:
    """What stands of the principal's own memory with an agent, waiting or not; inside the workspace's scope."""
    return Fact.objects.owned_by(principal).filter(agent=agent, status__in=STANDING).unexpired()


def find_meant(principal: Principal, agent: Agent, request: Request) -> Match:
    """The facts a request is about, the principal's own before the team's. Outside the scope: search may embed."""
    found = search_memories(
        request.what,
        principal=principal,
        agent=agent,
        top_k=LOOKED_AT,
        sources=("facts",),
    )
    hits = [(hit.object, hit.score) for hit in found.items if isinstance(hit.object, Fact)]
    with workspace_scope(principal.workspace):
        waiting = own_facts(principal, agent).filter(status=Fact.Status.PENDING).order_by("-created_at")
        hits += [(fact, 0.0) for fact in waiting[:LOOKED_AT]]
    own = [(fact, score) for fact, score in hits if fact.scope == Scope.PERSONAL]
    match = choose(request, own)
    if match.meant or match.maybe or not _may_forget_for_team(principal):
        return match
    # What all rely on is never forgotten without a question.
    shared = choose(request, [(fact, score) for fact, score in hits if fact.scope == Scope.TEAM])
    return Match(maybe=shared.meant or shared.maybe)


def _may_forget_for_team(principal: Principal) -> bool:
    acts_for_self = principal.user_id is not None and principal.owner_key == user_owner_key(principal.user_id)
    return acts_for_self and principal.can(Role.MEMBER)


def choose(request: Request, hits: Sequence[tuple[Fact, float]]) -> Match:
    """Judge by the words that carry meaning: all of them shared, most of them shared, some, none."""
    words = _strong_words(request.what)
    shares = {fact.pk: _share(words, fact.text) for fact, _ in hits}
    facts = {fact.pk: fact for fact, _ in hits}
    best = max(shares.values(), default=0.0)
    if not best:
        near = [fact for fact, score in hits if score >= SURE]
        return Match(maybe=tuple(near[:MOST_NAMED]))
    first = [facts[key] for key, share in shares.items() if share == best]
    rest = tuple(facts[key] for key, share in shares.items() if 0 < share < best)
    if request.everything and best == 1.0:
        return Match(meant=tuple(first))
    exact = [fact for fact in first if Statements([request.what]).made_by(fact.text)]
    for several in (exact, first):
        if several and _says_one_thing(several) and (best >= CLEARLY or not rest):
            return Match(meant=tuple(several), others=(*_without(first, several), *rest)[:MOST_NAMED])
    return Match(maybe=(*first, *rest)[:MOST_NAMED] if best < CLEARLY else tuple(first[:MOST_NAMED]))


def _strong_words(text: str) -> frozenset[str]:
    """The words that tell things apart; all of them where none is strong."""
    words = content_words(text)
    return frozenset(word for word in words if not is_weak(word)) or words


def _share(words: frozenset[str], text: str) -> float:
    return len(words & content_words(text)) / len(words) if words else 0.0


def _says_one_thing(facts: Iterable[Fact]) -> bool:
    return len({text_key(fact.text) for fact in facts}) == 1


def _without(facts: Iterable[Fact], taken: Iterable[Fact]) -> list[Fact]:
    gone = {fact.pk for fact in taken}
    return [fact for fact in facts if fact.pk not in gone]
