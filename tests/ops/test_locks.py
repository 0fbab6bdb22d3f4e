"""The lock files: complete, hashed, free of index addresses, and the same versions in both."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def pins(lock: str) -> dict[str, tuple[Requirement, list[str]]]:
    """Each locked package's requirement and hashes."""
    entries = re.split(r"\n(?=[a-zA-Z0-9])", (ROOT / lock).read_text().strip())
    parsed = [(Requirement(entry.split(" \\", 1)[0]), HASH.findall(entry)) for entry in entries]
    return {canonical(requirement.name): (requirement, hashes) for requirement, hashes in parsed}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_version_and_a_hash(lock: str) -> None:
    for requirement, hashes in pins(lock).values():
        assert re.fullmatch(r"==[^*]+", str(requirement.specifier)), requirement
        assert hashes, requirement


@pytest.mark.parametrize("lock", LOCKS)
def test_no_address_of_an_index_is_written_down(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert "index-url" not in text


def test_the_locks_fit_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {LOCKS[0]: project["project"]["dependencies"], LOCKS[1]: project["dependency-groups"]["dev"]}
    for lock, requirements in wanted.items():
        locked = pins(lock)
        for requirement in map(Requirement, requirements):
            pinned, _ = locked[canonical(requirement.name)]
            version = str(pinned.specifier).removeprefix("==")
            assert requirement.specifier.contains(version), f"{requirement} is locked at {version} in {lock}"


def test_the_developers_lock_holds_the_same_packages_and_more() -> None:
    run, dev = pins(LOCKS[0]), pins(LOCKS[1])
    assert {name: (str(pin), hashes) for name, (pin, hashes) in run.items()} == {
        name: (str(pin), hashes) for name, (pin, hashes) in dev.items() if name in run
    }
