"""The offline backend: every task by rules, from the request's typed context; deterministic, without a network."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator

import regex
from pydantic import BaseModel

from memoryapp.llm.backends.offline.compress import summarise
from memoryapp.llm.backends.offline.extract import extract
from memoryapp.llm.backends.offline.night import NIGHT_TASKS
from memoryapp.llm.backends.offline.reply import reply
from memoryapp.llm.chat_input import ChatInput
from memoryapp.llm.compressing import CompressInput
from memoryapp.llm.errors import ModelMisconfigured
from memoryapp.llm.tasks import ExtractionInput
from memoryapp.llm.types import ChatRequest, Completion, Delta

MODEL = "offline"
PIECE = regex.compile(r"\s*\S+\s*?|\s+")


class OfflineBackend:
    """Answers by rules; the same request always gets the same answer."""

    name = MODEL

    def complete(self, request: ChatRequest) -> Completion:
        """The whole answer; raises ModelMisconfigured for a task that has no rules."""
        answer = _answer(request)
        text = answer.model_dump_json() if isinstance(answer, BaseModel) else answer
        return Completion(text=text, model=MODEL)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        """The answer word by word, as a model would send it."""
        for piece in _pieces(self.complete(request).text):
            yield Delta(text=piece)
        yield Delta(finish_reason="stop")


def _answer(request: ChatRequest) -> BaseModel | str:
    if isinstance(request.context, ChatInput):
        return reply(request.context)
    if isinstance(request.context, ExtractionInput):
        return extract(request.context)
    if isinstance(request.context, CompressInput):
        return summarise(request.context)
    task = NIGHT_TASKS.get(request.task)
    if task is None:
        raise ModelMisconfigured(f"The offline mode has no rules for the task “{request.task}”.")
    return task(request.context)


def _pieces(text: str) -> Iterator[str]:
    return (match.group() for match in PIECE.finditer(text))
