"""Reading a file of messages: one JSON object per line, checked one by one, however long the file is."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from django.utils.dateparse import parse_datetime

from memoryapp.actions.conversations import checked_external_id
from memoryapp.exceptions import MemoryAppError
from memoryapp.models import Message
from tenants.exceptions import TenancyError
from tenants.owners import end_user_owner_key, user_owner_key

MAX_LINE_BYTES = 1_000_000
MAX_CHARS = 64_000


@dataclass(frozen=True, slots=True)
class MessageLine:
    """One message as a file tells it, ready to be stored."""

    number: int
    owner_key: str
    conversation: str
    role: str
    text: str
    name: str
    said_at: datetime | None


class BadLine(Exception):
    """A line that cannot be imported, and why."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number, self.reason = number, reason


@dataclass(frozen=True, slots=True)
class LineReader:
    """Turns lines into messages; what a line leaves out comes from here."""

    zone: ZoneInfo
    members: frozenset[int]
    owner: str | None = None
    conversation: str = ""

    def read(self, number: int, raw: bytes) -> MessageLine:
        """The message of a line; raises BadLine."""
        try:
            values = self._object(raw)
            return MessageLine(
                number,
                owner_key=self._owner_key(values),
                conversation=checked_external_id(values.get("conversation") or self.conversation),
                role=_role(values.get("role")),
                text=_text(values.get("content")),
                name=_name(values.get("name")),
                said_at=self._moment(values.get("timestamp")),
            )
        except (MemoryAppError, TenancyError) as error:
            reasons = [reason for reasons in error.errors.values() for reason in reasons]
            raise BadLine(number, " ".join(reasons) or error.detail) from error
        except ValueError as error:
            raise BadLine(number, str(error)) from error

    def _object(self, raw: bytes) -> dict[str, Any]:
        if len(raw) > MAX_LINE_BYTES:
            raise ValueError(f"longer than {MAX_LINE_BYTES} bytes")
        try:
            values = json.loads(raw.decode("utf-8-sig"))
        except (UnicodeDecodeError, RecursionError) as error:
            raise ValueError("not UTF-8 text with a JSON object") from error
        except json.JSONDecodeError as error:
            raise ValueError(f"not JSON ({error.msg} at character {error.pos + 1})") from error
        if not isinstance(values, dict):
            raise ValueError("not a JSON object")
        return values

    def _owner_key(self, values: dict[str, Any]) -> str:
        owner = values.get("owner") or self.owner
        if not isinstance(owner, str):
            raise ValueError("names no owner (or give --owner for all lines)")
        return owner_key_of(owner, self.members)

    def _moment(self, value: object) -> datetime | None:
        """ISO 8601, in the workspace's zone when it names none, or seconds since 1970."""
        if value is None or value == "":
            return None
        try:
            if isinstance(value, int | float) and not isinstance(value, bool):
                return datetime.fromtimestamp(value, UTC)
            moment = parse_datetime(value) if isinstance(value, str) else None
            # Shifted once here, so that a date at the very edge of the calendar fails here and not in the database.
            moment = moment and (moment if moment.tzinfo else moment.replace(tzinfo=self.zone)).astimezone(
                UTC
            )
        except (ValueError, OverflowError, OSError) as error:
            raise ValueError("the timestamp is not a point in time") from error
        if moment is None:
            raise ValueError("the timestamp is neither ISO 8601 nor a number of seconds")
        return moment


def owner_key_of(owner: str, members: Collection[int]) -> str:
    """`user:<id>` for a member, `<channel>:<sender>` as it stands, anything else an end user of the API.

    Raises ValueError for a member the workspace does not have, and InvalidOwner for what is no id.
    """
    channel, separator, sender = owner.partition(":")
    if channel == "user" and separator:
        if not sender.isdigit() or int(sender) not in members:
            raise ValueError(f"{owner} is no member of this workspace")
        return user_owner_key(int(sender))
    return end_user_owner_key(sender, channel) if separator else end_user_owner_key(owner)


def _role(value: object) -> str:
    if value not in Message.Role.values:
        raise ValueError(f"the role is none of {', '.join(Message.Role.values)}")
    return str(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("the content is not a text")
    if len(value) > MAX_CHARS:
        raise ValueError(f"the content has more than {MAX_CHARS} characters")
    return value


def _name(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > 120:
        raise ValueError("the name is not a text of at most 120 characters")
    return value


def numbered_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The filled lines of a file with their numbers; of an endless line only the beginning is ever held in memory."""
    number = 0
    while raw := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        rest = raw
        while len(rest) > MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(MAX_LINE_BYTES + 1)
        if raw.strip():
            yield number, raw
