"""The four ways in which new text joins a Markdown file, as text to text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from enum import StrEnum

from memoryapp.actions.masking import clean
from memoryapp.actions.sections import SectionText, split_sections
from memoryapp.exceptions import Conflict, ValidationFailed
from memoryapp.llm.markdown import with_code_marked

# “**key:** value” too, and no web address or path of a drive, whose colon is none of ours.
KEY_VALUE = re.compile(
    r"(?P<lead>\s*(?:[-*]\s+)?)(?P<key>[^\s:：#][^:：\n]{0,79}?)"
    r"(?P<colon>\s*[:：](?:\*\*|__)?)(?!//|\\)\s*(?P<value>\S.*)"
)
TAG = re.compile(r"\s+#\S+")
CLOSING_HASHES = re.compile(r"\s+#+\s*$")
MARKUP = " \t*_`\"'"
SHOWN = 20


class Strategy(StrEnum):
    """Behind what is there; in the place of one section; value by value; in the place of everything."""

    APPEND = "append"
    REPLACE_SECTION = "replace_section"
    UPSERT_KV = "upsert_kv"
    OVERWRITE = "overwrite"


def merged(text: str, strategy: Strategy, content: str, section: str = "") -> str:
    """The file's text with the content in it.

    Raises ValidationFailed for content that the strategy cannot use, and Conflict where it is not plain what is meant:
    nothing is ever put in a second time with success.
    """
    # As files are stored: else a line end or an accent of another form would stand between two that are the same.
    return MERGERS[strategy](text, clean(content), clean(section))


def _appended(text: str, content: str, section: str) -> str:
    if not section:
        return _joined(text, content)
    pieces = split_sections(text)
    found = _section(pieces, section)
    content = _without_heading_of(found, content)
    _refuse_repeats(content, pieces)
    return _with_section(pieces, found, _joined(found.text, content) + "\n" * found.text.endswith("\n\n"))


def _with_section(pieces: list[SectionText], found: SectionText, text: str) -> str:
    return "".join(text if piece is found else piece.text for piece in pieces)


def _joined(text: str, content: str) -> str:
    body, added = text.rstrip("\n"), content.strip("\n")
    if not body:
        return added + "\n"
    # A list goes on as a list; anything else is a paragraph of its own.
    last, first = body.split("\n")[-1].lstrip(), added.split("\n")[0].lstrip()
    gap = "\n" if last.startswith(("- ", "* ")) and first.startswith(("- ", "* ")) else "\n\n"
    return f"{body}{gap}{added}\n"


def _section_replaced(text: str, content: str, section: str) -> str:
    pieces = split_sections(text)
    wanted = section or _own_heading(content)
    if not wanted:
        raise ValidationFailed.of("section", "Say which section: by its heading, here or in the content.")
    found = _section(pieces, wanted)
    content = _without_heading_of(found, content)
    _refuse_repeats(content, pieces)
    heading_line = found.text.split("\n", 1)[0]
    replaced = f"{heading_line}\n\n{content.strip(chr(10))}\n"
    return _with_section(pieces, found, replaced if found is pieces[-1] else replaced + "\n")


def _without_heading_of(found: SectionText, content: str) -> str:
    """The content without the heading it begins with, when that is the section's own."""
    if _folded(_own_heading(content)) != _folded(found.heading):
        return content
    return content.lstrip().partition("\n")[2]


def _own_heading(content: str) -> str:
    """The heading that the content begins with, if it does with one."""
    first = content.lstrip().split("\n", 1)[0]
    return first.removeprefix("## ").strip() if first.startswith("## ") else ""


def _section(pieces: list[SectionText], wanted: str) -> SectionText:
    """The one section of that heading; raises Conflict when there is none or several, or only something like it."""
    name = _folded(wanted.strip().removeprefix("##"))
    same = [piece for piece in pieces if piece.heading and _folded(piece.heading) == name]
    if len(same) == 1:
        return same[0]
    if same:
        raise Conflict(
            f"There are {len(same)} sections “{wanted}”; it is not clear which one is meant.",
            code="ambiguous_section",
        )
    headings = [piece.heading for piece in pieces if piece.heading]
    alike = [heading for heading in headings if _is_like(_folded(heading), name)]
    listed = ", ".join(f"“{heading}”" for heading in (alike or headings)[:SHOWN]) or "none"
    hint = f"Did you mean {listed}?" if alike else f"There are: {listed}."
    raise Conflict(f"There is no section “{wanted}”. {hint}", code="section_not_found")


def _is_like(heading: str, wanted: str) -> bool:
    bare, meant = TAG.sub("", heading), TAG.sub("", wanted)
    return bare == meant or bare.startswith(meant) or meant.startswith(bare)


def _refuse_repeats(content: str, pieces: list[SectionText]) -> None:
    """Raise Conflict when the content brings a heading that stands in the file already, or is only tagged otherwise."""
    known = {_untagged(piece.heading): piece.heading for piece in pieces if piece.heading}
    for piece in split_sections(content):
        name = _untagged(piece.heading)
        if piece.heading and name in known:
            raise Conflict(f"The section “{known[name]}” is in the file already.", code="duplicate_section")
        known[name] = piece.heading


def _untagged(heading: str) -> str:
    return TAG.sub("", _folded(heading))


def _folded(text: str) -> str:
    """A heading or a key as it is compared: without markup, closing marks, case and forms of the same letter."""
    bare = CLOSING_HASHES.sub("", unicodedata.normalize("NFKC", text)).strip(MARKUP).rstrip(":").strip(MARKUP)
    return " ".join(bare.casefold().split())


def _upserted(text: str, content: str, section: str) -> str:
    if section:
        pieces = split_sections(text)
        found = _section(pieces, section)
        return _with_section(pieces, found, _upserted(found.text, content, ""))
    for line in content.split("\n"):
        if line.strip():
            text = _with_value(text, line)
    return text


def _with_value(text: str, line: str) -> str:
    given = KEY_VALUE.fullmatch(line)
    if given is None:
        raise ValidationFailed.of(
            "content", f"Every line must look like “key: value”. This one does not: {line.strip()[:80]}"
        )
    lines = text.removesuffix("\n").split("\n")
    places = [
        at
        for at, (known, is_code) in enumerate(with_code_marked(lines))
        if not is_code and _key_of(known) == _folded(given["key"])
    ]
    if len(places) > 1:
        raise Conflict(f"“{given['key']}” occurs {len(places)} times.", code="ambiguous_key")
    if not places:
        return _joined(text, f"- {given['key'].strip()}{given['colon'].strip()} {given['value'].strip()}")
    known = KEY_VALUE.fullmatch(lines[places[0]])
    if known is not None:
        lines[places[0]] = f"{known['lead']}{known['key']}{known['colon']} {given['value'].strip()}"
    return "\n".join(lines) + "\n"


def _key_of(line: str) -> str:
    found = KEY_VALUE.fullmatch(line)
    return _folded(found["key"]) if found else ""


def _overwritten(text: str, content: str, section: str) -> str:
    return content


MERGERS: dict[Strategy, Callable[[str, str, str], str]] = {
    Strategy.APPEND: _appended,
    Strategy.REPLACE_SECTION: _section_replaced,
    Strategy.UPSERT_KV: _upserted,
    Strategy.OVERWRITE: _overwritten,
}
