"""Finds credentials that were base64-encoded, alone or inside a whole configuration."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from memoryapp.safety.findings import Finding

BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,65536}+={0,2}(?![A-Za-z0-9+/_=])")


def find_encoded(text: str, find: Callable[[str], list[Finding]]) -> Iterator[Finding]:
    """Base64 runs whose content has a credential according to `find`."""
    for match in BASE64.finditer(text):
        content = decode_text(match[0])
        inner = find(content) if content else []
        if inner:
            yield Finding(*match.span(), inner[0].kind, inner[0].vendor)


def decode_text(encoded: str) -> str | None:
    """The text that a base64 run (standard or URL-safe, padded or not) stands for, or None if it is not text."""
    bare = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    if len(bare) % 4 == 1:
        return None
    try:
        content = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return (
        content
        if content.isprintable()
        or content.replace("\n", "").replace("\t", "").replace("\r", "").isprintable()
        else None
    )


def is_login(encoded: str) -> bool:
    """Whether the run is the user:password of basic authentication."""
    return ":" in (decode_text(encoded) or "")
