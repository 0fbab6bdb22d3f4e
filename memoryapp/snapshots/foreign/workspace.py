"""The workspace folder of an OpenClaw or MateClaw agent: its files by their names, its notes by their days."""

from __future__ import annotations

from typing import Final

from memoryapp.actions.file_text import ceiling_of, is_diary
from memoryapp.snapshots.archive import Archive
from memoryapp.snapshots.foreign.target import Sorted, Target, folder_around, markdown_of
from memoryapp.snapshots.names import Contents, Part, is_exported
from memoryapp.snapshots.zip_records import Record

# `workspace/<agent>/` in a folder of its own, as the products and a desktop computer pack it.
DEPTH: Final = 3
OWN_FOLDERS: Final = frozenset({"memory", "structured", "notes"})
OF_THE_AGENT: Final = frozenset(
    {"AGENTS.md", "SOUL.md", "KNOWLEDGE.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md", "BOOTSTRAP.md"}
)  # fmt: skip
SHARED_ONLY: Final = "a file of the agent, not of a person: import it as shared"
DIARY: Final = "a diary of dreams: agents here keep their own"


def place_workspace(archive: Archive, target: Target) -> Contents:
    """The Markdown files of a workspace, each where such a file is here."""
    found = Sorted(target)
    records = markdown_of(archive.records, found)
    top = folder_around((record.name for record in records), DEPTH, OWN_FOLDERS)
    names = {record.name.removeprefix(top) for record in records}
    for record in records:
        name = record.name.removeprefix(top)
        if is_diary(name.removeprefix("memory/")):
            found.refuse(record, DIARY)
        elif target.part is Part.PERSONAL and name in OF_THE_AGENT:
            found.refuse(record, SHARED_ONLY)
        else:
            _place(archive, found, record, _path_of(name, names))
    return found.contents(top)


def _path_of(name: str, names: set[str]) -> str:
    """Where a file is kept here. OpenClaw's USER.md is a profile; what is no day's note is a note of its own."""
    if name == "USER.md" and "PROFILE.md" not in names:
        return "PROFILE.md"
    if name.startswith("memory/") and not is_exported(name):
        return "notes/" + name.removeprefix("memory/")
    return name


def _place(archive: Archive, found: Sorted, record: Record, path: str) -> None:
    placed = found.place(record, path)
    ceiling = ceiling_of(placed)
    if ceiling and record.size > ceiling and _length(archive.read(record)) > ceiling:
        # A file of the prompt is cut at its ceiling; what was over it must not be lost by moving here.
        found.place(record, f"notes/{placed}")


def _length(content: bytes) -> int:
    return len(content.decode("utf-8-sig", errors="replace"))
