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

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
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
    uv = shutil.which("uv")
    if not VENV_PYTHON.exists():
        _make_venv(uv)
    UNFINISHED.touch()
    STAMP.unlink(missing_ok=True)
    _install_packages(uv, lock)
    installed = {name: _digest(name) for name in (RUN_LOCK, lock)}
    STAMP.write_text(json.dumps({**kept, **installed}))
    UNFINISHED.unlink()


def _make_venv(uv: str | None) -> None:
    python = getattr(sys, "_base_executable", sys.executable)
    VENV.mkdir()
    UNFINISHED.touch()
    if uv:
        _run([uv, "venv", "--quiet", "--allow-existing", "--python", python, str(VENV)])
    elif importlib.util.find_spec("ensurepip"):
        _run([python, "-m", "venv", str(VENV)])
    elif importlib.util.find_spec("pip"):
        _run([python, "-m", "venv", "--without-pip", str(VENV)])
    else:
        _give_up(
            "This Python has no pip and no ensurepip. On Debian: apt-get install python3-venv. Or install uv."
        )


def _install_packages(uv: str | None, lock: str) -> None:
    requirements = ["--require-hashes", "-r", str(ROOT / lock)]
    if uv:
        _run(
            [
                uv,
                "pip",
                "install",
                "--quiet",
                "--compile-bytecode",
                "--python",
                str(VENV_PYTHON),
                *requirements,
            ]
        )
        return
    pip = [str(VENV_PYTHON), "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode:  # noqa: S603
        pip = [getattr(sys, "_base_executable", sys.executable), "-m", "pip", "--python", str(VENV_PYTHON)]
    _run([*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input", *requirements])


def _run(command: list[str]) -> None:
    # Standard output belongs to the command that was asked for.
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, close_fds=False, check=False)  # noqa: S603
    if done.returncode:
        _give_up(
            f"Could not install the packages: {' '.join(command[:4])} failed, see above. Check the network, "
            "pip's proxy and index settings, then start the same command again. Or install requirements.lock "
            "into an environment of your own and run manage.py with its Python."
        )


def _stamped_hashes() -> dict[str, str]:
    try:
        return dict(json.loads(STAMP.read_text()))
    except (FileNotFoundError, ValueError):
        return {}


def _digest(lock: str) -> str:
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def _give_up(message: str) -> None:
    _say(message)
    sys.exit(1)


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()
