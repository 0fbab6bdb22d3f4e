"""Stop words: which words of a text carry no meaning of their own, by language, and which language a text is in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
ENGLISH: Final = "en"
LANGUAGES: Final = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))

# A short English text may share a word with another language ("die", "son"): another language needs more evidence.
LEAST_EVIDENCE: Final = 2

# Chinese and Japanese characters that mostly serve grammar: two of them in a row say nothing about the subject.
FUNCTION_CHARACTERS: Final = frozenset(
    "的了吗呢吧啊是在有和与及或也都就还很不没我你您他她它们这那个么什怎哪谁为以于之而且但因所把被让给从到对会能可要想"
)
JAPANESE_GRAMMAR: Final = frozenset(
    [
        "です",
        "ます",
        "した",
        "して",
        "する",
        "から",
        "まで",
        "これ",
        "それ",
        "あれ",
        "この",
        "その",
        "あの",
        "ある",
        "いる",
        "ない",
    ]
)


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language; none for one we have no list of."""
    path = FOLDER / f"{language}.txt"
    return frozenset(path.read_text(encoding="utf-8").split()) if language in LANGUAGES else frozenset()


def guess_language(words: Iterable[str]) -> str:
    """The language whose stop words occur most among lower-case words; English unless another is plain."""
    present = set(words)
    evidence = {language: len(present & stop_words(language)) for language in LANGUAGES}
    best = max(LANGUAGES, key=lambda language: (evidence[language], language == ENGLISH))
    return best if evidence[best] >= LEAST_EVIDENCE else ENGLISH


def is_stop_bigram(pair: str) -> bool:
    """Whether two neighbouring characters of a text without spaces are grammar only."""
    return pair in JAPANESE_GRAMMAR or all(character in FUNCTION_CHARACTERS for character in pair)
