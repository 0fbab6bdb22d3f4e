"""Extraction without a model: sentences, statements, facts, and what they change of the known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import regex

from memoryapp.llm.backends.offline.corrections import correct_statements
from memoryapp.llm.backends.offline.credential_notes import is_masked, note_credential
from memoryapp.llm.backends.offline.facts import Fact
from memoryapp.llm.backends.offline.files import daily_entry, update_files
from memoryapp.llm.backends.offline.forgetting import split_forget_requests, without_withheld
from memoryapp.llm.backends.offline.grouping import continues, group_statements
from memoryapp.llm.backends.offline.known import category_of
from memoryapp.llm.backends.offline.outcomes import reported_outcomes
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.recognise import NOT_RECOGNISED, Unkept, recognise
from memoryapp.llm.backends.offline.segmentation import sentences_of
from memoryapp.llm.backends.offline.statements import Clause, Sentence, Statement
from memoryapp.llm.backends.offline.updates import Settled, join_about_known, proper_words, settle
from memoryapp.llm.language.dates import latest_date
from memoryapp.llm.language.shortening import shorten
from memoryapp.llm.language.wording import content_words, is_weak, overlap
from memoryapp.llm.tasks import (
    Candidate,
    ExtractionInput,
    ExtractionReply,
    KnownFact,
    Operation,
    TranscriptMessage,
)
from memoryapp.safety.credentials import redact


@dataclass(slots=True)
class _Findings:
    """What the sentences of a conversation gave."""

    statements: list[Statement] = field(default_factory=list)
    notes: list[Fact] = field(default_factory=list)
    unkept: list[Unkept] = field(default_factory=list)


def extract(task: ExtractionInput) -> ExtractionReply:
    """What the conversation adds to, changes in or takes from what is known."""
    messages = without_withheld(_masked(task.messages, task.secret_patterns))
    messages, doomed = split_forget_requests(messages, task.known)
    known = [fact for fact in task.known if fact.number not in doomed]
    task = replace(task, messages=messages, known=tuple(known))
    found = _read(task)
    facts = [
        *(_fact(statement, task) for statement in group_statements(found.statements)),
        *found.notes,
        *_outcomes(task),
    ]
    facts = join_about_known([fact for fact in facts if names_its_subject(fact)], known)
    settled = [(fact, settle(fact, known)) for fact in facts]
    operations = [*_deletions(doomed), *_operations(settled, known)]
    return _reply(task, operations, settled, found.unkept)


def _masked(messages: Iterable[TranscriptMessage], patterns: Sequence[str]) -> tuple[TranscriptMessage, ...]:
    return tuple(replace(message, text=redact(message.text, patterns).text) for message in messages)


def _read(task: ExtractionInput) -> _Findings:
    found = _Findings()
    last: Statement | None = None
    texts = {message.number: message.text for message in task.messages}
    for sentence in sentences_of(task):
        if is_masked(sentence.text):
            note = _credential_fact(sentence, texts[sentence.message])
            found.notes += [note] if note else []
            last = None
            continue
        if correct_statements(sentence, found.statements):
            continue
        result = recognise(sentence, companion=task.overlay.is_companion)
        if not isinstance(result, Unkept):
            found.statements += result
            last = result[-1]
        elif result.gate == "factual" and result.reason == NOT_RECOGNISED:
            last = _attach(sentence, last, found, task)
            if last is None:
                found.unkept.append(result)
        else:
            found.unkept.append(result)
            last = None
    return found


def _attach(
    sentence: Sentence, last: Statement | None, found: _Findings, task: ExtractionInput
) -> Statement | None:
    """A sentence without a rule of its own: the reason of the one before, or news of something known."""
    if last is not None and continues(sentence, last):
        if len(last.words.split()) + len(sentence.text.split()) < 45:
            last.further.append(Statement(last.category, last.kind, sentence, [Clause("", sentence.text)]))
        return last
    if speaks_of_known(
        sentence, task.known, enough=1 if last is not None and last.kind == "enrichment" else 2
    ):
        news = Statement("", "enrichment", sentence, [Clause("", sentence.text)])
        found.statements.append(news)
        return news
    return None


def speaks_of_known(sentence: Sentence, known: Sequence[KnownFact], *, enough: int = 2) -> bool:
    """Whether the sentence names what a known fact is about."""
    for fact in known:
        shared = overlap(sentence.text, fact.text)
        if len(shared) >= enough or (
            shared and proper_words(sentence.text, everywhere=True) & proper_words(fact.text, everywhere=True)
        ):
            return True
    return False


def _credential_fact(sentence: Sentence, message: str) -> Fact | None:
    note = note_credential(sentence.raw, sentence.language, sentence.day, around=message)
    if note is None:
        return None
    return Fact(
        note.text,
        note.text,
        note.text,
        "configuration",
        "credential",
        note.language,
        sentence.day,
        [sentence.message],
    )


def _outcomes(task: ExtractionInput) -> Iterable[Fact]:
    for outcome in reported_outcomes(task.messages):
        pack = pack_for(outcome.language)
        text = pack.finish(outcome.text, "configuration", task.today, True)
        yield Fact(
            text,
            outcome.text,
            outcome.text,
            "configuration",
            "outcome",
            outcome.language,
            task.today,
            [outcome.request, outcome.report],
            dated=True,
        )


def _fact(statement: Statement, task: ExtractionInput) -> Fact:
    pack = pack_for(statement.sentence.language)
    companion = task.overlay.is_companion
    drop_former(statement)
    body = pack.join([pack.render(part, companion) for part in _parts(statement)], statement.category)
    words = " ".join(part.words for part in _parts(statement))
    dated = statement.kind == "constraint" or statement.category in ("decision", "project")
    text = pack.finish(
        shorten(body, statement.sentence.language), statement.category, statement.sentence.day, dated
    )
    return Fact(
        text, body, words, statement.category, statement.kind, statement.sentence.language, statement.sentence.day,
        sorted({sentence.message for sentence in statement.sentences}),
        any(sentence.explicit for sentence in statement.sentences),
        any(pack.changed.search(sentence.raw) for sentence in statement.sentences), dated,
    )  # fmt: skip


_FORMER = regex.compile(
    r"\b(?:no longer|not? .*\bany ?more|used to|don't work|doesn't work|quit|left|leaving)\b|\bya no\b|"
    r"\bdejé\b|不再|离开|辞掉|辞了",
    regex.IGNORECASE,
)


def drop_former(statement: Statement) -> None:
    """Where a sentence names the old job or home and the new one, the new one is the fact."""
    if statement.kind in ("work", "residence") and len(statement.clauses) > 1:
        current = [clause for clause in statement.clauses if not _FORMER.search(clause.text)]
        if current:
            statement.clauses = [Clause("", current[0].text), *current[1:]]


def _parts(statement: Statement) -> list[Statement]:
    return [statement, *(part for other in statement.further for part in _parts(other))]


_UNNAMED = regex.compile(
    r"^(?:it|this|that|these|those|they|he|she|there|them|your?|its|their|his|her)\b(?!\s+(?:year|spring|"
    r"summer|autumn|winter|month|week|weekend|season|term|quarter|morning)\b)|^(?:它|他|她|这|那)(?!家|里|"
    r"边)|^(?:eso|esto|ella|él|ellos|ellas)\b",
    regex.IGNORECASE,
)


def names_its_subject(fact: Fact) -> bool:
    """Whether a fact can be understood by itself."""
    return fact.explicit or not _UNNAMED.match(fact.body)


def _deletions(doomed: dict[int, list[int]]) -> list[Candidate]:
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


def _operations(settled: Iterable[tuple[Fact, Settled]], known: Sequence[KnownFact]) -> list[Candidate]:
    """One operation a fact; a known fact is acted on once, later words about it win."""
    categories = {fact.number: fact.category or category_of(fact.text) for fact in known}
    operations: list[Candidate] = []
    touched: set[int] = set()
    for fact, result in settled:
        if fact.kind == "enrichment" and result.op is not Operation.UPDATE:
            continue
        numbers = {result.target, *result.also} - {None}
        if result.op is Operation.UPDATE and numbers & touched:
            result = (
                Settled(Operation.ADD, fact.text) if fact.kind != "enrichment" else Settled(Operation.NONE)
            )
        operations.append(_candidate(fact, result, categories))
        touched |= {number for number in numbers if number is not None and result.op is Operation.UPDATE}
    return operations


# What a sentence says of its own kind counts more than the kind of the fact it changes; a milestone does not.
_SURE = frozenset(("identity", "rule", "decision", "preference", "relationship"))


def _candidate(fact: Fact, result: Settled, categories: dict[int, str]) -> Candidate:
    kept = (
        categories.get(result.target, "")
        if result.target is not None and result.op is Operation.UPDATE
        else ""
    )
    category = fact.category if fact.category and (not kept or fact.category in _SURE) else kept or "project"
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


def _reply(
    task: ExtractionInput,
    operations: list[Candidate],
    settled: list[tuple[Fact, Settled]],
    unkept: list[Unkept],
) -> ExtractionReply:
    done = [operation for operation in operations if operation.op is not Operation.NONE]
    again = [operation.text for operation in operations if operation.op is Operation.NONE and operation.text]
    files = update_files(done, task.known, task.profile, task.memory)
    return ExtractionReply(
        should_update=bool(done or again),
        reason=_reason(done, again, unkept),
        operations=[*operations, *_left_out(unkept)],
        daily_entry=daily_entry(done, again, task.today),
        memory_update=files.memory,
        profile_update=files.profile,
    )


def _left_out(unkept: Iterable[Unkept]) -> list[Candidate]:
    return [
        Candidate(
            op=Operation.NONE,
            text=one.sentence.raw[:200],
            evidence=[one.sentence.message],
            gate=one.gate,
            reason=one.reason,
        )
        for one in unkept
    ]


def _reason(done: list[Candidate], again: list[str], unkept: list[Unkept]) -> str:
    parts = [
        f"{count} {op.lower()}" for op, count in Counter(operation.op.value for operation in done).items()
    ]
    parts += [f"{len(again)} already known"] if again else []
    parts += [
        f"{count} left out: {reason}" for reason, count in Counter(one.reason for one in unkept).items()
    ]
    return "; ".join(parts) or "nothing was said"


__all__ = ["content_words", "extract", "is_weak"]
