"""mem0's programs, unmodified: the command line, in Python and in JavaScript, and its MCP server."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.clients.conftest import LiveServer
from tests.clients.environments import HERE, node, node_environment, python_environment

pytestmark = pytest.mark.long

Command = Callable[..., Any]


def python_command() -> list[str]:
    return [str(python_environment("mem0-cli").parent / "mem0")]


def node_command() -> list[str]:
    return [node().program, str(node_environment() / "node_modules" / "@mem0" / "cli" / "dist" / "index.js")]


class Shell:
    """Types commands as somebody with a token, and reads the envelope of `--json`."""

    def __init__(self, live: LiveServer, program: list[str], token: str) -> None:
        self.live, self.program, self.token, self.calls = live, program, token, 0

    def run(self, *words: str, fails: bool = False) -> Any:
        self.calls += 1
        where = {"MEM0_BASE_URL": self.live.address, "MEM0_API_KEY": self.token}
        done = subprocess.run(
            [*self.program, "--json", *words],
            env={**self.live.variables, **where},
            cwd=self.live.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode != 0) == fails, (words, done.stdout, done.stderr)
        assert not self.live.outside.exists(), self.live.outside.read_text()
        return None if fails else json.loads(done.stdout)["data"]


@pytest.mark.parametrize("program", [python_command, node_command], ids=["python", "node"])
def test_every_command(live: LiveServer, program: Callable[[], list[str]]) -> None:
    mine, theirs = Shell(live, program(), live.token), Shell(live, program(), live.stranger)
    ana = ["--user-id", "ana"]
    mine.run("status")
    Shell(live, program(), "map_wrong").run("get", "x", fails=True)

    mine.run("add", "I drink oat milk in my coffee", *ana, "--no-infer", "--metadata", '{"turn": 1}')
    theirs.run("add", "I drink soy milk", *ana, "--no-infer")
    mine.run("add", "My name is Ana and I live in Lisbon.", *ana)
    (found,) = mine.run("search", "what milk?", *ana, "--top-k", "1", "--threshold", "0.1")
    assert found["memory"] == "I drink oat milk in my coffee"
    assert mine.run("get", found["id"])["memory"] == found["memory"]
    theirs.run("get", found["id"], fails=True)
    mine.run("update", found["id"], "I drink oat milk in tea")
    listed = json.dumps(mine.run("list", *ana, "--after", "2020-01-01", "--before", "2999-01-01"))
    assert "in tea" in listed
    assert "soy" not in listed
    assert "ana" in json.dumps(mine.run("entity", "list", "users"))
    (event, *_) = mine.run("event", "list")
    assert mine.run("event", "status", event["id"])["id"] == event["id"]
    mine.run("delete", found["id"], "--force")
    mine.run("get", found["id"], fails=True)
    mine.run("delete", "--all", *ana, "--force")
    assert "Lisbon" not in json.dumps(mine.run("list", *ana))
    mine.run("delete", "--entity", *ana, "--force")
    assert "ana" not in json.dumps(mine.run("entity", "list", "users"))
    assert "soy" in json.dumps(theirs.run("list", *ana))
    print(json.dumps({"client": "mem0-cli", "calls": mine.calls + theirs.calls}))  # noqa: T201 - shown with -s


def test_every_tool_of_the_mcp_server(live: LiveServer) -> None:
    script = str(HERE / "scripts" / "mem0_mcp.py")
    report = live.run([str(python_environment("mem0-mcp-server")), script])
    assert len(report["methods"]) == 9
