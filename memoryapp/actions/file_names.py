"""What a file may be called: a name that is safe on every system and cannot be taken for another."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

MAX_PATH = 200
NOTES = "memory"
DAY_PATTERN = re.compile(r"\d{4}-\d{2}-\d{2}")
# One segment: no separators of any system, no percent-escapes, no drive letters, not starting with a dot.
SEGMENT_PATTERN = re.compile(r"[^\s./\\:%*?\"<>|~][^/\\:%*?\"<>|]*")
# Drawn as nothing: selectors of a form, which belong behind a symbol only, and fillers of several scripts.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]|(?<!\\W)[\ufe00-\ufe0f]"
)
# Names of devices, whatever stands behind them: Windows opens no file that is called so.
DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
WELL_KNOWN = ("AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md", "KNOWLEDGE.md", "DREAMS.md", NOTES, "dreams")
BY_FOLDED = {name.casefold(): name for name in WELL_KNOWN}
# Cyrillic and Greek letters that are drawn as Latin ones.
LOOK_ALIKES = str.maketrans(
    "\u0410\u0412\u0415\u0406\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0405\u0423"
    "\u0430\u0435\u0456\u043e\u0440\u0441\u0455\u0443"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5",
    "ABEIKMHOPCTSYaeiopcsyABEZHIKMNOPTY",
)


def problem_with(name: str) -> str:
    """Why a name, in Unicode NFC, cannot be a file's; empty when it can."""
    if len(name) > MAX_PATH:
        return f"A file name has at most {MAX_PATH} characters."
    if not _is_plain(name):
        return "A file name has plain printable characters only."
    if not name.endswith(".md") or name.endswith("/.md") or name == ".md":
        return "Only Markdown files, with names that end in .md."
    segments = name.split("/")
    stems = [*segments[:-1], segments[-1].removesuffix(".md")]
    if len(segments) > 4 or ".." in name or not all(map(SEGMENT_PATTERN.fullmatch, segments)):
        return "A file name is relative, without “..”, backslashes, colons, wildcards or empty parts."
    if any(stem != stem.rstrip(" .") or DEVICE.fullmatch(stem) for stem in stems):
        return "No part of a file name ends in a space or a dot, or is the name of a device."
    meant = BY_FOLDED.get(segments[0].translate(LOOK_ALIKES).casefold())
    if meant is not None and meant != segments[0]:
        return f"This looks like {meant} and is not."
    if segments[0] == NOTES and not (len(segments) == 2 and _is_day(stems[1])):
        return "A file under memory/ is the note of a day: memory/YYYY-MM-DD.md."
    return ""


def _is_plain(name: str) -> bool:
    """Whether it has nothing that is not seen, or is seen as something else: NFKC shows what look-alikes stand for."""
    return (
        all(character == " " or unicodedata.category(character)[0] not in "CZ" for character in name)
        and not INVISIBLE.search(name)
        and unicodedata.normalize("NFKC", name) == name
    )


def is_note(path: str) -> bool:
    """Whether a file, whose name is known to be good, is the note of a day."""
    return path.startswith(f"{NOTES}/")


def _is_day(text: str) -> bool:
    try:
        return bool(DAY_PATTERN.fullmatch(text)) and bool(date.fromisoformat(text))
    except ValueError:
        return False
