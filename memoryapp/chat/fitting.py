"""What of memory goes into a prompt: each thing once, cut to its budget, and what was left out is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from django.conf import settings

from memoryapp.actions.recalls import FACT
from memoryapp.chat.budget import cut_to_tokens, estimate_tokens, first_within
from memoryapp.llm.markdown import cut_at_section
from memoryapp.models.categories import FactCategory
from memoryapp.providers.base import Kind, Snippet

VIEW_TITLES = {"user": "About the person", "feedback": "Rules they set"}
# How much of the window the files of a prompt may take; a file of which so little would be left is left out.
FILES_SHARE, SMALLEST_FILE = 0.35, 100
CUT_MARK = "\n\n[cut here: over the size limit]\n"
CUT, LEFT_OUT = "cut: over its share of the window", "left out: over its share of the window"
# Of the always-on block, when one entry would fill it.
ROOM_FOR_OTHERS = 120


@dataclass(frozen=True, slots=True)
class Omission:
    """What did not fit, and why."""

    name: str
    reason: str


def fit_files(offered: Sequence[Snippet], room: int) -> tuple[list[Snippet], list[Omission], int]:
    """What is offered with its files cut to so many tokens, what was left out, and how many are left.

    The first file that does not fit is cut, those behind it are left out; the same files give the same bytes.
    """
    kept: list[Snippet] = []
    omitted: list[Omission] = []
    for snippet in offered:
        fitting = _fitting(snippet, room) if snippet.kind is Kind.FILE else snippet
        if fitting is snippet:
            room -= estimate_tokens(snippet.text) if snippet.kind is Kind.FILE else 0
        else:
            room = 0
            omitted.append(Omission(snippet.source, CUT if fitting.text else LEFT_OUT))
        if fitting is snippet or fitting.text:
            kept.append(fitting)
    return kept, omitted, room


def _fitting(file: Snippet, tokens: int) -> Snippet:
    if estimate_tokens(file.text) <= tokens:
        return file
    head = cut_to_tokens(file.text, tokens) if tokens >= SMALLEST_FILE else ""
    return replace(file, text=cut_at_section(file.text, len(head), CUT_MARK) if head else "")


def fit_memory(offered: Sequence[Snippet], *, known: str) -> tuple[list[str], list[Snippet], list[Omission]]:
    """The owner's memory cut to its budgets: the texts to fence, what of them was found, and what was left out."""
    files = [_cut(snippet) for snippet in offered if snippet.kind is Kind.FILE]
    always = [snippet for snippet in offered if snippet.kind is Kind.STANDING]
    standing, omitted = standing_block(always, "\n".join([known, *files]))
    texts = [*files, *([standing] if standing else [])]
    found = [snippet for snippet in offered if snippet.kind is Kind.RECALLED]
    fresh, told = without_repeats(found, "\n".join([known, *texts]))
    fitting = first_within(fresh, settings.MEMORY_RECALL_MAX_TOKENS, settings.MEMORY_RECALL_MAX_ITEMS)
    if len(fitting) < len(fresh):
        omitted.append(Omission("recall", f"{len(fresh) - len(fitting)} recalled items were over the budget"))
    if fitting:
        texts.append(
            "\n".join(
                [
                    "Recalled for this message:",
                    *(f"- {_line(each)} ({each.source})" for each in _in_order(fitting)),
                ]
            )
        )
    return texts, [*fitting, *told], omitted


def without_repeats(found: Sequence[Snippet], said: str) -> tuple[list[Snippet], list[Snippet]]:
    """What is not said yet, sections without those of their lines that are; and the facts that are said elsewhere."""
    heard = _folded(said)
    fresh: dict[int, Snippet] = {}
    told: list[Snippet] = []
    # Facts first: they say with a date, and each by itself, what the note of a day has in passing.
    for place, snippet in sorted(enumerate(found), key=lambda each: _is_section(each[1])):
        pieces = _pieces(snippet.text) if _is_section(snippet) else [snippet.text]
        unsaid = "; ".join(piece for piece in pieces if not is_said(piece, heard))
        if unsaid:
            fresh[place] = replace(snippet, text=unsaid)
            heard = f"{heard} {_folded(unsaid)}"
        elif not _is_section(snippet):
            told.append(snippet)
    return [fresh[place] for place in sorted(fresh)], told


def _is_section(snippet: Snippet) -> bool:
    return snippet.hit is not None and snippet.hit.kind != FACT


def _pieces(section: str) -> list[str]:
    """The statements of a section: its lines without headings and marks, taken apart where they are lists."""
    lines = [line.strip().removeprefix("- ") for line in section.splitlines() if not line.startswith("#")]
    return [piece.strip() for line in lines for piece in line.split("; ") if piece.strip()]


def standing_block(snippets: Sequence[Snippet], said: str = "") -> tuple[str, list[Omission]]:
    """Always-on entries as a list per type, newest first within the budget, with a footer that counts the rest.

    What is said already, as in a file of the prompt, is not repeated, and not counted as left out.
    """
    limit, heard = settings.MEMORY_SYSTEM_BLOCK_MAX_CHARS, _folded(said)
    totals = Counter(snippet.group for snippet in snippets)
    for snippet in snippets:
        totals[snippet.group] = max(totals[snippet.group], snippet.group_size)
    fresh = [_within(snippet, limit) for snippet in snippets if not is_said(snippet.text, heard)]
    wanted = totals.total() - (len(snippets) - len(fresh))
    sizes = accumulate(len(snippet.text) for snippet in fresh)
    kept = [snippet for snippet, size in zip(fresh, sizes, strict=True) if not limit or size <= limit]
    # Headings, bullets and the footer count too.
    while limit and kept and len(_rendered(kept, wanted)) > limit:
        kept.pop()
    left_out = wanted - len(kept)
    reason = f"{left_out} older entries were over the budget"
    return _rendered(kept, wanted), [Omission("always-on facts", reason)] if left_out else []


def _within(snippet: Snippet, limit: int) -> Snippet:
    """The entry, cut when it alone would take the room of all."""
    most = max(limit - ROOM_FOR_OTHERS, limit // 2)
    return replace(snippet, text=f"{snippet.text[:most]}…") if limit and len(snippet.text) > most else snippet


def _rendered(kept: Sequence[Snippet], wanted: int) -> str:
    left_out = wanted - len(kept)
    footer = f"({left_out} older {'entry is' if left_out == 1 else 'entries are'} not shown.)"
    return "\n".join([*_listed(kept), *([footer] if left_out else [])])


def _listed(snippets: Iterable[Snippet]) -> Iterable[str]:
    # A source of somebody else's may have groups of its own.
    order = list(VIEW_TITLES)
    by_group = sorted(snippets, key=lambda snippet: order.index(_view(snippet)))
    for group, entries in groupby(by_group, key=_view):
        yield f"{VIEW_TITLES[group]}:"
        yield from (f"- {_line(snippet)}" for snippet in entries)


def _view(snippet: Snippet) -> str:
    return snippet.group if snippet.group in VIEW_TITLES else "user"


def _in_order(recalled: Sequence[Snippet]) -> list[Snippet]:
    """What was recalled by kind, who the person is first, each kind best first."""
    order = [member.slug for member in FactCategory]
    return sorted(recalled, key=lambda each: order.index(each.group) if each.group in order else len(order))


def _line(snippet: Snippet) -> str:
    return " ".join(snippet.text.split("\n")).strip()


def _cut(snippet: Snippet) -> str:
    ceilings = {
        "PROFILE.md": settings.MEMORY_PROFILE_MAX_CHARS,
        "MEMORY.md": settings.MEMORY_MEMORY_MD_MAX_CHARS,
    }
    return f"{snippet.source}:\n{cut_at_section(snippet.text, ceilings.get(snippet.source, 0), CUT_MARK)}"


def is_said(text: str, heard: str) -> bool:
    """Whether a folded text has these words, as words: who likes tea is not said by whoever dislikes tea."""
    piece = _folded(text).rstrip(".。!！")
    at = heard.find(piece)
    while piece and at != -1:
        before, after = heard[max(at - 1, 0) : at], heard[at + len(piece) : at + len(piece) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        at = heard.find(piece, at + 1)
    return not piece


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
