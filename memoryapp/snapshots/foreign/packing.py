"""Packing what is no archive: a folder or a lone file goes the way of every archive, past the same checks."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

from memoryapp.snapshots.limits import MEGABYTE, ArchiveRefused, Limits, refuse_upload

# What is packed here lies in this folder, so that a folder's only subfolder is never taken for one around everything.
PACKED: Final = "packed/"
ARCHIVE_MARK: Final = b"PK"
HELD_IN_MEMORY: Final = 4 * MEGABYTE


@contextmanager
def packed_alone(upload: BinaryIO, name: str, limits: Limits) -> Iterator[BinaryIO]:
    """An archive with the upload as its only entry; an upload that is an archive already, as it is."""
    size = upload.seek(0, os.SEEK_END)
    upload.seek(0)
    is_archive = upload.read(len(ARCHIVE_MARK)) == ARCHIVE_MARK
    upload.seek(0)
    if is_archive or not size:
        yield upload
        return
    if size > limits.upload_bytes:
        raise refuse_upload(limits)
    with _spool() as archive:
        with zipfile.ZipFile(archive, "w") as target, target.open(zipfile.ZipInfo(name), "w") as entry:
            shutil.copyfileobj(upload, entry)
        yield cast(BinaryIO, archive)


@contextmanager
def packed_folder(folder: Path, limits: Limits) -> Iterator[BinaryIO]:
    """An archive of a folder's Markdown files; links are not followed, and hidden folders not entered.

    Raises ArchiveRefused and TooLarge as soon as there is more than an archive may hold.
    """
    with _spool() as archive:
        _pack(folder, archive, limits)
        yield cast(BinaryIO, archive)


def _pack(folder: Path, archive: IO[bytes], limits: Limits) -> None:
    total = 0
    with zipfile.ZipFile(archive, "w") as target:
        for number, (path, name) in enumerate(_files_in(folder), start=1):
            total += path.stat().st_size
            if number > limits.entries:
                raise ArchiveRefused(f"The folder has more than {limits.entries} files.", "archive_too_many")
            if total > limits.total_bytes:
                most = limits.total_bytes // MEGABYTE
                raise ArchiveRefused(f"The folder holds more than {most} MB.", "archive_too_large")
            with path.open("rb") as source, target.open(zipfile.ZipInfo(PACKED + name), "w") as entry:
                shutil.copyfileobj(source, entry)


def _files_in(folder: Path) -> Iterator[tuple[Path, str]]:
    """The Markdown files below a folder by name; links lead somewhere else and are left out."""
    for place, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            path = Path(place, name)
            if name.endswith(".md") and path.is_file() and not path.is_symlink():
                yield path, path.relative_to(folder).as_posix()


def _spool() -> IO[bytes]:
    """Where an archive is made: in memory while it is small, else in a file that goes when it is closed."""
    return tempfile.SpooledTemporaryFile(max_size=HELD_IN_MEMORY)
