"""The short name in an address, made from a name in whatever script."""

from __future__ import annotations

import secrets

from django.utils.text import slugify

LONGEST = 60


def slug_of(name: str, *, otherwise: str) -> str:
    """The name's Latin letters; for a name that has none, such as a Chinese one, a word and four signs."""
    return slugify(name)[:LONGEST].strip("-") or f"{otherwise}-{secrets.token_hex(2)}"
