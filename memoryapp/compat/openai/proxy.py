"""A request for another model passes through: memory is added on its way, and what was said is kept afterwards.

The body goes as it is, with the caller's own tools and settings; one message is added before the last.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from memoryapp.actions.agents import load_agent
from memoryapp.actions.masking import masked
from memoryapp.actions.recalls import note_recalls
from memoryapp.chat.asking import ask_ahead
from memoryapp.chat.context import TurnContext, assemble_context
from memoryapp.chat.threads import off_loop
from memoryapp.chat.turns import turn_query
from memoryapp.compat.openai.listening import Listener
from memoryapp.compat.openai.requests import Asked
from memoryapp.compat.openai.talks import find_talk
from memoryapp.exceptions import ModelUnavailable, NotFound
from memoryapp.jobs import enqueue_extraction
from memoryapp.lifecycle.extraction import NewMessage, keep_messages
from memoryapp.llm.backends.answers import completion_of
from memoryapp.llm.client import ModelConfig
from memoryapp.llm.errors import ModelError
from memoryapp.model_settings import model_config, refuse_inside_scope
from memoryapp.models import Agent
from memoryapp.providers import standing_memory
from memoryapp.retrieval.search import Hit
from memoryapp.safety.public_addresses import async_transport_for, transport_for
from tenants.principals import Principal
from tenants.scoping import workspace_scope

logger = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 10.0
# Fields that are ours, or that would tell the model's provider who the person is.
OURS: Final = ("user", "metadata", "store")
UNREACHABLE: Final = "The language model could not be reached."


@dataclass
class Passage:
    """One request on its way through."""

    principal: Principal
    agent: Agent
    asked: Asked
    talk: str | None
    config: ModelConfig
    body: dict[str, Any]
    recalled: tuple[Hit, ...]
    said: str = ""

    @property
    def address(self) -> str:
        return f"{self.config.base_url.rstrip('/')}/chat/completions"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.config.api_key or 'none'}"}

    @property
    def timeout(self) -> httpx2.Timeout:
        return httpx2.Timeout(self.config.timeout_s, connect=min(CONNECT_SECONDS, self.config.timeout_s))

    def keep(self) -> None:
        """Keep what was said and answered, and have it read; an answer that is only a call of a tool keeps nothing."""
        if not self.said.strip():
            return
        messages = [
            NewMessage(role="user", text=self.asked.text),
            NewMessage(role="assistant", text=self.said),
        ]
        who: dict[str, Any] = {"principal": self.principal, "agent": self.agent}
        with workspace_scope(self.principal.workspace):
            talk = keep_messages(**who, messages=messages, conversation_id=self.talk)
            note_recalls(**who, conversation=talk, hits=list(self.recalled), query=self.asked.text)
            enqueue_extraction(talk)


def forward(
    principal: Principal, agent: Agent, asked: Asked, body: Mapping[str, Any], named: str | None
) -> HttpResponseBase:
    """Have another model answer, with this agent's memory of the person; NotFound where no models are configured."""
    config = model_config(principal.workspace)
    if config.chosen_backend != "openai" or not config.base_url:
        raise NotFound
    talk = find_talk(principal, agent, asked, named)
    seen = _memory_for(principal, agent, asked.text)
    sent = {name: value for name, value in body.items() if name not in OURS}
    messages = list(sent["messages"])
    if seen.memory:
        messages.insert(len(messages) - 1, {"role": "user", "content": seen.memory})
    passage = Passage(principal, agent, asked, talk, config, {**sent, "messages": messages}, seen.recalled)
    refuse_inside_scope()
    return _streamed(passage) if asked.stream else _whole(passage)


def _memory_for(principal: Principal, agent: Agent, text: str) -> TurnContext:
    """What a turn with these words would be told of memory; no model is asked how to search for it."""
    query, _ = masked(text, principal.workspace)
    with workspace_scope(principal.workspace):
        standing = load_agent(principal, agent.pk, **standing_memory(principal))
    asking = ask_ahead(query, principal.workspace, with_model=False)
    return assemble_context(turn_query(principal, standing, query, asking, None), ())


def _whole(passage: Passage) -> HttpResponseBase:
    try:
        transport = transport_for(public_only=passage.config.public_only)
        with httpx2.Client(timeout=passage.timeout, follow_redirects=False, transport=transport) as http:
            answer = http.post(passage.address, json=passage.body, headers=passage.headers)
    except httpx2.HTTPError as error:
        raise ModelUnavailable(UNREACHABLE) from error
    if answer.status_code == 200:
        passage.said = _said_by(answer.content)
        passage.keep()
    return HttpResponse(answer.content, status=answer.status_code, content_type="application/json")


def _said_by(content: bytes) -> str:
    try:
        return completion_of(content).text
    except ModelError:
        return ""


def _streamed(passage: Passage) -> StreamingHttpResponse:
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(_pieces(passage), content_type="text/event-stream", headers=headers)


async def _pieces(passage: Passage) -> AsyncGenerator[bytes, None]:
    """The other server's events as they come, read along; a caller that leaves ends the call, and nothing is kept."""
    transport = async_transport_for(public_only=passage.config.public_only)
    try:
        async with (
            httpx2.AsyncClient(timeout=passage.timeout, follow_redirects=False, transport=transport) as http,
            http.stream("POST", passage.address, json=passage.body, headers=passage.headers) as answer,
        ):
            if answer.status_code != 200:
                yield _event_of((await answer.aread()).decode("utf-8", "replace"))
                return
            async for piece in _read_along(passage, answer.aiter_bytes()):
                yield piece
    except httpx2.HTTPError:
        logger.warning("A streamed answer broke off on its way through.")
        yield _event_of(UNREACHABLE)


async def _read_along(passage: Passage, pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The bytes as they are; the answer is kept once it is whole, before a caller that has it all can go."""
    listener = Listener()
    is_kept = False
    async for piece in pieces:
        listener.hear(piece)
        if listener.has_all and not is_kept:
            is_kept, passage.said = True, listener.said
            await off_loop(passage.keep)
        yield piece
    listener.end()
    if listener.is_whole and not is_kept:
        passage.said = listener.said
        await off_loop(passage.keep)


def _event_of(told: str) -> bytes:
    error = {"error": {"message": told[:2_000], "type": "server_error", "code": "model_unavailable"}}
    return f"data: {json.dumps(error, ensure_ascii=False)}\n\n".encode()
