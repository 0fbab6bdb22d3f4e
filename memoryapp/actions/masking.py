"""Cleaning and masking of everything on its way into storage: no control characters, no credentials."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from memoryapp.exceptions import ValidationFailed
from memoryapp.safety.credentials import redact, redact_tree
from memoryapp.safety.custom_patterns import MAX_COUNT, PatternRefused, check_pattern
from tenants.models import Workspace

# Their name in a workspace's settings.
CREDENTIAL_PATTERNS = "credential_patterns"
# Everything PostgreSQL or a screen cannot take; tabs and line ends stay.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def clean(text: str) -> str:
    """The text in Unicode NFC without control characters, lone surrogates, CRLF line ends and a byte order mark."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", CONTROL.sub("", text))


def credential_patterns(workspace: Workspace) -> Sequence[str]:
    """The workspace's own patterns of what counts as a credential."""
    patterns = workspace.setting(CREDENTIAL_PATTERNS, [])
    return [pattern for pattern in patterns if isinstance(pattern, str)] if isinstance(patterns, list) else []


def checked_patterns(patterns: Sequence[str]) -> list[str]:
    """Patterns as a workspace may keep them; raises ValidationFailed naming the first that cannot be used."""
    kept = list(dict.fromkeys(pattern.strip() for pattern in patterns if pattern.strip()))
    if len(kept) > MAX_COUNT:
        raise ValidationFailed.of("credentialPatterns", f"At most {MAX_COUNT} patterns.")
    for pattern in kept:
        try:
            check_pattern(pattern)
        except PatternRefused as refusal:
            raise ValidationFailed.of("credentialPatterns", f"{pattern[:80]}: {refusal}") from refusal
    return kept


def masked(text: str, workspace: Workspace) -> tuple[str, bool]:
    """The cleaned text with credentials masked, and whether there was any."""
    result = redact(clean(text), credential_patterns(workspace))
    return result.text, bool(result.findings)


def masked_tree(value: Any, workspace: Workspace) -> Any:
    """The JSON value with credentials masked in its keys and texts, and cleaned."""
    return redact_tree(_cleaned(value), credential_patterns(workspace))


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean(str(key)): _cleaned(item) for key, item in value.items()}
    return value
