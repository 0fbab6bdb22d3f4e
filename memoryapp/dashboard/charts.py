"""The geometry of small charts, drawn as SVG by the server: one hue, direct labels, no legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in per cent of the longest."""

    label: str
    value: int
    length: float
    start: float = 0.0


def bars(counts: Mapping[str, int]) -> list[Bar]:
    """Horizontal bars that start at zero, longest first."""
    most = max(counts.values(), default=0) or 1
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return [Bar(label, count, round(100 * count / most, 1)) for label, count in ordered]


def columns(counts: Sequence[int], labels: Sequence[str]) -> list[Bar]:
    """Standing bars over the whole width, left to right."""
    most, width = max(counts, default=0) or 1, 100 / (len(counts) or 1)
    return [
        Bar(label, count, round(100 * count / most, 1), round(i * width, 2))
        for i, (count, label) in enumerate(zip(counts, labels, strict=True))
    ]


TRACE_HEIGHT = 40


def trace(values: Sequence[float]) -> str:
    """The points of a line over the whole width of a box of 100 by 40, for values from 0 to 1."""
    step = 100 / max(len(values) - 1, 1)
    return " ".join(
        f"{number * step:.2f},{TRACE_HEIGHT * (1 - value):.2f}" for number, value in enumerate(values)
    )
