"""From what a model answered to what may be applied: the gates of triage, and nothing at all when it says so."""

from __future__ import annotations

from memoryapp.actions.masking import masked
from memoryapp.lifecycle.reading import Judged, Reading
from memoryapp.llm.client import StructuredReply
from memoryapp.llm.errors import MalformedReply
from memoryapp.llm.tasks import Candidate, ExtractionReply, Operation, Refusal


def judge_reply(reading: Reading, reply: StructuredReply[ExtractionReply]) -> Judged:
    """The reply's candidates after the gates, and its texts for the files."""
    value, usage, reason = reply.value, reply.completion.usage, _tellable(reading, reply.value.reason)
    left_out = [Refusal("", "reply", reason) for reason in reply.refused]
    if not value.should_update:
        return Judged(refusals=tuple(left_out), reason=reason, usage=usage)
    if reply.refused and not _says_anything(value):
        # Every part was of the wrong form: that is a failure, not "nothing to remember".
        raise MalformedReply(raw=reply.completion.text)
    candidates, refusals = _judge(reading, value)
    files = {"PROFILE.md": value.profile_update, "MEMORY.md": value.memory_update}
    return Judged(
        candidates=tuple(candidates),
        refusals=(*left_out, *refusals),
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


def _judge(reading: Reading, value: ExtractionReply) -> tuple[list[Candidate], list[Refusal]]:
    return [candidate for candidate in value.operations if candidate.op is not Operation.NONE], []
