"""What a person does with the entries of a dream: confirm, edit, forget, take back; accept or decline a proposal."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from memoryapp.actions.access import require_own
from memoryapp.actions.dream_facts import revert_fact_entry
from memoryapp.actions.fact_lifecycle import confirm_fact
from memoryapp.actions.fact_text import text_key
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.actions.forget import forget_fact
from memoryapp.actions.memory_changes import Applied, Change, apply_changes, reversed_change
from memoryapp.actions.statements import undressed
from memoryapp.exceptions import Conflict, NotFound
from memoryapp.models import Agent, Dream, DreamEntry, Fact, FileSection, Forgetting, WorkspaceFile
from tenants.actions import record_audit
from tenants.principals import Principal
from tenants.scoping import workspace_scope

Operation = DreamEntry.Operation


def load_dream(principal: Principal, agent: Agent, dream_id: object) -> Dream:
    """The report of that id; NotFound when missing or not the principal's to see."""
    with workspace_scope(principal.workspace):
        dream: Dream | None = (
            Dream.objects.visible_to(principal).filter(agent=agent, pk=_uuid(dream_id)).first()
        )
    if dream is None:
        raise NotFound
    return dream


def load_entry(principal: Principal, dream: Dream, entry_id: object) -> DreamEntry:
    """The entry of that id in a report; NotFound when it is not one of it."""
    with workspace_scope(principal.workspace):
        entries = DreamEntry.objects.visible_to(principal).select_related("dream", "fact")
        entry: DreamEntry | None = entries.filter(dream=dream, pk=_uuid(entry_id)).first()
    if entry is None:
        raise NotFound
    return entry


def _uuid(value: object) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as error:
        raise NotFound from error


def confirm_entry(*, principal: Principal, entry: DreamEntry) -> DreamEntry:
    """Say that what an entry says holds; a fact that says it is fresh again."""
    require_own(principal, entry)
    with workspace_scope(principal.workspace):
        fact = _fact_of(entry)
        if fact is not None:
            confirm_fact(principal=principal, fact=fact)
        return _judged(principal, entry, "confirmed")


def edit_entry(*, principal: Principal, entry: DreamEntry, text: str) -> DreamEntry:
    """Put better words in the place of an entry's line. Raises Conflict when the line has changed since."""
    require_own(principal, entry)
    line = f"- {undressed(text)}"
    with workspace_scope(principal.workspace):
        change = Change(Operation.SUPERSEDE, (_line_of(entry),), line)
        _write(principal, entry, change, "dream entry edited", person=True)
        entry.after = line
        return _judged(principal, entry, "edited")


def forget_entry(*, principal: Principal, entry: DreamEntry) -> Forgetting:
    """Forget what an entry says, everywhere, with a receipt and time to take it back."""
    require_own(principal, entry)
    text = undressed(entry.after or entry.before)
    with workspace_scope(principal.workspace):
        fact = _fact_of(entry) or _fact_saying(principal, entry, text)
        receipt = forget_fact(principal=principal, fact=fact)
        # Its words may be among those that have just gone from the report too.
        entry.refresh_from_db()
        _judged(principal, entry, "forgotten")
    return receipt


def _fact_saying(principal: Principal, entry: DreamEntry, text: str) -> Fact:
    """A fact for a statement that only stood in files, so that forgetting it works like forgetting any."""
    agent = Agent.objects.get(pk=entry.agent_id)
    new = NewFact(text=text, scope=entry.scope, origin=Fact.Origin.DREAM)
    return add_fact(principal=principal, agent=agent, new=new, lift_tombstone=True).fact


def _fact_of(entry: DreamEntry) -> Fact | None:
    """The standing fact that an entry is about: the one it came from, or one with its very text."""
    facts = Fact.objects.filter(agent=entry.agent_id, scope=entry.scope, owner_key=entry.owner_key).current()
    named = facts.filter(pk=entry.fact_id).first() if entry.fact_id else None
    return named or facts.filter(text_key=text_key(undressed(entry.after or entry.before))).first()


def revert_entry(*, principal: Principal, entry: DreamEntry) -> DreamEntry:
    """Take one change of a dream back; of a keep there is nothing to take back.

    Raises Conflict when it was taken back already or what it changed has changed again.
    """
    require_own(principal, entry)
    if entry.operation == Operation.KEEP:
        return entry
    with workspace_scope(principal.workspace):
        entry = DreamEntry.objects.select_for_update(of=("self",)).select_related("dream").get(pk=entry.pk)
        if entry.reverted_at is not None:
            raise Conflict("This was taken back already.", code="already_reverted")
        if entry.dream.status == Dream.Status.PROPOSED or entry.dream.dry_run:
            raise Conflict("This was never applied.", code="not_applied")
        if entry.dream.kind == Dream.Kind.CONSOLIDATION:
            revert_fact_entry(principal, entry)
        else:
            _write(principal, entry, reversed_change(change_of(entry)), "dream entry taken back")
        entry.reverted_at = timezone.now()
        entry.save(update_fields=["reverted_at", "updated_at"])
        record_audit(principal=principal, action="dream.entry_reverted", target=str(entry.pk))
    return entry


def change_of(entry: DreamEntry) -> Change:
    """The change of a file that an entry is the record of."""
    return Change(
        operation=Operation(entry.operation),
        before=tuple(entry.before.split("\n")) if entry.before else (),
        after=entry.after,
        heading=entry.heading,
    )


def _line_of(entry: DreamEntry) -> str:
    if entry.operation == Operation.KEEP or not entry.after:
        raise Conflict("This entry put no line into a file.", code="not_applied")
    return entry.after


def _write(
    principal: Principal, entry: DreamEntry, change: Change, reason: str, *, person: bool = False
) -> None:
    file = _file_of(entry)
    applied = apply_changes(file.content if file else "", [change])
    if applied.left:
        raise Conflict("This line has changed since.", code="changed_meanwhile")
    _store(principal, entry, applied, reason, person=person)


def _file_of(entry: DreamEntry) -> WorkspaceFile | None:
    bucket = {"agent": entry.agent_id, "scope": entry.scope, "owner_key": entry.owner_key}
    file: WorkspaceFile | None = (
        WorkspaceFile.objects.filter(**bucket, path=entry.path).select_for_update().first()
    )
    return file


def _store(principal: Principal, entry: DreamEntry, applied: Applied, reason: str, *, person: bool) -> None:
    write_file(
        principal=principal,
        agent=Agent.objects.get(pk=entry.agent_id),
        path=entry.path,
        content=applied.text,
        scope=entry.scope,
        origin="dream",
        reason=reason,
        person=person,
    )


def _judged(principal: Principal, entry: DreamEntry, verdict: str) -> DreamEntry:
    entry.verdict = verdict
    entry.save(update_fields=["verdict", "after", "updated_at"])
    record_audit(principal=principal, action=f"dream.entry_{verdict}", target=str(entry.pk))
    return entry


def accept_dream(*, principal: Principal, dream: Dream) -> Dream:
    """Apply what a dream proposed, as far as it still fits. Raises Conflict for one that waits for nobody."""
    require_own(principal, dream)
    with workspace_scope(principal.workspace):
        row = _waiting(dream)
        entries = list(row.entries.exclude(operation=Operation.KEEP).order_by("position"))
        if entries:
            applied = _apply_entries(entries)
            _store(principal, entries[0], applied, "proposed dream accepted", person=False)
        row.status, row.finished_at = Dream.Status.SUCCEEDED, timezone.now()
        row.save(update_fields=["status", "finished_at", "updated_at"])
        record_audit(principal=principal, action="dream.accepted", target=str(row.pk))
    return row


def _apply_entries(entries: Sequence[DreamEntry]) -> Applied:
    """Apply the changes of entries to their file; those that do not fit any more are marked as kept."""
    file = _file_of(entries[0])
    mine = FileSection.objects.filter(file=file, person_edited=True) if file else ()
    protected = frozenset(line for section in mine for line in section.text.splitlines() if line.strip())
    applied = apply_changes(file.content if file else "", [change_of(entry) for entry in entries], protected)
    gates = {(change.before, change.after): change.gate for change in applied.left}
    for entry in entries:
        change = change_of(entry)
        gate = gates.get((change.before, change.after))
        if gate:
            DreamEntry.objects.filter(pk=entry.pk).update(operation=Operation.KEEP, gate=gate)
    return applied


def decline_dream(*, principal: Principal, dream: Dream) -> Dream:
    """Let nothing of a proposed dream happen. Raises Conflict for one that waits for nobody."""
    require_own(principal, dream)
    with workspace_scope(principal.workspace):
        row = _waiting(dream)
        row.status, row.reason = Dream.Status.SKIPPED, f"Declined. {row.reason}".strip()
        row.save(update_fields=["status", "reason", "updated_at"])
        record_audit(principal=principal, action="dream.declined", target=str(row.pk))
    return row


def _waiting(dream: Dream) -> Dream:
    row: Dream = Dream.objects.select_for_update().get(pk=dream.pk)
    if row.status != Dream.Status.PROPOSED:
        raise Conflict("This dream is not waiting for a decision.", code="not_proposed")
    return row
