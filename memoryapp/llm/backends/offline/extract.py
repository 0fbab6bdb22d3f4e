"""Extraction without a model: sentences, statements, facts, and what they change of the known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import regex

from memoryapp.llm.backends.offline.facts import names_its_subject, outcome_facts, statement_fact
from memoryapp.llm.backends.offline.files import FileTexts, daily_entry, update_files
from memoryapp.llm.backends.offline.forgetting import split_forget_requests, without_withheld
from memoryapp.llm.backends.offline.grouping import group_statements
from memoryapp.llm.backends.offline.operations import deletions, operations
from memoryapp.llm.backends.offline.reading import read_sentences
from memoryapp.llm.backends.offline.recognise import Unkept
from memoryapp.llm.backends.offline.updates import join_about_known, settle
from memoryapp.llm.tasks import (
    Candidate,
    ExtractionInput,
    ExtractionReply,
    Operation,
    TranscriptMessage,
)
from memoryapp.safety.credentials import redact


def extract(task: ExtractionInput) -> ExtractionReply:
    """What the conversation adds to, changes in or takes from what is known."""
    all_known = task.known
    messages = without_withheld(_masked(task.messages, task.secret_patterns))
    messages, doomed = split_forget_requests(messages, task.known)
    known = [fact for fact in task.known if fact.number not in doomed]
    task = replace(task, messages=messages, known=tuple(known))
    found = read_sentences(task)
    facts = [
        *(
            statement_fact(statement, companion=task.overlay.is_companion)
            for statement in group_statements(found.statements)
        ),
        *found.notes,
        *outcome_facts(task),
    ]
    facts = join_about_known([fact for fact in facts if names_its_subject(fact)], known)
    settled = [(fact, settle(fact, known)) for fact in facts]
    proposed = [*deletions(doomed), *operations(settled, known, task.overlay)]
    files = update_files(_done(proposed), all_known, task.profile, task.memory)
    return _reply(proposed, found.unkept, files)


def _masked(messages: Iterable[TranscriptMessage], patterns: Sequence[str]) -> tuple[TranscriptMessage, ...]:
    return tuple(replace(message, text=redact(message.text, patterns).text) for message in messages)


def _done(proposed: Iterable[Candidate]) -> list[Candidate]:
    return [operation for operation in proposed if operation.op is not Operation.NONE]


def _reply(proposed: list[Candidate], unkept: list[Unkept], files: FileTexts) -> ExtractionReply:
    done = _done(proposed)
    again = [operation.text for operation in proposed if operation.op is Operation.NONE and operation.text]
    return ExtractionReply(
        should_update=bool(done or again),
        reason=_reason(done, again, unkept),
        operations=[*proposed, *_left_out(unkept)],
        daily_entry=daily_entry(done, again),
        memory_update=files.memory,
        profile_update=files.profile,
    )


# A secret that no detector can tell from a word ("the password marmalade") is not shown as left out either.
_SECRET_WORD = regex.compile(
    r"\b(?:pass(?:word|phrase|code|wd)|pin|token|secret|credentials?|api[- ]?key|recovery phrase|contraseña|clave|"
    r"passwort|kennwort|geheim\p{L}*)\b|密码|口令|密钥|令牌|パスワード|暗証",
    regex.IGNORECASE,
)


def _left_out(unkept: Iterable[Unkept]) -> list[Candidate]:
    return [
        Candidate(
            op=Operation.NONE,
            text="" if _SECRET_WORD.search(one.sentence.raw) else one.sentence.raw[:200],
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
