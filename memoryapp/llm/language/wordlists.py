"""Lists of words written as text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text that are separated by blanks."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """The left-hand words of `left=right` pairs with what stands to their right."""
    return dict(pair.split("=", 1) for pair in text.split())
