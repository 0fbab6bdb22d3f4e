"""A reading is applied: facts, files, its record and the conversation's cursor change together or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from memoryapp.actions.statements import Statements
from memoryapp.lifecycle.changes import Change, FactWriter
from memoryapp.lifecycle.file_updates import FileWriter, Objection
from memoryapp.lifecycle.judging import PRIVATE
from memoryapp.lifecycle.reading import Applied, Judged, Reading
from memoryapp.lifecycle.records import record_reading
from memoryapp.llm.language.wording import says_nothing_new
from memoryapp.llm.tasks import Refusal
from memoryapp.models import Agent, Conversation, Fact
from tenants.scoping import workspace_scope

WAITING = Refusal("", "review", "It has to be approved first.")
# Gates that keep a statement out of memory altogether; what is merely known already may stand in a file.
BARRED = frozenset(("utility", "factual", "safe"))


def apply_reading(reading: Reading, judged: Judged) -> Applied | None:
    """Apply a judged reply in one transaction; None when somebody else has read this stretch meanwhile."""
    conversation = reading.stretch.conversation
    with workspace_scope(reading.principal.workspace):
        # The lock makes two readings of one conversation take turns, the cursor tells the second that it is late.
        current = Conversation.objects.select_for_update().get(pk=conversation.pk)
        if current.extracted_through != conversation.extracted_through:
            return None
        applied = Applied(refusals=list(judged.refusals))
        _apply_facts(reading, judged, applied)
        _apply_files(reading, judged, applied)
        record_reading(reading, applied, reason=judged.reason, usage=judged.usage)
        Conversation.objects.filter(pk=conversation.pk).update(extracted_through=reading.stretch.last_number)
    return applied


def _apply_facts(reading: Reading, judged: Judged, applied: Applied) -> None:
    writer = FactWriter(reading.principal, reading.agent, reading.stretch, reading.background)
    for candidate in judged.restated:
        writer.say_again(candidate)
    for candidate in judged.candidates:
        done = writer.carry_out(candidate)
        if isinstance(done, Refusal):
            applied.refusals.append(done)
        else:
            applied.changes.append(done)


def _apply_files(reading: Reading, judged: Judged, applied: Applied) -> None:
    if reading.agent.review_mode == Agent.ReviewMode.ALL:
        # Files are read every turn and at night: nothing gets there past the person who reviews.
        return
    objections = [Objection(PRIVATE, reading.off_record.leaks_into), *_barred(judged.refusals)]
    objections += _waiting(applied.changes)
    writer = FileWriter.of(reading.principal, reading.agent, objections, applied.refusals)
    written = [
        writer.rewrite(path, base=reading.background.file(path).content, proposed=proposed)
        for path, proposed in judged.files.items()
    ]
    written.append(writer.append(reading.note_day, judged.daily_entry))
    applied.files.extend(record for record in written if record is not None)


def _waiting(changes: Iterable[Change]) -> list[Objection]:
    """A fact that waits for a person's word does not reach a prompt by way of a file either."""
    pending = [change.fact.text for change in changes if change.fact.status == Fact.Status.PENDING]
    return [Objection(WAITING, Statements(pending).inside)] if pending else []


def _barred(refusals: Iterable[Refusal]) -> list[Objection]:
    """What a gate has refused as a fact does not come in by way of a file either."""
    barred = [refusal for refusal in refusals if refusal.gate in BARRED and refusal.text]
    return [Objection(refusal, partial(says_nothing_new, known=refusal.text)) for refusal in barred]
