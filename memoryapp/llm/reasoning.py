"""Keeps a model's private thinking apart from its answer, also when a tag is cut by the border of two chunks."""

from __future__ import annotations

import re
from typing import NamedTuple

TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
OPENING = re.compile("|".join(re.escape(tag) for tag in TAGS), re.IGNORECASE)
CLOSING = re.compile("|".join(re.escape(tag) for tag in TAGS.values()), re.IGNORECASE)


class Parts(NamedTuple):
    """What of a text is for the reader and what is thinking."""

    text: str
    reasoning: str


class ReasoningFilter:
    """Splits a stream of text into answer and thinking; feed it pieces, then finish it once."""

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""  # the tag that ends the current thinking, or nothing while answering
        self._answered = False
        self._quoted = False

    def feed(self, piece: str) -> Parts:
        """The parts that are certain after this piece; what could be the beginning of a tag waits for the next."""
        self._held += piece
        text, reasoning = "", ""
        while True:
            tag = self._next_tag()
            if tag is None:
                certain = len(self._held) - _beginning_of(self._held, self._awaited())
                text, reasoning = self._sort(self._held[:certain], text, reasoning)
                self._held = self._held[certain:]
                return Parts(text, reasoning)
            text, reasoning = self._sort(self._held[: tag.start()], text, reasoning)
            self._closing = "" if self._closing else TAGS[tag[0].lower()]
            self._held = self._held[tag.end() :]

    def finish(self) -> Parts:
        """What was held back, once nothing more will come."""
        text, reasoning = self._sort(self._held, "", "")
        self._held = ""
        return Parts(text, reasoning)

    def _next_tag(self) -> re.Match[str] | None:
        if self._closing:
            return re.search(re.escape(self._closing), self._held, re.IGNORECASE)
        for tag in OPENING.finditer(self._held):
            before = self._held[tag.start() - 1] if tag.start() else ("`" if self._quoted else "")
            if before != "`":  # in backticks it is spoken about
                return tag
        return None

    def _awaited(self) -> tuple[str, ...]:
        return (self._closing,) if self._closing else tuple(TAGS)

    def _sort(self, piece: str, text: str, reasoning: str) -> tuple[str, str]:
        if self._closing:
            return text, reasoning + piece
        if not self._answered:
            piece = piece.lstrip()  # the blank lines between thinking and answer
        self._answered = self._answered or bool(piece)
        if piece:
            self._quoted = piece[-1] == "`"
        return text + piece, reasoning


def split_reasoning(text: str) -> Parts:
    """Answer and thinking of a finished text; thinking that was opened in the prompt ends at a lone closing tag.

    A text that begins with an object is an answer: a tag further on stands in one of its texts.
    """
    if text.lstrip().startswith(("{", "[", "```")):
        return Parts(text, "")
    lone = CLOSING.search(text)
    if lone and not OPENING.search(text, 0, lone.start()):
        rest = split_reasoning(text[lone.end() :])
        return Parts(rest.text, text[: lone.start()] + rest.reasoning)
    splitter = ReasoningFilter()
    first, last = splitter.feed(text), splitter.finish()
    return Parts(first.text + last.text, first.reasoning + last.reasoning)


def _beginning_of(text: str, tags: tuple[str, ...]) -> int:
    """How many characters at the end of the text could be the beginning of one of the tags."""
    lowered = text.lower()
    longest = max(len(tag) for tag in tags) - 1
    for size in range(min(longest, len(lowered)), 0, -1):
        if any(tag.startswith(lowered[-size:]) for tag in tags):
            return size
    return 0
