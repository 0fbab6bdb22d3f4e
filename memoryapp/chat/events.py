"""The vocabulary of a streamed turn, in server-sent events."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

LINE_ENDS = re.compile(r"[\x85\u2028\u2029]")
HEARTBEAT = b": still here\n\n"
HEARTBEAT_SECONDS = 15.0


class EventName(Enum):
    """What a stream can say."""

    SESSION = "session"
    RECALL = "recall"
    DELTA = "delta"
    TOOL = "tool"
    USAGE = "usage"
    DONE = "done"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class EventId:
    """Where a client stands: which turn, by its reply's id, and the number of the last event it has seen."""

    turn: str
    number: int = 0

    def __str__(self) -> str:
        return f"{self.turn}:{self.number}"

    @classmethod
    def parse(cls, text: str) -> EventId | None:
        """The id that a client sends back, None when it is none of ours."""
        turn, _, number = text.strip().rpartition(":")
        return cls(turn, int(number)) if turn and number.isdecimal() and len(number) < 10 else None


def encode_event(name: EventName, data: dict[str, Any], event_id: EventId) -> bytes:
    """One event on the wire."""
    return f"id: {event_id}\nevent: {name.value}\ndata: {on_one_line(data)}\n\n".encode()


def on_one_line(data: object) -> str:
    """The JSON without a line end of any alphabet, since many clients take each of them for the end of the field."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    return LINE_ENDS.sub(lambda end: f"\\u{ord(end[0]):04x}", text)
