"""From what a model answered to what may be applied: the gates of triage, and nothing at all when the model says so."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.actions.masking import credential_patterns, masked
from memoryapp.lifecycle.asking import overlay_for
from memoryapp.lifecycle.reading import Judged, Reading
from memoryapp.lifecycle.triage import judge_all
from memoryapp.llm.client import StructuredReply
from memoryapp.llm.errors import MalformedReply
from memoryapp.llm.language.wording import says_nothing_new
from memoryapp.llm.tasks import Candidate, ExtractionReply, Operation, Refusal

PRIVATE = Refusal("", "off_record", "The person asked not to remember this.")


def judge_reply(reading: Reading, reply: StructuredReply[ExtractionReply]) -> Judged:
    """The reply's candidates after the gates, and its texts for the files.

    Raises MalformedReply when every part of it was of the wrong form: that is a failure, not "nothing to remember".
    """
    value, usage, reason = reply.value, reply.completion.usage, _tellable(reading, reply.value.reason)
    left_out = [Refusal("", "reply", problem) for problem in reply.refused]
    if not value.should_update:
        nothing = [candidate for candidate in value.operations if candidate.op is Operation.NONE]
        _, refusals = _through_gates(reading, nothing)
        return Judged(refusals=(*left_out, *refusals), reason=reason, usage=usage)
    if reply.refused and not _says_anything(value):
        raise MalformedReply(raw=reply.completion.text)
    candidates, refusals = _through_gates(reading, value.operations)
    restated = _restated(reading, value.operations)
    files = {"PROFILE.md": value.profile_update, "MEMORY.md": value.memory_update}
    return Judged(
        candidates=candidates,
        refusals=(*left_out, *refusals),
        restated=restated,
        daily_entry=value.daily_entry,
        files={path: text for path, text in files.items() if text.strip()},
        reason=reason,
        usage=usage,
    )


def _tellable(reading: Reading, reason: str) -> str:
    """The model's own words for its decision, which are shown and kept: without secrets, or not at all."""
    return "" if reading.off_record.leaks_into(reason) else masked(reason, reading.principal.workspace)[0]


def _says_anything(value: ExtractionReply) -> bool:
    return bool(value.operations or value.daily_entry or value.memory_update or value.profile_update)


def _through_gates(
    reading: Reading, candidates: list[Candidate]
) -> tuple[tuple[Candidate, ...], tuple[Refusal, ...]]:
    """What passes the gates, and what does not; of what was off the record not even that it was proposed is told."""
    allowed = [candidate for candidate in candidates if not reading.off_record.leaks_into(candidate.text)]
    triaged = judge_all(
        allowed,
        known=reading.background.known,
        transcript=reading.off_record.messages,
        today=reading.stretch.day,
        overlay=overlay_for(reading),
        secrets=credential_patterns(reading.principal.workspace),
    )
    private = [PRIVATE] * (len(candidates) - len(allowed))
    return triaged.accepted, (*private, *triaged.refused)


def _restated(reading: Reading, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates that only say what is known, each with the known fact as its target."""
    found = []
    for candidate in candidates:
        known = [
            fact.number for fact in reading.background.known if says_nothing_new(candidate.text, fact.text)
        ]
        if candidate.op is Operation.ADD and known:
            found.append(candidate.model_copy(update={"target": known[0]}))
    return tuple(found)
