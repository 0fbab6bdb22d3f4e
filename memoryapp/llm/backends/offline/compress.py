"""A summary without a model: the sentences that say most, in their order and in the speaker's own words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from memoryapp.llm.compressing import CompressInput
from memoryapp.llm.language.wording import content_words, count_words

SENTENCE = regex.compile(r"[^.!?。！？\n]+[.!?。！？]*")
TELLING = regex.compile(
    r"\d|\b(?:decid\w+|agreed?|prefer\w*|always|never|because|deadline|must|plan\w*|want\w*|need\w*|chose|will|problem|open)\b"
    r"|\b(?:decid\w+|acord\w+|prefier\w+|siempre|nunca|porque|plazo|quier\w+|necesit\w+)\b"
    r"|\b(?:entschieden|vereinbart|immer|nie|weil|Frist|brauche|will)\b|决定|同意|喜欢|总是|从不|因为|截止|需要|打算",
    regex.IGNORECASE,
)
NAME = regex.compile(r"(?<=\p{Ll}[\s,]+)\p{Lu}\p{L}+")
LEAST_WORDS = 3
WHO = {"user": "Person", "assistant": "Assistant"}


@dataclass(frozen=True, slots=True)
class _Said:
    place: int
    line: str
    worth: float
    words: frozenset[str]


def summarise(given: CompressInput) -> str:
    """At most so many words: the earlier summary's lines and what was said since, the most telling of both."""
    kept: list[_Said] = []
    room, known = given.max_words, frozenset[str]()
    for said in sorted(_sentences(given), key=lambda each: (-each.worth, -each.place)):
        # What only repeats what is kept already adds nothing.
        if said.words <= known or count_words(said.line) > room:
            continue
        kept.append(said)
        known |= said.words
        room -= count_words(said.line)
    return "\n".join(said.line for said in sorted(kept, key=lambda each: each.place))


def _sentences(given: CompressInput) -> Iterator[_Said]:
    place = 0
    for line in given.previous.splitlines():
        if line.strip():
            place += 1
            # It was chosen once already; it loses slowly to what came since.
            yield _Said(place, line.strip(), _worth(line) + 0.5, content_words(line))
    for message in given.messages:
        for found in SENTENCE.finditer(message.text):
            sentence = " ".join(found.group().split())
            place += 1
            if count_words(sentence) >= LEAST_WORDS or len(sentence) > 12:
                worth = _worth(sentence) - (1.0 if message.role == "assistant" else 0.0)
                yield _Said(place, f"{WHO[message.role]}: {sentence}", worth, content_words(sentence))


def _worth(sentence: str) -> float:
    telling = len(TELLING.findall(sentence)) + len(NAME.findall(sentence))
    asks = sentence.rstrip().endswith(("?", "？"))
    return min(telling, 4) - (1.0 if asks else 0.0)
