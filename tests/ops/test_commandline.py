"""What every command accepts and needs, before Django is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memoryapp.commandline import needs_database, take_data_dir


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORYAPP_DATA_DIR", "/elsewhere")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--data-dir", "kept", "up", "-v2"],
        ["up", "--data-dir=kept", "-v2"],
        ["up", "-v2", "--data-dir", "kept"],
    ],
)
def test_the_data_folder_may_stand_anywhere(arguments: list[str]) -> None:
    assert take_data_dir(arguments) == ["up", "-v2"]
    assert os.environ["MEMORYAPP_DATA_DIR"] == str(Path.cwd() / "kept")


def test_without_the_option_the_environment_counts() -> None:
    assert take_data_dir(["up"]) == ["up"]
    assert os.environ["MEMORYAPP_DATA_DIR"] == "/elsewhere"


def test_the_option_needs_a_folder() -> None:
    with pytest.raises(SystemExit, match="needs a folder"):
        take_data_dir(["up", "--data-dir"])


@pytest.mark.parametrize(
    ("command", "arguments", "needed"),
    [
        ("migrate", ["migrate"], True),
        ("issue_token", ["issue_token", "--workspace", "demo"], True),
        ("migrate", ["migrate", "--help"], False),
        ("help", [], False),
        ("db", ["db", "stop"], False),
        ("check", ["check"], False),
        ("check", ["check", "--database", "default"], True),
    ],
)
def test_only_commands_that_need_the_database_start_it(
    command: str, arguments: list[str], needed: bool
) -> None:
    assert needs_database(command, arguments) is needed
