"""What a consolidation may do: a model's answer held against the entries it got, refused when it breaks a rule."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from memoryapp.actions.fact_text import normalised
from memoryapp.actions.tombstones import ForgottenTexts
from memoryapp.llm.language.wording import content_words, novel_words
from memoryapp.llm.night_tasks import ConsolidatedEntry, ConsolidationReply
from memoryapp.models import Fact

# A merged text may connect what its sources say with a few words of its own, not more.
MOST_NEW_WORDS = 0.25


class Refused(Exception):
    """An answer that breaks a rule; nothing of it is applied."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Several entries that become one; the first of the ids is the one that stays."""

    ids: tuple[UUID, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a consolidation would change."""

    merges: tuple[Merge, ...] = ()
    left_out: tuple[UUID, ...] = ()
    reason: str = ""


def make_plan(
    entries: Sequence[Fact], fixed: Collection[int], reply: ConsolidationReply, forgotten: ForgottenTexts
) -> Plan:
    """The plan an answer amounts to. Raises Refused when it has more entries than there were, none, or one made up."""
    if not reply.should_update:
        return Plan(reason=reply.reason)
    if not reply.entries:
        raise Refused("The model would have left no entry at all.")
    if len(reply.entries) > len(entries):
        raise Refused("The model answered with more entries than it was given.")
    groups = _groups(entries, reply.entries)
    merges = [_merge(entries, numbers, entry.text, fixed, forgotten) for numbers, entry in groups]
    covered = {number for numbers, _ in groups for number in numbers} | set(fixed)
    left_out = [fact.pk for number, fact in enumerate(entries, start=1) if number not in covered]
    if len(left_out) > len(entries) * settings.MEMORY_DREAM_MAX_SHRINK:
        raise Refused("The model would have left out too many entries.")
    return Plan(tuple(merge for merge in merges if merge), tuple(left_out), reply.reason)


def _groups(
    entries: Sequence[Fact], answer: Sequence[ConsolidatedEntry]
) -> list[tuple[list[int], ConsolidatedEntry]]:
    """For each entry of the answer the numbers it stands for, each number once."""
    free = dict(enumerate(entries, start=1))
    groups = []
    for entry in answer:
        numbers = list(dict.fromkeys(entry.numbers)) or _numbers_of(entry.text, free)
        if not numbers or any(number not in free for number in numbers):
            raise Refused("The model answered with an entry that it was not given.")
        for number in numbers:
            del free[number]
        groups.append((numbers, entry))
    return groups


def _numbers_of(text: str, free: dict[int, Fact]) -> list[int]:
    """The entries an answer without numbers stands for: the same text, else all whose words it has."""
    same = [number for number, fact in free.items() if normalised(fact.text) == normalised(text)]
    if same:
        return same[:1]
    words = content_words(text)
    return [number for number, fact in free.items() if content_words(fact.text) <= words]


def _merge(
    entries: Sequence[Fact],
    numbers: Sequence[int],
    text: str,
    fixed: Collection[int],
    forgotten: ForgottenTexts,
) -> Merge | None:
    """The merge of a group; None for an entry that stays as it is or may not be touched."""
    facts = [entries[number - 1] for number in numbers]
    if len(facts) < 2 or any(number in fixed for number in numbers):
        return None
    if _is_made_up(text, [fact.text for fact in facts]) or forgotten.include(text):
        return None
    keep = next((fact for fact in facts if normalised(fact.text) == normalised(text)), facts[-1])
    rest = [fact.pk for fact in facts if fact is not keep]
    return Merge((keep.pk, *rest), keep.text if normalised(keep.text) == normalised(text) else text)


def _is_made_up(text: str, sources: Sequence[str]) -> bool:
    new = novel_words(text, sources)
    return len(new) > MOST_NEW_WORDS * max(len(content_words(text)), 1)
