"""One embedded server over one data folder. Running means a connection works: pid files lie after a kill."""

from __future__ import annotations

import contextlib
import fcntl
import json
import locale
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg

from memoryapp.embedded import roles
from memoryapp.embedded.launcher import EmbeddedPostgresError, Launcher, choose_launcher

# Raise it when `roles` changes what it makes: servers made by an older version are then brought up to date.
PROVISION_VERSION = 2
# Replaying what a kill left in the log takes seconds; ending it half-way would begin it again.
RECOVERY_SECONDS = 300
ORPHANS_SECONDS = 30
LOG_LIMIT_BYTES = 10 * 1024 * 1024
SERVER_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    # No socket: its path may have 107 bytes only, which a data folder easily outgrows.
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_preload_libraries": "pg_stat_statements",
    "log_checkpoints": "off",
    "timezone": "UTC",
    # Compiling a query costs more than running it at the sizes one workspace has.
    "jit": "off",
}


@dataclass(frozen=True)
class Access:
    """How to reach the server: kept in connection.json, which only its owner can read."""

    port: int
    passwords: dict[str, str] = field(repr=False)
    provisioned: int = 0

    def url(self, role: str, database: str = roles.DATABASE) -> str:
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database}"


class EmbeddedServer:
    """The PostgreSQL of one data folder; several processes may hold one of these over the same folder."""

    def __init__(self, data_dir: Path) -> None:
        self.home = data_dir / "postgres"
        self.cluster = self.home / "data"
        self.log = self.home / "server.log"
        self._kept = self.home / "connection.json"

    def start(self) -> Access:
        """Make the server if there is none, start it if it does not answer, and say how to reach it."""
        access = self.access()
        if access and access.provisioned == PROVISION_VERSION and self.is_running():
            return access
        with self._locked():
            access = self.access() if self.cluster.exists() else None
            access = access or self._initialise()
            if not self.is_running():
                access = self._launch(access)
            return self._provision(access)

    def stop(self, *, unless_used: bool = False) -> bool:
        """Stop the server; False when none was running, or when it was to be left to others who use it."""
        with self._locked():
            if not self.cluster.exists() or self._postmaster() is None:
                return False
            if unless_used and self._is_used():
                return False
            choose_launcher(self.home).run("pg_ctl", "-D", str(self.cluster), "-m", "fast", "-w", "stop")
            return True

    def is_running(self) -> bool:
        """Whether a connection works and ends in this very data folder, not in the one it was copied from."""
        try:
            with self.connect_as_superuser() as connection:
                row = connection.execute("SHOW data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return row is not None and Path(row[0]).resolve() == self.cluster.resolve()

    def access(self) -> Access | None:
        """How to reach the server, or None before there is one."""
        try:
            return Access(**json.loads(self._kept.read_text()))
        except FileNotFoundError:
            return None

    def connect_as_superuser(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """The superuser's autocommit connection; psycopg.OperationalError when the server does not answer."""
        access = self.access()
        if access is None:
            raise psycopg.OperationalError("there is no embedded server yet")
        return psycopg.connect(access.url(roles.SUPERUSER, database), autocommit=True, connect_timeout=5)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (self.home.parent / "postgres.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _keep(self, access: Access) -> Access:
        partial = self._kept.with_suffix(".partial")
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(vars(access), file)
        partial.replace(self._kept)
        return access

    def _initialise(self) -> Access:
        names = (roles.SUPERUSER, roles.OWNER_ROLE, roles.APP_ROLE)
        access = self._keep(Access(_free_port(), {name: secrets.token_urlsafe(24) for name in names}))
        launcher = choose_launcher(self.home)
        # Made beside and renamed: a folder a killed initdb left half-made is never taken for a server.
        partial = self.home / "data.partial"
        shutil.rmtree(partial, ignore_errors=True)
        password = self.home / "initdb.password"
        with os.fdopen(os.open(password, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(access.passwords[roles.SUPERUSER])
        try:
            self._adopt(launcher, password)
            launcher.run("initdb", *_initdb_arguments(partial, password))
        finally:
            password.unlink()
        partial.rename(self.cluster)
        return access

    def _adopt(self, launcher: Launcher, path: Path) -> None:
        """Give a file we made to the user the launcher turns into."""
        if launcher.prefix[:1] == ("setpriv",):
            owner = self.home.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def _launch(self, access: Access) -> Access:
        deadline = time.monotonic() + ORPHANS_SECONDS
        launcher = choose_launcher(self.home)
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        while True:
            told_before = self.log.stat().st_size if self.log.exists() else 0
            try:
                return self._launch_once(launcher, access)
            except EmbeddedPostgresError as problem:
                told = self._told_since(told_before)
                # After a kill the old server's children may hold the shared memory for a moment.
                if time.monotonic() > deadline or "shared memory" not in told:
                    raise EmbeddedPostgresError(f"{problem}\n{told}") from problem
                time.sleep(0.5)

    def _launch_once(self, launcher: Launcher, access: Access) -> Access:
        postmaster = self._postmaster()
        if postmaster is not None and self._answers_within(RECOVERY_SECONDS):
            return access
        if postmaster is not None:
            launcher.run("pg_ctl", "-D", str(self.cluster), "-m", "immediate", "-w", "stop")
        else:
            # Its process is gone, or another program has its number by now, and PostgreSQL would refuse.
            (self.cluster / "postmaster.pid").unlink(missing_ok=True)
        if not _port_is_free(access.port):
            access = self._keep(replace(access, port=_free_port()))
        launcher.run(
            "pg_ctl", "-D", str(self.cluster), "-l", str(self.log), "-o", f"-p {access.port}",
            "-w", "-t", str(RECOVERY_SECONDS), "start",
        )  # fmt: skip
        if not self._answers_within(RECOVERY_SECONDS):
            raise EmbeddedPostgresError(f"The embedded PostgreSQL does not answer on port {access.port}.")
        return access

    def _answers_within(self, seconds: float) -> bool:
        """A starting or recovering server refuses connections for a while; one that has gone is given up."""
        deadline = time.monotonic() + seconds
        while not self.is_running():
            if time.monotonic() > deadline or self._postmaster() is None:
                return False
            time.sleep(0.1)
        return True

    def _postmaster(self) -> int | None:
        """The process id of the server over this folder, or None when the pid file is stale."""
        try:
            pid = int((self.cluster / "postmaster.pid").read_text().split("\n", 1)[0])
        except (FileNotFoundError, ValueError):
            return None
        return pid if _works_in(pid, self.cluster) else None

    def _is_used(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), self.connect_as_superuser() as connection:
            clients = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
            return len(connection.execute(clients).fetchall()) > 1
        return False

    def _provision(self, access: Access) -> Access:
        if access.provisioned == PROVISION_VERSION:
            return access
        with self.connect_as_superuser() as admin:
            roles.provision(admin, passwords=access.passwords)
        # template1 as well, so that databases made for tests inherit what only a superuser may install.
        for database in ("template1", roles.DATABASE):
            with self.connect_as_superuser(database) as admin:
                roles.prepare_schema(admin)
        return self._keep(replace(access, provisioned=PROVISION_VERSION))

    def _told_since(self, position: int) -> str:
        """What the server has logged since, at most the last lines of it."""
        if not self.log.exists():
            return ""
        with self.log.open(errors="replace") as log:
            log.seek(position)
            return "".join(log.readlines()[-10:])


def _initdb_arguments(cluster: Path, password: Path) -> list[str]:
    settings = [f"--set={name}={value}" for name, value in SERVER_SETTINGS.items()]
    return [
        f"--pgdata={cluster}",
        f"--username={roles.SUPERUSER}",
        f"--pwfile={password}",
        "--auth=scram-sha-256",
        "--data-checksums",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        f"--lc-ctype={_unicode_ctype()}",
        *settings,
    ]


def _unicode_ctype() -> str:
    """A libc locale that knows letters beyond ASCII: under plain C, pg_trgm sees nothing in Chinese text."""
    current = locale.setlocale(locale.LC_CTYPE)
    try:
        for name in ("C.UTF-8", "C.utf8", "en_US.UTF-8"):
            with contextlib.suppress(locale.Error):
                return locale.setlocale(locale.LC_CTYPE, name)
    finally:
        locale.setlocale(locale.LC_CTYPE, current)
    return "C"


def _works_in(pid: int, folder: Path) -> bool:
    """Whether the process lives and serves `folder`: a server's working folder is its data folder."""
    process = Path(f"/proc/{pid}")
    if process.parent.joinpath("self").exists():
        with contextlib.suppress(OSError):
            return (process / "cwd").resolve() == folder.resolve()
        return False
    listed = subprocess.run(  # noqa: S603 - macOS has no /proc
        ["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return str(folder) in listed.stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
