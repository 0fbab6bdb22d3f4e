"""A model's new text of a file, fitted into what the file says by now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

# A rewrite that drops more of the old lines than this has lost the file rather than tidied it.
LARGEST_LOSS = 0.5
SMALL_FILE_LINES = 4


def merge_rewrite(*, base: str, current: str, proposed: str) -> str:
    """The current text with the changes that the model made to the text it had read.

    Lines that appeared since then stay; a model that forgot most of what it had read only adds.
    """
    removed = _lines_gone(base, proposed)
    if _loses_too_much(base, removed):
        removed = Counter()
    elif current == base:
        return proposed
    merged = _without(current.splitlines(), removed)
    for anchor, added in _additions(base, proposed):
        _insert(merged, anchor, [line for line in added if line not in merged])
    return "\n".join(merged).strip("\n") + "\n" if merged else ""


def drop_added_lines(*, base: str, proposed: str, unwanted: Callable[[str], bool]) -> tuple[str, int]:
    """The proposed text without those of its new lines that are unwanted, and how many those were."""
    known = set(base.splitlines())
    lines = proposed.splitlines()
    kept = [line for line in lines if line in known or not unwanted(line)]
    return "\n".join(kept) + ("\n" if kept and proposed.endswith("\n") else ""), len(lines) - len(kept)


def _lines_gone(base: str, proposed: str) -> Counter[str]:
    return Counter(_filled(base)) - Counter(_filled(proposed))


def _filled(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _loses_too_much(base: str, removed: Counter[str]) -> bool:
    before = len(_filled(base))
    return before > SMALL_FILE_LINES and removed.total() > before * LARGEST_LOSS


def _without(lines: Iterable[str], removed: Counter[str]) -> list[str]:
    left = Counter(removed)
    kept = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
        else:
            kept.append(line)
    return kept


def _additions(base: str, proposed: str) -> Iterable[tuple[str | None, list[str]]]:
    """Runs of new lines, each with the line before it, None at the top."""
    known = Counter(_filled(base))
    anchor: str | None = None
    run: list[str] = []
    for line in _filled(proposed):
        if known[line] == 0:
            run.append(line)
            continue
        known[line] -= 1
        if run:
            yield anchor, run
            run = []
        anchor = line
    if run:
        yield anchor, run


def _insert(lines: list[str], anchor: str | None, added: list[str]) -> None:
    """After the anchor where it still stands, else at the end; headings keep their distance."""
    if not added:
        return
    position = 0 if anchor is None else lines.index(anchor) + 1 if anchor in lines else len(lines)
    spaced: list[str] = []
    for line in added:
        if line.startswith("#") and (spaced or position):
            spaced.append("")
        spaced.append(line)
    if position < len(lines) and lines[position].startswith("#"):
        spaced.append("")
    lines[position:position] = spaced
