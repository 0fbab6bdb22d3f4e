"""Gate 2: is it new, or materially different from what is known?"""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.lifecycle.gates.context import Context, Stopped
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.recognise import find_rule
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.requests import all_asked_to_forget
from memoryapp.llm.language.wording import overlap, says_nothing_new
from memoryapp.llm.tasks import Candidate, Operation

KNOWN = Stopped("novelty", "It is known already, and nothing about it has changed.")


def check_novelty(
    candidate: Candidate, context: Context, others: Sequence[Candidate] = ()
) -> Candidate | Stopped:
    """The candidate as it may be applied; stopped when it changes nothing or acts on nothing."""
    match candidate.op:
        case Operation.ADD:
            return KNOWN if _is_known(candidate.text, context) else candidate
        case Operation.UPDATE:
            return _check_update(candidate, context)
        case Operation.DELETE:
            return _check_delete(candidate, context, others)
        case Operation.NONE:
            return Stopped(candidate.gate or "utility", candidate.reason or "There is nothing to keep.")


def _is_known(text: str, context: Context) -> bool:
    return any(says_nothing_new(text, fact.text) for fact in context.known)


def _check_update(candidate: Candidate, context: Context) -> Candidate | Stopped:
    target = context.fact(candidate.target)
    if target is None:
        return Stopped("novelty", f"There is no known fact {candidate.target}.")
    also = [number for number in candidate.also if number != target.number and context.fact(number)]
    candidate = candidate.model_copy(update={"also": also})
    if _is_temporary(candidate, context) and not overlap(candidate.text, target.text) >= overlap(
        target.text, target.text
    ):
        # An injury pauses a hobby, it does not replace it.
        return candidate.model_copy(update={"op": Operation.ADD, "target": None, "also": []})
    if not also and says_nothing_new(candidate.text, target.text):
        return Stopped("novelty", "It only says the same in other words.")
    return candidate


def _is_temporary(candidate: Candidate, context: Context) -> bool:
    """Whether what was said is a constraint that passes."""
    for message in context.evidence(candidate):
        pack = pack_for(detect_language(message.text))
        if message.role != "user" or all_asked_to_forget(message.text):
            continue
        rule = find_rule(pack.tidy(message.text), pack, companion=False)
        if rule is not None and rule.kind == "constraint":
            return True
    return False


def _check_delete(candidate: Candidate, context: Context, others: Sequence[Candidate]) -> Candidate | Stopped:
    target = context.fact(candidate.target)
    if target is None:
        return Stopped("novelty", f"There is no known fact {candidate.target}.")
    if _is_temporary(candidate, context):
        return Stopped("novelty", "What passes does not end what is known.")
    taken_in = any(
        other.op in (Operation.ADD, Operation.UPDATE) and says_nothing_new(target.text, other.text)
        for other in others
    )
    if taken_in or _was_asked_for(target.text, context) or _has_ended(target.text, context):
        return candidate
    return Stopped("novelty", "Nobody asked to forget it, and nothing takes its place.")


def _was_asked_for(known: str, context: Context) -> bool:
    for message in context.transcript:
        asked = all_asked_to_forget(message.text) if message.role == "user" else []
        if any(overlap(what, known) or detect_language(what) != detect_language(known) for what in asked):
            return True
    return False


def _has_ended(known: str, context: Context) -> bool:
    """Whether somebody said of the known thing that it is so no more."""
    for message in context.transcript:
        pack = pack_for(detect_language(message.text))
        if message.role == "user" and pack.changed.search(message.text) and overlap(message.text, known):
            return True
    return False
