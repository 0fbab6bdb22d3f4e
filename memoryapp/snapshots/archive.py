"""Reading archives that strangers made: nothing is believed, everything is bounded, faults have names.

`open_archive` goes through the whole archive once: it inflates every entry in small pieces, throws the bytes away, and
knows afterwards that sizes, checksums and limits hold. Only then is an entry read for its content.
"""

from __future__ import annotations

import os
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from memoryapp.snapshots.limits import MEGABYTE, SNAPSHOT_LIMITS, ArchiveRefused, Limits, Meter, refuse_upload
from memoryapp.snapshots.zip_records import STORED, Record, read_records

PIECE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive whose every byte has been checked, in an open stream."""

    stream: BinaryIO
    records: list[Record]
    limits: Limits

    def read(self, record: Record) -> bytes:
        """The entry's content; at most the limit of one entry."""
        return b"".join(_inflated(self.stream, record, Meter(self.limits)))


def open_archive(stream: BinaryIO, limits: Limits = SNAPSHOT_LIMITS) -> Archive:
    """The archive in the stream once it is known to be sound.

    Raises TooLarge for a stream over the upload limit and ArchiveRefused for every fault of the archive as a whole.
    """
    size = stream.seek(0, os.SEEK_END)
    if size > limits.upload_bytes:
        raise refuse_upload(limits)
    if not size:
        raise ArchiveRefused("The upload is empty.", "not_a_zip")
    records = read_records(stream, size, limits)
    _check_names(records)
    meter = Meter(limits)
    for record in records:
        _check_content(stream, record, meter)
    return Archive(stream, records, limits)


def _check_names(records: list[Record]) -> None:
    """No two entries may be the same file on any system: case and Unicode form are folded."""
    folded = {_folded(record.name) for record in records}
    if len(folded) != len(records):
        raise ArchiveRefused("Two entries of the archive have the same name.", "archive_duplicate_names")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _check_content(stream: BinaryIO, record: Record, meter: Meter) -> None:
    if record.is_folder and (record.size or record.packed_size > 2):
        # An empty deflate stream has two bytes; some programs write one for folders.
        raise ArchiveRefused("A folder of the archive has content.", "archive_directory_data")
    checksum = size = 0
    for piece in _inflated(stream, record, meter):
        checksum, size = zlib.crc32(piece, checksum), size + len(piece)
    if size != record.size:
        raise ArchiveRefused("An entry is not as long as its header says.", "archive_size")
    if checksum != record.crc:
        raise ArchiveRefused("An entry's checksum is wrong: the archive is damaged.", "archive_crc")


def _inflated(stream: BinaryIO, record: Record, meter: Meter) -> Iterator[bytes]:
    """The entry's content piece by piece, never more than its header says and its limit allows."""
    allowed = min(record.size, meter.limits.entry_bytes)
    made = 0
    for piece, packed in _pieces(stream, record):
        made += len(piece)
        meter.count(packed, len(piece))
        if made > meter.limits.entry_bytes:
            raise ArchiveRefused(
                f"An entry is larger than {meter.limits.entry_bytes // MEGABYTE} MB.",
                "archive_entry_too_large",
            )
        if made > allowed:
            raise ArchiveRefused("An entry is not as long as its header says.", "archive_size")
        yield piece


def _pieces(stream: BinaryIO, record: Record) -> Iterator[tuple[bytes, int]]:
    """Pieces of content, each with the number of packed bytes read for it."""
    stream.seek(record.data_offset)
    if record.method == STORED:
        yield from ((piece, len(piece)) for piece in _raw(stream, record.packed_size))
        return
    engine = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for packed in _raw(stream, record.packed_size):
            yield engine.decompress(packed, PIECE), len(packed)
            while engine.unconsumed_tail:
                yield engine.decompress(engine.unconsumed_tail, PIECE), 0
        # What the engine still holds of a whole window of input that made more than one piece.
        while (rest := engine.decompress(b"", PIECE)) and not engine.eof:
            yield rest, 0
        if rest:
            yield rest, 0
    except zlib.error as error:
        raise ArchiveRefused("An entry cannot be unpacked: the archive is damaged.", "archive_crc") from error
    if not engine.eof or engine.unused_data:
        raise ArchiveRefused("An entry ends too early or too late.", "archive_malformed")


def _raw(stream: BinaryIO, length: int) -> Iterator[bytes]:
    left = length
    while left:
        piece = stream.read(min(PIECE, left))
        if not piece:
            raise ArchiveRefused("The archive ends in the middle of an entry.", "archive_malformed")
        left -= len(piece)
        yield piece
