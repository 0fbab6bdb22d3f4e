"""Turns that are answered piece by piece. Each runs on its own; clients read along, may leave, and may come back.

The events of a turn live in this process until some minutes after its end. Another process, or a later return, is
answered from the stored reply (`chat/returning.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from time import monotonic
from typing import Any
from uuid import UUID

from memoryapp.chat.events import HEARTBEAT, HEARTBEAT_SECONDS, EventId, EventName, encode_event
from memoryapp.chat.returning import is_waited_for, mark_alive
from memoryapp.chat.threads import give_back_connection, off_loop
from memoryapp.chat.turns import OpenTurn, break_off_turn, close_turn, usage_body
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ContextTooLong, ModelError, StreamBroken
from memoryapp.llm.types import ToolCall
from memoryapp.wording import say
from tenants.principals import Principal

logger = logging.getLogger(__name__)

# A reply that has not been marked for some minutes counts as given up.
MARKED_EVERY_SECONDS = 30.0
# How long a turn goes on for a client that has gone, and how long its events can be read again after the end.
GRACE_SECONDS = 10.0
REPLAY_SECONDS = 300.0


class LiveTurn:
    """Everything that a turn being answered has said so far, and who reads along."""

    def __init__(self, turn: OpenTurn) -> None:
        self.id = str(turn.begun.reply.pk)
        self.owner = _owner(turn.principal)
        self.events: list[bytes] = []
        self.is_over = False
        self._readers = 0
        self._news = asyncio.Event()
        self._answering: Answering | None = None
        self._leaving: asyncio.Task[None] | None = None

    def start(self, turn: OpenTurn) -> None:
        """Begin to answer, independently of who reads."""
        _live[self.id] = self
        self.say(
            EventName.SESSION,
            {"conversationId": turn.begun.conversation.external_id, "messageId": self.id},
        )
        self.say(EventName.RECALL, {"items": [item.body for item in turn.recalled]})
        self._answering = Answering(self, turn)

    def say(self, name: EventName, data: dict[str, Any]) -> None:
        """Add an event and tell whoever reads."""
        self.events.append(encode_event(name, data, EventId(self.id, len(self.events) + 1)))
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def read(self, after: int = 0) -> AsyncGenerator[bytes, None]:
        """The events behind a number, as they come, with a heartbeat while there are none."""
        self._arrive()
        try:
            while True:
                while after < len(self.events):
                    after += 1
                    yield self.events[after - 1]
                if self.is_over:
                    return
                if not await self._hear_within(HEARTBEAT_SECONDS):
                    yield HEARTBEAT
        finally:
            self._depart()

    async def _hear_within(self, seconds: float) -> bool:
        # wait_for would make a task for every piece of every answer.
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        return True

    def _arrive(self) -> None:
        self._readers += 1
        if self._leaving is not None:
            self._leaving.cancel()

    def _depart(self) -> None:
        self._readers -= 1
        if not self._readers and not self.is_over:
            self._leaving = asyncio.create_task(self._give_up())

    async def _give_up(self) -> None:
        """Stop answering when nobody comes back in time, neither here nor to another process."""
        workspace_id, _ = self.owner
        waited_for = True
        while waited_for:
            await asyncio.sleep(GRACE_SECONDS)
            waited_for = await off_loop(is_waited_for, UUID(workspace_id), UUID(self.id), GRACE_SECONDS)
        if self._answering is not None:
            self._answering.stop()

    def end(self) -> None:
        """Say that this was all. Only the events are kept for a while, not what they were made from."""
        self.is_over = True
        self._answering = None
        if self._leaving is not None:
            self._leaving.cancel()
        self._tell()
        asyncio.get_running_loop().call_later(REPLAY_SECONDS, _live.pop, self.id, None)


class Answering:
    """The work on a turn's answer, with all that the model is told; it is let go when the answer is there."""

    def __init__(self, live: LiveTurn, turn: OpenTurn) -> None:
        self._say = live.say
        self._end = live.end
        self._turn = turn
        self._exchange = turn.exchange()
        self._is_stored = False
        self._marked_at = monotonic()
        self._task = asyncio.create_task(self._answer())

    def stop(self) -> None:
        """Stop the model's call, unless the whole answer is there and only being stored."""
        if not self._is_stored:
            self._task.cancel()

    async def _answer(self) -> None:
        """Take the model's answer piece by piece and store it once, whole or marked as broken off."""
        try:
            model = await asyncio.to_thread(self._turn.find_model)
            while calls := await self._hear(model):
                for place, call in enumerate(calls):
                    await self._use(call, place)
            await self._finish()
        except ModelError as error:
            await self._break_off(error)
        except asyncio.CancelledError:
            # Everybody has left. What was said so far is kept; nothing may interrupt that a second time.
            gone = StreamBroken(started=bool(self._exchange.text), detail="The client went away.")
            await asyncio.shield(self._break_off(gone))
        except Exception:
            # The edge of a task that nobody awaits: a defect must end the stream, and be seen.
            logger.exception("A streamed turn failed.")
            await self._break_off(ModelError("Something went wrong on our side."))
        finally:
            self._end()

    async def _hear(self, model: LLMClient) -> tuple[ToolCall, ...]:
        """Tell one answer of the model on as it comes; gives the tools it waits for, none when it has finished."""
        try:
            await self._tell_answer(model)
        except ContextTooLong:
            # It is said before the first word, so nothing is told twice.
            if not self._exchange.shorten():
                raise
            await self._tell_answer(model)
        return self._exchange.wanted_calls()

    async def _tell_answer(self, model: LLMClient) -> None:
        async with aclosing(model.stream(self._exchange.request)) as deltas:
            async for delta in deltas:
                shown = self._exchange.take(delta)
                if shown:
                    self._say(EventName.DELTA, {"text": shown})
                await self._mark_alive()

    async def _mark_alive(self) -> None:
        """Now and then, so that a retry, maybe of another process, does not begin the turn again."""
        if monotonic() - self._marked_at > MARKED_EVERY_SECONDS:
            self._marked_at = monotonic()
            await off_loop(mark_alive, self._turn.principal, self._turn.begun.reply.pk)

    async def _use(self, call: ToolCall, place: int) -> None:
        self._say(EventName.TOOL, {"name": call.name, "status": "running"})
        running = asyncio.ensure_future(off_loop(self._exchange.use, call, place))
        try:
            use = await asyncio.shield(running)
        except asyncio.CancelledError:
            # Everybody has left, but a tool ends what it has begun, so that the reply's row says what it did.
            await asyncio.wait([running])
            raise
        self._say(EventName.TOOL, {"name": call.name, "status": use.status})

    async def _finish(self) -> None:
        self._exchange.check_answer()
        self._is_stored = True
        reply = await off_loop(close_turn, self._turn, self._exchange)
        self._say(EventName.USAGE, usage_body(self._exchange.usage))
        self._say(EventName.DONE, reply.body)

    async def _break_off(self, error: ModelError) -> None:
        try:
            await off_loop(break_off_turn, self._turn, error, self._exchange)
        finally:
            self._say(EventName.ERROR, {"code": error.code, "detail": say(error.detail)})


_live: dict[str, LiveTurn] = {}


def _owner(principal: Principal) -> tuple[str, str]:
    return str(principal.workspace.pk), principal.owner_key


def find_live_turn(principal: Principal, turn_id: str) -> LiveTurn | None:
    """The turn of that id when this process knows it and it is the principal's own."""
    live = _live.get(turn_id)
    return live if live is not None and live.owner == _owner(principal) else None


async def stream_turn(turn: OpenTurn) -> AsyncGenerator[bytes, None]:
    """Answer an opened turn and tell it event by event."""
    await give_back_connection()
    live = LiveTurn(turn)
    live.start(turn)
    # It is large, and this lives as long as its slowest reader.
    del turn
    async with aclosing(live.read()) as events:
        async for event in events:
            yield event
