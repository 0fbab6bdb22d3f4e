"""Triage: the four gates every candidate passes, whoever proposed it, and the form in which it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from memoryapp.lifecycle.gates.context import Context, Stopped
from memoryapp.lifecycle.gates.factual import check_factual
from memoryapp.lifecycle.gates.form import put_in_form
from memoryapp.lifecycle.gates.novelty import check_novelty
from memoryapp.lifecycle.gates.safe import make_safe
from memoryapp.lifecycle.gates.utility import check_utility
from memoryapp.llm.language.wording import says_nothing_new
from memoryapp.llm.tasks import Candidate, KnownFact, Operation, Overlay, Refusal, TranscriptMessage


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate may be kept, and as what; else which gate stopped it and why."""

    accepted: bool
    candidate: Candidate
    gate: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """The text to keep, repaired where it had to be; of a refused candidate what may be shown."""
        return self.candidate.text


@dataclass(frozen=True, slots=True)
class Triaged:
    """The candidates of one reply after the gates."""

    accepted: tuple[Candidate, ...]
    refused: tuple[Refusal, ...]


def judge(
    candidate: Candidate,
    *,
    known: Sequence[KnownFact] = (),
    transcript: Sequence[TranscriptMessage] = (),
    today: date,
    overlay: Overlay | None = None,
    secrets: Sequence[str] = (),
    others: Sequence[Candidate] = (),
) -> Verdict:
    """Lets one candidate through the gates; `others` are the candidates proposed together with it."""
    context = Context(known, transcript, today, overlay or Overlay(), secrets)
    return _judge(candidate, context, others)


def judge_all(
    candidates: Iterable[Candidate],
    *,
    known: Sequence[KnownFact] = (),
    transcript: Sequence[TranscriptMessage] = (),
    today: date,
    overlay: Overlay | None = None,
    secrets: Sequence[str] = (),
) -> Triaged:
    """Lets the candidates of one reply through the gates; a known fact is acted on once, the first one wins."""
    context = Context(known, transcript, today, overlay or Overlay(), secrets)
    proposed = list(candidates)
    accepted: list[Candidate] = []
    refused: list[Refusal] = []
    for candidate in proposed:
        verdict = _judge(candidate, context, [other for other in proposed if other is not candidate])
        verdict = _once(verdict, accepted)
        if verdict.accepted:
            accepted.append(verdict.candidate)
        else:
            refused.append(Refusal(verdict.text, verdict.gate, verdict.reason))
    return Triaged(tuple(accepted), tuple(refused))


def _judge(candidate: Candidate, context: Context, others: Sequence[Candidate]) -> Verdict:
    safe = make_safe(candidate, context)
    if isinstance(safe, Stopped):
        # Nothing of a text with a credential is shown, not even as what was refused.
        return _stopped(candidate.model_copy(update={"text": "", "quote": ""}), safe)
    if safe.op is Operation.NONE:
        return _stopped(safe, Stopped(safe.gate or "utility", safe.reason or "There is nothing to keep."))
    if safe.op is not Operation.DELETE:
        objection = check_factual(safe, context) or check_utility(safe, context)
        if objection:
            return _stopped(safe, objection)
    formed = put_in_form(safe, context)
    if isinstance(formed, Stopped):
        return _stopped(safe, formed)
    novel = check_novelty(formed, context, others)
    return _stopped(formed, novel) if isinstance(novel, Stopped) else Verdict(True, novel)


def _stopped(candidate: Candidate, by: Stopped) -> Verdict:
    return Verdict(False, candidate, by.gate, by.reason)


def _once(verdict: Verdict, accepted: Sequence[Candidate]) -> Verdict:
    """Refuses what acts on a known fact that is acted on already, or says once more what is kept already."""
    if not verdict.accepted:
        return verdict
    candidate = verdict.candidate
    touched = {number for other in accepted for number in (other.target, *other.also) if number is not None}
    if candidate.target in touched or touched & set(candidate.also):
        return _stopped(candidate, Stopped("novelty", "Another change of the same known fact comes first."))
    repeats = candidate.op is Operation.ADD and any(
        other.op is not Operation.DELETE and says_nothing_new(candidate.text, other.text)
        for other in accepted
    )
    if repeats:
        return _stopped(candidate, Stopped("novelty", "It is said once already."))
    return verdict
