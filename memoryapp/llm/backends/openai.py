"""Any server that speaks OpenAI's chat completions, over the openai package.

The package's own retries are off: the client above decides, and knows when text has already been shown.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any

import httpx2
import openai
from openai._streaming import ServerSentEvent, SSEDecoder

from memoryapp.llm.backends.answers import completion_of
from memoryapp.llm.backends.chunks import ChunkReader
from memoryapp.llm.backends.dialects import Dialect
from memoryapp.llm.backends.failures import is_too_long, model_error, said_by
from memoryapp.llm.errors import ModelError, ModelUnavailable, StreamBroken
from memoryapp.llm.types import ChatRequest, Completion, Delta
from memoryapp.safety.public_addresses import async_transport_for, transport_for

# As they come: to make the package's models of them takes longer than all else that is done with a word of an answer.
Chunks = openai.AsyncStream[object]

DEFAULT_ADDRESS = "https://api.openai.com/v1"
NO_KEY = "none"  # local servers want no key, the package wants one
CONNECT_SECONDS = 10.0
REFUSALS = (openai.BadRequestError, openai.UnprocessableEntityError)
INTERRUPTIONS = (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, ValueError)

# By address and model: one server may have models with tools and models without.
_dialects: dict[tuple[str, str], Dialect] = {}


class EventDecoder(SSEDecoder):
    """Reads past what the package stumbles over: a byte order mark, and events that say nothing."""

    def decode(self, line: str) -> ServerSentEvent | None:
        event = super().decode(line.removeprefix("\ufeff"))
        return event if event is None or event.data.strip() else None


class StreamingClient(openai.AsyncOpenAI):
    """The package's client with our reading of events."""

    def _make_sse_decoder(self) -> EventDecoder:
        return EventDecoder()


class OpenAIBackend:
    """One address with one key."""

    name = "openai"

    def __init__(
        self, base_url: str = "", api_key: str = "", timeout_s: float = 60.0, public_only: bool = False
    ) -> None:
        self.base_url = base_url or DEFAULT_ADDRESS
        self._options: dict[str, Any] = {
            "api_key": api_key or NO_KEY,
            "base_url": self.base_url,
            "max_retries": 0,
        }
        self._timeout = httpx2.Timeout(timeout_s, connect=min(CONNECT_SECONDS, timeout_s))
        self._public_only = public_only
        transport = transport_for(public_only=public_only, verify=_tls())
        http = httpx2.Client(
            timeout=self._timeout, verify=_tls(), follow_redirects=False, transport=transport
        )
        self._client = openai.OpenAI(http_client=http, **self._options)

    def complete(self, request: ChatRequest) -> Completion:
        """The whole answer."""
        return completion_of(self._asked(request))

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        """The answer as it comes; leaving the loop closes the connection to the server at once."""
        asked = (self.base_url, request.model)
        reader = ChunkReader(begins_within=_dialects.get(asked, Dialect()).begins_within)
        async with self._opened(request) as chunks:
            if _is_whole(chunks):
                yield await _in_one_piece(chunks)
                return
            try:
                async for chunk in chunks:
                    for delta in reader.read(chunk):
                        yield delta
            except INTERRUPTIONS as failure:
                if not reader.finished:
                    raise _interruption(failure, reader) from None
        if not reader.finished:
            raise StreamBroken(started=reader.started)
        yield reader.last()
        # What is learnt here spares the next reader to be shown what turns out to be thinking.
        _dialects[asked] = replace(_dialects[asked], begins_within=reader.began_within)

    def close(self) -> None:
        """Close the connections that are kept open for the next call."""
        self._client.close()

    def _asked(self, request: ChatRequest) -> object:
        talk = Negotiation(self.base_url, request, streaming=False)
        while not talk.settled:
            with talk.turn():
                answer = self._client.post("/chat/completions", cast_to=object, body=talk.body)
        return answer

    @asynccontextmanager
    async def _opened(self, request: ChatRequest) -> AsyncGenerator[Chunks, None]:
        """The server's stream, closed with its connection on leaving.

        Its client lives only as long: connections belong to an event loop, and this object outlives loops.
        """
        transport = async_transport_for(public_only=self._public_only, verify=_tls())
        http = httpx2.AsyncClient(
            timeout=self._timeout, verify=_tls(), follow_redirects=False, transport=transport
        )
        async with StreamingClient(http_client=http, **self._options) as client:
            talk = Negotiation(self.base_url, request, streaming=True)
            while not talk.settled:
                with talk.turn():
                    chunks = await client.post(
                        "/chat/completions", cast_to=object, body=talk.body, stream=True, stream_cls=Chunks
                    )
            async with chunks:
                yield chunks


class Negotiation:
    """One request, said again in plainer words as long as the server refuses how it was put."""

    def __init__(self, address: str, request: ChatRequest, *, streaming: bool) -> None:
        self.settled = False
        self._asked = (address, request.model)
        self._request = request
        self._streaming = streaming
        self._dialect = _dialects.get(self._asked, Dialect())

    @property
    def body(self) -> dict[str, Any]:
        return self._dialect.body(self._request, streaming=self._streaming)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One attempt: success settles and is remembered, a refusal changes the words, anything else is our error."""
        try:
            yield
        except REFUSALS as refusal:
            simpler = self._dialect.after_refusal(said_by(refusal), self._request, streaming=self._streaming)
            if simpler is None or is_too_long(refusal):
                raise model_error(refusal) from None
            self._dialect = simpler
        except openai.OpenAIError as failure:
            raise model_error(failure) from None
        except ValueError:
            raise ModelUnavailable("The language model's server did not answer with JSON.") from None
        else:
            _dialects[self._asked] = self._dialect
            self.settled = True


@lru_cache(maxsize=64)
def shared_backend(base_url: str, api_key: str, timeout_s: float, public_only: bool = False) -> OpenAIBackend:
    """The backend for an address and key, with its open connections."""
    return OpenAIBackend(base_url, api_key, timeout_s, public_only)


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Loading the certificates takes longer than a whole request, so it is done once."""
    return httpx2.create_ssl_context()


def _is_whole(chunks: Chunks) -> bool:
    """Whether a server that was asked for a stream answers at once, as some do and as others tell of an error."""
    return "json" in chunks.response.headers.get("content-type", "")


async def _in_one_piece(chunks: Chunks) -> Delta:
    try:
        answer = completion_of(await chunks.response.aread())
    except httpx2.HTTPError:
        raise ModelUnavailable from None
    return Delta(answer.text, answer.reasoning, answer.tool_calls, answer.usage, answer.finish_reason)


def _interruption(failure: Exception, reader: ChunkReader) -> ModelError:
    """A failure in the middle of a stream; before the first word it is an ordinary failure."""
    if isinstance(failure, openai.OpenAIError) and not reader.started:
        return model_error(failure)
    return StreamBroken(started=reader.started)
