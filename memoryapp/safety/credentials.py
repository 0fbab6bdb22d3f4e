"""Finds credentials in text and masks them, before anything is cut, stored, logged or sent away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

MARKER = "[masked]"


@dataclass(frozen=True, slots=True)
class Finding:
    """A credential at `text[start:end]`; `kind` is one of the words of `safety.notes`, `vendor` a name for people."""

    start: int
    end: int
    kind: str
    vendor: str = ""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its credentials, and where they stood in the original."""

    text: str
    findings: tuple[Finding, ...] = ()


RULES = (
    ("token", "GitHub", re.compile(r"(?:gh[opsur]_|github_pat_)[A-Za-z0-9_]{30,255}")),
    ("access_key", "AWS", re.compile(r"(?:AKIA|ASIA)[A-Z0-9]{16}")),
    ("api_key", "", re.compile(r"\bsk-[A-Za-z0-9_-]{20,255}")),
    ("token", "", re.compile(r"eyJ[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000}")),
    ("password", "", re.compile(r"(?i)(?:password|passwd|密码)(?:\s{0,3}[:=：]\s{0,3}|\s+is\s+|是)([^\s\"'，。]{6,200})")),
)


def find_credentials(text: str, extra_patterns: Iterable[str] = ()) -> list[Finding]:
    """Every credential in the text, in order and without overlaps."""
    found = [
        Finding(*match.span(rule.groups), kind, vendor) for kind, vendor, rule in RULES for match in rule.finditer(text)
    ]
    found.sort(key=lambda finding: finding.start)
    return [finding for place, finding in enumerate(found) if place == 0 or found[place - 1].end <= finding.start]


def redact(text: str, extra_patterns: Sequence[str] = (), marker: str = MARKER) -> Redacted:
    """The text with every credential replaced by the marker; masking twice changes nothing."""
    findings = find_credentials(text, extra_patterns)
    parts, last = [], 0
    for finding in findings:
        parts += [text[last : finding.start], marker]
        last = finding.end
    return Redacted("".join([*parts, text[last:]]), tuple(findings))


def redact_tree(value: Any, extra_patterns: Sequence[str] = (), marker: str = MARKER) -> Any:
    """The JSON value with every credential in its keys and texts replaced by the marker."""
    if isinstance(value, str):
        return redact(value, extra_patterns, marker).text
    if isinstance(value, list | tuple):
        return [redact_tree(item, extra_patterns, marker) for item in value]
    if isinstance(value, dict):
        return {
            redact_tree(key, extra_patterns, marker): redact_tree(item, extra_patterns, marker)
            for key, item in value.items()
        }
    return value
