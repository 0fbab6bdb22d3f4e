"""Where credentials stand in a text, and how findings that touch become one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Finding:
    """A credential at `text[start:end]`; `kind` is a word of `notes.LABELS`, `vendor` a name for people or empty."""

    start: int
    end: int
    kind: str
    vendor: str = ""


def without_overlaps(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in order; overlapping ones are united under the name of the one that knows its vendor."""
    united: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (one.start, -one.end)):
        if united and finding.start < united[-1].end:
            last = united[-1]
            named = finding if finding.vendor and not last.vendor else last
            united[-1] = replace(named, start=last.start, end=max(last.end, finding.end))
        else:
            united.append(finding)
    return united
