"""The guide lists every setting there is, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = re.compile(r"\b(?:MEMORYAPP_[A-Z_]+|MEMORY_[A-Z_]+|DATABASE_(?:OWNER_)?URL)\b")
# Passed from the supervisor to its children; nobody sets it.
INTERNAL = {"MEMORYAPP_SUPERVISOR"}


def names_read() -> set[str]:
    """The environment variables that the code names."""
    code = [*ROOT.glob("memoryapp/**/*.py"), ROOT / "manage.py"]
    quoted = re.compile(rf'"({NAME.pattern})"')
    return {name for path in code for name in quoted.findall(path.read_text())}


def test_the_guide_lists_every_setting() -> None:
    guide = (ROOT / "docs" / "guide" / "configuration.md").read_text()
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", guide, re.MULTILINE))
    assert names_read() - INTERNAL - documented == set()
    assert documented - names_read() == set()
