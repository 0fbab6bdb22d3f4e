"""The sections of a file: rebuilt on each write, keeping the identity of those that stay and whose hand is in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memoryapp.actions.events import request_job_after_commit
from memoryapp.actions.file_text import is_diary
from memoryapp.actions.projecting import request_projection
from memoryapp.llm.markdown import lines_of, with_code_marked
from memoryapp.models import Embedding, FileSection, WorkspaceFile
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from tenants.principals import Principal


@dataclass(frozen=True, slots=True)
class SectionText:
    """A piece of a file: its `##` heading (empty for what stands before the first) and where it begins."""

    heading: str
    text: str
    first_line: int


def split_sections(content: str) -> list[SectionText]:
    """The file cut at its `##` headings outside code blocks; joined again they are the file."""
    pieces: list[tuple[str, int, list[str]]] = [("", 1, [])]
    for number, (line, is_code) in enumerate(with_code_marked(lines_of(content)), start=1):
        if line.startswith("## ") and not is_code:
            pieces.append((line[3:].strip()[:300], number, []))
        pieces[-1][2].append(line)
    return [SectionText(heading, "".join(lines), first) for heading, first, lines in pieces if lines]


def rebuild_sections(*, principal: Principal, file: WorkspaceFile, person: bool) -> list[FileSection]:
    """Bring a file's section rows in line with its text, mark what a person changed, and have changed ones embedded.

    A diary of dreams has none: it tells of memory and is not memory, so no question is answered from it.
    """
    if is_diary(file.path):
        return []
    known = list(FileSection.objects.filter(file=file))
    kept: list[FileSection] = []
    changed: list[FileSection] = []
    for position, piece in enumerate(split_sections(file.content)):
        section = _take(known, piece) or _new_section(file)
        if section.text != piece.text:
            changed.append(section)
            if person:
                section.person_edited, section.edited_by = True, principal.actor
        section.heading, section.text, section.first_line, section.position = (
            piece.heading,
            piece.text,
            piece.first_line,
            position,
        )
        kept.append(section)
    _store(known, kept, changed)
    if changed:
        request_job_after_commit(
            principal=principal, kind="embed", subject_id=file.agent_id, agent_id=file.agent_id
        )
    if changed or known:
        request_projection(principal, file)
    return kept


def _take(known: list[FileSection], piece: SectionText) -> FileSection | None:
    """The known section that this piece is: the same text, else the same heading; taken out of the list."""
    same_text = [row for row in known if row.text == piece.text]
    same_heading = [row for row in known if row.heading == piece.heading]
    found = next(iter(same_text + same_heading), None)
    if found is not None:
        known.remove(found)
    return found


def _new_section(file: WorkspaceFile) -> FileSection:
    return FileSection(
        workspace_id=file.workspace_id,
        agent_id=file.agent_id,
        owner_key=file.owner_key,
        scope=file.scope,
        file=file,
        text="",
        position=0,
        first_line=1,
    )


SECTION_FIELDS = [
    "position",
    "heading",
    "first_line",
    "text",
    "person_edited",
    "edited_by",
    "lexemes",
    "length",
    "updated_at",
]


def _store(gone: Sequence[FileSection], kept: Sequence[FileSection], changed: Sequence[FileSection]) -> None:
    prepare_rows(changed)
    FileSection.objects.filter(pk__in=[row.pk for row in gone]).delete()
    Embedding.objects.filter(section__in=[row.pk for row in changed]).delete()
    FileSection.objects.bulk_update([row for row in kept if not row._state.adding], SECTION_FIELDS)
    FileSection.objects.bulk_create([row for row in kept if row._state.adding])
    store_vectors(changed)


def with_person_sections(sections: Iterable[FileSection], proposed: str) -> str:
    """A model's proposed text in which every section that a person edited stands as that person left it.

    A section the proposal dropped is put back at the end; nothing of a person's hand is lost to a rewrite.
    """
    protected = {row.heading: row.text for row in sections if row.person_edited}
    parts: list[str] = []
    for piece in split_sections(proposed):
        parts.append(_on_own_line(protected.pop(piece.heading, piece.text)))
    parts.extend(_on_own_line(text) for text in protected.values())
    return "".join(parts)


def _on_own_line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
