"""How much memory an import takes over an idle process: at most 64 MB when it is accepted, 40 MB when refused."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from memoryapp.snapshots.limits import MEGABYTE
from tests.conftest import Person
from tests.snapshot.crafted import Entry, archive, deflated

WORDS = Path(__file__).parents[2] / "docs" / "design.md"


def prose(size: int, seed: int) -> bytes:
    """Text that packs like text, in lines and sections like a note."""
    draw = random.Random(seed)
    words = WORDS.read_text(encoding="utf-8").split()
    lines: list[str] = []
    length = 0
    while length < size:
        heading = "## " if not len(lines) % 40 else "- "
        lines.append(heading + " ".join(draw.choices(words, k=12)))
        length += len(lines[-1].encode()) + 1
    return "\n".join(lines).encode()[:size].decode("utf-8", "ignore").encode()


def day(number: int) -> str:
    return f"memory/{date(2020, 1, 1) + timedelta(days=number)}.md"


def many_files() -> bytes:
    return archive(*(Entry(day(number), prose(33_000, number)) for number in range(490)))


def large_files() -> bytes:
    return archive(*(Entry(day(number), prose(1_000_000, number)) for number in range(16)))


def lies() -> bytes:
    good = [Entry(day(number), prose(1_000_000, number)) for number in range(14)]
    return archive(*good, Entry("MEMORY.md", packed=deflated(bytes(50 * MEGABYTE)), size=1000, crc=7))


def too_much() -> bytes:
    return archive(*(Entry(day(number), prose(MEGABYTE - 1, number)) for number in range(20)))


def noise() -> bytes:
    return random.Random(1).randbytes(16 * MEGABYTE)


CASES: dict[str, tuple[Any, int, str]] = {
    "490 files of 33 KB": (many_files, 64, ""),
    "16 files of 1 MB": (large_files, 64, ""),
    "a size that lies": (lies, 40, "archive_size"),
    "20 MB in all": (too_much, 40, "archive_too_large"),
    "16 MB of noise": (noise, 40, "not_a_zip"),
}


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("case", CASES)
def test_peak_memory_of_an_import(alice: Person, tmp_path: Path, case: str, capsys: Any) -> None:
    make, most, code = CASES[case]
    data = make()
    (tmp_path / "large.zip").write_bytes(data)
    (tmp_path / "small.zip").write_bytes(archive(Entry("KNOWLEDGE.md", prose(2000, 0))))
    command = [sys.executable, "-m", "tests.snapshot.import_process", connection.settings_dict["NAME"]]
    command += [str(alice.agent.pk), alice.principal.owner_key, str(tmp_path / "large.zip")]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=900,
        env={**os.environ, "SNAPSHOT_WORKSPACE": alice.workspace.slug},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    figures = json.loads(ran.stdout.strip().splitlines()[-1])
    with capsys.disabled():
        print(f"\n{case}: {len(data) / MEGABYTE:.1f} MB packed, {figures}")  # noqa: T201 # the figures are the point

    assert figures.get("code", "") == code
    assert figures["overIdle"] <= most * MEGABYTE
