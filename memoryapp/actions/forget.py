"""Forgetting: one act removes a fact everywhere it can be read, may be taken back for ten minutes, then is final.

Each act leaves a receipt that says what was removed where, and tombstones by which the text is known again, so that
no extraction, projection, dream or import brings it back. Only the person themselves does, by saying it again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memoryapp.actions.access import require_own
from memoryapp.actions.events import request_job
from memoryapp.actions.forget_facts import (
    hide_facts,
    mask_sources,
    put_back_longer_facts,
    same_facts,
    strike_longer_facts,
    told_by,
    told_by_each,
)
from memoryapp.actions.forget_files import put_back_files, strike_files
from memoryapp.actions.forget_reach import Reach, names_of, reach_of
from memoryapp.actions.forget_texts import WRITTEN_AT_ONCE, Removal, put_back, strike_texts
from memoryapp.actions.outside import tell_forgotten
from memoryapp.actions.purging import purge_facts
from memoryapp.actions.statements import Statements
from memoryapp.actions.tombstones import Place, place_tombstones
from memoryapp.actions.webhooks import note_of_facts
from memoryapp.exceptions import Conflict, NotFound, NotPermitted
from memoryapp.models import Agent, Embedding, Fact, Forgetting, Recall, Tombstone, Webhook, WorkspaceFile
from tenants.actions import record_audit
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope
from tenants.secrets import decrypt, encrypt

UNDO_WINDOW = timedelta(minutes=10)
PURGE = "forget_purge"


@dataclass(slots=True)
class Taken:
    """Everything one act took: the facts it hid and the removals from texts and files."""

    facts: list[Fact] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    states: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def note_facts(self, facts: Sequence[Fact]) -> None:
        self.facts += facts
        self.states |= {str(fact.pk): fact.status for fact in facts}
        self.counts["facts"] += len(facts)
        self.counts["embeddings"] += Embedding.objects.filter(fact__in=facts).count()
        self.counts["recalls"] += Recall.objects.filter(fact__in=facts).count()

    def note(self, removals: Iterable[Removal]) -> None:
        for removal in removals:
            self.removals.append(removal)
            self.counts[removal.place] += len(removal.cuts) or 1

    @property
    def places(self) -> list[dict[str, Any]]:
        """The receipt: how many things were removed where."""
        return [{"place": place, "count": count} for place, count in self.counts.items() if count]

    def sealed(self) -> str:
        """What undoing needs, for nobody to read meanwhile."""
        removals = [removal.sealed() for removal in self.removals]
        return encrypt(json.dumps({"states": self.states, "removals": removals})).decode()


def forget_fact(*, principal: Principal, fact: Fact) -> Forgetting:
    """Forget a fact everywhere, and return the receipt; it can be taken back until its window closes.

    Raises NotFound for somebody else's fact and one already forgotten, NotPermitted where forgetting is switched off.
    """
    return forget_facts(principal=principal, facts=[fact])


def forget_facts(*, principal: Principal, facts: Sequence[Fact]) -> Forgetting:
    """Forget several facts of one bucket in one act with one receipt."""
    if not settings.MEMORY_FACT_FORGET_ENABLED:
        raise NotPermitted("Forgetting is switched off here.", code="forget_disabled")
    with workspace_scope(principal.workspace):
        taken, reach = _take(principal, facts)
        forgetting = _receipt(principal, facts, taken, Forgetting.Kind.FORGET)
        forgetting.sealed, forgetting.undo_until = taken.sealed(), timezone.now() + UNDO_WINDOW
        forgetting.save(force_insert=True)
        request_job(
            principal=principal,
            kind=PURGE,
            subject_id=forgetting.pk,
            agent_id=reach.agent_id,
            run_after=forgetting.undo_until,
        )
    return forgetting


def foresee_forgetting(*, principal: Principal, facts: Sequence[Fact]) -> dict[str, int]:
    """How many things forgetting these facts would remove where: done by the same code, and taken back at once.

    Raises NotFound and NotPermitted as forgetting them would.
    """
    counts: Counter[str] = Counter()
    ordered = sorted(facts, key=lambda fact: (fact.scope, fact.owner_key))
    with workspace_scope(principal.workspace):
        for _bucket, together in groupby(ordered, key=lambda fact: (fact.scope, fact.owner_key)):
            with transaction.atomic():
                taken, _reach = _take(principal, list(together))
                counts.update(taken.counts)
                transaction.set_rollback(True)
    return {place: count for place, count in counts.items() if count}


def erase_facts(*, principal: Principal, facts: Sequence[Fact]) -> Forgetting:
    """Forget several facts of one bucket at once and for good: nothing is left to be taken back."""
    with workspace_scope(principal.workspace):
        taken, _ = _take(principal, facts, purged=True)
        purge_facts(principal, taken.facts)
        forgetting = _receipt(principal, facts, taken, Forgetting.Kind.DELETE)
        forgetting.purged_at = timezone.now()
        forgetting.save(force_insert=True)
    return forgetting


def _take(principal: Principal, facts: Sequence[Fact], *, purged: bool = False) -> tuple[Taken, Reach]:
    """Remove facts and whatever else says the same, everywhere within reach; `purged` when the facts go for good."""
    for fact in facts:
        require_own(principal, fact)
    meant = list(
        Fact.objects.select_for_update()
        .filter(pk__in=[fact.pk for fact in facts])
        .exclude(status=Fact.Status.FORGOTTEN)
        .order_by("pk")
    )
    if not meant:
        raise NotFound
    reach = reach_of(principal, meant[0])
    statements = Statements(told_by(meant), names_of(reach))
    taken = Taken()
    taken.note_facts(same_facts(statements, reach, meant))
    tell_forgotten(taken.facts)
    hide_facts(taken.facts)
    _take_texts(principal, statements, reach, taken, purged=purged)
    _leave_tombstones(principal, reach, taken)
    return taken, reach


def _take_texts(
    principal: Principal, statements: Statements, reach: Reach, taken: Taken, *, purged: bool
) -> None:
    taken.note(strike_longer_facts(statements, reach))
    taken.note(strike_files(principal, statements, reach))
    taken.note(strike_texts(statements, reach, purged=taken.facts if purged else ()))
    taken.note(mask_sources(taken.facts))


def _leave_tombstones(principal: Principal, reach: Reach, taken: Taken) -> None:
    """One in every bucket from which something went, so that it stays gone there and nobody else's words are barred."""
    texts = [(text, key) for key, told in told_by_each(taken.facts).items() for text in told]
    buckets = {(fact.scope, fact.owner_key) for fact in taken.facts}
    if any(
        removal.model == WorkspaceFile._meta.label and removal.scope == Scope.TEAM
        for removal in taken.removals
    ):
        buckets.add((Scope.TEAM.value, ""))
    for scope, owner_key in sorted(buckets):
        place_tombstones(principal, Place(reach.agent_id, scope, owner_key), texts)


def _receipt(principal: Principal, facts: Sequence[Fact], taken: Taken, kind: Forgetting.Kind) -> Forgetting:
    note_of_facts(principal.workspace, Webhook.Happening.MEMORY_DELETE, taken.facts)
    record_audit(
        principal=principal,
        action="fact.forgotten" if kind == Forgetting.Kind.FORGET else "fact.deleted",
        target=str(facts[0].pk),
        facts=[str(fact.pk) for fact in taken.facts],
        places=taken.places,
    )
    return Forgetting(
        workspace_id=facts[0].workspace_id,
        agent_id=facts[0].agent_id,
        owner_key=facts[0].owner_key,
        scope=facts[0].scope,
        kind=kind,
        fact_ids=[fact.pk for fact in taken.facts],
        places=taken.places,
        actor=principal.actor,
    )


def load_forgetting(principal: Principal, agent: Agent, fact_id: object) -> Forgetting:
    """The last act that forgot this fact; NotFound when there is none that the principal may see."""
    try:
        key = UUID(str(fact_id))
    except ValueError as error:
        raise NotFound from error
    with workspace_scope(principal.workspace):
        acts = Forgetting.objects.visible_to(principal).filter(agent=agent, fact_ids__contains=[key])
        act: Forgetting | None = acts.order_by("-created_at").first()
    if act is None:
        raise NotFound
    return act


def undo_forget(*, principal: Principal, forgetting: Forgetting) -> Forgetting:
    """Take an act of forgetting back: everything is where it was. Raises Conflict once its window has closed."""
    require_own(principal, forgetting)
    with workspace_scope(principal.workspace):
        act = Forgetting.objects.select_for_update().get(pk=forgetting.pk)
        if act.undone_at is not None:
            raise Conflict("This was taken back already.", code="already_undone")
        if not act.undoable:
            raise Conflict("It is too late to take this back.", code="undo_expired")
        _restore(principal, act)
        act.undone_at, act.sealed = timezone.now(), ""
        act.save(update_fields=["undone_at", "sealed", "updated_at"])
        record_audit(principal=principal, action="fact.forget_undone", target=str(act.fact_ids[0]))
    return act


def _restore(principal: Principal, act: Forgetting) -> None:
    kept = json.loads(decrypt(act.sealed.encode()))
    removals = [Removal.unsealed(data) for data in kept["removals"]]
    files = [removal for removal in removals if removal.model == WorkspaceFile._meta.label]
    longer = [removal for removal in removals if (removal.model, removal.field) == (Fact._meta.label, "text")]
    Tombstone.objects.filter(agent=act.agent_id, fact_id__in=act.fact_ids).delete()
    _revive(principal, kept["states"])
    put_back_longer_facts(longer)
    put_back_files(principal, files)
    # The last change of a row is taken back first.
    put_back([removal for removal in reversed(removals) if removal not in files and removal not in longer])


def _revive(principal: Principal, states: dict[str, str]) -> None:
    """Bring hidden facts back; where the same was said anew meanwhile, that one stands."""
    hidden = list(Fact.objects.filter(pk__in=states, status=Fact.Status.FORGOTTEN).select_for_update())
    again = _said_again(hidden)
    doubled = [
        fact
        for fact in hidden
        if states[str(fact.pk)] == Fact.Status.ACTIVE and _bucket_and_text(fact) in again
    ]
    if doubled:
        purge_facts(principal, doubled)
    gone = {fact.pk for fact in doubled}
    back = [fact for fact in hidden if fact.pk not in gone]
    for fact in back:
        fact.status, fact.forgotten_at, fact.updated_at = states[str(fact.pk)], None, timezone.now()
    Fact.objects.bulk_update(back, ["status", "forgotten_at", "updated_at"], batch_size=WRITTEN_AT_ONCE)


def _bucket_and_text(fact: Fact) -> tuple[Any, ...]:
    return fact.agent_id, fact.scope, fact.owner_key, fact.text_key


def _said_again(hidden: Sequence[Fact]) -> set[tuple[Any, ...]]:
    """The buckets and texts, of those of hidden facts, that stand there once more."""
    current = Fact.objects.current().filter(
        agent__in={fact.agent_id for fact in hidden}, text_key__in={fact.text_key for fact in hidden}
    )
    return set(current.values_list("agent_id", "scope", "owner_key", "text_key"))


def purge_forgetting(*, principal: Principal, forgetting_id: UUID) -> int:
    """Make an act of forgetting final: what undoing needs is destroyed. Returns how many facts went."""
    with workspace_scope(principal.workspace):
        act = Forgetting.objects.select_for_update().filter(pk=forgetting_id).first()
        if act is None or act.undone_at is not None or act.purged_at is not None:
            return 0
        facts = list(Fact.objects.filter(pk__in=act.fact_ids, status=Fact.Status.FORGOTTEN))
        purge_facts(principal, facts)
        act.sealed, act.purged_at = "", timezone.now()
        act.save(update_fields=["sealed", "purged_at", "updated_at"])
    return len(facts)


def overdue_forgettings() -> Any:
    """Acts whose window has closed and which nobody has made final yet; inside a workspace's scope."""
    return Forgetting.objects.filter(purged_at=None, undone_at=None, undo_until__lte=timezone.now())
