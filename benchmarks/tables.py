"""What the benchmarks print."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def milliseconds(values: Sequence[float], share: float) -> str:
    return f"{1000 * percentile(values, share):.1f}"


def print_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table."""
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
