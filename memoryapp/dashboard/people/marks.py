"""A message cut into pieces: plain words, words that became facts, and places where a credential was masked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memoryapp.models import FactSource, Message
from memoryapp.safety.credentials import MARKER


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a message: where they begin, and the facts they made."""

    at: int
    text: str
    facts: tuple[UUID, ...] = ()
    chosen: bool = False
    masked: bool = False

    @property
    def fact(self) -> UUID | None:
        return self.facts[0] if self.facts else None


@dataclass(frozen=True, slots=True)
class MarkedMessage:
    """One message with its pieces in order; `whole` are facts that rest on it without naming words."""

    message: Message
    pieces: list[Piece]
    whole: tuple[UUID, ...] = ()


def mark_message(message: Message, sources: Sequence[FactSource], chosen: UUID | None) -> MarkedMessage:
    """The message with the words marked that became facts; spans may overlap and lie beyond its end."""
    text = message.text
    mine = [source for source in sources if source.message_id == message.pk]
    spans = [
        (source.start, min(source.end, len(text)), source.fact_id)
        for source in mine
        if source.start < min(source.end, len(text))
    ]
    whole = {source.fact_id for source in mine} - {fact for _start, _end, fact in spans}
    masks = _masks(text)
    edges = sorted(
        {0, len(text), *(edge for span in spans for edge in span[:2]), *(e for m in masks for e in m)}
    )
    pieces = []
    for start, end in itertools.pairwise(edges):
        facts = tuple(dict.fromkeys(fact for first, last, fact in spans if first <= start and end <= last))
        masked = any(first <= start and end <= last for first, last in masks)
        pieces.append(Piece(start, text[start:end], facts, chosen is not None and chosen in facts, masked))
    return MarkedMessage(message, pieces, tuple(whole))


def _masks(text: str) -> list[tuple[int, int]]:
    found, at = [], text.find(MARKER)
    while at >= 0:
        found.append((at, at + len(MARKER)))
        at = text.find(MARKER, at + len(MARKER))
    return found
