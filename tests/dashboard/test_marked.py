"""Nothing is said that could not be translated: every text of a page is marked, every message can be found."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from django.template.base import DebugLexer, TokenType

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SHOWN_ATTRIBUTES = {"title", "aria-label", "aria-description", "placeholder", "alt"}
# What is not read as words: code, keys one presses, and the product's own names.
NOT_WORDS = {"code", "kbd", "pre", "script", "style"}
NAMES = re.compile(r"memoryapp|\bMem0\b|\{.*\}|\b[A-Z]+\.md\b|\b(?:MB|ms)\b")
# What ends each stretch that is marked, or holds no words: a comment, or the classes of a page's shape.
SKIPPED = {"blocktranslate": "endblocktranslate", "comment": "endcomment", "block shape": "endblock"}
EAGER = {"gettext", "ngettext", "pgettext", "npgettext"}
WORD = re.compile(r"[A-Za-z]{2,}")


def without_marked(source: str) -> str:
    """A template with a dot for each of its tags, without what is marked for translation or never shown."""
    kept, until = [], ""
    for token in DebugLexer(source).tokenize():
        if token.token_type == TokenType.BLOCK:
            if until and token.contents.split()[0] == until:
                until = ""
            elif not until:
                until = SKIPPED.get(token.contents, SKIPPED.get(token.contents.split()[0], ""))
        if not until:
            kept.append(token.contents if token.token_type == TokenType.TEXT else "·")
    return "".join(kept)


class Reader(HTMLParser):
    """Collects the words that somebody would see or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NOT_WORDS:
            self.inside.append(tag)
        self.words += [value for name, value in attrs if name in SHOWN_ATTRIBUTES and value]

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.words.append(data)


def unmarked(source: str) -> Iterator[str]:
    reader = Reader()
    reader.feed(without_marked(source))
    for text in reader.words:
        if WORD.search(NAMES.sub("", text)):
            yield text.strip()


def test_every_text_of_every_page_is_marked_for_translation() -> None:
    found = {
        str(path.relative_to(ROOT)): list(unmarked(path.read_text(encoding="utf-8"))) for path in TEMPLATES
    }
    assert {path: words for path, words in found.items() if words} == {}


def test_an_unmarked_text_would_be_found() -> None:
    assert list(unmarked('<p title="Say hello">{% translate "Fine" %}</p>{{ x }} left')) == [
        "Say hello",
        "· left",
    ]


def test_messages_are_marked_where_they_are_found_and_translated_when_they_are_read() -> None:
    """Inside an f-string nothing finds them; at import the language is nobody's."""
    code = sorted(path for app in ("memoryapp", "tenants") for path in (ROOT / app).rglob("*.py"))
    assert [f"{path.relative_to(ROOT)}:{line}" for path in code for line in misplaced(path)] == []


def misplaced(path: Path) -> Iterator[int]:
    module = ast.parse(path.read_text(encoding="utf-8"))
    imported = (node for node in ast.walk(module) if isinstance(node, ast.ImportFrom))
    names = {
        name.asname or name.name: name.name
        for node in imported
        if node.module == "django.utils.translation"
        for name in node.names
    }
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            yield from (call.lineno for call in ast.walk(node) if called(call) in names)
    yield from (call.lineno for call in at_import(module) if names.get(called(call)) in EAGER)


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when the module is imported: everything outside functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from at_import(child)


def called(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
