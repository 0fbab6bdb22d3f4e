"""The geometry of small charts, drawn as SVG by the server: one hue, direct labels, no legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 104, 34, 4


@dataclass(frozen=True, slots=True)
class Spark:
    """A line on its own scale: shape only, the number stands beside it."""

    path: str
    end_x: float
    end_y: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in per cent of the longest."""

    label: str
    value: int
    length: float
    start: float = 0.0


def spark(values: Sequence[float]) -> Spark | None:
    """The line through some values, oldest first; None when there is nothing to see."""
    if len(values) < 2 or not any(values):
        return None
    low, span = min(values), (max(values) - min(values)) or 1
    step = (SPARK_WIDTH - 2 * SPARK_MARGIN) / (len(values) - 1)
    usable = SPARK_HEIGHT - 2 * SPARK_MARGIN
    points = [
        (round(SPARK_MARGIN + i * step, 1), round(SPARK_MARGIN + usable * (1 - (value - low) / span), 1))
        for i, value in enumerate(values)
    ]
    return Spark("M" + "L".join(f"{x} {y}" for x, y in points), *points[-1])


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
