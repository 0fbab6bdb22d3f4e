"""One way to ask a model, over whichever backend is configured: answers, streams, structured replies, retries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from memoryapp.llm.errors import MalformedReply, ModelError, ModelMisconfigured, StreamBroken, TruncatedReply
from memoryapp.llm.retries import RetryPolicy
from memoryapp.llm.structured import parse_object, reply_schema, salvage, validate
from memoryapp.llm.types import Backend, ChatMessage, ChatRequest, Completion, Delta
from memoryapp.prompts import render_prompt

Model = TypeVar("Model", bound=BaseModel)
Read = TypeVar("Read")
Hook = Callable[[], None]


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Where the model is and how to talk to it; "auto" is offline unless an address or a key is given."""

    backend: Literal["auto", "openai", "offline", "scripted"] = "auto"
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""
    timeout_s: float = 60.0
    max_retries: int = 2
    # Only addresses of the open internet are called, whatever its name stands for by then.
    public_only: bool = False

    @property
    def chosen_backend(self) -> str:
        if self.backend != "auto":
            return self.backend
        return "openai" if self.base_url or self.api_key else "offline"


@dataclass(frozen=True, slots=True)
class StructuredReply(Generic[Model]):
    """A reply as the object that was asked for; `refused` says which parts of it were left out and why."""

    value: Model
    completion: Completion
    refused: tuple[str, ...] = ()
    repaired: bool = False


class LLMClient:
    """Asks one model. Every failure is a ModelError; `before_call` runs before each call and may veto it by raising."""

    def __init__(
        self,
        backend: Backend,
        *,
        model: str = "",
        retries: RetryPolicy | None = None,
        before_call: Hook | None = None,
    ) -> None:
        self.backend = backend
        self.model = model
        self._retries = retries or RetryPolicy()
        self._before_call = before_call

    @property
    def is_offline(self) -> bool:
        return self.backend.name == "offline"

    def complete(self, request: ChatRequest) -> Completion:
        """The whole answer, tried again after failures that may pass."""
        request = self._addressed(request)
        retries = 0
        while True:
            self._announce()
            try:
                return self.backend.complete(request)
            except ModelError as failure:
                wait = self._retries.wait_before_retry(failure, retries)
                if wait is None:
                    raise
                retries += 1
                time.sleep(wait)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        """The answer piece by piece; after the first piece nothing is tried again, so no text is ever told twice."""
        request = self._addressed(request)
        retries, started = 0, False
        while True:
            self._announce()
            try:
                async with aclosing(self.backend.stream(request)) as deltas:
                    async for delta in deltas:
                        started = True
                        yield delta
                return
            except ModelError as failure:
                if started:
                    raise _broken(failure) from None
                wait = self._retries.wait_before_retry(failure, retries)
                if wait is None:
                    raise
                retries += 1
                await asyncio.sleep(wait)

    def complete_json(self, request: ChatRequest, model_class: type[Model]) -> StructuredReply[Model]:
        """The reply as an object of the class, after one repair round at most.

        A reply that is cut off or holds no such object raises BadReply; after the repair, optional parts that are
        still wrong are left out, each with its reason.
        """
        request = replace(request, schema=reply_schema(model_class))
        completion = self.complete(request)
        try:
            return StructuredReply(_read(completion, model_class, validate), completion)
        except MalformedReply as problem:
            repair = _repair_request(request, completion, problem.detail)
        completion = self.complete(repair)
        value, refused = _read(completion, model_class, salvage)
        return StructuredReply(value, completion, refused, repaired=True)

    def _addressed(self, request: ChatRequest) -> ChatRequest:
        return request if request.model or not self.model else replace(request, model=self.model)

    def _announce(self) -> None:
        if self._before_call:
            self._before_call()


def build_client(config: ModelConfig, *, before_call: Hook | None = None) -> LLMClient:
    """The client for a configuration; the same configuration shares one backend and its connections."""
    retries = RetryPolicy(max_retries=config.max_retries)
    return LLMClient(_backend_for(config), model=config.model, retries=retries, before_call=before_call)


def _backend_for(config: ModelConfig) -> Backend:
    """Imported only when chosen: a deployment pays for no backend that it does not use."""
    match config.chosen_backend:
        case "offline":
            from memoryapp.llm.backends.offline.backend import OfflineBackend

            return OfflineBackend()
        case "scripted":
            from memoryapp.llm.backends.scripted import shared_script

            return shared_script
        case _:
            from memoryapp.llm.backends.openai import shared_backend

            if not config.model:
                raise ModelMisconfigured("No model name is set.")
            return shared_backend(config.base_url, config.api_key, config.timeout_s, config.public_only)


def _read(
    completion: Completion, model_class: type[Model], reading: Callable[[type[Model], dict[str, Any]], Read]
) -> Read:
    """The completion's object read as the class; a completion that was cut off is never read."""
    if completion.finish_reason == "length":
        raise TruncatedReply(raw=completion.text)
    if completion.finish_reason == "content_filter":
        raise MalformedReply("The language model's provider filtered the answer.", raw=completion.text)
    try:
        return reading(model_class, parse_object(completion.text, expected=model_class.model_fields))
    except MalformedReply as problem:
        raise MalformedReply(problem.detail, raw=completion.text) from None


def _repair_request(request: ChatRequest, completion: Completion, problem: str) -> ChatRequest:
    told = (
        ChatMessage("assistant", completion.text or "(nothing)"),
        ChatMessage("user", render_prompt("repair", problem=problem)),
    )
    return replace(request, messages=(*request.messages, *told))


def _broken(failure: ModelError) -> ModelError:
    return failure if isinstance(failure, StreamBroken) else StreamBroken(started=True)
