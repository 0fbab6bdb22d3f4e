"""The records of a ZIP file as they stand in the bytes: end of directory, directory, local headers.

The standard library repairs and guesses (names are cut, sizes believed, gaps allowed), so that two readers may see two
archives. Here every record is read once, and both copies of what a header says must agree.
"""

from __future__ import annotations

import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from memoryapp.snapshots.limits import ArchiveRefused, Limits

END = struct.Struct("<4s4H2LH")
END_MARK = b"PK\x05\x06"
ZIP64_LOCATOR = struct.Struct("<4sLQL")
ZIP64_LOCATOR_MARK = b"PK\x06\x07"
CENTRAL = struct.Struct("<4s2B5H3L5H2L")
CENTRAL_MARK = b"PK\x01\x02"
LOCAL = struct.Struct("<4s5H3L2H")
LOCAL_MARK = b"PK\x03\x04"
LONGEST_COMMENT = 0xFFFF
ABSENT_16, ABSENT_32 = 0xFFFF, 0xFFFFFFFF

ENCRYPTED_BITS = 0x0001 | 0x0040 | 0x2000
PATCHED_BIT = 0x0020
DESCRIPTOR_BIT = 0x0008
UTF8_BIT = 0x0800
LEVEL_BITS = 0x0006
STORED, DEFLATED = 0, 8
# After the data of an entry written as a stream: with and without a mark, with 32 and 64 bit sizes.
DESCRIPTOR_SIZES = {12, 16, 20, 24}


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the directory, checked against its local header."""

    name: str
    flags: int
    method: int
    crc: int
    packed_size: int
    size: int
    mode: int
    attributes: int
    offset: int
    data_offset: int

    @property
    def is_folder(self) -> bool:
        return self.name.endswith(("/", "\\"))

    @property
    def is_special(self) -> bool:
        """Whether it claims to be a link, a device, a pipe, or a folder that is not named like one."""
        kind = stat.S_IFMT(self.mode)
        marked_folder = kind == stat.S_IFDIR or bool(self.attributes & 0x10)
        return kind not in {0, stat.S_IFREG, stat.S_IFDIR} or (marked_folder and not self.is_folder)


@dataclass(frozen=True, slots=True)
class Directory:
    """Where the central directory lies and how many entries it has."""

    offset: int
    size: int
    count: int


def read_records(stream: BinaryIO, size: int, limits: Limits) -> list[Record]:
    """Every entry of the archive in the order of its bytes; raises ArchiveRefused for anything irregular."""
    directory = _find_directory(stream, size)
    if directory.count > limits.entries:
        raise ArchiveRefused(f"The archive has more than {limits.entries} entries.", "archive_too_many")
    stream.seek(directory.offset)
    data = stream.read(directory.size)
    records = sorted(_records(stream, data, directory, limits), key=lambda record: record.offset)
    _check_layout(records, directory)
    return records


def _find_directory(stream: BinaryIO, size: int) -> Directory:
    tail_size = min(size, END.size + LONGEST_COMMENT)
    stream.seek(size - tail_size)
    tail = stream.read(tail_size)
    ends = [at for at in _positions(tail, END_MARK) if _ends_file(tail, at)]
    if not ends:
        raise ArchiveRefused("This is not a ZIP archive, or only a part of one.", "not_a_zip")
    if len(ends) > 1:
        raise ArchiveRefused("The archive has two directories.", "archive_malformed")
    end = END.unpack_from(tail, ends[0])
    position = size - tail_size + ends[0]
    if _is_zip64(tail, ends[0], end):
        raise ArchiveRefused("ZIP64 is for archives larger than these may be.", "archive_zip64")
    _, disk, first_disk, count_here, count, directory_size, offset, _ = end
    if disk or first_disk or count_here != count:
        raise ArchiveRefused("Archives in several parts cannot be used.", "archive_malformed")
    if offset + directory_size != position:
        raise ArchiveRefused("The archive's directory is not where it should be.", "archive_malformed")
    return Directory(offset, directory_size, count)


def _positions(data: bytes, mark: bytes) -> Iterator[int]:
    at = data.find(mark)
    while at != -1:
        yield at
        at = data.find(mark, at + 1)


def _ends_file(tail: bytes, at: int) -> bool:
    """Whether an end record at this place, with its comment, reaches exactly to the end of the file."""
    if len(tail) - at < END.size:
        return False
    comment_length = END.unpack_from(tail, at)[-1]
    return bool(at + END.size + comment_length == len(tail))


def _is_zip64(tail: bytes, at: int, end: tuple[int, ...]) -> bool:
    located = at >= ZIP64_LOCATOR.size and tail[at - ZIP64_LOCATOR.size :].startswith(ZIP64_LOCATOR_MARK)
    return located or ABSENT_16 in end[1:5] or ABSENT_32 in end[5:7]


def _records(stream: BinaryIO, data: bytes, directory: Directory, limits: Limits) -> Iterator[Record]:
    at = 0
    for _ in range(directory.count):
        if len(data) - at < CENTRAL.size or not data.startswith(CENTRAL_MARK, at):
            raise ArchiveRefused("The archive's directory is damaged.", "archive_malformed")
        fields = CENTRAL.unpack_from(data, at)
        name_at = at + CENTRAL.size
        at = name_at + sum(fields[11:14])
        if at > len(data):
            raise ArchiveRefused("The archive's directory is damaged.", "archive_malformed")
        yield _record(stream, fields, data[name_at : name_at + fields[11]], directory, limits)
    if at != len(data):
        raise ArchiveRefused("The archive's directory says less than it holds.", "archive_malformed")


def _record(
    stream: BinaryIO, fields: tuple[int, ...], raw_name: bytes, directory: Directory, limits: Limits
) -> Record:
    flags, method, crc, packed_size, size = (fields[index] for index in (4, 5, 8, 9, 10))
    disk, attributes, offset = fields[14], fields[16], fields[17]
    _check_kind(flags, method)
    if ABSENT_32 in (packed_size, size, offset) or disk:
        raise ArchiveRefused("ZIP64 is for archives larger than these may be.", "archive_zip64")
    if not raw_name or len(raw_name) > limits.name_bytes:
        raise ArchiveRefused("An entry has no name, or one that is far too long.", "archive_malformed")
    data_offset = _check_local(stream, fields, raw_name, directory)
    return Record(
        name=_decoded(raw_name, flags),
        flags=flags,
        method=method,
        crc=crc,
        packed_size=packed_size,
        size=size,
        mode=attributes >> 16,
        attributes=attributes & 0xFFFF,
        offset=offset,
        data_offset=data_offset,
    )


def _check_kind(flags: int, method: int) -> None:
    if flags & ENCRYPTED_BITS:
        raise ArchiveRefused("The archive is encrypted.", "archive_encrypted")
    if method not in {STORED, DEFLATED} or flags & PATCHED_BIT:
        raise ArchiveRefused("The archive is packed in a way that is not supported.", "archive_compression")


def _decoded(raw_name: bytes, flags: int) -> str:
    try:
        return raw_name.decode("utf-8")
    except UnicodeDecodeError as error:
        if flags & UTF8_BIT:
            raise ArchiveRefused(
                "An entry's name is not the UTF-8 it says it is.", "archive_malformed"
            ) from error
        return raw_name.decode("cp437")


def _check_local(stream: BinaryIO, central: tuple[int, ...], raw_name: bytes, directory: Directory) -> int:
    """Where the entry's data begins, once its local header says what the directory says."""
    offset = central[17]
    stream.seek(min(offset, directory.offset))
    header = stream.read(LOCAL.size)
    if offset + LOCAL.size > directory.offset or not header.startswith(LOCAL_MARK):
        raise ArchiveRefused("An entry is not where the directory says it is.", "archive_malformed")
    local = LOCAL.unpack(header)
    name_length, extra_length = local[9], local[10]
    same_name = name_length == len(raw_name) and stream.read(name_length) == raw_name
    same_kind = local[3] == central[5] and (local[2] ^ central[4]) & ~LEVEL_BITS == 0
    if not same_name or not same_kind or not _same_sizes(local[6:9], central[8:11], local[2]):
        raise ArchiveRefused("An entry's header and the directory disagree.", "archive_headers_disagree")
    return int(offset + LOCAL.size + name_length + extra_length)


def _same_sizes(local: tuple[int, ...], central: tuple[int, ...], flags: int) -> bool:
    """Checksum and sizes are equal; a stream, which writes them after the data, may leave them out."""
    left_out = bool(flags & DESCRIPTOR_BIT) and local == (0, 0, 0)
    return local == central or left_out


def _check_layout(records: list[Record], directory: Directory) -> None:
    """Entries stand one after the other from the first byte to the directory, with nothing shared or hidden between."""
    position, trailer = 0, False
    for record in records:
        _check_gap(record.offset - position, trailer)
        position = record.data_offset + record.packed_size
        trailer = bool(record.flags & DESCRIPTOR_BIT)
    _check_gap(directory.offset - position, trailer)


def _check_gap(gap: int, trailer: bool) -> None:
    if gap < 0:
        raise ArchiveRefused("Entries of the archive overlap.", "archive_overlap")
    if gap and not (trailer and gap in DESCRIPTOR_SIZES):
        raise ArchiveRefused("The archive has bytes that belong to no entry.", "archive_malformed")
