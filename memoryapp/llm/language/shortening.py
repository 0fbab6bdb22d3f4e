"""A fact of more than fifty words loses its last clauses."""

from __future__ import annotations

import regex

from memoryapp.llm.language.detection import is_cjk
from memoryapp.llm.language.wording import count_words

MOST_WORDS = 50
_RESERVED = 8  # for the date and the owner in front
_CUT = regex.compile(r"(?<=[.;,，；。])\s*|\s+(?=(?:because|so that|which|and then|but)\b)")


def shorten(text: str, language: str, most: int = MOST_WORDS - _RESERVED) -> str:
    """The text cut at the end of a clause where it grows too long; a single long clause is cut at a word."""
    if count_words(text) <= most:
        return text
    kept = ""
    for piece in _CUT.splititer(text):
        candidate = f"{kept}{'' if is_cjk(language) or not kept else ' '}{(piece or '').strip()}"
        if count_words(candidate) > most:
            break
        kept = candidate
    return kept.rstrip(" ,;，；") or " ".join(text.split()[:most])
