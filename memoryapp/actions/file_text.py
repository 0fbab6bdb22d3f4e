"""Rules about the text and the names of workspace files that need no database."""

from __future__ import annotations

import re
import unicodedata

from django.conf import settings

from memoryapp.actions.file_names import problem_with
from memoryapp.actions.masking import clean
from memoryapp.exceptions import AmbiguousEdit, ValidationFailed
from memoryapp.llm.markdown import in_code, lines_of, with_code_marked

HEADING = re.compile(r"^## ", re.MULTILINE)
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
    """The head of the text up to the last `##` boundary outside code that fits, with a mark; all of it when it fits.

    Without a boundary that fits it is cut at the last line end outside code. A ceiling of 0 is none.
    """
    if not ceiling or len(text) <= ceiling:
        return text
    room = max(ceiling - len(TRUNCATION_MARK), 0)
    boundaries = [
        match.start()
        for match in HEADING.finditer(text)
        if 0 < match.start() <= room and not in_code(text[: match.start()])
    ]
    at = boundaries[-1] if boundaries else _last_line_end(text, room)
    return (text[:at].rstrip() + TRUNCATION_MARK)[:ceiling]


def _last_line_end(text: str, room: int) -> int:
    """The last line end that fits, before a code block rather than in it; without any, the last character that fits."""
    last = end = 0
    for line, is_code in with_code_marked(lines_of(text[:room])):
        end += len(line)
        last = end - 1 if line.endswith("\n") and not is_code else last
    return last or room


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
