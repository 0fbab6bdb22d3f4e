"""Summarising the earlier part of a conversation: what a model is asked for, as plain data for backends without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.llm.tasks import TranscriptMessage
from memoryapp.llm.transcript import format_file, format_transcript
from memoryapp.llm.types import ChatMessage, ChatRequest
from memoryapp.prompts import render_prompt

WORDS_PER_TOKEN = 0.75
# A limit of 0 means none; a summary still has to be one.
MOST_WORDS = 2_000


@dataclass(frozen=True, slots=True)
class CompressInput:
    """What went before, what is to be summed up, and how many words there are for it."""

    messages: Sequence[TranscriptMessage]
    previous: str = ""
    max_words: int = MOST_WORDS


def words_for(max_tokens: int) -> int:
    """How many words a summary of so many tokens may have."""
    return max(int(max_tokens * WORDS_PER_TOKEN), 1) if max_tokens else MOST_WORDS


def build_compress_request(given: CompressInput, *, max_tokens: int | None = None) -> ChatRequest:
    """The request for a summary that carries the earlier one on."""
    prompt = render_prompt(
        "compress",
        max_words=given.max_words,
        previous=format_file("summary so far", given.previous),
        transcript=format_transcript(given.messages),
    )
    # Room to end a sentence: the words asked for are the limit, this is only the net below it.
    return ChatRequest(
        (ChatMessage("user", prompt),),
        task="compress",
        context=given,
        max_tokens=max_tokens and max_tokens * 2,
        temperature=0.0,
    )
