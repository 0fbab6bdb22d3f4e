"""Where code stands in a Markdown text, as CommonMark has it: a block ends with a fence like the one that began it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LINE = re.compile(r"[^\n]*\n|[^\n]+")
FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<rest>.*)", re.DOTALL)


def lines_of(text: str) -> list[str]:
    """The lines with their ends; joined again they are the text, in which other alphabets' line ends end no line."""
    return LINE.findall(text)


def fence_after(line: str, fence: str = "") -> str:
    """The fence of the code block that a line leaves open, given the one that was open before it; empty for none."""
    found = FENCE.match(line)
    if found is None:
        return fence
    marks, rest = found["marks"], found["rest"]
    if not fence:
        return "" if marks[0] == "`" and "`" in rest else marks
    ends = marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip()
    return "" if ends else fence


def with_code_marked(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line with whether it belongs to a code block, its fences included."""
    fence = ""
    for line in lines:
        before, fence = fence, fence_after(line, fence)
        yield line, bool(before or fence)


def in_code(text: str) -> bool:
    """Whether a text ends inside a code block."""
    fence = ""
    for line in text.split("\n"):
        fence = fence_after(line, fence)
    return bool(fence)
