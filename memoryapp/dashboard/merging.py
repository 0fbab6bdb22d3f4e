"""Two changes of one text brought together line by line, when they do not touch the same lines."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple


class Hunk(NamedTuple):
    """Lines `start` to `end` of the base, and what stands there instead."""

    start: int
    end: int
    lines: list[str]


def merge_texts(base: str, mine: str, theirs: str) -> str | None:
    """The text with both changes, or None when they meet and a person must decide."""
    old = base.splitlines(keepends=True)
    changes = [*_hunks(old, mine), *(hunk for hunk in _hunks(old, theirs) if hunk not in _hunks(old, mine))]
    changes.sort(key=lambda hunk: (hunk.start, hunk.end))
    if any(before.end > after.start or before[:2] == after[:2] for before, after in pairwise(changes)):
        return None
    merged, position = [], 0
    for hunk in changes:
        merged += [*old[position : hunk.start], *hunk.lines]
        position = hunk.end
    return "".join([*merged, *old[position:]])


def _hunks(old: list[str], text: str) -> list[Hunk]:
    new = text.splitlines(keepends=True)
    opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [Hunk(a, b, new[c:d]) for tag, a, b, c, d in opcodes if tag != "equal"]
