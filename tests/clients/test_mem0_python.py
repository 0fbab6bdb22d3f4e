"""mem0's own Python client, unmodified, over every method it has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.conftest import LiveServer
from tests.clients.environments import HERE, python_environment

pytestmark = pytest.mark.long

SCRIPT = str(HERE / "scripts" / "mem0_python.py")


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("lock", ["mem0ai-2", "mem0ai-1"])
def test_every_method(live: LiveServer, lock: str, is_async: bool) -> None:
    report = live.run([str(python_environment(lock)), SCRIPT], is_async=is_async)
    assert report["calls"] > 40


@pytest.mark.parametrize("lock", ["mem0ai-2", "mem0ai-1"])
def test_too_many_calls_are_told_when_to_come_back(live: LiveServer, settings: Any, lock: str) -> None:
    settings.API_CALLS_PER_MINUTE = 3
    script = str(HERE / "scripts" / "mem0_limited.py")
    report = live.run([str(python_environment(lock)), script])
    assert 0 < report["retry_after"] <= 60
    assert report["limit"] == "3"
