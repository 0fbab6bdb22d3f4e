"""Other ways to read a text, with the way back to its offsets: invisible characters left out, broken lines joined."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from memoryapp.safety.findings import Finding

FULL_WIDTH = {ord("０") + step: ord("0") + step for step in range(10)}
FULL_WIDTH |= {ord("Ａ") + step: ord("A") + step for step in range(26)} | {
    ord("ａ") + step: ord("a") + step for step in range(26)
}
FULL_WIDTH |= {ord(wide): ord(narrow) for wide, narrow in zip("＿－／＠．＝", "_-/@.=", strict=True)}
FULL_WIDTH |= dict.fromkeys(range(0xD800, 0xE000), ord("?")) | {0: ord(" "), 0xA0: ord(" "), 0x3000: ord(" ")}

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]+"
)

# A token goes on in the next line after a backslash, across a concatenation, or because that line is nothing else.
LINE_BREAKS = re.compile(
    r"\\\r?\n[ \t]*"
    r"|[\"'][ \t]*[+.\\&]?[ \t]*\r?\n[ \t]*[+.&]?[ \t]*[\"']"
    r"|(?<=[A-Za-z0-9+/_=-])[ \t]?\r?\n[ \t>|#*]*(?=[A-Za-z0-9+/_=.-]{4,400}[\"'`]?[ \t]*(?:\r?\n|$))"
)
CONTINUATION = re.compile(
    r"(?:[A-Za-z0-9+/_=.-]{8,400}|(?=[A-Za-z+/_=.-]{0,7}\d)[A-Za-z0-9+/_=.-]{4,8}|\w{0,8}[a-z][A-Z]\w{0,8})"
)


class View:
    """A text with spans left out, and the offsets they had."""

    def __init__(self, text: str, left_out: Iterable[tuple[int, int]]) -> None:
        spans = list(left_out)
        kept, last = [], 0
        for start, end in spans:
            kept.append(text[last:start])
            last = end
        self.text = "".join([*kept, text[last:]])
        shifts = list(accumulate(end - start for start, end in spans))
        self.cuts = [
            start - (shift - (end - start)) for (start, end), shift in zip(spans, shifts, strict=True)
        ]
        self._shifts = [0, *shifts]

    def original(self, finding: Finding) -> Finding:
        """The finding in the offsets of the original text."""
        last = finding.end - 1
        start = finding.start + self._shifts[bisect_right(self.cuts, finding.start)]
        end = last + self._shifts[bisect_right(self.cuts, last)] + 1
        return Finding(start, end, finding.kind, finding.vendor)

    def crosses_a_cut(self, finding: Finding) -> bool:
        """Whether the finding only came about by what was left out."""
        return bisect_right(self.cuts, finding.start) < bisect_right(self.cuts, finding.end - 1)


def fold(text: str) -> str:
    """The text with full-width letters narrow and unprintable code points replaced, every offset unchanged."""
    return text if text.isascii() and "\0" not in text else text.translate(FULL_WIDTH)


def lower(text: str) -> str:
    """The text in lower case, every offset unchanged."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


def without_invisible(text: str) -> View | None:
    """The text without zero-width and direction marks, or None if it has none."""
    if text.isascii():
        return None
    spans = [match.span() for match in INVISIBLE.finditer(text)]
    return View(text, spans) if spans else None


def with_lines_joined(text: str) -> View | None:
    """The text with broken tokens made whole, or None if no line looks like the rest of one."""
    if "\n" not in text:
        return None
    spans = [match.span() for match in LINE_BREAKS.finditer(text) if _goes_on(text, match)]
    return View(text, spans) if spans else None


def _goes_on(text: str, match: re.Match[str]) -> bool:
    return not match[0][0].isspace() or bool(CONTINUATION.match(text, match.end()))
