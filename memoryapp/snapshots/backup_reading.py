"""Reading a backup: whole and unharmed or not at all, and under which ids and names its rows come back."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import BinaryField, CharField, Field, JSONField, TextField, UUIDField

from memoryapp.exceptions import ValidationFailed
from memoryapp.snapshots.backup import FORMAT, VERSION
from tenants.owners import user_owner_key

# Twice the largest row: a file of a million characters with its text before.
LONGEST_LINE = 64 * 1024 * 1024
USER_KEY = re.compile(r"\buser:(\d+)\b")
UUID_TEXT = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
# Free text keeps what it says, even where it looks like a key.
NAMING = frozenset({"owner_key", "actor", "edited_by", "resolved_by", "decided_by", "given_by", "target"})
SHORT_ID = 48


class BadBackup(ValidationFailed):
    """400: the file is no backup, or not a whole one."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, code="bad_backup", errors={"file": [detail]})


@dataclass(frozen=True, slots=True)
class Header:
    """What a backup says of itself in its first line."""

    workspace: dict[str, Any]
    members: list[dict[str, Any]]


def checked_header(stream: IO[bytes]) -> tuple[Header, int]:
    """The header and the number of rows, once the whole file has been read and its digest agrees; raises BadBackup."""
    header: Header | None = None
    digest, rows, ended = hashlib.sha256(), 0, False
    for line in _lines(stream):
        value = _parsed(line)
        if ended:
            raise BadBackup("The backup goes on after its end.")
        if header is None:
            header = _header(value)
        elif "end" in value:
            ended = True
            if value["end"] != {"rows": rows, "sha256": digest.hexdigest()}:
                raise BadBackup("The backup is damaged: it does not hold what it says.")
        else:
            rows += 1
        digest.update(line)
    if header is None or not ended:
        raise BadBackup("This is only a part of a backup.")
    return header, rows


def rows_of(stream: IO[bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row with the label of its table; of a file that was checked before."""
    for line in _lines(stream):
        value = _parsed(line)
        if "row" in value:
            yield value["model"], value["row"]


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    stream.seek(0)
    try:
        with gzip.GzipFile(fileobj=stream, mode="rb") as file:
            while line := file.readline(LONGEST_LINE):
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise BadBackup("This file is no backup, or is damaged.") from error


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadBackup("This file is no backup.") from error
    if not isinstance(value, dict):
        raise BadBackup("This file is no backup.")
    return value


def _header(value: dict[str, Any]) -> Header:
    if value.get("format") != FORMAT:
        raise BadBackup("This file is no backup of a workspace.")
    if value.get("version") != VERSION:
        raise BadBackup("The backup was made by a version that is not known here.")
    return Header(value["workspace"], value["members"])


@dataclass(slots=True)
class Renaming:
    """How ids and people of a backup are called where it is restored."""

    # A fresh workspace id when rows get new ids; None keeps every id as it is.
    space: UUID | None
    users: dict[int, int] = field(default_factory=dict)

    def id(self, value: str) -> str:
        """The id a row gets; a new one keeps the time in it, so that order by id stays order by age."""
        if self.space is None:
            return value
        old = UUID(value)
        fresh = hashlib.sha256(self.space.bytes + old.bytes).digest()
        raw = bytearray(old.bytes[:6] + fresh[:10])
        raw[6], raw[8] = 0x70 | raw[6] & 0x0F, 0x80 | raw[8] & 0x3F
        return str(UUID(bytes=bytes(raw)))

    def key(self, text: str) -> str:
        """An owner key or an actor with people's numbers as they are here; who is no member is nobody here."""
        return USER_KEY.sub(self._user, text)

    def _user(self, match: re.Match[str]) -> str:
        known = self.users.get(int(match[1]))
        return user_owner_key(known) if known is not None else f"former:{match[1]}"

    def tree(self, value: Any) -> Any:
        """A JSON value with the ids and keys in it renamed where a string is nothing else."""
        if isinstance(value, str):
            if len(value) <= SHORT_ID and UUID_TEXT.fullmatch(value):
                return self.id(value)
            return self.key(value) if USER_KEY.fullmatch(value) else value
        if isinstance(value, list):
            return [self.tree(each) for each in value]
        if isinstance(value, dict):
            return {self.tree(key): self.tree(each) for key, each in value.items()}
        return value

    def column(self, column: Field[Any, Any], value: Any) -> Any:
        """A column's value from JSON, renamed."""
        if value is None:
            return None
        if isinstance(column, BinaryField):
            return base64.b64decode(value)
        if isinstance(column, JSONField):
            return self.tree(value)
        if isinstance(column, ArrayField):
            return [self.column(column.base_field, each) for each in value]
        if isinstance(column, UUIDField) or (column.many_to_one and isinstance(value, str)):
            return UUID(self.id(value))
        if isinstance(column, CharField | TextField):
            return self.key(value) if column.name in NAMING else value
        return column.to_python(value)
