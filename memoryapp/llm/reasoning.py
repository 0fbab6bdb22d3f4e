"""Keeps a model's private thinking apart from its answer, also when a tag is cut by the border of two chunks."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from memoryapp.llm.markdown import fence_after

NAMES = r"(?:seed:)?(?:think(?:ing)?|thought|reasoning)"
# Pairs that are written in exactly one way.
FIXED = {
    "[think]": "[/think]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|start_thinking|>": "<|end_thinking|>",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
}
OPENING = re.compile(rf"<{NAMES}(?:\s[^<>]{{0,200}})?>|" + "|".join(map(re.escape, FIXED)), re.IGNORECASE)
CLOSING = re.compile(rf"</{NAMES}\s{{0,9}}>|" + "|".join(map(re.escape, FIXED.values())), re.IGNORECASE)
TAG = re.compile(f"(?P<opening>{OPENING.pattern})|{CLOSING.pattern}", re.IGNORECASE)
BARE = ("think", "thinking", "thought", "reasoning", "seed:think", "seed:thinking")
BEGINNINGS = (*FIXED, *FIXED.values(), *(f"<{name}>" for name in BARE), *(f"</{name}>" for name in BARE))
LONGEST = max(map(len, BEGINNINGS)) - 1
FIRST_CHARACTERS = re.compile("[<\\[◁]")
TELLING = 100
UNFINISHED = re.compile(rf"(?:<{NAMES}\s[^<>]{{0,200}}|</{NAMES}\s{{1,9}})$", re.IGNORECASE)


class Parts(NamedTuple):
    """What of a text is for the reader and what is thinking; `takes_back`: what was told before was thinking too."""

    text: str
    reasoning: str
    takes_back: bool = False


class Mode(Enum):
    """What is being read; of what comes behind a thought within a thought only the end shows which it was."""

    ANSWER = auto()
    THOUGHT = auto()
    EITHER = auto()


class ReasoningFilter:
    """Splits a stream of text into answer and thinking; feed it pieces, then finish it once.

    With `begins_within` the prompt has opened the thought already: nothing is told until it is closed.
    """

    def __init__(self, *, begins_within: bool = False) -> None:
        self._mode = Mode.EITHER if begins_within else Mode.ANSWER
        self._held = ""
        self._unsure = ""
        self._nested = False
        self._answered = False
        self._line, self._fence = "", ""
        # Whether a thought was closed that was never opened here.
        self.closed_unopened = False

    def feed(self, piece: str) -> Parts:
        """The parts that are certain after this piece; what could be the beginning of a tag waits for the next."""
        self._held += piece
        told = Parts("", "")
        while tag := self._next_tag():
            told = self._sort(self._held[: tag.start()], told)
            told = self._pass(tag, told)
            self._held = self._held[tag.end() :]
        certain = len(self._held) - _beginning_of(self._held)
        told = self._sort(self._held[:certain], told)
        self._held = self._held[certain:]
        return told

    def finish(self) -> Parts:
        """What was held back, once nothing more will come."""
        told = self._sort(self._held, Parts("", ""))
        self._held = ""
        unsure, self._unsure = self._unsure, ""
        return told._replace(text=self._shown(unsure) + told.text)

    def _next_tag(self) -> re.Match[str] | None:
        tags = TAG.finditer(self._held)
        return next((tag for tag in tags if self._mode is Mode.THOUGHT or not self._is_quoted(tag)), None)

    def _is_quoted(self, tag: re.Match[str]) -> bool:
        """Whether a tag is only spoken about: it stands in backticks or in a block of code."""
        *lines, last = (self._line + self._held[: tag.start()]).split("\n")
        fence = self._fence
        for line in lines:
            fence = fence_after(line, fence)
        return last.endswith("`") or bool(fence_after(last, fence))

    def _pass(self, tag: re.Match[str], told: Parts) -> Parts:
        """Go on behind a tag."""
        if tag["opening"]:
            if self._mode is Mode.THOUGHT:
                self._nested = True
                return told._replace(reasoning=told.reasoning + tag[0])
            text, self._unsure = self._unsure, ""
            self._mode = Mode.THOUGHT
            return told._replace(text=told.text + self._shown(text))
        if self._mode is Mode.THOUGHT:
            self._mode, self._nested = (Mode.EITHER if self._nested else Mode.ANSWER), False
            return told
        return self._take_back(told)

    def _take_back(self, told: Parts) -> Parts:
        """All that was said since the last thought was one too, opened in the prompt or by a thought around it."""
        thought, self._unsure = told.text + self._unsure, ""
        takes_back = self._mode is Mode.ANSWER
        self.closed_unopened = True
        self._answered, self._line, self._fence = False, "", ""
        return Parts("", told.reasoning + thought, told.takes_back or takes_back)

    def _sort(self, piece: str, told: Parts) -> Parts:
        match self._mode:
            case Mode.THOUGHT:
                return told._replace(reasoning=told.reasoning + piece)
            case Mode.EITHER:
                self._follow(piece)
                self._unsure += piece
                return told
            case Mode.ANSWER:
                self._follow(piece)
                return told._replace(text=told.text + self._shown(piece))

    def _follow(self, piece: str) -> None:
        """Keep in mind whether the answer is in the middle of a block of code."""
        *lines, last = (self._line + piece).split("\n")
        for line in lines:
            self._fence = fence_after(line, self._fence)
        # An answer may be one very long line: how it begins and ends is all that matters.
        self._line = last if len(last) <= TELLING else last[:TELLING] + last[-1]

    def _shown(self, piece: str) -> str:
        if not self._answered:
            piece = piece.lstrip()  # the blank lines between thinking and answer
        self._answered = self._answered or bool(piece)
        return piece


def split_reasoning(text: str) -> Parts:
    """Answer and thinking of a finished text; thinking that was opened in the prompt ends at a lone closing tag.

    A text that begins with an object is an answer: a tag further on stands in one of its texts.
    """
    if text.lstrip().startswith(("{", "[", "```")) and not OPENING.match(text.lstrip()):
        return Parts(text, "")
    splitter = ReasoningFilter()
    first, last = splitter.feed(text), splitter.finish()
    return Parts(first.text + last.text, first.reasoning + last.reasoning)


def _beginning_of(text: str) -> int:
    """How many characters at the end of the text could be the beginning of a tag."""
    unfinished = UNFINISHED.search(text, max(len(text) - 220, 0))
    if unfinished:
        return len(unfinished[0])
    end = text[-LONGEST:].lower()
    starts = (found.start() for found in FIRST_CHARACTERS.finditer(end))
    return next((len(end) - at for at in starts if _begins_tag(end[at:])), 0)


def _begins_tag(end: str) -> bool:
    return any(tag.startswith(end) for tag in BEGINNINGS)
