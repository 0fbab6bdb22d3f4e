"""Light stemming: the few endings that keep a word from being found, taken off alike when stored and when asked.

One set of rules for every language, so that no text has to be assigned to one: what matters is that both sides agree.
Measured as good as the full Snowball stemmer for English on two sets of conversations.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

VERB_ENDINGS: Final = ("ingly", "edly", "ing", "ed", "ly")
LEAST_STEM: Final = 3
VOWEL: Final = re.compile(r"[aeiouy]")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The word without plural, verb and adverb endings; words with digits or of other scripts stay as they are."""
    if not word.isascii() or not word.isalpha():
        return word
    return _without_final_vowel(_without_verb_ending(_singular(word)))


def _singular(word: str) -> str:
    if len(word) <= LEAST_STEM:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_verb_ending(word: str) -> str:
    for ending in VERB_ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) >= LEAST_STEM and VOWEL.search(root):
            return root[:-1] if _doubled_consonant(root) else root
    return word


def _doubled_consonant(root: str) -> bool:
    return len(root) > LEAST_STEM and root[-1] == root[-2] and root[-1] not in "lsz"


def _without_final_vowel(word: str) -> str:
    if len(word) > LEAST_STEM and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > LEAST_STEM and word.endswith("y") else word
