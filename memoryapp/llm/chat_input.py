"""What a chat turn is about, as plain data: the offline backend answers from it and reads no prompt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remembered:
    """One thing known to the person's agent that bears on the message."""

    text: str
    source: str = "fact"
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ChatInput:
    """The message and what is remembered: found for this message (best first), and always kept in mind."""

    message: str
    recalled: tuple[Remembered, ...] = ()
    standing: tuple[Remembered, ...] = ()
    agent_name: str = ""
