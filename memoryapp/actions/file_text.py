"""Rules about the text and the names of workspace files that need no database."""

from __future__ import annotations

import unicodedata

from django.conf import settings

from memoryapp.actions.file_names import problem_with
from memoryapp.actions.masking import clean
from memoryapp.exceptions import AmbiguousEdit, ValidationFailed
from memoryapp.llm.markdown import cut_at_section

TRUNCATION_MARK = "\n\n<!-- cut: over the size limit -->\n"


def checked_path(path: object) -> str:
    """The file name as stored, once it is known to be safe; raises ValidationFailed saying why it is not.

    Names end in `.md`, are relative, have no `..`, no control characters, at most 200 characters, in Unicode NFC. A
    name under `memory/` is a daily note and must be a real date.
    """
    if not isinstance(path, str) or not path:
        raise ValidationFailed.of("path", "A file needs a name.", code="invalid_path")
    name = unicodedata.normalize("NFC", path)
    problem = problem_with(name)
    if problem:
        raise ValidationFailed.of("path", problem, code="invalid_path")
    return name


def is_diary(path: str) -> bool:
    """Whether the file is the dreams' own diary or one of its monthly archives."""
    return path == "DREAMS.md" or path.startswith("dreams/")


def ceiling_of(path: str) -> int:
    """The character ceiling of a file by its name; 0 is none."""
    ceilings: dict[str, int] = {
        "PROFILE.md": settings.MEMORY_PROFILE_MAX_CHARS,
        "MEMORY.md": settings.MEMORY_MEMORY_MD_MAX_CHARS,
    }
    return ceilings.get(path, 0)


def cut_to_ceiling(text: str, ceiling: int) -> str:
    """The head of the text that fits, cut where it does the least harm, with a mark; a ceiling of 0 is none."""
    return cut_at_section(text, ceiling, TRUNCATION_MARK)


def with_replacement(text: str, old: str, new: str, *, everywhere: bool) -> tuple[str, int]:
    """The text with a piece of it replaced, and how often that was.

    Raises ValidationFailed when the piece does not occur, AmbiguousEdit (with the count) when it occurs more than once,
    overlapping occurrences included, and is not to be replaced everywhere.
    """
    # As the file is stored: else a line end or an accent of another form would hide what is meant.
    old, new = clean(old), clean(new)
    if not old:
        raise ValidationFailed.of("oldText", "The text to replace must not be empty.")
    if old == new:
        raise ValidationFailed.of("newText", "This is the same as the text to replace.")
    matches = _count_matches(text, old)
    if matches == 0:
        raise ValidationFailed.of("oldText", "This text does not occur in the file.", code="text_not_found")
    if matches > 1 and not everywhere:
        raise AmbiguousEdit(
            f"This text occurs {matches} times. Give more of the text around it, or set replaceAll."
        )
    return text.replace(old, new), text.count(old)


def _count_matches(text: str, piece: str) -> int:
    """How often a piece occurs, overlapping occurrences counted, so that an ambiguous edit is seen as one."""
    count, at = 0, text.find(piece)
    while at != -1:
        count, at = count + 1, text.find(piece, at + 1)
    return count


def with_entry(note: str, entry: str) -> str:
    """The note with the entry's lines appended as bullets, leaving out lines that already stand there."""
    known = {line.strip() for line in note.splitlines()}
    lines = [
        line.strip() if line.strip().startswith("- ") else f"- {line.strip()}"
        for line in entry.splitlines()
        if line.strip()
    ]
    fresh = [line for line in lines if line not in known]
    if not fresh:
        return note
    body = note.rstrip("\n")
    gap = "\n" if body.splitlines()[-1:] and body.splitlines()[-1].startswith("- ") else "\n\n"
    return body + gap + "\n".join(fresh) + "\n"
