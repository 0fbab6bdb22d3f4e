"""Makes `.venv` from the lock files and moves into it. Runs on a bare Python: standard library only."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
# Also when this runs inside a virtual environment, perhaps the very one that is about to be made anew.
BASE_PYTHON = str(getattr(sys, "_base_executable", sys.executable))
VENV_PYTHON = VENV / "bin" / "python"
# The hashes of what is installed. Written last: a killed installation is never taken for a finished one.
STAMP = VENV / "memoryapp-installed.json"
UNFINISHED = VENV / "memoryapp-unfinished"
RUN_LOCK = "requirements.lock"
DEV_LOCK = "requirements-dev.lock"


def enter_environment(arguments: list[str], variables: Mapping[str, str] = os.environ) -> None:
    """Return when the packages are at hand; else install them and start this program again where they are."""
    if variables.get("MEMORYAPP_NO_BOOTSTRAP", "") not in {"", "0"}:
        return
    # The lock of the developers' packages holds everything of the other one too.
    lock = DEV_LOCK if arguments[:1] == ["test"] else RUN_LOCK
    inside = Path(sys.prefix).resolve() == VENV.resolve()
    if not inside and _has_packages(lock):
        return
    if not _is_installed(lock):
        with _only_one():
            # The other process may just have done it.
            if not _is_installed(lock):
                _install(lock)
    elif inside:
        return
    os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.orig_argv[1:]])  # noqa: S606 - no shell is wanted


def _has_packages(lock: str) -> bool:
    """Whether this interpreter has all that pyproject.toml asks for, as in a container image."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = list(project["project"]["dependencies"])
    if lock == DEV_LOCK:
        wanted += project["dependency-groups"]["dev"]
    try:
        for requirement in wanted:
            importlib.metadata.version(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0])
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _is_installed(lock: str) -> bool:
    try:
        stamp = json.loads(STAMP.read_text())
    except (FileNotFoundError, ValueError):
        return False
    # Exists follows the link: it breaks when the Python it was made from has gone.
    return VENV_PYTHON.exists() and all(stamp.get(name) == _digest(name) for name in {RUN_LOCK, lock})


@contextlib.contextmanager
def _only_one() -> Iterator[None]:
    """One installation at a time; the folder itself is the lock, which leaves no file behind."""
    folder = os.open(ROOT, os.O_RDONLY)
    # The installers hold it too: one that outlives a killed manage.py must finish before the next one starts.
    os.set_inheritable(folder, True)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _install(lock: str) -> None:
    kept = _stamped_hashes()
    if UNFINISHED.exists() or not VENV_PYTHON.exists():
        shutil.rmtree(VENV, ignore_errors=True)
        kept = {}
    _say(f"Installing memoryapp's packages into {VENV} (once; usually under a minute) ...")
    VENV.mkdir(exist_ok=True)
    UNFINISHED.touch()
    STAMP.unlink(missing_ok=True)
    uv = shutil.which("uv")
    if not uv or not _install_with_uv(uv, lock):
        if uv:
            _say("uv could not install them; trying pip ...")
        _install_with_pip(lock)
    installed = {name: _digest(name) for name in (RUN_LOCK, lock)}
    STAMP.write_text(json.dumps({**kept, **installed}))
    UNFINISHED.unlink()


def _install_with_uv(uv: str, lock: str) -> bool:
    """Whether uv could do it: it reads neither pip's settings nor, by default, the system's certificates."""
    make = [uv, "venv", "--quiet", "--allow-existing", "--python", BASE_PYTHON, str(VENV)]
    install = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(VENV_PYTHON)]
    return (VENV_PYTHON.exists() or _run(make)) and _run([*install, *_requirements(lock)])


def _install_with_pip(lock: str) -> None:
    if importlib.util.find_spec("ensurepip"):
        ready = _has_pip() or _run([BASE_PYTHON, "-m", "venv", str(VENV)])
        pip = [str(VENV_PYTHON), "-m", "pip"]
    elif importlib.util.find_spec("pip"):
        ready = VENV_PYTHON.exists() or _run([BASE_PYTHON, "-m", "venv", "--without-pip", str(VENV)])
        pip = [BASE_PYTHON, "-m", "pip", "--python", str(VENV_PYTHON)]
    else:
        _give_up(
            "This Python has no pip and no ensurepip. On Debian: apt-get install python3-venv. Or install uv."
        )
    quietly = ["--quiet", "--disable-pip-version-check", "--no-input"]
    if not ready or not _run([*pip, "install", *quietly, *_requirements(lock)]):
        _give_up(
            "Could not install the packages, see above. Check the network and pip's proxy and index settings, "
            "then start the same command again. Or install requirements.lock into an environment of your own "
            "and run manage.py with its Python."
        )


def _has_pip() -> bool:
    probe = [str(VENV_PYTHON), "-m", "pip", "--version"]
    return VENV_PYTHON.exists() and subprocess.run(probe, capture_output=True, check=False).returncode == 0  # noqa: S603


def _requirements(lock: str) -> list[str]:
    return ["--require-hashes", "-r", str(ROOT / lock)]


def _run(command: list[str]) -> bool:
    # Standard output belongs to the command that was asked for. close_fds=False hands the lock down.
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, close_fds=False, check=False)  # noqa: S603
    return done.returncode == 0


def _stamped_hashes() -> dict[str, str]:
    try:
        return dict(json.loads(STAMP.read_text()))
    except (FileNotFoundError, ValueError):
        return {}


def _digest(lock: str) -> str:
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def _give_up(message: str) -> NoReturn:
    _say(message)
    sys.exit(1)


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()
