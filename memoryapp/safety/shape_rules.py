"""What a rule for a credential's shape is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShapeRule:
    """`pattern` is matched at each place of an anchor; its group "secret", or all of it, is the credential."""

    kind: str
    vendor: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] | None = None
