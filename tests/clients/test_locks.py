"""The clients' lock files: pinned, hashed, and free of any index's address."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.clients import environments
from tests.clients.environments import LOCKS

PYTHON_LOCKS = sorted(LOCKS.glob("*.lock"))
PIN = re.compile(r"[\w.\-]+(\[[\w, \-]+\])?==[\w.!+\-]+ ")


@pytest.mark.parametrize("lock", PYTHON_LOCKS, ids=lambda lock: lock.stem)
def test_python_packages_are_pinned_and_hashed(lock: Path) -> None:
    text = lock.read_text()
    entries = re.split(r"\n(?=[a-zA-Z0-9])", text.strip())
    assert "://" not in text
    assert entries
    assert not [entry for entry in entries if not PIN.match(entry) or "--hash=sha256:" not in entry]


def test_npm_packages_are_pinned_and_hashed() -> None:
    text = (LOCKS / "package-lock.json").read_text()
    packages = {name: about for name, about in json.loads(text)["packages"].items() if name}
    assert "://" not in text
    assert len(packages) > 50
    assert all(about.get("integrity") and about.get("version") for about in packages.values())
    wanted = json.loads((LOCKS / "package.json").read_text())["dependencies"]
    assert all(re.fullmatch(r"[0-9.]+", version) for version in wanted.values())


def test_what_cannot_be_fetched_is_asked_for_thrice_and_then_skipped(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    asked: list[int] = []

    def unreachable() -> None:
        asked.append(1)
        raise environments.NotInstalled("no network")

    for _ in range(2):
        with pytest.raises(pytest.skip.Exception, match="is there a network"):
            environments._make_once(tmp_path / "clients" / "some", unreachable)
    assert len(asked) == 3, "and not again by the next test"

    def forged() -> None:
        raise environments.NotInstalled("EINTEGRITY")

    with pytest.raises(pytest.fail.Exception, match="lock file"):
        environments._make_once(tmp_path / "clients" / "other", forged)
