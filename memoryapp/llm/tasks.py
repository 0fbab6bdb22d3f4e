"""What each structured model task is given and what it must answer: plain data, shared by every backend.

A task's input travels as `ChatRequest.context`; its reply type is the JSON schema a model is asked for. The
offline backend reads the input directly, so a real model and the offline rules take the same path.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """One message of the conversation, numbered from 1 in the order it was said."""

    number: int
    role: Role
    text: str
    name: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact already stored for this owner, under a short number that stands for its id."""

    number: int
    text: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class CustomCategory:
    """A category of the workspace's own, with the words that tell what belongs in it."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Which additional triage rules an agent works under."""

    name: Literal["default", "companion"] = "default"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    custom_categories: tuple[CustomCategory, ...] = ()
    # Free text of a caller's; only a language model can follow it.
    instructions: str = ""

    @property
    def is_companion(self) -> bool:
        return self.name == "companion"


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """A finished piece of conversation and everything already known that bears on it."""

    messages: tuple[TranscriptMessage, ...]
    today: date
    known: tuple[KnownFact, ...] = ()
    profile: str = ""
    memory: str = ""
    note: str = ""
    time_zone: str = "UTC"
    assistant_name: str = ""
    overlay: Overlay = field(default_factory=Overlay)
    secret_patterns: tuple[str, ...] = ()


class Operation(StrEnum):
    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NONE = "NONE"


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


def _day_or_nothing(value: object) -> object:
    """The day of a date or time as a model writes it, whatever zone it names; nothing for words like “last spring”."""
    if not isinstance(value, str):
        return value
    try:
        return datetime.fromisoformat(value.strip()).date()
    except ValueError:
        return None


Day = Annotated[date | None, BeforeValidator(_day_or_nothing)]


class Candidate(BaseModel):
    """One proposed change to what is known; `target` and `also` are numbers of known facts, never ids."""

    model_config = ConfigDict(extra="ignore")

    op: Annotated[Operation, BeforeValidator(_upper)]
    text: str = Field(
        "", description="the fact: third person, self-contained, at most 50 words, the user's language"
    )
    category: str = Field("", description="one of the fact categories")
    target: int | None = Field(None, description="UPDATE, DELETE: number of the known fact")
    also: list[int] = Field(
        default_factory=list, description="UPDATE: numbers of further known facts absorbed by it"
    )
    evidence: list[int] = Field(default_factory=list, description="numbers of the messages that say so")
    quote: str = Field("", description="the user's own words")
    scope: Literal["user", "session"] = Field(
        "user", description="session: matters in this conversation only"
    )
    stability: Literal["durable", "ongoing", "transient"] = "durable"
    confidence: float = Field(0.8, ge=0, le=1)
    importance: float | None = Field(None, ge=0, le=1)
    explicit: bool = Field(False, description="the user asked for it to be remembered")
    event_date: Day = Field(None, description="when it happened or is due")
    expires: Day = Field(None, description="when it stops mattering")
    gate: str = Field(
        "", description="NONE: the gate that stopped it, one of utility, novelty, factual, safe"
    )
    reason: str = Field("", description="why, in a few words")


class ExtractionReply(BaseModel):
    """The answer to one extraction: operations on facts, and new text of the files (empty: leave as it is)."""

    model_config = ConfigDict(extra="ignore")

    should_update: bool
    reason: str = ""
    operations: list[Candidate] = Field(default_factory=list)
    daily_entry: str = ""
    memory_update: str = Field("", description="full new text of MEMORY.md, or empty")
    profile_update: str = Field("", description="full new text of PROFILE.md, or empty")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A candidate that was not kept: which gate stopped it, and why."""

    text: str
    gate: str
    reason: str
