"""The rules a dream's proposal is held to before any of it is applied."""

from __future__ import annotations

from collections.abc import Sequence

import regex
from django.conf import settings

from memoryapp.actions.memory_changes import Change, Operation, content_lines
from memoryapp.lifecycle.dream_sources import DreamMaterial

# What a model may have copied from a diary or from its own instructions; it belongs in no file.
SCORE = regex.compile(
    r"\s*[(\[]?\s*\b(?:score|confidence|recalls?|trust)\s*[=:]\s*[\d.]+%?[^)\]\n]*[)\]]?", regex.IGNORECASE
)
# Below so many lines a share says nothing.
SMALL_FILE_LINES = 4


class Rejected(Exception):
    """A proposal that must not be applied, and why."""


def checked_proposal(proposed: str, material: DreamMaterial) -> str:
    """A model's text as it may be considered: nothing forgotten, none of the diary's own words, not empty.

    Raises Rejected when nothing would be left of a memory that has something.
    """
    lines = (SCORE.sub("", line) if line not in material.memory else line for line in proposed.splitlines())
    text = material.forgotten.without("\n".join(lines).strip("\n") + "\n")
    if content_lines(material.memory) and not content_lines(text):
        raise Rejected("The proposed memory was empty, so it was not applied.")
    return text


def shrinks_too_much(before: str, changes: Sequence[Change]) -> bool:
    """Whether the changes would take away more than may go without a person's word."""
    lines = len(content_lines(before))
    dropped = sum(len(change.before) for change in changes if change.operation is Operation.DROP)
    return lines > SMALL_FILE_LINES and dropped > lines * settings.MEMORY_DREAM_MAX_SHRINK
