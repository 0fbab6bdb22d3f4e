"""A second opinion from the betterleaks library, for the vendors our own rules do not name.

Its Go runtime does not survive a fork: in a child of a process that already used it a scan hangs for ever. Such a child
goes without (our own rules still run) and says so once.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import replace

import betterleaks

from memoryapp.safety import values
from memoryapp.safety.findings import Finding

# Its time grows with the square of what it finds, so a long text is read in pieces.
CHUNK = 24_000
OVERLAP = 1_000

logger = logging.getLogger(__name__)

KINDS = (
    ("webhook", "webhook"),
    ("private-key", "private_key"),
    ("password", "password"),
    ("api", "api_key"),
    ("token", "token"),
)


class _Library:
    """Which process loaded the library, and whether this one may use it."""

    def __init__(self) -> None:
        self.used = False
        self.lost = False
        os.register_at_fork(after_in_child=self._forked)

    def _forked(self) -> None:
        if self.used and not self.lost:
            self.lost = True
            logger.warning(
                "The second credential detector is off in this process: its parent had used it before forking."
            )

    def scan(self, text: str) -> list[betterleaks.Finding]:
        if self.lost:
            return []
        self.used = True
        return betterleaks.scan_string(text)


_library = _Library()


def find_by_library(text: str) -> Iterator[Finding]:
    """What the library finds; its unsure findings only count when the value looks generated."""
    for start in range(0, len(text), CHUNK):
        # The chunks overlap, so that no credential is cut at a border.
        for finding in _find_in_chunk(text[start : start + CHUNK + OVERLAP]):
            yield replace(finding, start=start + finding.start, end=start + finding.end)


def _find_in_chunk(text: str) -> Iterator[Finding]:
    leaks = sorted(
        _library.scan(text), key=lambda leak: (leak.location.start_line, leak.location.start_column)
    )
    line, line_start, cursor = 1, 0, 0
    for leak in leaks:
        # Its columns count bytes, so the value is searched for, from its line on; both only ever move forward.
        while line < leak.location.start_line:
            line_start = text.find("\n", line_start) + 1
            line += 1
        cursor = max(cursor, line_start)
        secret = leak.secret.strip()
        position = text.find(secret, cursor) if _counts(leak, secret) else -1
        if position >= 0:
            cursor = position
            yield Finding(position, position + len(secret), _kind(leak.rule_id))


def _counts(leak: betterleaks.Finding, secret: str) -> bool:
    if len(secret) < 4 or values.is_harmless(secret):
        return False
    return leak.confidence != "low" or values.is_generated(secret, 12)


def _kind(rule_id: str) -> str:
    return next((kind for part, kind in KINDS if part in rule_id), "secret")
