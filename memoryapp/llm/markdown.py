"""Where the code is in a Markdown text, as CommonMark defines it, and where the text is cut with the least harm."""

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


def open_fence(text: str) -> str:
    """The fence of the code block in which a text ends; empty when it ends in none."""
    fence = ""
    for line in text.split("\n"):
        fence = fence_after(line, fence)
    return fence


def cut_at_section(text: str, limit: int, mark: str) -> str:
    """The head of a text up to the last `##` heading outside code that fits, with a mark; all of it when it fits.

    Without such a heading it is cut at a line's end, before a block of code rather than in it, unless that would
    throw most of it away. A limit of 0 is none.
    """
    if not limit or len(text) <= limit:
        return text
    room = max(limit - len(mark), 0)
    head = text[: _place_to_cut(text, room)].rstrip()
    fence = open_fence(head)
    if fence:
        head = f"{head[: room - len(fence) - 1]}\n{fence}"
    return (head + mark)[:limit]


def _place_to_cut(text: str, room: int) -> int:
    heading = line_end = at = 0
    # One character more shows whether a heading begins right where the room ends.
    for line, is_code in with_code_marked(lines_of(text[: room + len("## ")])):
        if line.startswith("## ") and not is_code and at <= room:
            heading = at
        at += len(line)
        if line.endswith("\n") and not is_code and at <= room:
            line_end = at
    if heading:
        return heading
    return line_end if line_end > room // 2 else max(text.rfind("\n", room // 2, room), 0) or room
