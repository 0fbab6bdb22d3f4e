"""How much a new fact and a known one have in common: words that carry weight, names, identifiers."""

from __future__ import annotations

from functools import lru_cache

import regex

from memoryapp.llm.backends.offline.facts import Fact
from memoryapp.llm.language.detection import is_cjk
from memoryapp.llm.language.vocabulary import STOP_WORDS
from memoryapp.llm.language.wording import content_words, is_weak, overlap
from memoryapp.llm.language.wordlists import words
from memoryapp.llm.tasks import KnownFact

_PROPER = regex.compile(
    r"(?<![.!?:]\s)(?<!^)\b\p{Lu}[\p{L}\p{N}'’-]+|\b\w*\d\w*\b|(?<=\s)#\w+|\b\p{Ll}+\p{Lu}\w*"
)
_ANY_PROPER = regex.compile(r"\b\p{Lu}[\p{L}\p{N}'’-]+")
CALENDAR = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september "
    "october november december"
)
_NOT_PROPER = words(
    "last next since gaming yeah unfortunately lately currently another something once "
    "today yesterday user users usuario usuaria nutzer as of the i rule"
)
# Two things noted on one day have nothing else in common.
ANCHOR = regex.compile(r"\d{4}-\d{2}-\d{2}")
_A_FIGURE = regex.compile(r"\d{1,4}")


@lru_cache(maxsize=4096)
def strong_words(text: str) -> frozenset[str]:
    """The stems of a text that say something by themselves."""
    return frozenset(word for word in content_words(text) if not is_weak(word))


def shared_weight(fact: Fact, other: KnownFact) -> int:
    """How many telling words and names both share."""
    shared = overlap(fact.words, other.text)
    if is_cjk(fact.language):
        return len(shared) // 2 + (1 if shared else 0)
    names = {word.lower() for word in proper_words(fact.text) & proper_words(other.text, everywhere=True)}
    return len(shared) + len(names)


@lru_cache(maxsize=4096)
def proper_words(text: str, *, everywhere: bool = False) -> frozenset[str]:
    """Names and identifiers: capitals inside a sentence, anything with a digit but the day it is anchored to."""
    pattern = _ANY_PROPER if everywhere else _PROPER
    told = ANCHOR.sub(" ", text)
    found = {
        match.group().rstrip("'s’").lower() for match in (*pattern.finditer(told), *_PROPER.finditer(told))
    }
    return frozenset(word for word in found if not _says_nothing(word))


def _says_nothing(word: str) -> bool:
    return word in _NOT_PROPER or word in STOP_WORDS or _A_FIGURE.fullmatch(word) is not None
