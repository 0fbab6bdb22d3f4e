"""A fact on its way: rendered, categorised, with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date


@dataclass(slots=True)
class Fact:
    """A rendered fact and the words it came from; `text` is what would be stored."""

    text: str
    body: str
    words: str
    category: str
    kind: str
    language: str
    day: date
    evidence: list[int] = field(default_factory=list)
    explicit: bool = False
    changes: bool = False
    dated: bool = False
