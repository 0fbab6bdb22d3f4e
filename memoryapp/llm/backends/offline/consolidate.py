"""Consolidation without a model: entries that say the same become one, and a detail stands for its shorter form."""

from __future__ import annotations

from memoryapp.llm.language.wording import says_nothing_new
from memoryapp.llm.night_tasks import ConsolidatedEntry, ConsolidationInput, ConsolidationReply, DatedFact

# What somebody likes in general is not said by what they like in particular; who somebody is, is.
DETAIL_STANDS_FOR_IT = frozenset({"identity", "relationship"})


def consolidate(task: ConsolidationInput) -> ConsolidationReply:
    """Fewer entries that say the same."""
    groups: list[list[DatedFact]] = []
    for entry in task.entries:
        home = next((group for group in groups if _belongs(entry, group, task.fixed)), None)
        if home is None:
            groups.append([entry])
        else:
            home.append(entry)
    merged = len(task.entries) - len(groups)
    if not merged:
        return ConsolidationReply(should_update=False, reason="No two entries say the same.")
    return ConsolidationReply(
        should_update=True,
        reason=f"{merged} entries were said by others too.",
        entries=[_entry(group) for group in groups],
    )


def _belongs(entry: DatedFact, group: list[DatedFact], fixed: tuple[int, ...]) -> bool:
    if entry.number in fixed or any(member.number in fixed for member in group):
        return False
    return all(member.category == entry.category and _same(entry, member) for member in group)


def _same(one: DatedFact, other: DatedFact) -> bool:
    forward, backward = says_nothing_new(one.text, other.text), says_nothing_new(other.text, one.text)
    return (forward and backward) or (one.category in DETAIL_STANDS_FOR_IT and (forward or backward))


def _entry(group: list[DatedFact]) -> ConsolidatedEntry:
    fullest = max(group, key=lambda member: (len(member.text), member.number))
    return ConsolidatedEntry(
        text=fullest.text, numbers=[member.number for member in group], category=fullest.category
    )
