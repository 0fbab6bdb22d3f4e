"""A workspace's own patterns for secrets: checked when they are saved, bounded in time when they run."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import lru_cache

import regex

from memoryapp.safety.findings import Finding

logger = logging.getLogger(__name__)

MAX_LENGTH = 300
MAX_COUNT = 50
TIME_LIMIT = 0.1
PROBES = (
    "a" * 3000 + "!",
    "a" * 3000 + "!#x",
    "a1" * 1500 + " ",
    "ab-" * 1000 + "\n",
    "0" * 3000 + "x",
    " " * 3000 + "x",
)


class PatternRefused(ValueError):
    """A pattern that cannot be used; its text says why, for the person who wrote it."""


def check_pattern(pattern: str) -> None:
    """Raise PatternRefused unless the pattern is short, valid, fast, and no match for nothing at all."""
    if not pattern.strip():
        raise PatternRefused("The pattern is empty.")
    if len(pattern) > MAX_LENGTH:
        raise PatternRefused(f"The pattern is longer than {MAX_LENGTH} characters.")
    compiled = _compiled(pattern)
    if compiled is None:
        raise PatternRefused("The pattern is not a valid regular expression.")
    try:
        if compiled.search("", timeout=TIME_LIMIT):
            raise PatternRefused("The pattern matches an empty text.")
        for probe in PROBES:
            list(compiled.finditer(probe, timeout=TIME_LIMIT))
    except TimeoutError as slow:
        raise PatternRefused("The pattern takes too long on long texts.") from slow


def find_custom(text: str, patterns: Iterable[str]) -> Iterator[Finding]:
    """What the patterns match; a pattern that is invalid or out of time is left out and logged."""
    for pattern in list(patterns)[:MAX_COUNT]:
        compiled = _compiled(pattern)
        if compiled is None:
            logger.warning("A workspace's credential pattern is not valid and was left out.")
            continue
        try:
            spans = [match.span() for match in compiled.finditer(text, timeout=TIME_LIMIT)]
        except TimeoutError:
            logger.warning("A workspace's credential pattern took too long and was left out.")
            continue
        yield from (Finding(start, end, "secret") for start, end in spans if end > start)


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> regex.Pattern[str] | None:
    if len(pattern) > MAX_LENGTH:
        return None
    try:
        return regex.compile(pattern)
    except regex.error:
        return None
