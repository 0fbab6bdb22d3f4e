"""Secrets at rest: values we must read again are encrypted, values we only compare are hashed."""

from __future__ import annotations

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def encrypt(plain: str) -> bytes:
    """The text encrypted under the installation's secret key."""
    return _cipher().encrypt(plain.encode())


def decrypt(sealed: bytes | memoryview) -> str:
    """The text that was encrypted; empty when it was sealed under another key and can no longer be read."""
    try:
        return _cipher().decrypt(bytes(sealed)).decode()
    except InvalidToken:
        return ""


def keyed_digest(text: str, *, purpose: str) -> str:
    """A hex HMAC-SHA256 of the text, useless to anybody without the installation's secret key."""
    key = hashlib.sha256(f"{purpose}:{settings.SECRET_KEY}".encode()).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _cipher() -> Fernet:
    return Fernet(
        base64.urlsafe_b64encode(hashlib.sha256(f"encrypt:{settings.SECRET_KEY}".encode()).digest())
    )
