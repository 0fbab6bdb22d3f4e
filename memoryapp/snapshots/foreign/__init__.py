"""Other products' memory, sorted into what a snapshot has: files by their path here, and facts as lines of data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import BinaryIO, Final

from memoryapp.snapshots.archive import Archive, open_archive
from memoryapp.snapshots.foreign.basic_memory import place_notes
from memoryapp.snapshots.foreign.mem0 import place_export
from memoryapp.snapshots.foreign.packing import packed_alone
from memoryapp.snapshots.foreign.talks import place_talks
from memoryapp.snapshots.foreign.target import Target
from memoryapp.snapshots.foreign.workspace import place_workspace
from memoryapp.snapshots.limits import MEGABYTE, SNAPSHOT_LIMITS, Limits
from memoryapp.snapshots.names import Contents, Part, place_entries

SNAPSHOT: Final = "snapshot"
PLACES: Final[dict[str, Callable[[Archive, Target], Contents]]] = {
    "workspace": place_workspace,
    "basic-memory": place_notes,
    "mem0": place_export,
    "conversations": place_talks,
}
FORMATS: Final = (SNAPSHOT, *PLACES)
# What mostly comes as one file without an archive around it, and how such files are called.
ALONE: Final = {"mem0": ".json", "conversations": ".jsonl"}


@dataclass(frozen=True, slots=True)
class Source:
    """What an upload is: which product's, how much of it is read, and for whom where it is about several people."""

    format: str = SNAPSHOT
    user: str = ""
    limits: Limits = SNAPSHOT_LIMITS

    @property
    def is_snapshot(self) -> bool:
        return self.format == SNAPSHOT

    @contextmanager
    def opened(self, upload: BinaryIO, filename: str = "") -> Iterator[Archive]:
        """The upload as a sound archive; raises ArchiveRefused and TooLarge."""
        if self.format not in ALONE:
            yield open_archive(upload, self.limits)
            return
        # Such a file may hold everything there is.
        most = self.limits.total_bytes
        limits = replace(self.limits, entry_bytes=most, upload_bytes=most + MEGABYTE)
        with packed_alone(upload, _plain(filename) + ALONE[self.format], limits) as archive:
            yield open_archive(archive, limits)

    def placed(self, archive: Archive, *, with_personal: bool) -> Contents:
        """The entries, each where it belongs here."""
        if self.is_snapshot:
            return place_entries(archive.records)
        target = Target(Part.PERSONAL if with_personal else Part.SHARED, self.user)
        return PLACES[self.format](archive, target)


def _plain(filename: str) -> str:
    """The name of a file without its ending, in characters that no system minds."""
    return re.sub(r"[^\w .-]", "_", PurePath(filename).stem)[:100].strip() or "upload"
