"""A question as the engine reads it: what to look for by word, by meaning and by time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import regex

from memoryapp.retrieval.stopwords import guess_language
from memoryapp.retrieval.times import TimeReference, find_times
from memoryapp.retrieval.tokens import UNSPACED, text_words, tokenize

MAX_CHARACTERS: Final = 2_000
MAX_TERMS: Final = 64
MAX_NAME_WORDS: Final = 3

ANY_UNSPACED: Final = regex.compile(UNSPACED, regex.VERSION1)
# What people say around the thing they ask for; it is in no memory, and pulls a vector towards small talk.
COURTESIES: Final = regex.compile(
    r"\b(?:can|could|would|will) you(?: please)?\b|\bplease\b|\bhelp me\b|\b(?:tell|remind|give) me\b"
    r"|\b(?:throughout|across|in|during|from) (?:all )?(?:our|the|my|past|previous|earlier) "
    r"(?:chats?|conversations?|messages?|discussions?|sessions?)\b"
    r"|\bpor favor\b|\b(?:puedes|podrías|me puedes) (?:decirme|recordarme|ayudarme a)\b|请(?:问|告诉我)?|麻烦你?|帮我",
    regex.IGNORECASE,
)

# A question about a time that is not over is about what was said in it only when it looks back.
LOOKS_BACK: Final = regex.compile(
    r"\b(?:did|was|were|had|said|told|mentioned|asked|talked|discussed|happened|agreed|decided)\b"
    r"|\b(?:dij[eo]|dijimos|hice|hizo|fue|pasó|mencion[éó]|habl(?:é|ó|amos)|conté|acordamos)\b|了|过|說|说",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, cut to a usable length."""

    text: str
    terms: tuple[str, ...]
    words: frozenset[str]
    times: tuple[TimeReference, ...]
    # Those of the times in which what is asked for may have been said.
    said: tuple[TimeReference, ...]
    language: str

    @property
    def is_blank(self) -> bool:
        return not self.words

    def possible_names(self) -> list[str]:
        """Every run of one to three words, any of which may be somebody's name."""
        words = text_words(self.text)
        return list(
            dict.fromkeys(
                " ".join(words[start : start + length]).lower()
                for length in range(1, MAX_NAME_WORDS + 1)
                for start in range(len(words) - length + 1)
            )
        )

    def for_embedding(self, speakers: Iterable[str] = ()) -> str:
        """The question as it is embedded: without courtesies, and with “they” for a speaker it names.

        Whose words it is about is judged by itself; a name would draw the vector to everybody's talk of them.
        """
        text = COURTESIES.sub(" ", self.text)
        for name in speakers:
            text = regex.sub(rf"\b{regex.escape(name)}(?:['’]s)?\b", "they", text, flags=regex.IGNORECASE)
        return " ".join(text.split()) or self.text


def read_question(query: str, reference: datetime) -> Question:
    """Read a question; times in it are seen from the reference."""
    text = query.replace("\0", " ")[:MAX_CHARACTERS].strip()
    words = text_words(text)
    times = tuple(find_times(text, reference))
    looks_back, today = bool(LOOKS_BACK.search(text)), reference.date()
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(tokenize(text)))[:MAX_TERMS],
        words=frozenset(word.lower() for word in words),
        times=times,
        said=tuple(each for each in times if looks_back or each.every_year or each.last < today),
        language="zh" if ANY_UNSPACED.search(text) else guess_language(word.lower() for word in words),
    )
