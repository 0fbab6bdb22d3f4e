"""Tokens: what a text is found by.

Words of Latin and similar scripts are folded, cleared of stop words and lightly stemmed. Scripts written without spaces
become overlapping pairs of characters. Addresses, paths, versions and identifiers are kept whole, with their parts
beside.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from memoryapp.retrieval.stems import stem
from memoryapp.retrieval.stopwords import guess_language, is_stop_bigram, stop_words

# More than this of one text is not worth indexing, and keeps the result below PostgreSQL's limit for one tsvector.
MAX_CHARACTERS: Final = 100_000
MAX_TOKEN_CHARACTERS: Final = 80

UNSPACED: Final = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}々〆ー]"
LETTER: Final = rf"[[\p{{L}}\p{{M}}\p{{N}}]--{UNSPACED}]"
RUN: Final = regex.compile(
    rf"(?P<unspaced>{UNSPACED}+)"
    rf"|(?P<compound>{LETTER}+(?:[._@/:\\+#&-]+{LETTER}+)+)"
    rf"|(?P<word>{LETTER}+(?:['’]{LETTER}+)*)",
    regex.VERSION1,
)
UNSPACED_CHARACTER: Final = regex.compile(UNSPACED)
LETTERS: Final = regex.compile(r"\p{L}")
PART: Final = regex.compile(rf"{LETTER}+", regex.VERSION1)
HUMP: Final = regex.compile(r"\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+")


@dataclass(frozen=True, slots=True)
class IndexTerms:
    """The terms of a stored text with how often each occurs, and the length of the text in terms."""

    counts: dict[str, int]
    length: int

    def as_tsvector(self) -> str:
        """The text form of a tsvector: every term with as many positions as it occurs times."""
        return " ".join(f"{quoted(term)}:{_positions(count)}" for term, count in self.counts.items())


def tokenize(text: str, language: str | None = None) -> list[str]:
    """What a question is asked with, in order and with repeats: words, pairs of characters, wholes and their parts."""
    return [token for token, _ in _tokens(_folded(text), language)]


def index_terms(text: str, language: str | None = None) -> IndexTerms:
    """The terms a text is stored under: its tokens, and every single character of an unspaced script.

    Single characters and parts of a compound do not count towards the length: they are other ways to the same word.
    """
    folded = _folded(text)
    counts: dict[str, int] = {}
    length = 0
    for token, is_main in _tokens(folded, language):
        counts[token] = counts.get(token, 0) + 1
        length += is_main
    for run in RUN.finditer(folded):
        if run["unspaced"]:
            for character in run["unspaced"]:
                counts.setdefault(character, 1)
    return IndexTerms(counts, length)


def text_words(text: str) -> list[str]:
    """The words of a text as written, folded in case and accents but neither stemmed nor stopped."""
    return [run.group().removesuffix("'s") for run in RUN.finditer(_folded(text))]


def _folded(text: str) -> str:
    """One spelling of what looks the same; accents go, since people leave them out when they ask."""
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS]).replace("’", "'")
    if plain.isascii():
        return plain
    decomposed = unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", regex.sub(r"(?<=\p{Latin})\p{Mn}+", "", decomposed))


def _tokens(folded: str, language: str | None) -> Iterator[tuple[str, bool]]:
    """Each token with whether it counts towards the length."""
    runs = list(RUN.finditer(folded))
    stops = _stops((run["word"] for run in runs if run["word"]), language)
    for run in runs:
        if run["unspaced"]:
            yield from ((pair, True) for pair in _pairs(run["unspaced"]))
        elif run["compound"]:
            yield from _compound(run["compound"], stops)
        else:
            yield from _word(run["word"], stops)


def _stops(words: Iterable[str], language: str | None) -> frozenset[str]:
    """Stop words of the language given, else of the one the text seems to be in; folded as the text is."""
    return _folded_stops((language or guess_language(word.lower() for word in words)).split("-")[0].lower())


_stop_cache: dict[str, frozenset[str]] = {}


def _folded_stops(language: str) -> frozenset[str]:
    if language not in _stop_cache:
        _stop_cache[language] = frozenset(_folded(word) for word in stop_words(language))
    return _stop_cache[language]


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for first, second in pairwise(run):
        if not is_stop_bigram(first + second):
            yield first + second


def _word(word: str, stops: frozenset[str]) -> Iterator[tuple[str, bool]]:
    lower = word.lower()
    bare = lower.removesuffix("'s")
    if lower in stops or bare in stops:
        return
    yield stem(bare)[:MAX_TOKEN_CHARACTERS], True
    humps = HUMP.findall(word)
    if len(humps) > 1:
        yield from ((stem(hump.lower())[:MAX_TOKEN_CHARACTERS], False) for hump in humps if len(hump) > 1)


def _compound(compound: str, stops: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """The whole, which is one word, and its parts, which are other ways to it; a version also without its letter."""
    whole = compound.lower()
    yield whole[:MAX_TOKEN_CHARACTERS], True
    if regex.fullmatch(r"v\d[\d.]*[\w.+-]*", whole):
        yield whole[1:][:MAX_TOKEN_CHARACTERS], False
    for part in PART.findall(compound):
        yield from ((token, False) for token, _ in _word(part, stops))


def is_unspaced(text: str) -> bool:
    """Whether a text is in a script without spaces between words, though names in it may be Latin."""
    return not text.isascii() and 5 * len(UNSPACED_CHARACTER.findall(text)) > len(LETTERS.findall(text))


def quoted(term: str) -> str:
    """The term as the text forms of tsvector and tsquery write it."""
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def _positions(count: int) -> str:
    return ",".join(str(position) for position in range(1, min(count, 255) + 1))
