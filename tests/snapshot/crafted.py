"""Archives made byte by byte, so that every lie a header can tell can be told."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s2B5H3L5H2L")
END = struct.Struct("<4s4H2LH")


@dataclass(frozen=True)
class Entry:
    """One entry and what its two headers say of it; None is the truth."""

    name: str | bytes
    content: bytes = b""
    method: int = 8
    flags: int = 0
    mode: int = 0o100644
    size: int | None = None
    packed_size: int | None = None
    crc: int | None = None
    local_name: bytes | None = None
    local_size: int | None = None
    local_method: int | None = None
    offset: int | None = None
    packed: bytes | None = None
    system: int = 3
    extra: bytes = b""

    @property
    def raw_name(self) -> bytes:
        return self.name if isinstance(self.name, bytes) else self.name.encode()

    @property
    def data(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return self.content if self.method == 0 else deflated(self.content)


@dataclass
class Crafted:
    """A whole archive, and what its end says of it."""

    entries: Sequence[Entry]
    count: int | None = None
    directory_offset: int | None = None
    comment: bytes = b""
    before: bytes = b""
    between: bytes = b""
    after: bytes = b""
    parts: list[bytes] = field(default_factory=list)

    def build(self) -> bytes:
        body, directory = bytearray(self.before), bytearray()
        for entry in self.entries:
            offset = len(body)
            body += _local(entry) + entry.data + self.between
            directory += _central(entry, offset if entry.offset is None else entry.offset)
        count = len(self.entries) if self.count is None else self.count
        start = len(body) if self.directory_offset is None else self.directory_offset
        end = END.pack(
            b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, len(directory), start, len(self.comment)
        )
        return bytes(body + directory + end + self.comment + self.after)


def deflated(content: bytes, level: int = 6) -> bytes:
    engine = zlib.compressobj(level, zlib.DEFLATED, -15)
    return engine.compress(content) + engine.flush()


def archive(*entries: Entry) -> bytes:
    return Crafted(entries).build()


def files(**contents: bytes) -> list[Entry]:
    """Entries by name; `memory_` is the folder and `_md` the ending."""
    return [Entry(name.replace("_md", ".md"), content) for name, content in contents.items()]


def _values(entry: Entry) -> tuple[int, int, int]:
    crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
    packed = len(entry.data) if entry.packed_size is None else entry.packed_size
    size = len(entry.content) if entry.size is None else entry.size
    return crc, packed, size


def _local(entry: Entry) -> bytes:
    name = entry.raw_name if entry.local_name is None else entry.local_name
    crc, packed, size = _values(entry)
    if entry.local_size is not None:
        size = entry.local_size
    method = entry.method if entry.local_method is None else entry.local_method
    header = LOCAL.pack(
        b"PK\x03\x04", 20, entry.flags, method, 0, 33, crc, packed, size, len(name), len(entry.extra)
    )
    return header + name + entry.extra


def _central(entry: Entry, offset: int) -> bytes:
    crc, packed, size = _values(entry)
    header = CENTRAL.pack(
        b"PK\x01\x02", 20, entry.system, 20, entry.flags, entry.method, 0, 33, crc, packed, size,
        len(entry.raw_name), len(entry.extra), 0, 0, 0, (entry.mode << 16) & 0xFFFFFFFF, offset,
    )  # fmt: skip
    return header + entry.raw_name + entry.extra
