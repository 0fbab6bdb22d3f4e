"""`manage.py up`: everything with one command, kept over restarts, recovered after kills, nothing left behind."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import pytest

from tests.ops.installation import all_end, installed, wait_until


@pytest.mark.long
def test_everything_starts_survives_a_kill_and_stops(tmp_path: Path) -> None:
    with installed(tmp_path) as product:
        product.start()
        login = product.login
        assert set(login) == {"url", "username", "password", "token"}
        assert stat.S_IMODE((tmp_path / "first-login.json").stat().st_mode) == 0o600
        assert product.has_said(login["password"])
        assert product.has_said(login["token"])
        assert product.get("/api/v1/agents")[0] == 200
        files = product.static_files()
        assert all("immutable" in headers["Cache-Control"] for headers in files.values())
        assert all(headers["Content-Encoding"] == "gzip" for path, headers in files.items() if ".css" in path)

        # The queue's main process, its guard, pusher and monitor, and two workers.
        wait_until(lambda: len(product.processes("worker")) >= 6, product.output)
        with all_end(product.processes("web") + product.processes("worker")):
            product.stop(signal.SIGKILL)

        product.start()
        assert product.login == login
        assert not product.has_said(login["password"])
        assert product.has_said("first-login.json")
        assert product.get("/api/v1/agents")[0] == 200
        with all_end(product.processes("web") + product.processes("worker")):
            assert product.stop(signal.SIGINT) == 0
        assert product.manage("db", "status").returncode == 3


@pytest.mark.long
def test_whatever_dies_is_started_again(tmp_path: Path) -> None:
    with installed(tmp_path) as product:
        product.start("--no-demo")
        assert not (tmp_path / "first-login.json").exists()
        for command in ("web", "worker"):
            before = product.processes(command)
            with all_end(before):
                os.kill(min(before), signal.SIGKILL)
            wait_until(lambda name=command: bool(product.processes(name)), product.output)  # type: ignore[misc]
        postmaster = int((tmp_path / "postgres" / "data" / "postmaster.pid").read_text().splitlines()[0])
        with all_end([postmaster]):
            os.kill(postmaster, signal.SIGKILL)
        wait_until(lambda: product.manage("db", "status").returncode == 0, product.output)
        assert product.stop() == 0


@pytest.mark.long
def test_a_second_supervisor_and_a_port_in_use_are_refused(tmp_path: Path) -> None:
    with installed(tmp_path / "one") as product, installed(tmp_path / "two") as other:
        product.start("--no-demo")
        second = product.manage("up", "--port", str(other.port))
        assert second.returncode == 1
        assert f"running already over {tmp_path / 'one'}" in second.stderr
        in_use = other.manage("up", "--port", str(product.port))
        assert in_use.returncode == 1
        assert f"--port {product.port + 1}" in in_use.stderr
        assert other.manage("db", "status").returncode == 3


@pytest.mark.long
@pytest.mark.parametrize("command", ["up", "web", "worker"])
def test_a_role_that_may_do_anything_is_refused_by_every_way_in(tmp_path: Path, command: str) -> None:
    with installed(tmp_path) as product:
        assert product.manage("migrate").returncode == 0
        superuser = product.manage("db", "url", "--role", "superuser").stdout.strip()
        refused = product.manage(command, DATABASE_URL=superuser)
        assert refused.returncode != 0
        assert "is a superuser" in refused.stdout + refused.stderr
        assert "db provision" in refused.stdout + refused.stderr
