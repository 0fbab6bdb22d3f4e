"""Taking back what a consolidation did to facts: those it merged are active again in their own words."""

from __future__ import annotations

from memoryapp.actions.fact_history import restore_snapshot
from memoryapp.exceptions import Conflict
from memoryapp.models import DreamEntry, Fact, FactRevision
from tenants.principals import Principal

CONSOLIDATED = "consolidated"
TAKEN_BACK = "consolidation taken back"


def revert_fact_entry(principal: Principal, entry: DreamEntry) -> None:
    """Give the facts of an entry back what they were. Raises Conflict when one of them has changed since."""
    fact = Fact.objects.select_for_update().filter(pk=entry.fact_id).first() if entry.fact_id else None
    if fact is None:
        raise Conflict("The fact has gone since.", code="changed_meanwhile")
    if entry.operation == DreamEntry.Operation.DROP:
        _restore(principal, fact)
        return
    absorbed = Fact.objects.filter(superseded_by=fact, status=Fact.Status.MERGED).select_for_update()
    texts = set(entry.before.split("\n"))
    _restore_words(principal, fact, entry)
    for other in absorbed:
        if other.text in texts:
            _restore(principal, other)


def _restore(principal: Principal, fact: Fact) -> None:
    """Undo the last change of a fact, which must be the consolidation's."""
    last = FactRevision.objects.filter(fact=fact).order_by("-created_at", "-pk").first()
    if last is None or last.reason != CONSOLIDATED or last.before is None:
        raise Conflict("The fact has changed since.", code="changed_meanwhile")
    restore_snapshot(principal, fact, last.before, reason=TAKEN_BACK)


def _restore_words(principal: Principal, fact: Fact, entry: DreamEntry) -> None:
    """Give the fact that stayed its own words again, if it was given others."""
    if fact.text != entry.after:
        raise Conflict("The fact has changed since.", code="changed_meanwhile")
    rewritten = FactRevision.objects.filter(fact=fact, reason=CONSOLIDATED, after__text=entry.after)
    last = rewritten.order_by("-created_at", "-pk").first()
    if last is not None and last.before is not None:
        restore_snapshot(principal, fact, last.before, reason=TAKEN_BACK)
