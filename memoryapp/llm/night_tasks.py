"""What the night's model tasks are given and must answer: conflicts, dreams, consolidation, the persona.

As for extraction, the input travels as `ChatRequest.context` and the reply type is the JSON schema a model is asked
for, so that the offline rules and a real model take the same path.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True, slots=True)
class DatedFact:
    """A fact under a short number that stands for its id, with when it was said and when it holds."""

    number: int
    text: str
    category: str = ""
    said_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class ConflictInput:
    """New facts of one owner, and for each the numbers of known ones that speak of the same things."""

    facts: tuple[DatedFact, ...]
    pairs: tuple[tuple[int, int], ...]
    today: date
    names: tuple[str, ...] = ()


class FoundConflict(BaseModel):
    """Two facts that cannot both hold."""

    model_config = ConfigDict(extra="ignore")

    a: int = Field(description="number of the first fact")
    b: int = Field(description="number of the second fact")
    reason: str = Field("", description="what cannot both be true, in one short sentence")


class ConflictReply(BaseModel):
    """Which of the given pairs contradict each other."""

    model_config = ConfigDict(extra="ignore")

    conflicts: list[FoundConflict] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class NoteLines:
    """The note of one day, as far as it fits."""

    day: date
    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class DreamCandidate:
    """A line or fact that may be worth promoting, with how it scored; one that a gate stopped is not among them."""

    number: int
    text: str
    score: float
    why: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class DreamInput:
    """One bucket of memory before a dream: the days' notes, what stands in MEMORY.md, and what may be promoted."""

    notes: tuple[NoteLines, ...]
    memory: str
    candidates: tuple[DreamCandidate, ...]
    today: date
    topic: str = ""
    limit: int = 0
    # Lines a person wrote, which stay as they are, and lines that do not hold any more.
    protected: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    # Statements that cannot both hold, each told with which is the newer.
    conflicts: tuple[str, ...] = ()


class DreamReply(BaseModel):
    """The new text of MEMORY.md, whole, or that nothing is to change."""

    model_config = ConfigDict(extra="ignore")

    should_update: bool
    reason: str = Field("", description="what was found and concluded, in one or two sentences")
    memory_content: str = Field("", description="full new text of MEMORY.md, or empty")


@dataclass(frozen=True, slots=True)
class ConsolidationInput:
    """The always-on entries of one bucket."""

    entries: tuple[DatedFact, ...]
    today: date
    # Numbers of entries that no model may touch.
    fixed: tuple[int, ...] = ()


class ConsolidatedEntry(BaseModel):
    """One entry that stays, and the numbers of those it stands for."""

    model_config = ConfigDict(extra="ignore")

    text: str = Field(description="the entry; unchanged when it stands for itself alone")
    numbers: list[int] = Field(default_factory=list, description="numbers of the given entries it stands for")
    category: str = ""


class ConsolidationReply(BaseModel):
    """The entries of a bucket after near-duplicates are merged and stale ones left out."""

    model_config = ConfigDict(extra="ignore")

    should_update: bool
    reason: str = ""
    entries: list[ConsolidatedEntry] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SoulInput:
    """What a persona may grow from: shared files and what the whole team knows, nothing of any one person's."""

    soul: str
    profile: str
    memory: str
    facts: tuple[DatedFact, ...]
    today: date
    word_limit: int = 500


class SoulReply(BaseModel):
    """A new text of SOUL.md, whole, or that it is fine as it is."""

    model_config = ConfigDict(extra="ignore")

    should_update: bool
    reason: str = ""
    soul_content: str = Field("", description="full new text of SOUL.md, or empty")
