"""Where in a note that came along a fact stands: the section of the file here, and the characters in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memoryapp.models import FileSection, WorkspaceFile


@dataclass(slots=True)
class NotePlaces:
    """One note with its sections, as it was written by the import."""

    content: str = ""
    sections: list[FileSection] = field(default_factory=list)

    @classmethod
    def of(cls, columns: Mapping[str, Any], path: str) -> NotePlaces:
        """The note of that path in a bucket; an empty one where there is none."""
        file = WorkspaceFile.objects.filter(**columns, path=path).first()
        return cls(file.content, list(file.sections.order_by("position"))) if file else cls()

    def columns(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """The place a fact tells of; the file alone where its line is not found, since masking may have moved it."""
        place = {"path": told.get("path") or "", "told": dict(told)}
        line = self.content[told.get("start", 0) : told.get("end", 0)].strip()
        for section in self.sections if line else ():
            start = section.text.find(line)
            if start >= 0:
                return {**place, "section": section, "start": start, "end": start + len(line)}
        return place
