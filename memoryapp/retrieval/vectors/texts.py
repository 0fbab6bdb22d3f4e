"""What of a text is embedded: clean, and no more than is worth its time."""

from __future__ import annotations

from typing import Final

import regex

SPACES: Final = regex.compile(r"\s+")
SENTENCE_END: Final = regex.compile(r"[.!?…;:][\"'”’)\]]*(?=\s)|[。！？；]")


def clean(text: str) -> str:
    """One line without what embedders stumble over: a NUL cuts a text short, a lone surrogate is an error."""
    printable = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return SPACES.sub(" ", printable).strip()


def shortened(text: str, limit: int) -> str:
    """The text, cut to the limit behind a sentence if one ends in the second half, else behind a word."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    ends = [match.end() for match in SENTENCE_END.finditer(head) if match.end() >= limit // 2]
    cut = ends[-1] if ends else head.rfind(" ", limit // 2)
    return head[: cut if cut > 0 else limit].strip()
