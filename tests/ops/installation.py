"""An installation as its operator has it: `manage.py up` in a process of its own, over a folder of its own."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 90.0


class Installation:
    """One data folder and port, started and stopped as often as a test likes."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self.said: list[str] = []
        self._listener: threading.Thread | None = None

    def manage(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run another command over the same folder to its end."""
        environment = {**self._environment(), **variables}
        return subprocess.run(
            self._command(*arguments), env=environment, capture_output=True, text=True, check=False
        )

    def start(self, *options: str) -> None:
        """Start everything and return once it says that it runs."""
        self.said = []
        self.process = subprocess.Popen(
            self._command("up", "--port", str(self.port), *options),
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._listener = threading.Thread(target=self._listen, args=[self.process], daemon=True)
        self._listener.start()
        wait_until(lambda: self.has_said("Stop it with Ctrl-C") or self.has_ended(), self.output)
        assert not self.has_ended(), self.output()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_SECONDS)
        assert self._listener is not None
        self._listener.join(PATIENCE_SECONDS)
        return code

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def has_said(self, words: str) -> bool:
        return any(words in line for line in self.said)

    def output(self) -> str:
        return "".join(self.said)

    @property
    def login(self) -> dict[str, str]:
        return dict(json.loads((self.data_dir / "first-login.json").read_text()))

    def get(self, path: str) -> tuple[int, Any]:
        """One API call with the first token."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": f"Bearer {self.login['token']}"}
        )
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own server
            return response.status, json.load(response)

    def static_files(self) -> dict[str, Message]:
        """What the first page refers to, each with the headers under which a browser gets it."""
        address = f"http://127.0.0.1:{self.port}"
        with urllib.request.urlopen(address, timeout=30) as response:
            paths = set(re.findall(r'"(/static/[^"#]+)', response.read().decode()))
        found = {}
        for path in paths:
            request = urllib.request.Request(address + path, headers={"Accept-Encoding": "gzip"})  # noqa: S310 - our own server
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own server
                found[path] = response.headers
        return found

    def processes(self, command: str) -> list[int]:
        """Our processes over this folder that run this command, forks included."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                environment = (process / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"MEMORYAPP_DATA_DIR={self.data_dir}".encode() in environment and command.encode() in words:
                found.append(int(process.name))
        return found

    def _command(self, *arguments: str) -> list[str]:
        return [sys.executable, str(ROOT / "manage.py"), *arguments]

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "MEMORYAPP_DATA_DIR": str(self.data_dir), "MEMORYAPP_NO_BOOTSTRAP": "1"}

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.said.append(line)


@contextmanager
def installed(data_dir: Path) -> Iterator[Installation]:
    """An installation of which nothing is left in the end, whatever the test did to it."""
    installation = Installation(data_dir)
    try:
        yield installation
    finally:
        if installation.process is not None and installation.process.poll() is None:
            installation.stop()
        installation.manage("db", "stop")


def wait_until(condition: Callable[[], bool], explain: Callable[[], str] = str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, explain()
        threading.Event().wait(0.1)


@contextmanager
def all_end(pids: list[int]) -> Iterator[None]:
    """What happens inside makes all these processes end, within seconds."""
    handles = [os.pidfd_open(pid) for pid in pids]
    yield
    for handle in handles:
        assert select.select([handle], [], [], 10)[0], "a process lives on"
        os.close(handle)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
