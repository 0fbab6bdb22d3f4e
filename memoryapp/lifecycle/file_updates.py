"""The files an extraction writes: PROFILE.md, MEMORY.md and the day's note, without undoing what people wrote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memoryapp.actions.access import writing_scope
from memoryapp.actions.file_text import ceiling_of, cut_to_ceiling
from memoryapp.actions.files import append_note, write_file
from memoryapp.actions.masking import masked
from memoryapp.actions.sections import with_person_sections
from memoryapp.actions.tombstones import load_forgotten
from memoryapp.lifecycle.rewrites import drop_added_lines, merge_rewrite
from memoryapp.llm.tasks import Refusal
from memoryapp.models import Agent, FileSection, WorkspaceFile
from tenants.principals import Principal
from tenants.scoping import Scope

REASON = "extracted"
FORGOTTEN = Refusal("", "forgotten", "This was forgotten on request.")


@dataclass(frozen=True, slots=True)
class Objection:
    """A reason for which a new line is not written, and which lines it concerns."""

    refusal: Refusal
    concerns: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class FileWriter:
    """Writes a model's texts into one owner's files; whatever is left out is noted in `refusals`."""

    principal: Principal
    agent: Agent
    objections: Sequence[Objection]
    refusals: list[Refusal]

    @classmethod
    def of(
        cls, principal: Principal, agent: Agent, objections: Sequence[Objection], refusals: list[Refusal]
    ) -> FileWriter:
        """A writer for the principal's own bucket, which minds the objections and what was forgotten."""
        scope, _ = writing_scope(principal, Scope.PERSONAL)
        forgotten = load_forgotten(principal=principal, agent=agent, scope=scope)
        return cls(principal, agent, (*objections, Objection(FORGOTTEN, forgotten.include)), refusals)

    def append(self, day: date, entry: str) -> dict[str, Any] | None:
        """Append an entry to the day's note; None when nothing of it may stand there or it stands there already."""
        entry = self._allowed("", entry.strip()).strip()
        if not entry:
            return None
        written = append_note(
            principal=self.principal,
            agent=self.agent,
            day=day,
            entry=entry,
            scope=Scope.PERSONAL,
            reason=REASON,
        )
        return _record("NOTE", written.file) if written.changed else None

    def rewrite(self, path: str, *, base: str, proposed: str) -> dict[str, Any] | None:
        """Write a model's new text, based on `base`, into what the file says by now; None when it stays as it is."""
        current, sections = self._current(path)
        content = current.content if current is not None else ""
        merged = merge_rewrite(base=base, current=content, proposed=self._allowed(base, proposed))
        text = self._with_persons_hand(path, sections, merged)
        if not text.strip() or text == content or self._cuts_person(path, sections, text):
            return None
        written = write_file(
            principal=self.principal,
            agent=self.agent,
            path=path,
            content=text,
            scope=Scope.PERSONAL,
            origin="extraction",
            reason=REASON,
            enabled=None if current is not None else True,
        )
        return _record("REWRITE", written.file) if written.changed else None

    def _current(self, path: str) -> tuple[WorkspaceFile | None, list[FileSection]]:
        """The file as it stands now, locked until the transaction ends."""
        scope, owner_key = writing_scope(self.principal, Scope.PERSONAL)
        files = WorkspaceFile.objects.visible_to(self.principal).filter(agent=self.agent, path=path)
        file = files.filter(scope=scope, owner_key=owner_key).select_for_update().first()
        return file, list(FileSection.objects.filter(file=file)) if file is not None else []

    def _allowed(self, base: str, proposed: str) -> str:
        """The proposed text without its objectionable new lines."""
        for objection in self.objections:
            proposed, dropped = drop_added_lines(base=base, proposed=proposed, unwanted=objection.concerns)
            self.refusals.extend([objection.refusal] * dropped)
        return proposed

    def _with_persons_hand(self, path: str, sections: Sequence[FileSection], text: str) -> str:
        """The text with every section that a person edited as that person left it."""
        kept = with_person_sections(sections, text)
        lost = {line for line in text.splitlines() if line.strip()} - set(kept.splitlines())
        if lost:
            reason = f"A person edited this part of {path}; {len(lost)} new lines were left out."
            self.refusals.append(Refusal("", "person_edited", reason))
        return kept

    def _cuts_person(self, path: str, sections: Sequence[FileSection], text: str) -> bool:
        """Whether the file would have to lose a person's words to make room."""
        fitting = cut_to_ceiling(masked(text, self.principal.workspace)[0], ceiling_of(path))
        if all(section.text.strip() in fitting for section in sections if section.person_edited):
            return False
        self.refusals.append(
            Refusal("", "size", f"{path} is full, and nothing that a person wrote is cut for more.")
        )
        return True


def _record(op: str, file: WorkspaceFile) -> dict[str, Any]:
    return {"op": op, "path": file.path, "version": file.version}
