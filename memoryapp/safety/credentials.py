"""Finds credentials in text and masks them, before anything is cut, stored, logged or sent away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoryapp.safety.custom_patterns import find_custom
from memoryapp.safety.encoded import find_encoded
from memoryapp.safety.findings import Finding, without_overlaps
from memoryapp.safety.notes import credential_note
from memoryapp.safety.second_net import find_by_library
from memoryapp.safety.secret_words import find_mentions
from memoryapp.safety.shapes import find_by_shape
from memoryapp.safety.statements import find_statements
from memoryapp.safety.surroundings import find_nearby
from memoryapp.safety.views import View, fold, lower, with_lines_joined, without_invisible

__all__ = ["MARKER", "Finding", "Redacted", "credential_note", "find_credentials", "redact", "redact_tree"]

MARKER = "[masked]"
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its credentials, and where they stood in the original."""

    text: str
    findings: tuple[Finding, ...] = ()


def find_credentials(text: str, extra_patterns: Iterable[str] = ()) -> list[Finding]:
    """Every credential in the text, in order and without overlaps; time grows linearly with the text."""
    if not text:
        return []
    return without_overlaps([*_find_in_views(fold(text)), *find_custom(text, extra_patterns)])


def redact(text: str, extra_patterns: Sequence[str] = (), marker: str = MARKER) -> Redacted:
    """The text with every credential replaced by the marker; masking twice changes nothing."""
    findings = find_credentials(text, extra_patterns)
    masked = _masked(text, findings, marker) if findings else text
    # A secret word finds its next value once the first is masked. The rounds are few, so that time stays linear.
    for _ in range(ROUNDS if findings else 0):
        again = _masked(masked, find_credentials(masked, extra_patterns), marker)
        if again == masked:
            break
        masked = again
    return Redacted(masked, tuple(findings))


def _masked(text: str, findings: Iterable[Finding], marker: str) -> str:
    parts, last = [], 0
    for finding in findings:
        parts += [text[last : finding.start], marker]
        last = finding.end
    return "".join([*parts, text[last:]])


def redact_tree(value: Any, extra_patterns: Sequence[str] = (), marker: str = MARKER) -> Any:
    """The JSON value with the credentials in its keys and values masked; a key "password" speaks for its value."""
    if isinstance(value, str):
        return redact(value, extra_patterns, marker).text
    if isinstance(value, list | tuple):
        return [redact_tree(item, extra_patterns, marker) for item in value]
    if isinstance(value, Mapping):
        return _redact_mapping(value, extra_patterns, marker)
    return value


def _redact_mapping(mapping: Mapping[Any, Any], extra_patterns: Sequence[str], marker: str) -> dict[str, Any]:
    masked: dict[str, Any] = {}
    for key, item in mapping.items():
        name = redact(str(key), extra_patterns, marker).text
        while name in masked:  # two masked keys must not overwrite each other
            name += "'"
        # {"name": "DB_PASSWORD", "value": "x"} is how environments are listed.
        spoken_for = str(mapping.get("name", key)) if key == "value" else str(key)
        masked[name] = _redact_named(spoken_for, item, extra_patterns, marker)
    return masked


def _redact_named(name: str, item: Any, extra_patterns: Sequence[str], marker: str) -> Any:
    if isinstance(item, str) or (isinstance(item, int) and not isinstance(item, bool)):
        label = f"{name}="
        findings = find_credentials(f"{label}{item}", extra_patterns)
        if any(finding.end > len(label) >= finding.start - 1 for finding in findings):
            masked = redact(str(item), extra_patterns, marker).text
            return masked if masked != str(item) else marker
    return redact_tree(item, extra_patterns, marker)


def _find_in_views(text: str) -> Iterator[Finding]:
    """Findings in the text as it stands, without its invisible characters, and with its broken lines joined."""
    visible = without_invisible(text)
    seen = visible.text if visible else text
    found = _find_plainly(seen)
    found += find_encoded(seen, _find_plainly)
    found += _across_lines(seen)
    yield from (visible.original(finding) for finding in found) if visible else found


def _across_lines(text: str) -> Iterator[Finding]:
    joined: View | None = with_lines_joined(text)
    if joined:
        found = [*_find_plainly(joined.text), *find_encoded(joined.text, _find_plainly)]
        yield from (joined.original(finding) for finding in found if joined.crosses_a_cut(finding))


def _find_plainly(text: str) -> list[Finding]:
    mentions = find_mentions(lower(text), text)
    own = [*find_by_shape(text), *find_statements(text, mentions), *find_nearby(text, mentions)]
    return [*own, *find_by_library(_blanked(text, own))]


def _blanked(text: str, findings: list[Finding]) -> str:
    """The text with the findings blanked out, every other offset unchanged."""
    parts, last = [], 0
    for finding in without_overlaps(findings):
        parts += [text[last : finding.start], " " * (finding.end - finding.start)]
        last = finding.end
    return "".join([*parts, text[last:]])
