"""The design's own rules, read from its files: one place for colours, contrast, nothing inline, icons that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.html"))
SPRITE = (ROOT / "static" / "icons" / "sprite.svg").read_text(encoding="utf-8")
HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")
TOKEN = re.compile(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)")
ICON_TAG = re.compile(r"{%\s*icon\s+[\"']([\w-]+)[\"']")
ICON_WORD = re.compile(r'"([a-z]+(?:-[a-z0-9]+)*)"')
# Text and what it stands on; the least ratio of WCAG AA for text of our sizes.
TEXT_ON = [
    *(
        (text, ground)
        for text in ("text", "text-2", "text-3")
        for ground in ("bg", "surface", "sunken", "accent-soft")
    ),
    *((text, ground) for text in ("accent", "ok", "warn", "bad") for ground in ("bg", "surface", "sunken")),
    ("accent", "accent-soft"),
    ("ok", "ok-soft"),
    ("warn", "warn-soft"),
    ("bad", "bad-soft"),
    ("text", "mark"),
    ("text", "added-word"),
    ("text", "removed-word"),
    ("on-accent", "accent"),
    ("on-bad", "bad"),
    ("toast-text", "toast"),
]
# Borders of controls, icons and data.
EDGE_ON = [
    (edge, ground) for edge in ("control-line", "ink", "accent") for ground in ("bg", "surface", "sunken")
]


def tokens(theme: int) -> dict[str, str]:
    source = (ROOT / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    return {match[1]: match[theme] for match in TOKEN.finditer(source)}


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [2, 3], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_can_be_read_in_both_themes(text: str, ground: str, theme: int) -> None:
    colours = tokens(theme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", [2, 3], ids=["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), EDGE_ON)
def test_edges_of_controls_can_be_seen_in_both_themes(edge: str, ground: str, theme: int) -> None:
    colours = tokens(theme)
    assert contrast(colours[edge], colours[ground]) >= 3.0


@pytest.mark.parametrize(
    "style", [style for style in STYLES if style.name != "tokens.css"], ids=lambda path: path.name
)
def test_colours_stand_in_one_file(style: Path) -> None:
    without_selectors = re.sub(r"[^{};]+\{", "{", style.read_text(encoding="utf-8"))
    assert not HEX.findall(without_selectors)
    assert "rgb(" not in without_selectors


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_inline(template: Path) -> None:
    source = template.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle\s*=", source)
    assert not re.search(r"\son[a-z]+\s*=", source)
    assert not re.search(r"<script(?![^>]*\bsrc=)", source)
    assert "<style" not in source


def test_every_icon_that_is_used_exists_and_no_other_does() -> None:
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', SPRITE))
    used = {name for path in TEMPLATES for name in ICON_TAG.findall(path.read_text(encoding="utf-8"))}
    code = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "memoryapp" / "dashboard").rglob("*.py")
    )
    named = set(ICON_WORD.findall(code)) | set(
        re.findall(r"icon=[\"']([\w-]+)[\"']", "".join(p.read_text() for p in TEMPLATES))
    )
    assert used <= drawn
    assert drawn <= used | named
