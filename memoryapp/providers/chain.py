"""Asking all memory sources of a turn: each separately, within a time limit, and none at the turn's expense."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection

from memoryapp.providers.base import Provider, Snippet, TurnQuery
from memoryapp.providers.breaker import Breaker, breaker_of

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")
_waiting = ThreadPoolExecutor(max_workers=32, thread_name_prefix="provider")


@dataclass(frozen=True, slots=True)
class Offered:
    """What the sources offered, in their order, and which of them did not answer."""

    snippets: tuple[Snippet, ...]
    silent: tuple[str, ...] = ()


def ask_all(
    providers: Sequence[Provider],
    ask: Callable[[Provider], Sequence[Snippet]],
    hook: str,
    until: float | None = None,
) -> Offered:
    """What every source says at a hook. Those that wait on a network are asked at the same time, each for at most
    MEMORY_PROVIDER_TIMEOUT_MS and none beyond the moment `until`; what raises or is late says nothing.
    """
    asked = [provider for provider in providers if not provider.waits or provider.hears(hook)]
    until = _sooner(until, _in_milliseconds(settings.MEMORY_PROVIDER_TIMEOUT_MS))
    running = {
        provider.name: _waiting.submit(_timed, provider, ask)
        for provider in asked
        if provider.waits and breaker_of(provider.name, hook).admits()
    }
    answers: dict[str, Sequence[Snippet] | None] = {}
    for provider in asked:
        if not provider.waits:
            answers[provider.name] = guarded(provider, hook, partial(_asked, provider, ask))
    for name, future in running.items():
        answers[name] = _awaited(breaker_of(name, hook), name, future, until)
    silent = [provider.name for provider in asked if answers.get(provider.name) is None]
    told = [snippet for provider in asked for snippet in answers.get(provider.name) or ()]
    return Offered(tuple(told), tuple(silent))


def end_of_asking() -> float | None:
    """The moment at which a turn that begins now goes on without those that have not answered; None for never."""
    return _in_milliseconds(settings.MEMORY_PROVIDERS_TIMEOUT_MS)


def _in_milliseconds(limit: int) -> float | None:
    return time.monotonic() + limit / 1000 if limit else None


def _sooner(*moments: float | None) -> float | None:
    return min((moment for moment in moments if moment is not None), default=None)


def _asked(provider: Provider, ask: Callable[[Provider], Sequence[Snippet]]) -> list[Snippet]:
    """The source's answer; raises TypeError when it is none, since it is the source's failure and not the turn's."""
    answer: list[Any] = list(ask(provider))
    if not all(isinstance(each, Snippet) and isinstance(each.text, str) for each in answer):
        raise TypeError("A memory source answers with snippets.")
    return answer


def _timed(
    provider: Provider, ask: Callable[[Provider], Sequence[Snippet]]
) -> tuple[float, Sequence[Snippet]]:
    began = time.monotonic()
    try:
        answer = _asked(provider, ask)
        return time.monotonic() - began, answer
    finally:
        # On a thread of its own a source that looked into our database would keep a connection for ever.
        connection.close()


def _awaited(
    breaker: Breaker, name: str, future: Future[tuple[float, Sequence[Snippet]]], until: float | None
) -> Sequence[Snippet] | None:
    patience = None if until is None else max(until - time.monotonic(), 0.0)
    try:
        seconds, answer = future.result(patience)
    except FutureTimeout:
        if not future.cancel():
            breaker.hangs(1)
            future.add_done_callback(lambda _: breaker.hangs(-1))
        limit = settings.MEMORY_PROVIDER_TIMEOUT_MS or settings.MEMORY_PROVIDERS_TIMEOUT_MS
        breaker.failed(f"no answer within {limit} ms")
        logger.warning("The memory source %s did not answer in time.", name)
        return None
    except Exception as error:  # noqa: BLE001  # the edge towards other people's code: it must not end the turn
        _note(breaker, name, error)
        return None
    breaker.succeeded(seconds)
    return answer


def guarded(provider: Provider, hook: str, call: Callable[[], Answer]) -> Answer | None:
    """The call's answer; None when it raises, which is noted, or when the source is left alone for now."""
    breaker = breaker_of(provider.name, hook)
    if provider.waits and not breaker.admits():
        return None
    began = time.monotonic()
    try:
        answer = call()
    except Exception as error:  # noqa: BLE001  # the same edge
        _note(breaker, provider.name, error)
        return None
    breaker.succeeded(time.monotonic() - began)
    return answer


def _note(breaker: Breaker, name: str, error: Exception) -> None:
    # The kind of error only: its words may hold an address with a key, or somebody's memory.
    breaker.failed(type(error).__name__)
    logger.warning("The memory source %s failed: %s", name, type(error).__name__)


def prefetched(providers: Sequence[Provider], turn: TurnQuery, until: float | None = None) -> Offered:
    """What all sources know for a turn."""
    return ask_all(providers, lambda provider: provider.prefetch(turn), "prefetch", until)


def shared_blocks(providers: Sequence[Provider], turn: TurnQuery, until: float | None = None) -> Offered:
    """What all sources have for the system prompt."""
    return ask_all(
        providers, lambda provider: provider.system_prompt_block(turn), "system_prompt_block", until
    )
