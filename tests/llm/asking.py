"""What the tests of the openai backend ask, and how they read what comes."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from memoryapp.llm.backends.openai import OpenAIBackend
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ModelError
from memoryapp.llm.retries import RetryPolicy
from memoryapp.llm.types import ChatMessage, ChatRequest, Delta

KEY = "made-up-key"
PROMPT = "the person's own words"
REQUEST = ChatRequest((ChatMessage("system", "be kind"), ChatMessage("user", PROMPT)), model="m")


def client_over(backend: OpenAIBackend, retries: int = 2) -> LLMClient:
    """A client that does not wait between its tries."""
    return LLMClient(backend, retries=RetryPolicy(max_retries=retries, first_wait=0.0))


async def collect(deltas: AsyncGenerator[Delta, None]) -> list[Delta]:
    return [delta async for delta in deltas]


async def told_before_failure(deltas: AsyncGenerator[Delta, None]) -> tuple[str, ModelError | None]:
    """All that was told, and the failure that ended it, if one did."""
    told = ""
    try:
        async for delta in deltas:
            told += delta.text
    except ModelError as broken:
        return told, broken
    return told, None
