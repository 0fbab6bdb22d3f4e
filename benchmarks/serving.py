"""Servers for a measurement, each in a process of its own and on real sockets."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx2

HOST: Final = "127.0.0.1"


@dataclass(frozen=True)
class Server:
    """A running server."""

    address: str
    pid: int

    @property
    def megabytes(self) -> float:
        """What it holds in memory now."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        (resident,) = [line.split()[1] for line in lines if line.startswith("VmRSS")]
        return int(resident) / 1024


@contextmanager
def serving(application: str, port: int, ready: str, **environment: str) -> Iterator[Server]:
    """An ASGI application behind the server the product is run with, once `ready` answers."""
    command = ["-m", "uvicorn", application, "--host", HOST, "--log-level", "warning", "--no-access-log"]
    # As `manage.py web` sets it, before any setting is read: this package reads them when it is imported.
    with running(command, port, ready, MEMORYAPP_DATABASE_POOL="true", **environment) as server:
        yield server


@contextmanager
def running(command: list[str], port: int, ready: str, **environment: str) -> Iterator[Server]:
    """A Python program that serves at a port, once `ready` answers."""
    process = subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, *command, "--port", str(port)], env={**os.environ, **environment}
    )
    server = Server(f"http://{HOST}:{port}", process.pid)
    try:
        _wait_for(f"{server.address}{ready}")
        yield server
    finally:
        process.terminate()
        process.wait()


def _wait_for(url: str) -> None:
    for _ in range(600):
        try:
            httpx2.get(url)
        except httpx2.TransportError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The server did not start.")
