"""Turns that are answered piece by piece. Each runs on its own; clients read along, may leave, and may come back.

The events of a turn live in this process until some minutes after its end. Another process, or a later return, is
answered from the stored reply.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection

from memoryapp.chat.events import HEARTBEAT, EventId, EventName, encode_event
from memoryapp.chat.replies import TurnReply, reload_reply
from memoryapp.chat.turns import OpenTurn, break_off_turn, close_turn, usage_body
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ContextTooLong, ModelError, StreamBroken
from memoryapp.llm.types import ToolCall
from memoryapp.models import Message
from tenants.principals import Principal

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
# How long a turn goes on for a client that has gone, and how long its events can be read again after the end.
GRACE_SECONDS = 10.0
REPLAY_SECONDS = 300.0

Result = TypeVar("Result")


async def off_loop(work: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
    """Run database work on a thread of its own and give the connection back at once: no stream ever holds one idle."""

    def run() -> Result:
        try:
            return work(*arguments, **named)
        finally:
            connection.close()

    return await asyncio.to_thread(run)


class LiveTurn:
    """A turn being answered, and everything it has said so far."""

    def __init__(self, turn: OpenTurn) -> None:
        self.turn = turn
        self.id = str(turn.begun.reply.pk)
        self.owner = _owner(turn.principal)
        self.events: list[bytes] = []
        self.exchange = turn.exchange()
        self.is_over = False
        self._is_stored = False
        self._readers = 0
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._leave: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to answer, independently of who reads."""
        _live[self.id] = self
        reply, conversation = self.turn.begun.reply, self.turn.begun.conversation
        self.say(EventName.SESSION, {"conversationId": conversation.external_id, "messageId": str(reply.pk)})
        self.say(EventName.RECALL, {"items": [item.body for item in self.turn.recalled]})
        self._task = asyncio.create_task(self._answer())

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
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def _arrive(self) -> None:
        self._readers += 1
        if self._leave is not None:
            self._leave.cancel()

    def _depart(self) -> None:
        self._readers -= 1
        if not self._readers and not self.is_over and self._task is not None:
            self._leave = asyncio.get_running_loop().call_later(GRACE_SECONDS, self._give_up)

    def _give_up(self) -> None:
        """Stop the model's call, unless the whole answer is there and only being stored."""
        if self._task is not None and not self._is_stored:
            self._task.cancel()

    async def _answer(self) -> None:
        """Take the model's answer piece by piece and store it once, whole or marked as broken off."""
        try:
            model = await asyncio.to_thread(self.turn.find_model)
            while calls := await self._hear(model):
                for place, call in enumerate(calls):
                    await self._use(call, place)
            await self._finish()
        except ModelError as error:
            await self._break_off(error)
        except asyncio.CancelledError:
            # Everybody has left. What was said so far is kept; nothing may interrupt that a second time.
            gone = StreamBroken(started=bool(self.exchange.text), detail="The client went away.")
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
            if not self.exchange.shorten():
                raise
            await self._tell_answer(model)
        return self.exchange.wanted_calls()

    async def _tell_answer(self, model: LLMClient) -> None:
        async with aclosing(model.stream(self.exchange.request)) as deltas:
            async for delta in deltas:
                shown = self.exchange.take(delta)
                if shown:
                    self.say(EventName.DELTA, {"text": shown})

    async def _use(self, call: ToolCall, place: int) -> None:
        self.say(EventName.TOOL, {"name": call.name, "status": "running"})
        running = asyncio.ensure_future(off_loop(self.exchange.use, call, place))
        try:
            use = await asyncio.shield(running)
        except asyncio.CancelledError:
            # Everybody has left, but a tool ends what it has begun, so that the reply's row says what it did.
            await asyncio.wait([running])
            raise
        self.say(EventName.TOOL, {"name": call.name, "status": use.status})

    async def _finish(self) -> None:
        self.exchange.check_answer()
        self._is_stored = True
        reply = await off_loop(close_turn, self.turn, self.exchange)
        self.say(EventName.USAGE, usage_body(self.exchange.usage))
        self.say(EventName.DONE, reply.body)

    async def _break_off(self, error: ModelError) -> None:
        try:
            await off_loop(break_off_turn, self.turn, error, self.exchange)
        finally:
            self.say(EventName.ERROR, {"code": error.code, "detail": error.detail})

    def _end(self) -> None:
        self.is_over = True
        self._tell()
        asyncio.get_running_loop().call_later(REPLAY_SECONDS, _live.pop, self.id, None)


_live: dict[str, LiveTurn] = {}


def _owner(principal: Principal) -> tuple[str, str]:
    return str(principal.workspace.pk), principal.owner_key


def find_live_turn(principal: Principal, turn_id: str) -> LiveTurn | None:
    """The turn of that id when this process knows it and it is the principal's own."""
    live = _live.get(turn_id)
    return live if live is not None and live.owner == _owner(principal) else None


async def stream_turn(turn: OpenTurn) -> AsyncGenerator[bytes, None]:
    """Answer an opened turn and tell it event by event."""
    # The request that opened it holds a connection until the stream's end unless it is given back here.
    await sync_to_async(lambda: connection.close())()
    live = LiveTurn(turn)
    live.start()
    async with aclosing(live.read()) as events:
        async for event in events:
            yield event


Told = tuple[EventName, dict[str, Any]]


def events_of_reply(reply: TurnReply) -> list[Told]:
    """A finished turn as a stream would have told it, its text in one piece."""
    return [
        (EventName.SESSION, {"conversationId": reply.conversation, "messageId": str(reply.message_id)}),
        (EventName.RECALL, {"items": [item.body for item in reply.recalled]}),
        (EventName.DELTA, {"text": reply.text}),
        (EventName.USAGE, reply.usage),
        (EventName.DONE, reply.body),
    ]


def events_of_return(principal: Principal, reply: Message) -> list[Told]:
    """How a turn ended, for a client that returns late: only the end, since it may have seen some of the rest."""
    if reply.state == Message.State.COMPLETE:
        return [(EventName.DONE, reload_reply(principal, reply.conversation, reply).body)]
    if reply.state == Message.State.STREAMING:
        detail = "This message is being answered by another process. Ask again in a moment."
        return [(EventName.ERROR, {"code": "turn_in_progress", "detail": detail})]
    code = reply.detail.get("failure", StreamBroken.code)
    return [(EventName.ERROR, {"code": code, "detail": StreamBroken.sentence})]


async def tell(turn_id: str, events: Sequence[Told], *, after: int = 0) -> AsyncGenerator[bytes, None]:
    """Events that are all known already."""
    for number, (name, data) in enumerate(events, start=after + 1):
        yield encode_event(name, data, EventId(turn_id, number))
