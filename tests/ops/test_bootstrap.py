"""`manage.py` on a bare Python: it makes its own environment once, whatever interrupted it before."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# The interpreter that the suite's own environment was made from has none of the packages.
BARE_PYTHON = str(getattr(sys, "_base_executable", sys.executable))
# Stands in for the real command line, which needs the packages.
ECHO = "import sys\n\ndef run_command(argv):\n    print(sys.prefix, *argv[1:])\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone whose lock files ask for nothing, so that no network is needed."""
    shutil.copy(ROOT / "manage.py", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "memoryapp").mkdir()
    shutil.copy(ROOT / "memoryapp" / "bootstrap.py", tmp_path / "memoryapp")
    (tmp_path / "memoryapp" / "commandline.py").write_text(ECHO)
    for lock in ("requirements.lock", "requirements-dev.lock"):
        (tmp_path / lock).write_text("# nothing\n")
    return tmp_path


def start(checkout: Path, *arguments: str, python: str = BARE_PYTHON) -> subprocess.Popen[str]:
    # Only what a bare machine has: no uv, none of this suite's own settings.
    return subprocess.Popen(
        [python, "manage.py", *arguments],
        cwd=checkout,
        env={"PATH": f"{checkout}/bin:/usr/bin:/bin", "HOME": str(checkout)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(checkout: Path, *arguments: str, python: str = BARE_PYTHON) -> tuple[str, str]:
    process = start(checkout, *arguments, python=python)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.strip(), err


@pytest.mark.long
def test_the_environment_is_made_once_and_entered(checkout: Path) -> None:
    out, err = run(checkout, "up", "--port", "8123")
    assert out == f"{checkout}/.venv up --port 8123"
    assert err.count("Installing") == 1

    again, quiet = run(checkout, "up", "--port", "8123")
    assert again == out
    assert quiet == ""

    inside, quiet = run(checkout, "up", python=f"{checkout}/.venv/bin/python")
    assert inside == f"{checkout}/.venv up"
    assert quiet == ""


@pytest.mark.long
def test_test_needs_the_developers_packages_and_a_new_lock_is_installed(checkout: Path) -> None:
    run(checkout, "up")
    _, err = run(checkout, "test")
    assert "Installing" in err
    _, err = run(checkout, "up")
    assert err == ""
    (checkout / "requirements.lock").write_text("# still nothing, but new\n")
    _, err = run(checkout, "up")
    assert "Installing" in err


@pytest.mark.long
def test_two_at_once_install_once(checkout: Path) -> None:
    both = [start(checkout, "up"), start(checkout, "up")]
    outputs = [process.communicate(timeout=120) for process in both]
    assert [out.strip() for out, _ in outputs] == [f"{checkout}/.venv up"] * 2
    assert "".join(err for _, err in outputs).count("Installing") == 1


@pytest.mark.long
def test_an_installation_that_was_killed_begins_again(checkout: Path) -> None:
    process = start(checkout, "up")
    assert process.stderr is not None
    assert "Installing" in process.stderr.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    out, err = run(checkout, "up")
    assert out == f"{checkout}/.venv up"
    assert "Installing" in err


@pytest.mark.long
def test_an_environment_whose_python_has_gone_is_made_anew(checkout: Path) -> None:
    run(checkout, "up")
    python = checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    out, _ = run(checkout, "up")
    assert out == f"{checkout}/.venv up"


@pytest.mark.long
def test_a_failed_installation_says_what_to_do(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("./no-such-package\n")
    process = start(checkout, "up")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "Could not install the packages" in err


def test_an_environment_of_ones_own_is_left_alone(checkout: Path) -> None:
    out, err = run(checkout, "up", python=sys.executable)
    assert out == f"{sys.prefix} up"
    assert err == ""
    assert not (checkout / ".venv").exists()


@pytest.mark.long
def test_pip_does_it_where_uv_cannot(checkout: Path) -> None:
    uv = checkout / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text("#!/bin/sh\necho 'no certificate' >&2\nexit 2\n")
    uv.chmod(0o755)
    out, err = run(checkout, "up")
    assert out == f"{checkout}/.venv up"
    assert "no certificate" in err
    assert "trying pip" in err
