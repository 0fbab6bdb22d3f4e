"""Puts conversations and files into a prompt so that no words can be taken for another speaker's or the prompt's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from memoryapp.llm.tasks import KnownFact, TranscriptMessage

LABELS = {"user": "USER", "assistant": "ASSISTANT"}
LINE_MARK = "⏎"
NOTHING = "(none)"
LINE_ENDS = re.compile(r"\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def format_transcript(messages: Iterable[TranscriptMessage]) -> str:
    """The messages in order, one line each: number, speaker, time, and all that was said, its own lines joined."""
    return "\n".join(_told(message) for message in messages) or NOTHING


def format_known(known: Iterable[KnownFact]) -> str:
    """The known facts under their short numbers, one a line."""
    return "\n".join(_known(fact) for fact in known) or NOTHING


def format_file(name: str, text: str) -> str:
    """A file between marks that depend on its text, so that nothing in it can end it."""
    if not text.strip():
        return f"{name}: (empty)"
    mark = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:12]
    return f'<file name="{name}" mark="{mark}">\n{text.strip()}\n</file mark="{mark}">'


def _told(message: TranscriptMessage) -> str:
    name = f" ({_one_line(message.name)})" if message.name else ""
    moment = f" at {message.at:%Y-%m-%d %H:%M}" if message.at else ""
    text = f" {LINE_MARK} ".join(LINE_ENDS.split(message.text.strip()))
    return f"[{message.number}] {LABELS[message.role]}{name}{moment}: {text}"


def _known(fact: KnownFact) -> str:
    category = f"[{fact.category}] " if fact.category else ""
    return f"{fact.number}. {category}{_one_line(fact.text)}"


def _one_line(text: str) -> str:
    return " ".join(LINE_ENDS.sub(" ", text).split())
