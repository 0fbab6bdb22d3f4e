"""What is listed under a headline belongs to it: "Needs for the fair:" and three bullets are one thing told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

_HEADLINE = regex.compile(r"[:：]\s*$")
# Items that are sentences of their own stay so.
_SENTENCE = regex.compile(
    r"^(?:i|i'm|i’m|i've|i’ve|i'd|we|we're|we’re|my|our|never|always|don't|don’t|do not|please|only|use|ask|keep|if|"
    r"when|yo|mi|mis|nunca|siempre|soy|tengo|prefiero|ich|wir|mein\p{L}*|nie|immer|bitte)\b|^(?:我|请|不要|别|必须|私)|"
    r"[.!?。！？]\s+\S",
    regex.IGNORECASE,
)
_MOST_WORDS = 10


@dataclass(frozen=True, slots=True)
class Line:
    """A line somebody wrote, and whether it was an item of a list."""

    text: str
    listed: bool = False


def with_lists_told(lines: Sequence[Line]) -> list[str]:
    """The lines, a headline with the fragments listed under it made one."""
    told: list[str] = []
    at = 0
    while at < len(lines):
        items = _items_under(lines, at)
        if items:
            told.append(f"{lines[at].text} {', '.join(item.text.rstrip('.,; ') for item in items)}")
        else:
            told.append(lines[at].text)
        at += 1 + len(items)
    return told


def _items_under(lines: Sequence[Line], at: int) -> list[Line]:
    """The fragments listed under the headline at this place; none when it is no headline."""
    if not _HEADLINE.search(lines[at].text):
        return []
    items: list[Line] = []
    for line in lines[at + 1 :]:
        if not line.listed:
            break
        items.append(line)
    return items if all(map(_is_fragment, items)) else []


def _is_fragment(item: Line) -> bool:
    return len(item.text.split()) <= _MOST_WORDS and not _SENTENCE.search(item.text)
