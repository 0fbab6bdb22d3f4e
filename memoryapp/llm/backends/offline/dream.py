"""Dreaming without a model: what recurs or is asked for is promoted clause by clause, copies and what is over go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import regex

from memoryapp.llm.backends.offline.conflicts import why_conflicting
from memoryapp.llm.backends.offline.recurrence import Clause, corrects
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.wording import content_words, says_nothing_new
from memoryapp.llm.markdown import with_code_marked
from memoryapp.llm.night_tasks import DatedFact, DreamCandidate, DreamInput, DreamReply

HEADINGS = {"zh": "反复出现", "ja": "繰り返し", "es": "Recurrente", "de": "Wiederkehrend"}
HEADING = "Recurring"
BULLET = regex.compile(r"^\s*[-*+]\s+(?P<text>.+?)\s*$")
# A line that shares less with a correction is about something else.
LEAST_SHARED = 2


@dataclass(slots=True)
class _Page:
    """The file being rewritten, line by line, and what was done to it."""

    lines: list[str]
    protected: frozenset[int]
    gone: set[int] = field(default_factory=set)
    added: list[str] = field(default_factory=list)
    replaced: int = 0
    merged: int = 0
    dropped: int = 0

    def bullets(self) -> list[tuple[int, str]]:
        """The numbers and texts of its bullets outside code."""
        found = []
        for number, (line, is_code) in enumerate(with_code_marked(self.lines)):
            match = BULLET.match(line)
            if match and not is_code and number not in self.gone:
                found.append((number, match["text"]))
        return found

    def free_bullets(self) -> list[tuple[int, str]]:
        return [(number, text) for number, text in self.bullets() if number not in self.protected]

    @property
    def changed(self) -> bool:
        return bool(self.added or self.replaced or self.gone)

    @property
    def text(self) -> str:
        """The file with what was done to it, the added bullets under a heading of their own language."""
        kept = [(number, line) for number, line in enumerate(self.lines) if number not in self.gone]
        if not self.added:
            return "\n".join(line for _, line in kept).strip("\n") + "\n"
        heading = f"## {HEADINGS.get(detect_language(' '.join(self.added)), HEADING)}"
        taken = {line for number, line in kept if number in self.protected}
        heading = f"{heading} 2" if heading in taken else heading
        return _with_bullets([line for _, line in kept], heading, [f"- {text}" for text in self.added])


def _with_bullets(lines: list[str], heading: str, bullets: list[str]) -> str:
    """The lines with bullets at the end of the section of that heading, which is made when it is missing."""
    if heading not in lines:
        lines = [*lines, *([""] if lines and lines[-1] else []), heading, ""]
    start = lines.index(heading) + 1
    end = next((at for at in range(start, len(lines)) if lines[at].startswith("## ")), len(lines))
    while end > start and not lines[end - 1].strip():
        end -= 1
    gap = [""] if end == start else []
    rest = lines[end:]
    while gap and rest and not rest[0].strip():
        rest = rest[1:]
    return (
        "\n".join([*lines[:end], *gap, *bullets, *([""] if gap and rest else []), *rest]).strip("\n") + "\n"
    )


def dream(task: DreamInput) -> DreamReply:
    """The new text of MEMORY.md: candidates in, corrected lines replaced, copies merged, what is over left out."""
    lines = task.memory.splitlines()
    page = _Page(lines, _protected_numbers(lines, task.protected))
    _drop_outdated(page, task.outdated)
    _merge_copies(page)
    for candidate in task.candidates:
        _promote(page, candidate)
    if not page.changed:
        return DreamReply(should_update=False, reason=_nothing(task))
    return DreamReply(should_update=True, reason=_told(page), memory_content=page.text)


def _protected_numbers(lines: Sequence[str], headings: Sequence[str]) -> frozenset[int]:
    found, heading = set(), ""
    for number, line in enumerate(lines):
        heading = line[3:].strip() if line.startswith("## ") else heading
        if heading in headings:
            found.add(number)
    return frozenset(found)


def _drop_outdated(page: _Page, outdated: Sequence[str]) -> None:
    over = {content_words(text) for text in outdated}
    for number, text in page.free_bullets():
        if content_words(text) in over:
            page.gone.add(number)
            page.dropped += 1


def _merge_copies(page: _Page) -> None:
    """Of bullets that say the same the first stays, or the one a person wrote."""
    seen: list[str] = [text for number, text in page.bullets() if number in page.protected]
    for number, text in page.free_bullets():
        if any(says_nothing_new(text, other) and says_nothing_new(other, text) for other in seen):
            page.gone.add(number)
            page.merged += 1
        else:
            seen.append(text)


def _promote(page: _Page, candidate: DreamCandidate) -> None:
    """Put a candidate into the page, in the place of what it corrects where there is such a line."""
    text = _sentence(candidate.text)
    if any(says_nothing_new(text, known) for known in [*(line for _, line in page.bullets()), *page.added]):
        return
    for number, known in page.free_bullets():
        if _takes_the_place(candidate, known):
            page.lines[number] = f"- {text}"
            page.replaced += 1
            return
    page.added.append(text)


def _takes_the_place(candidate: DreamCandidate, known: str) -> bool:
    if why_conflicting(DatedFact(1, known), DatedFact(2, candidate.text)):
        return True
    if candidate.day is None or len(content_words(known) & content_words(candidate.text)) < LEAST_SHARED:
        return False
    later, earlier = Clause(candidate.text, "", candidate.day), Clause(known, "", candidate.day)
    return corrects(later, earlier)


def _sentence(text: str) -> str:
    bare = text.strip(" .,;-*")
    return bare[:1].upper() + bare[1:]


def _told(page: _Page) -> str:
    parts = [
        (len(page.added), "kept from the notes"),
        (page.replaced, "brought up to date"),
        (page.merged, "merged with a copy"),
        (page.dropped, "left out because it no longer holds"),
    ]
    return ", ".join(f"{count} {what}" for count, what in parts if count) + "."


def _nothing(task: DreamInput) -> str:
    if not task.candidates:
        return "Nothing came up often enough to be promoted."
    return "Everything that came up is in the file already."
