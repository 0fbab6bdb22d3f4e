"""How an access token is spelt: `map_<prefix>_<secret><checksum>`, so that leaks are recognised and typos cheap."""

from __future__ import annotations

import re
import secrets
import string
import zlib
from dataclasses import dataclass

ALPHABET = string.digits + string.ascii_letters
TOKEN_PATTERN = re.compile(
    r"map_(?P<prefix>[0-9A-Za-z]{8})_(?P<secret>[0-9A-Za-z]{32})(?P<checksum>[0-9A-Za-z]{6})"
)


@dataclass(frozen=True, slots=True)
class PlainToken:
    """A token as its holder sees it, with the prefix by which it is found."""

    text: str
    prefix: str


def new_token() -> PlainToken:
    """A fresh random token of 190 bits."""
    prefix = "".join(secrets.choice(ALPHABET) for _ in range(8))
    secret = "".join(secrets.choice(ALPHABET) for _ in range(32))
    body = f"map_{prefix}_{secret}"
    return PlainToken(body + _checksum(body), prefix)


def read_prefix(text: str) -> str | None:
    """The prefix of a well-formed token, None when its shape or checksum is wrong."""
    match = TOKEN_PATTERN.fullmatch(text)
    if match is None or _checksum(text[:-6]) != match["checksum"]:
        return None
    return match["prefix"]


def _checksum(body: str) -> str:
    value, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        value, digit = divmod(value, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
