"""How much an archive may hold, in which time it must be read, and the refusals that tell an uploader so."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from memoryapp.exceptions import TooLarge, ValidationFailed

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The ceilings of one archive; sizes are what we inflated ourselves, never what a header says."""

    upload_bytes: int = 16 * MEGABYTE
    entries: int = 500
    entry_bytes: int = MEGABYTE
    total_bytes: int = 16 * MEGABYTE
    # Text shrinks to a tenth. A single repetitive file may well do better, so the ratio counts for large archives only.
    ratio: int = 100
    ratio_from_bytes: int = 2 * MEGABYTE
    seconds: float = 20.0
    name_bytes: int = 1024


SNAPSHOT_LIMITS = Limits()


class ArchiveRefused(ValidationFailed):
    """400: the upload as a whole cannot be used; the code says which fault it has."""

    def __init__(self, detail: str, code: str) -> None:
        super().__init__(detail, code=code, errors={"file": [detail]})


def refuse_upload(limits: Limits = SNAPSHOT_LIMITS) -> TooLarge:
    """The refusal of an upload that is larger than any snapshot."""
    return TooLarge(f"An upload has at most {limits.upload_bytes // MEGABYTE} MB.", code="upload_too_large")


@dataclass(slots=True)
class Meter:
    """What reading one archive has used up of its limits."""

    limits: Limits
    packed: int = 0
    inflated: int = 0
    started: float = field(default_factory=time.monotonic)

    def count(self, packed: int, inflated: int) -> None:
        """Note bytes read and made; raises ArchiveRefused when a limit is passed."""
        self.packed += packed
        self.inflated += inflated
        if self.inflated > self.limits.total_bytes:
            raise ArchiveRefused(
                f"The archive holds more than {self.limits.total_bytes // MEGABYTE} MB.", "archive_too_large"
            )
        if self.inflated > self.limits.ratio_from_bytes and self.inflated > self.packed * self.limits.ratio:
            raise ArchiveRefused(
                f"The archive is packed more than {self.limits.ratio} times.", "archive_ratio"
            )
        if time.monotonic() - self.started > self.limits.seconds:
            raise ArchiveRefused("The archive takes too long to read.", "archive_too_slow")
