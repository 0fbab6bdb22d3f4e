"""The short name in an address, made from a name in whatever script."""

from __future__ import annotations

import secrets

from django.utils.text import slugify

LONGEST = 60


def slug_of(name: str, *, otherwise: str) -> str:
    """The name's Latin letters; for one in another script a word and four signs, for one without letters nothing."""
    slug = slugify(name)[:LONGEST].strip("-")
    if slug or not any(sign.isalnum() for sign in name):
        return slug
    return f"{otherwise}-{secrets.token_hex(2)}"
