"""Two texts compared: lines with their numbers, changed words marked, long unchanged stretches folded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 2
# Beyond this a word-by-word comparison of two lines says nothing and costs much.
LONGEST_COMPARED_LINE = 2000
ALIKE_ENOUGH = 0.3
# A CJK character is a word of its own.
WORD = re.compile(r"\s+|[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a line, changed or not."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Strand:
    """Some words of two wordings told as one: in both, or only in the old or the new."""

    text: str
    kind: str = "same"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a comparison; `kind` is same, added, removed or fold."""

    kind: str
    number: int = 0
    pieces: tuple[Piece, ...] = ()
    folded: int = 0


def compare_texts(before: str, after: str) -> list[Line]:
    """The lines of a comparison in reading order."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[Line] = []
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            lines += [Line("same", number + 1, (Piece(new[number]),)) for number in range(new_from, new_to)]
        else:
            lines += _changed_lines(old[old_from:old_to], new[new_from:new_to], old_from, new_from)
    return list(_fold(lines))


def count_changes(before: str, after: str) -> tuple[int, int]:
    """How many lines were added and removed."""
    lines = compare_texts(before, after)
    return sum(line.kind == "added" for line in lines), sum(line.kind == "removed" for line in lines)


def compare_words(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The old and the new wording, each with its changed words marked; all unmarked when they have little in common."""
    if max(len(before), len(after)) > LONGEST_COMPARED_LINE:
        return (Piece(before),), (Piece(after),)
    old, new = WORD.findall(before), WORD.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < ALIKE_ENOUGH:
        return (Piece(before),), (Piece(after),)
    removed = [Piece("".join(old[a:b]), tag != "equal") for tag, a, b, _, _ in matcher.get_opcodes() if b > a]
    added = [Piece("".join(new[c:d]), tag != "equal") for tag, _, _, c, d in matcher.get_opcodes() if d > c]
    return tuple(removed), tuple(added)


def weave_words(before: str, after: str) -> tuple[Strand, ...]:
    """The new wording with the words that are gone where they stood; only the new when they have little in common."""
    if max(len(before), len(after)) > LONGEST_COMPARED_LINE:
        return (Strand(after),)
    old, new = WORD.findall(before), WORD.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < ALIKE_ENOUGH:
        return Strand(before, "removed"), Strand(" "), Strand(after, "added")
    strands = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            strands.append(Strand("".join(new[c:d])))
        else:
            strands += [Strand("".join(old[a:b]), "removed"), Strand("".join(new[c:d]), "added")]
    return tuple(strand for strand in strands if strand.text)


def _changed_lines(old: list[str], new: list[str], old_from: int, new_from: int) -> list[Line]:
    pairs = [compare_words(a, b) for a, b in zip(old, new, strict=False)]
    removed = [pairs[i][0] if i < len(pairs) else (Piece(text),) for i, text in enumerate(old)]
    added = [pairs[i][1] if i < len(pairs) else (Piece(text),) for i, text in enumerate(new)]
    return [
        *(Line("removed", old_from + i + 1, pieces) for i, pieces in enumerate(removed)),
        *(Line("added", new_from + i + 1, pieces) for i, pieces in enumerate(added)),
    ]


def _fold(lines: list[Line]) -> Iterator[Line]:
    """The lines near a change; every stretch of others becomes one fold that says how many it holds."""
    changed = [i for i, line in enumerate(lines) if line.kind != "same"]
    near = {i + offset for i in changed for offset in range(-CONTEXT, CONTEXT + 1)}
    skipped = 0
    for i, line in enumerate(lines):
        if i in near:
            if skipped:
                yield Line("fold", folded=skipped)
                skipped = 0
            yield line
        else:
            skipped += 1
    if skipped and changed:
        yield Line("fold", folded=skipped)
