"""What became of a memory, as mem0's clients know its history."""

from __future__ import annotations

from typing import Any

from memoryapp.compat.mem0.finding import read_id
from memoryapp.exceptions import NotFound
from memoryapp.models import Fact, FactRevision, FactSource, Forgetting, Message
from tenants.owners import end_user_of
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

# Whatever else happens to a memory leaves it there, changed.
EVENTS = {FactRevision.Operation.ADD: "ADD", FactRevision.Operation.DELETE: "DELETE"}


def history_of(principal: Principal, given: object) -> list[dict[str, Any]]:
    """The history of a memory, the oldest first; NotFound when there is none that the principal may see."""
    key = read_id(given)
    with workspace_scope(principal.workspace):
        rows = FactRevision.objects.visible_to(principal).exclude(scope=Scope.GLOBAL).filter(fact_id=key)
        revisions = list(rows.order_by("created_at", "id"))
        if not revisions:
            raise NotFound
        fact = Fact.objects.visible_to(principal).filter(pk=key).first()
        forgotten = _forgotten(principal, fact)
        said = _said(principal, fact) if fact is not None and forgotten is None else []
    entries = [_entry(revision, fact, said, hidden=forgotten is not None) for revision in revisions]
    return [*entries, _deletion(forgotten, revisions[0], fact)] if forgotten and fact else entries


def _forgotten(principal: Principal, fact: Fact | None) -> Forgetting | None:
    """The act that forgot the memory and may still be taken back; afterwards the history itself says so."""
    if fact is None or fact.status != Fact.Status.FORGOTTEN:
        return None
    acts = Forgetting.objects.visible_to(principal).filter(fact_ids__contains=[fact.pk], undone_at=None)
    act: Forgetting | None = acts.order_by("-created_at").first()
    return act


def _said(principal: Principal, fact: Fact) -> list[dict[str, str]]:
    """The messages that a memory rests on, so far as the principal may read them."""
    sources = FactSource.objects.visible_to(principal).filter(fact=fact).exclude(message=None)
    messages = Message.objects.visible_to(principal).filter(pk__in=sources.values("message"))
    return [{"role": each.role, "content": each.text} for each in messages.order_by("number")]


def _entry(
    revision: FactRevision, fact: Fact | None, said: list[dict[str, str]], *, hidden: bool
) -> dict[str, Any]:
    event = EVENTS.get(FactRevision.Operation(revision.operation), "UPDATE")
    before, after = ({}, {}) if hidden else (revision.before or {}, revision.after or {})
    return {
        "id": str(revision.pk),
        "memory_id": str(revision.fact_id),
        "input": said if event == "ADD" else [],
        "old_memory": before.get("text"),
        "new_memory": after.get("text"),
        "event": event,
        **_labels(revision, fact),
        "categories": [after["category"]] if after.get("category") else None,
        "metadata": after.get("metadata") or None,
        "actor": revision.actor,
        "created_at": revision.created_at.isoformat(),
        "updated_at": revision.created_at.isoformat(),
    }


def _labels(revision: FactRevision, fact: Fact | None) -> dict[str, Any]:
    run = (fact.run_id or None) if fact else None
    return {
        "user_id": end_user_of(revision.owner_key) if revision.owner_key else None,
        "agent_id": (fact.agent_label or None) if fact else None,
        "app_id": (fact.app_id or None) if fact else None,
        "run_id": run,
        "session_id": run,
    }


def _deletion(act: Forgetting, first: FactRevision, fact: Fact) -> dict[str, Any]:
    """The end of a memory that is hidden and not yet gone for good."""
    return {
        "id": str(act.pk),
        "memory_id": str(fact.pk),
        "input": [],
        "old_memory": None,
        "new_memory": None,
        "event": "DELETE",
        **_labels(first, fact),
        "categories": None,
        "metadata": None,
        "actor": act.actor,
        "created_at": act.created_at.isoformat(),
        "updated_at": act.created_at.isoformat(),
    }
