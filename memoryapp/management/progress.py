"""Progress of long commands: a bar where somebody watches, nothing in a log."""

from __future__ import annotations

from typing import Any

from tqdm import tqdm


def progress_bar(what: str, total: int | None, unit: str) -> Any:
    """A bar that counts up to a total, as far as there is one."""
    return tqdm(total=total, desc=what, unit=unit, disable=None)
