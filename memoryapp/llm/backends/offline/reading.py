"""From sentences to statements: each is noise, a statement, more about the one before, or news of something known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memoryapp.llm.backends.offline.antecedents import name_object
from memoryapp.llm.backends.offline.corrections import correct_statements
from memoryapp.llm.backends.offline.credential_notes import before_credential, is_masked
from memoryapp.llm.backends.offline.facts import Fact, credential_fact, hands_over, statement_fact
from memoryapp.llm.backends.offline.grouping import (
    continues,
    gives_reason,
    is_why,
    leans_on,
    still_feels,
    tells_incident,
)
from memoryapp.llm.backends.offline.introductions import introduces
from memoryapp.llm.backends.offline.likeness import proper_words
from memoryapp.llm.backends.offline.overlays import is_wanted
from memoryapp.llm.backends.offline.recognise import NOT_RECOGNISED, Unkept, recognise
from memoryapp.llm.backends.offline.segmentation import sentences_of
from memoryapp.llm.backends.offline.statements import Clause, Sentence, Statement
from memoryapp.llm.language.wording import overlap
from memoryapp.llm.tasks import ExtractionInput, KnownFact

_ROOM = 45


@dataclass(slots=True)
class Findings:
    """What the sentences of a conversation gave."""

    statements: list[Statement] = field(default_factory=list)
    notes: list[Fact] = field(default_factory=list)
    unkept: list[Unkept] = field(default_factory=list)


def read_sentences(task: ExtractionInput) -> Findings:
    """Everything worth a look in what people said, in order."""
    found = Findings()
    last: Statement | None = None
    texts = {message.number: message.text for message in task.messages}
    for sentence in sentences_of(task):
        if is_masked(sentence.text) or hands_over(sentence, texts[sentence.message]):
            found.notes += _noted(sentence, texts[sentence.message], task)
            last = None
        elif not correct_statements(sentence, found.statements):
            last = _take_in(sentence, last, found, task)
    return found


def _noted(sentence: Sentence, message: str, task: ExtractionInput) -> list[Fact]:
    """The note of a credential, after what else the sentence tells before it."""
    note = credential_fact(sentence, message)
    if note is None:
        return []
    told = before_credential(sentence.text)
    beside = recognise(replace(sentence, text=told), companion=task.overlay.is_companion) if told else None
    if isinstance(beside, list) and beside[0].category in ("configuration", "technical"):
        text = f"{statement_fact(beside[0], companion=False).body}; {note.text[:1].lower()}{note.text[1:]}"
        note = replace(note, text=f"{text[:1].upper()}{text[1:]}", body=text, words=text)
    return [note]


def _take_in(
    sentence: Sentence, last: Statement | None, found: Findings, task: ExtractionInput
) -> Statement | None:
    """Files the sentence among the findings; the statement that the next sentence may go on with."""
    result = recognise(sentence, companion=task.overlay.is_companion)
    if not isinstance(result, Unkept):
        # What happened once is told as the reason of a rule before it is a fact of its own.
        if last is not None and gives_reason(result[0], last) and _continue(sentence, last):
            return last
        _take_opening(sentence, result[0], found)
        name_object(result[0], found.statements)
        found.statements += result
        return result[-1]
    current = None
    if result.reason == NOT_RECOGNISED or (
        last is not None and (still_feels(sentence, last) or tells_incident(sentence, last))
    ):
        current = _continue(sentence, last) or _news(sentence, last, found, task)
    if current is None:
        found.unkept.append(result)
    return current


def _take_opening(sentence: Sentence, statement: Statement, found: Findings) -> None:
    """'Got the new server racked. It's called badger': what leans on a sentence is told together with it."""
    opening = found.unkept[-1] if found.unkept else None
    if opening is None or opening.reason != NOT_RECOGNISED or opening.sentence.message != sentence.message:
        return
    if is_why(opening.sentence, statement):
        statement.clauses.append(Clause("; ", opening.sentence.text.rstrip(".! ")))
        found.unkept.pop()
        return
    if not (leans_on(sentence, opening.sentence) or introduces(opening.sentence, statement)):
        return
    statement.clauses = [
        Clause("", opening.sentence.text.rstrip(".! ")),
        Clause("; ", statement.clauses[0].text),
        *statement.clauses[1:],
    ]
    found.unkept.pop()


def _continue(sentence: Sentence, last: Statement | None) -> Statement | None:
    """The statement before, when the sentence gives its reason or a detail of it."""
    if last is None or not continues(sentence, last):
        return None
    if len(last.words.split()) + len(sentence.text.split()) < _ROOM:
        last.further.append(Statement(last.category, last.kind, sentence, [Clause("", sentence.text)]))
    return last


def _news(
    sentence: Sentence, last: Statement | None, found: Findings, task: ExtractionInput
) -> Statement | None:
    """A statement made of a sentence that no rule knows: news of something known, or wanted by the workspace."""
    enough = 1 if last is not None and last.kind == "enrichment" else 2
    if speaks_of_known(sentence, task.known, enough=enough):
        category, kind = "", "enrichment"
    elif is_wanted(sentence.text, task.overlay):
        category, kind = "project", "wanted"
    else:
        return None
    news = Statement(category, kind, sentence, [Clause("", sentence.text)])
    found.statements.append(news)
    return news


def speaks_of_known(sentence: Sentence, known: Sequence[KnownFact], *, enough: int = 2) -> bool:
    """Whether the sentence names what a known fact is about."""
    names = proper_words(sentence.text, everywhere=True)
    for fact in known:
        shared = overlap(sentence.text, fact.text)
        if len(shared) >= enough or (shared and names & proper_words(fact.text, everywhere=True)):
            return True
    return False
