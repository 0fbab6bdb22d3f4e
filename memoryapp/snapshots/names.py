"""Where each entry of a snapshot belongs: one table of allowed names, and a reason for every name that is not on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from memoryapp.actions.file_text import checked_path
from memoryapp.exceptions import ValidationFailed
from memoryapp.snapshots.zip_records import Record

if TYPE_CHECKING:
    from memoryapp.snapshots.foreign.facts import Told

MANIFEST = "manifest.json"
CORE_FILES = ("AGENTS.md", "KNOWLEDGE.md", "MEMORY.md", "PROFILE.md", "SOUL.md")
NOTE = re.compile(r"memory/[0-9]{4}-[0-9]{2}-[0-9]{2}\.md")
DATA = re.compile(r"data/(?P<kind>facts|history|contradictions|dreams)-[0-9]{3}\.jsonl")
PERSONAL_PREFIX = "personal/"
OTHERS_PREFIX = re.compile(r"owners/(?P<owner>[0-9a-f]{16})/")
FOLDERS = re.compile(r"(memory|data|personal(/(memory|data))?|owners(/[0-9a-f]{16}(/(memory|data))?)?)/")
JUNK = re.compile(r"(^|/)(__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
# A folder as a desktop computer names it after an archive; never a way up, a drive or a share.
TOP_FOLDER = re.compile(r"[\w(][\w ()+,=@-]*(\.[\w ()+,=@-]+)*/")
OWN_FOLDERS = {"memory/", "data/", PERSONAL_PREFIX, "owners/", "__MACOSX/"}
UNEXPECTED = "not at a place where a snapshot has files"


class Part(Enum):
    """Whose memory an entry is: everybody's, that of whoever made the snapshot, or some other owner's."""

    SHARED = "shared"
    PERSONAL = "personal"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry whose name is allowed: a file by its path, or lines of data of one kind."""

    record: Record
    part: Part
    path: str
    kind: str = "file"
    # How the text of another product's entry is read for the facts in it.
    tells: Callable[[str], Told] | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry that is not applied, with its raw name made safe to show and the reason; junk is ignored silently."""

    name: str
    reason: str
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class Contents:
    """The entries of an archive, each where it belongs."""

    manifest: Record | None
    placed: list[Placed]
    refused: list[Refused]
    top_folder: str = ""


def place_entries(records: Sequence[Record]) -> Contents:
    """Sort an archive's entries into what may be applied and what may not, looking through one folder around all."""
    top = _top_folder(records)
    manifest: Record | None = None
    placed: list[Placed] = []
    refused: list[Refused] = []
    for record in records:
        name = record.name.removeprefix(top)
        if name == MANIFEST and not record.is_special:
            manifest = record
            continue
        found = _place(record, name)
        if isinstance(found, Placed):
            placed.append(found)
        elif found is not None:
            refused.append(found)
    order = sorted(placed, key=lambda entry: (entry.kind != "file", entry.part.value, entry.path))
    return Contents(manifest, order, refused, top)


def shown(name: str) -> str:
    """A raw name as it may be shown: characters that are not printable are written out."""
    return "".join(
        character if character.isprintable() and character != "\\" else _escaped(character)
        for character in name
    )[:300]


def _escaped(character: str) -> str:
    return "\\\\" if character == "\\" else character.encode("unicode_escape").decode()


def is_exported(path: str) -> bool:
    """Whether a file of this name is part of snapshots."""
    if path in CORE_FILES:
        return True
    return bool(NOTE.fullmatch(path)) and _is_usable(path)


def _place(record: Record, name: str) -> Placed | Refused | None:
    if JUNK.search(record.name):
        return Refused(shown(record.name), "left there by the computer that packed it", ignored=True)
    if record.is_special:
        return Refused(shown(record.name), "a link, a device or another special entry")
    if record.is_folder:
        expected = not name or FOLDERS.fullmatch(name)
        return None if expected else Refused(shown(record.name), UNEXPECTED)
    part, rest = _part_of(name)
    data = DATA.fullmatch(rest)
    if data:
        return Placed(record, part, rest, data["kind"])
    if is_exported(rest):
        return Placed(record, part, rest)
    return Refused(shown(record.name), _reason(rest))


def _part_of(name: str) -> tuple[Part, str]:
    if name.startswith(PERSONAL_PREFIX):
        return Part.PERSONAL, name.removeprefix(PERSONAL_PREFIX)
    others = OTHERS_PREFIX.match(name)
    return (Part.OTHERS, name[others.end() :]) if others else (Part.SHARED, name)


def _is_usable(path: str) -> bool:
    try:
        return checked_path(path) == path
    except ValidationFailed:
        return False


def _reason(name: str) -> str:
    try:
        checked_path(name)
    except ValidationFailed as error:
        return f"not an allowed name: {error.detail}"
    return "not a file of a snapshot"


def _top_folder(records: Sequence[Record]) -> str:
    """The one folder that a desktop computer packed around everything, with its slash; empty when there is none."""
    names = [record.name for record in records if not JUNK.search(record.name)]
    first = names[0].partition("/")[0] + "/" if names else ""
    if not TOP_FOLDER.fullmatch(first) or first in OWN_FOLDERS:
        return ""
    return first if all(name.startswith(first) for name in names) else ""
