"""Environments of the clients under test: each from its lock file, made once and kept in the data folder."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

HERE = Path(__file__).parent
LOCKS = HERE / "locks"
PATIENCE_SECONDS = 900


def python_environment(lock: str) -> Path:
    """The Python of an environment with the packages of a lock file; skips the test where it cannot be made."""
    folder = _folder(lock, [LOCKS / f"{lock}.lock"])
    python = folder / "bin" / "python"
    with _made_once(folder) as is_missing:
        if is_missing:
            _install_python(python, LOCKS / f"{lock}.lock")
    return python


def node_environment() -> Path:
    """A folder whose `node_modules` hold the npm clients; skips the test where it cannot be made."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip(
            "Node is not installed: the clients from npm are not tested (install Node 20 or newer with npm)."
        )
    files = [LOCKS / "package.json", LOCKS / "package-lock.json"]
    folder = _folder("npm", [*files, *sorted((HERE / "openclaw").rglob("*.js*"))])
    with _made_once(folder) as is_missing:
        if is_missing:
            folder.mkdir(parents=True)
            for file in files:
                shutil.copy(file, folder)
            _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"], folder)
            # The host that the OpenClaw plugin wants to be loaded by, as far as it looks at it.
            shutil.copytree(HERE / "openclaw", folder / "node_modules" / "openclaw")
    return folder


def _folder(name: str, files: Sequence[Path]) -> Path:
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    return Path(settings.DATA_DIR) / "clients" / f"{name}-{digest}"


@contextmanager
def _made_once(folder: Path) -> Iterator[bool]:
    """Whether the environment is still to be made; one process at a time, and a half-made one is thrown away."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder.with_suffix(".done")
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if done.exists() and folder.exists():
            yield False
            return
        shutil.rmtree(folder, ignore_errors=True)
        yield True
        done.touch()


def _install_python(python: Path, lock: Path) -> None:
    uv = shutil.which("uv")
    base = getattr(sys, "_base_executable", sys.executable)
    folder = str(python.parent.parent)
    requirements = ["--require-hashes", "-r", str(lock)]
    if uv:
        _run([uv, "venv", "--quiet", "--python", base, folder])
        _run([uv, "pip", "install", "--quiet", "--python", str(python), *requirements])
    else:
        _run([base, "-m", "venv", folder])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements])


def _run(command: Sequence[str], folder: Path | None = None) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        env={**os.environ, "CI": "1"},
    )
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        pytest.skip(
            f"A client's packages could not be installed (is there a network?): {' '.join(last)[:200]}"
        )
