"""What the user wants forgotten, found among the known facts; and what must not be looked at at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import regex

from memoryapp.llm.language.requests import asked_to_forget, asks_not_to_remember, means_everything
from memoryapp.llm.language.wording import content_words, is_weak, overlap
from memoryapp.llm.tasks import KnownFact, TranscriptMessage

_SENTENCE = regex.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_ALONE = 9


def without_withheld(messages: Sequence[TranscriptMessage]) -> tuple[TranscriptMessage, ...]:
    """The conversation without what must not be kept; a bare request covers the message before it and its echo."""
    kept: list[TranscriptMessage] = []
    hidden = False
    for message in messages:
        if message.role == "user" and asks_not_to_remember(message.text):
            hidden = True
            if len(content_words(message.text)) <= 3 and len(message.text.split()) <= _ALONE:
                _drop_last_user_message(kept)
            continue
        # The answer to a withheld message may repeat it.
        if message.role == "assistant" and hidden:
            continue
        hidden = False
        kept.append(message)
    return tuple(kept)


def _drop_last_user_message(kept: list[TranscriptMessage]) -> None:
    while kept and kept[-1].role == "assistant":
        kept.pop()
    if kept:
        kept.pop()


def split_forget_requests(
    messages: Sequence[TranscriptMessage], known: Sequence[KnownFact]
) -> tuple[tuple[TranscriptMessage, ...], dict[int, list[int]]]:
    """The messages without their requests to forget, and the known facts meant, by number, with the messages asking."""
    kept: list[TranscriptMessage] = []
    doomed: dict[int, list[int]] = {}
    for message in messages:
        text = message.text
        for sentence in _SENTENCE.split(text) if message.role == "user" else ():
            what = asked_to_forget(sentence or "")
            if what:
                text = text.replace(sentence, "", 1)
                for number in find_meant(what, known, everything=means_everything(sentence)):
                    doomed.setdefault(number, []).append(message.number)
        if text.strip():
            kept.append(replace(message, text=text))
    return tuple(kept), doomed


def find_meant(what: str, known: Sequence[KnownFact], *, everything: bool = False) -> list[int]:
    """The known facts a request to forget is about: the one that fits best, or all that fit."""
    scored = [(len(overlap(what, fact.text)), fact.number) for fact in known]
    best = max((score for score, _ in scored), default=0)
    if best == 0:
        return []
    wanted = len([word for word in content_words(what) if not is_weak(word)])
    if everything:
        return [number for score, number in scored if score]
    return [number for score, number in scored if score == best][: 1 if best < wanted else None]
