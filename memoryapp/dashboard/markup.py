"""Markdown from people and models as safe HTML: no raw HTML, no script, links to the web and to mail only."""

from __future__ import annotations

import re

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = ("http://", "https://", "mailto:")
# The page's own heading is an h1 and its panels are h2: a text's headings come below them.
HEADING_SHIFT = 2
BULLET = re.compile(r"^(?:[-*+]|\d+[.)])\s+")

_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def markdown_to_html(text: str) -> SafeString:
    """The text as HTML; tags written in it are shown literally, links to anything but the web and mail are no links."""
    tokens = _parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + HEADING_SHIFT, 6)}"
    html = nh3.clean(
        _parser.renderer.render(tokens, _parser.options, {}),
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_only_web_links,
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # noqa: S308  cleaned by nh3 just above


def markdown_to_line(text: str) -> str:
    """Several lines of Markdown as one that is read at a glance: headings before what stands below, no bullets."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return text
    told = ""
    for line in lines:
        heading = line.startswith("#")
        bare = line.lstrip("#").strip() if heading else BULLET.sub("", line)
        told += f"{bare}{': ' if heading else '; '}"
    return told.rstrip("; :")


def _only_web_links(_tag: str, attribute: str, value: str) -> str | None:
    if attribute != "href" or value.lower().startswith(SCHEMES):
        return value
    return None
