"""A model server on the loopback and the real backend that talks to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memoryapp.llm.backends.openai import OpenAIBackend
from tests.llm.asking import KEY
from tests.scripted_endpoint import ScriptedEndpoint, running_endpoint


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with running_endpoint() as server:
        yield server


@pytest.fixture
def backend(endpoint: ScriptedEndpoint) -> Iterator[OpenAIBackend]:
    backend = OpenAIBackend(endpoint.base_url, KEY, timeout_s=5)
    yield backend
    backend.close()
