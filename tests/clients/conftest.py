"""A live server with a worker and two workspaces, and a way to run a client against it over the loopback only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from memoryapp.jobs import drain
from tests.clients.environments import HERE, node, node_environment
from tests.conftest import Person
from tests.served import served

PATIENCE_SECONDS = 240


@dataclass
class LiveServer:
    """Where the product answers, and the tokens of two workspaces that must not see each other."""

    address: str
    token: str
    stranger: str
    home: Path

    def run(
        self, command: Sequence[str], *, more: Mapping[str, str] | None = None, **given: Any
    ) -> dict[str, Any]:
        """Run a client's script; it gets its orders as JSON on its input and prints its report as the last line."""
        orders = {"host": self.address, "token": self.token, "stranger": self.stranger, **given}
        done = subprocess.run(
            command,
            input=json.dumps(orders),
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            cwd=self.home,
            env={**self.variables, **(more or {})},
        )
        assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-6000:]}"
        assert not self.outside.exists(), f"It tried to reach {self.outside.read_text()}"
        report: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        print(json.dumps(report))  # noqa: T201 - the report of the run, shown with -s
        return report

    def run_node(self, script: str, **given: Any) -> dict[str, Any]:
        """Run a script of ours beside the packages from npm."""
        (self.home / "node_modules").symlink_to(node_environment() / "node_modules")
        for name in ("orders.mjs", script):
            shutil.copy(HERE / "scripts" / name, self.home)
        return self.run([node().program, str(self.home / script)], **given)

    @property
    def outside(self) -> Path:
        return self.home / "outside.txt"

    @property
    def variables(self) -> dict[str, str]:
        """A private home, no telemetry, and a guard that lets nothing leave the machine."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "MEM0_DIR": str(self.home / ".mem0"),
            "MEM0_TELEMETRY": "false",
            "PYTHONPATH": str(HERE / "guards"),
            "NODE_OPTIONS": f"--require {HERE / 'guards' / 'guard.cjs'}",
            "CLIENT_TEST_OUTSIDE": str(self.outside),
            "NO_COLOR": "1",
        }


@pytest.fixture
def live(
    transactional_db: None, settings: Any, alice: Person, charlie: Person, tmp_path: Path
) -> Iterator[LiveServer]:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    with served() as address, a_worker():
        yield LiveServer(address, alice.token, charlie.token, tmp_path)


class a_worker:
    """A worker beside the server, for as long as the block lasts."""

    def __enter__(self) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._thread.join(timeout=30)

    def _work(self) -> None:
        while not self._stopped.wait(0.1):
            drain()
        connection.close()
