"""Where the entries of another product's archive go: into everybody's memory or one person's, each under one name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from memoryapp.actions.file_text import checked_path
from memoryapp.exceptions import ValidationFailed
from memoryapp.snapshots.names import JUNK, Contents, Part, Placed, Refused, shown
from memoryapp.snapshots.zip_records import Record

# What programs keep for themselves beside the notes: repositories, caches, settings of editors.
HIDDEN = re.compile(r"(^|/)(\.[^/]+|node_modules)(/|$)")
FOLDER_OF_PACKING = re.compile(r"[\w(][\w ()+,=@.-]*/")
NOT_MARKDOWN = "not a Markdown file"
TWICE = "another file of the archive has this name here"


@dataclass(frozen=True, slots=True)
class Target:
    """Whose memory an import goes into, and of a file about several people, which one's it takes."""

    part: Part
    user: str = ""


@dataclass(slots=True)
class Sorted:
    """The entries of an archive on their way to their places."""

    target: Target
    placed: list[Placed] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def place(self, record: Record, path: str) -> str:
        """Place an entry as a file, and return its path; empty, with the reason kept, where it cannot be one."""
        try:
            path = checked_path(path)
        except ValidationFailed as error:
            self.refuse(record, f"not an allowed name: {error.detail}")
            return ""
        folded = unicodedata.normalize("NFC", path.casefold())
        if folded in self.taken:
            self.refuse(record, TWICE)
            return ""
        self.taken.add(folded)
        self.placed.append(Placed(record, self.target.part, path))
        return path

    def refuse(self, record: Record, reason: str, *, ignored: bool = False) -> None:
        """Leave an entry out, with the reason."""
        self.refused.append(Refused(shown(record.name), reason, ignored))

    def contents(self, top_folder: str = "") -> Contents:
        """All of it, as a preview takes it."""
        order = sorted(self.placed, key=lambda entry: (entry.kind != "file", entry.path))
        return Contents(None, order, self.refused, top_folder)


def markdown_of(records: Iterable[Record], sorted_into: Sorted) -> list[Record]:
    """The Markdown files among the records; what is none of them is refused or ignored with its reason."""
    found = []
    for record in records:
        if record.is_special:
            sorted_into.refuse(record, "a link, a device or another special entry")
        elif JUNK.search(record.name) or HIDDEN.search(record.name):
            sorted_into.refuse(record, "kept there by a program for itself", ignored=True)
        elif not record.is_folder:
            if record.name.endswith(".md"):
                found.append(record)
            else:
                sorted_into.refuse(record, NOT_MARKDOWN)
    return found


def folder_around(names: Iterable[str], depth: int, own: frozenset[str] = frozenset()) -> str:
    """The folders, up to a depth, in which all the names lie; never one that means something by itself."""
    names, prefix = list(names), ""
    for _ in range(depth):
        first, slash, _rest = names[0][len(prefix) :].partition("/") if names else ("", "", "")
        inner = f"{prefix}{first}/"
        named = FOLDER_OF_PACKING.fullmatch(f"{first}/") and first not in own
        if not slash or not named or not all(name.startswith(inner) for name in names):
            break
        prefix = inner
    return prefix
