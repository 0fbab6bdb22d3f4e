"""The four ways in which new text joins a Markdown file, as text to text."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from memoryapp.actions.sections import SectionText, split_sections
from memoryapp.exceptions import Conflict, ValidationFailed

KEY_VALUE = re.compile(
    r"(?P<lead>\s*(?:[-*]\s+)?)(?P<key>[^\s:：#][^:：\n]{0,79}?)\s*[:：]\s*(?P<value>\S.*)"
)
CODE_FENCE = ("```", "~~~")
TAG = re.compile(r"\s+#\S+")
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
    return MERGERS[strategy](text, content, section)


def _appended(text: str, content: str, section: str) -> str:
    if section:
        found = _section(split_sections(text), section)
        return text.replace(found.text, _joined(found.text, content) + "\n" * found.text.endswith("\n\n"), 1)
    return _joined(text, content)


def _joined(text: str, content: str) -> str:
    body, added = text.rstrip("\n"), content.strip("\n")
    if not body:
        return added + "\n"
    # A list goes on as a list; anything else is a paragraph of its own.
    last, first = body.splitlines()[-1].lstrip(), added.splitlines()[0].lstrip() if added else ""
    gap = "\n" if last.startswith(("- ", "* ")) and first.startswith(("- ", "* ")) else "\n\n"
    return f"{body}{gap}{added}\n"


def _section_replaced(text: str, content: str, section: str) -> str:
    pieces = split_sections(text)
    given = split_sections(content)
    own_heading = bool(given) and content.lstrip().startswith("## ") and bool(given[0].heading)
    wanted = section or (given[0].heading if own_heading else "")
    if not wanted:
        raise ValidationFailed.of("section", "Say which section: by its heading, here or in the content.")
    found = _section(pieces, wanted)
    if own_heading and _folded(given[0].heading) == _folded(found.heading):
        body = "".join(piece.text for piece in given).split("\n", 1)
        content = body[1] if len(body) > 1 else ""
    _refuse_repeats(content, [piece for piece in pieces if piece is not found])
    heading_line = found.text.split("\n", 1)[0]
    replaced = f"{heading_line}\n\n{content.strip(chr(10))}\n"
    is_last = found is pieces[-1]
    return "".join(
        (replaced if is_last else replaced + "\n") if piece is found else piece.text for piece in pieces
    )


def _section(pieces: list[SectionText], wanted: str) -> SectionText:
    """The one section of that heading; raises Conflict when there is none or several, or only something like it."""
    name = _folded(wanted.strip().removeprefix("## "))
    same = [piece for piece in pieces if piece.heading and _folded(piece.heading) == name]
    if len(same) == 1:
        return same[0]
    if same:
        raise Conflict(
            f"There are {len(same)} sections “{wanted}”; it is not plain which is meant.",
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


def _refuse_repeats(content: str, others: list[SectionText]) -> None:
    known = {_folded(piece.heading) for piece in others if piece.heading}
    twice = [piece.heading for piece in split_sections(content) if _folded(piece.heading) in known]
    if twice:
        raise Conflict(f"The section “{twice[0]}” stands in the file already.", code="duplicate_section")


def _folded(heading: str) -> str:
    return " ".join(heading.casefold().split())


def _upserted(text: str, content: str, section: str) -> str:
    if section:
        found = _section(split_sections(text), section)
        return text.replace(found.text, _upserted(found.text, content, ""), 1)
    for line in content.splitlines():
        if line.strip():
            text = _with_value(text, line)
    return text


def _with_value(text: str, line: str) -> str:
    given = KEY_VALUE.fullmatch(line)
    if given is None:
        raise ValidationFailed.of("content", f"Lines such as “key: value”. This is none: {line.strip()[:80]}")
    lines = text.splitlines()
    places = [at for at, known in _outside_code(lines) if _key_of(known) == _folded(given["key"])]
    if len(places) > 1:
        raise Conflict(f"“{given['key']}” stands there {len(places)} times.", code="ambiguous_key")
    if not places:
        return _joined(text, f"- {given['key'].strip()}: {given['value'].strip()}")
    known = KEY_VALUE.fullmatch(lines[places[0]])
    if known is not None:
        lines[places[0]] = f"{known['lead']}{known['key']}: {given['value'].strip()}"
    return "\n".join(lines) + "\n"


def _key_of(line: str) -> str:
    found = KEY_VALUE.fullmatch(line)
    return _folded(found["key"]) if found else ""


def _outside_code(lines: list[str]) -> list[tuple[int, str]]:
    inside, outside = False, []
    for at, line in enumerate(lines):
        if line.startswith(CODE_FENCE):
            inside = not inside
        elif not inside:
            outside.append((at, line))
    return outside


def _overwritten(text: str, content: str, section: str) -> str:
    return content


MERGERS: dict[Strategy, Callable[[str, str, str], str]] = {
    Strategy.APPEND: _appended,
    Strategy.REPLACE_SECTION: _section_replaced,
    Strategy.UPSERT_KV: _upserted,
    Strategy.OVERWRITE: _overwritten,
}
