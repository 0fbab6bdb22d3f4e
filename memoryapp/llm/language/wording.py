"""Comparing wordings: what a sentence is about once grammar and synonyms are taken away."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import regex

from memoryapp.llm.language.detection import detect_language, is_cjk
from memoryapp.llm.language.han import simplified
from memoryapp.llm.language.vocabulary import FILLER_HAN, STOP_WORDS, SYNONYMS, SYNONYMS_HAN, WEAK_WORDS
from memoryapp.llm.language.wordlists import words

_WORD = regex.compile(r"[\p{L}\p{N}]+(?:[.:/@#_+'’-][\p{L}\p{N}]+)*")
_HAN_RUN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]+")
_SPLIT_AT = regex.compile(r"[-/'’]")
_DATE = regex.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_ANCHOR = regex.compile(
    r"\bas of (?:\d{4}-\d{2}-\d{2}|date unknown),?|截至\s*\d{4}-\d{2}-\d{2}[，,]?", regex.IGNORECASE
)
_FIGURE = regex.compile(r"(\d+(?:\.\d+)?)(年|月|日|号|点|岁|元|块|个|人|公斤|公里|分钟|小时|時|歳|円|分)")
_SUFFIXES = ("est", "ing", "ed", "er", "ly")
# "Prefers tables to lists" says "tables, not lists".
_RATHER = regex.compile(r"\bprefers? .+ (?:to|over)\b|\b(?:rather than|instead of)\b", regex.IGNORECASE)
NEGATION = "¬"
_NEGATIONS = words("not no never without nunca sin ni nicht kein keine nie don't doesn't can't won't cannot")


def stem(word: str) -> str:
    """A crude common form of a word, so that walk, walks, walking and walked agree."""
    word = word.lower()
    if not word.isascii() or not word.isalpha():
        word = word.removesuffix("s") if word.isalpha() and len(word) > 3 else word
        return SYNONYMS.get(word, word)
    word = _singular(word)
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word.removesuffix(suffix)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    if word.endswith("i") and len(word) > 3:
        word = word[:-1] + "y"
    word = word.removesuffix("e") if len(word) > 3 else word
    return SYNONYMS.get(word, word)


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ses", "xes", "zes", "ches", "shes")) else word.removesuffix("s")


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """The stems that carry meaning; in Chinese and Japanese the pairs of neighbouring characters."""
    text = _ANCHOR.sub(" ", text)
    found: set[str] = set()
    for run in _HAN_RUN.findall(text):
        found.update(_han_pairs(run))
    for match in _WORD.finditer(_HAN_RUN.sub(" ", text)):
        found.update(_word_stems(match.group()))
    return frozenset(found)


def _han_pairs(run: str) -> Iterable[str]:
    run = simplified(run)
    for variant, common in SYNONYMS_HAN:
        run = run.replace(variant, common)
    for piece in FILLER_HAN.split(run):
        if len(piece) == 1:
            yield piece
        yield from (piece[at : at + 2] for at in range(len(piece) - 1))


def _word_stems(word: str) -> Iterable[str]:
    lower = word.lower().replace("’", "'")
    if lower in _NEGATIONS or lower.endswith("n't"):
        yield NEGATION
        return
    lower = lower.removesuffix("'s")
    parts = [lower] if any(char.isdigit() for char in lower) else _SPLIT_AT.split(lower)
    for part in parts:
        if part and part not in STOP_WORDS:
            yield stem(part)


def novel_words(text: str, known: Iterable[str]) -> frozenset[str]:
    """What the text says that none of the known texts says, leaving out words that add nothing by themselves."""
    covered: set[str] = set()
    for other in known:
        covered |= content_words(other)
    return frozenset(word for word in content_words(text) - covered if not is_weak(word))


def is_weak(word: str) -> bool:
    """Whether the word alone would not make a statement materially different."""
    return word in WEAK_WORDS or bool(_DATE.fullmatch(word))


def says_nothing_new(text: str, known: str) -> bool:
    """The material-difference test: synonyms, order and emphasis do not count, negation does."""
    if (NEGATION in content_words(text)) != (NEGATION in content_words(known)) and not _RATHER.search(known):
        return False
    if _other_figure(text, known):
        return False
    novel = novel_words(text, [known])
    if is_cjk(detect_language(text)):
        # One new character makes two new pairs; a changed particle is not a new fact.
        return len(novel) * 4 <= len(content_words(text))
    return not novel


def _other_figure(text: str, known: str) -> bool:
    """Whether both count the same kind of thing and not alike: 5月6日 is not 6月5日, though the characters are."""
    said, before = _FIGURE.findall(_ANCHOR.sub("", text)), _FIGURE.findall(_ANCHOR.sub("", known))
    units = {unit for _, unit in before}
    return any(unit in units and (number, unit) not in before for number, unit in said)


def overlap(text: str, other: str) -> frozenset[str]:
    """The meaningful words two texts share."""
    return frozenset(word for word in content_words(text) & content_words(other) if not is_weak(word))


def count_words(text: str) -> int:
    """Words, where two characters of Chinese or Japanese count as one word."""
    han = sum(len(run) for run in _HAN_RUN.findall(text))
    return len(_WORD.findall(_HAN_RUN.sub(" ", text))) + (han + 1) // 2
