"""Addresses of other products' APIs: with and without a trailing slash, double slashes counted as one, no redirect.

Their clients follow no redirect, or turn a POST into a GET on the way; and some put two slashes where they join a host
that ends in one.
"""

from __future__ import annotations

import re
from typing import Any

from django.urls import URLPattern
from django.urls.resolvers import RegexPattern

PLACE = re.compile(r"<(path:)?(\w+)>")


class ForeignPattern(RegexPattern):
    """A pattern written like `v1/memories/<memory_id>`; `<path:name>` takes slashes and all.

    One that is written with a closing slash wants it: without, the address is somebody else's.
    """

    def __init__(self, template: str, name: str) -> None:
        super().__init__(_regex(template), name=name, is_endpoint=True)
        self.template = template

    def __str__(self) -> str:
        return PLACE.sub(lambda place: f"<{place[1] or 'str:'}{place[2]}>", self.template)


def _regex(template: str) -> str:
    parts = template.rstrip("/").split("/")
    closing = "/+" if template.endswith("/") else "/*"
    last = PLACE.fullmatch(parts[-1])
    if last is not None and last[1]:
        # What the caller's own name begins or ends with is part of it, so here a slash is a slash.
        return f"^/*{'/+'.join(map(_part, parts[:-1]))}/(?P<{last[2]}>.+?)/?$"
    return f"^/*{'/+'.join(map(_part, parts))}{closing}$"


def _part(part: str) -> str:
    place = PLACE.fullmatch(part)
    return re.escape(part) if place is None else f"(?P<{place[2]}>{'.+' if place[1] else '[^/]+'})"


def foreign(template: str, view: Any, name: str) -> URLPattern:
    """A route of another product's API, answered by a view class."""
    return URLPattern(ForeignPattern(template, name), view.as_view(), name=name)
