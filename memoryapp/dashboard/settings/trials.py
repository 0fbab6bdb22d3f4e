"""Trying the settings: one short call to the model or the embedder, and how it went."""

from __future__ import annotations

import time
from typing import NamedTuple

from memoryapp.llm.errors import ModelError
from memoryapp.llm.types import ChatMessage, ChatRequest
from memoryapp.model_settings import trial_client
from memoryapp.retrieval.vectors import EmbedderUnavailable, get_embedder
from tenants.models import Workspace

ASKED = ChatRequest(messages=(ChatMessage("user", "Answer with the single word: ready"),), max_tokens=64)


class Trial(NamedTuple):
    """How one try went: what answered in how many milliseconds, or why nothing did."""

    works: bool
    detail: str
    ms: int


def try_model(workspace: Workspace, *, base_url: str, model: str, api_key: str) -> Trial:
    """Ask a model for a word; nothing is saved, and nothing of anybody's memory is sent."""
    started = time.monotonic()
    try:
        client = trial_client(workspace, base_url=base_url, model=model, api_key=api_key)
        answer = client.complete(ASKED)
    except ModelError as error:
        return Trial(False, error.detail, _since(started))
    return Trial(True, answer.model or model or client.backend.name, _since(started))


def try_embedder() -> Trial:
    """Embed one sentence by the installation's embedder, a new one each time, so that no cache answers."""
    started = time.monotonic()
    try:
        embedder = get_embedder()
        vector = embedder.embed_query(f"The harbour opened {time.time_ns()} times.")
    except EmbedderUnavailable as error:
        return Trial(False, str(error), _since(started))
    return Trial(True, f"{embedder.name}, {len(vector)}", _since(started))


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
