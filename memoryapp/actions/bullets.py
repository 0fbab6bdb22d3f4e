"""The statements of a memory file: its bullets, numbered items and check boxes included, outside code blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from memoryapp.llm.markdown import lines_of, with_code_marked

BULLET = regex.compile(r"^(?P<mark>\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)(?P<text>\S.*?)\s*$")
MARKUP = regex.compile(r"\*\*|__|`")
COMMENT = regex.compile(r"<!--.*?-->")


@dataclass(frozen=True, slots=True)
class Bullet:
    """A bullet: what it says without its markup, what stands before that, and the comments in it."""

    mark: str
    text: str
    comment: str

    def saying(self, text: str) -> str:
        """The same bullet with other words."""
        return f"{self.mark}{text}{f' {self.comment}' if self.comment else ''}"


def read_lines(content: str) -> Iterator[tuple[str, Bullet | None]]:
    """Every line with its end, and the bullet it is, if it is one."""
    for line, is_code in with_code_marked(lines_of(content)):
        yield line, None if is_code else _bullet(line)


def _bullet(line: str) -> Bullet | None:
    match = BULLET.match(COMMENT.sub("", line))
    if match is None:
        return None
    text = MARKUP.sub("", match["text"]).strip()
    return Bullet(match["mark"], text, " ".join(COMMENT.findall(line))) if text else None
