"""What pages and code say, read out of their sources, and the catalogue of a language that has to hold all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation import template

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "memoryapp" / "locale" / "zh_Hans" / "LC_MESSAGES"
PO, MO = FOLDER / "django.po", FOLDER / "django.mo"
KEYWORDS: dict[str, Any] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
BEGUN = datetime(2026, 11, 30, tzinfo=UTC)
PLACEHOLDER = re.compile(r"%\((\w+)\)|\{(\d*)\}|<(/?\w+)[^>]*>")


def source_files() -> Iterator[Path]:
    """Every file that may say something to somebody."""
    yield from sorted((ROOT / "templates").rglob("*.html"))
    for app in ("memoryapp", "tenants"):
        yield from sorted(path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts)


def said() -> Catalog:
    """Every message of the sources, each with the files it stands in."""
    found = Catalog(
        locale="zh_Hans",
        header_comment="# The dashboard in Simplified Chinese. The words agreed on are in docs/design.md.",
        project="memoryapp",
        version="1",
        msgid_bugs_address="",
        last_translator="",
        language_team="",
        # A date that does not change: what changed is in the history of the file.
        creation_date=BEGUN,
        revision_date=BEGUN,
        fuzzy=False,
    )
    for path in source_files():
        place = [(str(path.relative_to(ROOT)), 1)]
        for _line, message, comments, context in extract(
            "python", BytesIO(_as_python(path)), KEYWORDS, ["Translators:"], {"encoding": "utf-8"}
        ):
            found.add(message, locations=place, auto_comments=comments, context=context)
    return found


def _as_python(path: Path) -> bytes:
    """A template as the calls that its tags stand for, inside brackets since the rest of it is no Python."""
    text = path.read_text(encoding="utf-8")
    return f"(\n{template.templatize(text)}\n)".encode() if path.suffix == ".html" else text.encode()


def translated() -> Catalog:
    """The catalogue as it is kept."""
    if not PO.exists():
        return Catalog(locale="zh_Hans")
    with PO.open("rb") as file:
        return read_po(file, locale="zh_Hans")


def bring_up_to_date() -> None:
    """Put what is new into the catalogue, without a translation, drop what is said no more, and compile it."""
    kept, fresh = translated(), said()
    for message in messages(fresh):
        before = kept.get(message.id, message.context)
        if before is not None:
            message.string = before.string
    FOLDER.mkdir(parents=True, exist_ok=True)
    with PO.open("wb") as file:
        write_po(file, fresh, width=110, include_lineno=False)
    with MO.open("wb") as file:
        write_mo(file, fresh)


def messages(catalogue: Catalog) -> list[Message]:
    """Its messages without the header."""
    return [message for message in catalogue if message.id]


def compiled() -> dict[tuple[str, str | None], tuple[str, ...]]:
    """What the program reads, by message and context."""
    with MO.open("rb") as file:
        return {key_of(message): texts_of(message) for message in messages(read_mo(file))}


def key_of(message: Message) -> tuple[str, str | None]:
    return (message.id if isinstance(message.id, str) else message.id[0], message.context)


def texts_of(message: Message) -> tuple[str, ...]:
    """A message's translations: one, or one for each plural form."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def placeholders(text: str) -> set[str]:
    """What must stand in a translation too: names to be filled in, numbers of gaps, elements."""
    gaps = text.count("{}")
    marks = {"".join(match.groups(default="")) for match in PLACEHOLDER.finditer(text) if match[0] != "{}"}
    return marks | {str(number) for number in range(gaps)}
