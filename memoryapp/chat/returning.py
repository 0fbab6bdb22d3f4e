"""Turns that are told from what is stored: those that are over, and those that another process is answering.

That process has the events and the model's call. Whoever comes back to it elsewhere waits here for its end, and marks
the reply meanwhile, so that the call goes on as it would for a client that came back there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

from django.utils import timezone

from memoryapp.actions.turns import longest_call
from memoryapp.chat.events import HEARTBEAT, HEARTBEAT_SECONDS, EventId, EventName, encode_event
from memoryapp.chat.replies import TurnReply, reload_reply
from memoryapp.chat.threads import give_back_connection, off_loop
from memoryapp.llm.errors import StreamBroken
from memoryapp.models import Message
from tenants.principals import Principal
from tenants.scoping import workspace_scope

LOOK_SECONDS = 1.0

Told: TypeAlias = tuple[EventName, dict[str, Any]]


def events_of_reply(reply: TurnReply) -> list[Told]:
    """A finished turn as a stream would have told it, its text in one piece."""
    return [
        (EventName.SESSION, {"conversationId": reply.conversation, "messageId": str(reply.message_id)}),
        (EventName.RECALL, {"items": [item.body for item in reply.recalled]}),
        (EventName.DELTA, {"text": reply.text}),
        (EventName.USAGE, reply.usage),
        (EventName.DONE, reply.body),
    ]


async def tell(turn_id: str, events: Sequence[Told], *, after: int = 0) -> AsyncGenerator[bytes, None]:
    """Events that are all known already."""
    for number, (name, data) in enumerate(events, start=after + 1):
        yield encode_event(name, data, EventId(turn_id, number))


async def tell_end(principal: Principal, reply: Message, *, after: int = 0) -> AsyncGenerator[bytes, None]:
    """How a turn ends, for a client that this process cannot tell the rest: only the end, once it is stored."""
    await give_back_connection()
    beaten = time.monotonic()
    while is_being_answered(reply):
        if time.monotonic() - beaten >= HEARTBEAT_SECONDS:
            beaten = time.monotonic()
            yield HEARTBEAT
        await asyncio.sleep(LOOK_SECONDS)
        reply = await off_loop(_wait_for, principal, reply.pk)
    event = await off_loop(_ending, principal, reply)
    async for line in tell(str(reply.pk), [event], after=after):
        yield line


def is_being_answered(reply: Message) -> bool:
    """Whether some process may still be at it: after this long it must have died."""
    return reply.state == Message.State.STREAMING and timezone.now() - reply.created_at < longest_call()


def is_waited_for(workspace_id: UUID, reply_id: UUID, seconds: float) -> bool:
    """Whether somebody has waited for a reply in another process within the last seconds."""
    since = timezone.now() - timedelta(seconds=seconds)
    with workspace_scope(workspace_id):
        return Message.objects.filter(workspace_id=workspace_id, pk=reply_id, updated_at__gt=since).exists()


def mark_alive(principal: Principal, reply_id: UUID) -> None:
    """Note that a reply is being worked on, or waited for, so that nobody begins it again or gives it up."""
    with workspace_scope(principal.workspace):
        mine = Message.objects.owned_by(principal).filter(pk=reply_id)
        mine.filter(state=Message.State.STREAMING).update(updated_at=timezone.now())


def _wait_for(principal: Principal, reply_id: UUID) -> Message:
    """The reply as it stands now, marked as waited for while it is not there."""
    with workspace_scope(principal.workspace):
        mark_alive(principal, reply_id)
        mine = Message.objects.owned_by(principal).filter(pk=reply_id)
        found: Message = mine.select_related("conversation").get()
        return found


def _ending(principal: Principal, reply: Message) -> Told:
    if reply.state == Message.State.COMPLETE:
        with workspace_scope(principal.workspace):
            return EventName.DONE, reload_reply(principal, reply.conversation, reply).body
    if reply.state == Message.State.STREAMING:
        detail = "This message is being answered by another process. Ask again in a moment."
        return EventName.ERROR, {"code": "turn_in_progress", "detail": detail}
    code = reply.detail.get("failure", StreamBroken.code)
    return EventName.ERROR, {"code": code, "detail": StreamBroken.sentence}
