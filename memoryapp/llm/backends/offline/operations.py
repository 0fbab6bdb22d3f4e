"""From settled facts to the operations that are proposed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memoryapp.llm.backends.offline.facts import Fact
from memoryapp.llm.backends.offline.known import category_of
from memoryapp.llm.backends.offline.overlays import own_category
from memoryapp.llm.backends.offline.updates import Settled
from memoryapp.llm.language.dates import latest_date
from memoryapp.llm.tasks import Candidate, KnownFact, Operation, Overlay


def deletions(doomed: dict[int, list[int]]) -> list[Candidate]:
    """The removal of what the user asked to forget."""
    return [
        Candidate(
            op=Operation.DELETE,
            target=number,
            evidence=asked,
            explicit=True,
            confidence=1.0,
            reason="the user asked to forget it",
        )
        for number, asked in doomed.items()
    ]


def operations(
    settled: Iterable[tuple[Fact, Settled]], known: Sequence[KnownFact], overlay: Overlay
) -> list[Candidate]:
    """One operation a fact; a known fact is acted on once, later words about it win."""
    categories = {fact.number: fact.category or category_of(fact.text) for fact in known}
    proposed: list[Candidate] = []
    touched: set[int] = set()
    for fact, result in settled:
        if fact.kind == "enrichment" and result.op is not Operation.UPDATE:
            continue
        numbers = {result.target, *result.also} - {None}
        if result.op is Operation.UPDATE and numbers & touched:
            result = (
                Settled(Operation.ADD, fact.text) if fact.kind != "enrichment" else Settled(Operation.NONE)
            )
        proposed.append(_candidate(fact, result, _category(fact, result, categories, overlay)))
        touched |= {number for number in numbers if number is not None and result.op is Operation.UPDATE}
    return proposed


# What a sentence says of its own kind counts more than the kind of the fact it changes; a milestone does not.
_SURE = frozenset(("identity", "rule", "decision", "preference", "relationship"))


def _category(fact: Fact, result: Settled, known: dict[int, str], overlay: Overlay) -> str:
    kept = known.get(result.target, "") if result.target is not None and result.op is Operation.UPDATE else ""
    if fact.category and (not kept or (fact.category in _SURE and not fact.guessed)):
        own = (
            own_category(fact.text, overlay)
            if fact.category not in _SURE or fact.category == "preference"
            else ""
        )
        return own or fact.category
    return kept or "project"


def _candidate(fact: Fact, result: Settled, category: str) -> Candidate:
    return Candidate(
        op=result.op,
        text=result.text,
        category=category,
        target=result.target,
        also=result.also,
        evidence=fact.evidence,
        quote=fact.words[:400],
        stability="ongoing" if category == "project" else "durable",
        confidence=0.95 if fact.explicit else 0.85 if fact.category else 0.75,
        explicit=fact.explicit,
        event_date=latest_date(fact.text),
        reason=result.reason,
        gate="novelty" if result.op is Operation.NONE else "",
    )
