"""The two ends of a turn in the database: what was said is stored with a place for the reply, which is filled in later.

A retry under the same idempotency key finds its turn instead of making another, whoever of the two comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone

from memoryapp.actions.conversations import TITLE_LENGTH, checked_external_id, meet_owner
from memoryapp.actions.masking import masked
from memoryapp.exceptions import Conflict, ValidationFailed
from memoryapp.models import Agent, Conversation, Message
from tenants.ids import new_id
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,128}")
# Names the conversation of a first message that came with a key and without a conversation, so that its retry finds it.
KEYED_CONVERSATIONS = UUID("6f3c1a52-8f0e-5d0b-9a57-4c3f2f6f1c11")


@dataclass(frozen=True, slots=True)
class BegunTurn:
    """What a turn stands on: the conversation, what was said in it (masked), and the reply's row, to be filled."""

    conversation: Conversation
    said: Message
    reply: Message

    @property
    def is_answered(self) -> bool:
        """Whether this is a repetition of a turn that has its reply already."""
        return self.reply.state == Message.State.COMPLETE


def begin_turn(
    *,
    principal: Principal,
    agent: Agent,
    text: str,
    external_id: str | None = None,
    channel: str = "api",
    idempotency_key: str = "",
) -> BegunTurn:
    """Store what somebody said, masked, and make room for the reply; with a known key, find the turn again.

    Raises ValidationFailed for an unusable id or key, Conflict while the first request of a key is being answered, or
    when the key comes with another text. A turn that failed or broke off is opened again.
    """
    _check_key(idempotency_key)
    stored, _ = masked(text, principal.workspace)
    with workspace_scope(principal.workspace):
        conversation, is_new = _join_conversation(
            principal, agent, external_id, channel, stored, idempotency_key
        )
        if idempotency_key and not is_new:
            known = _find_turn(conversation, idempotency_key)
            if known is not None:
                return _return_to(known, stored)
        return _store(principal, conversation, stored, idempotency_key)


def _check_key(key: str) -> None:
    if key and not IDEMPOTENCY_KEY.fullmatch(key):
        raise ValidationFailed.of("Idempotency-Key", "1 to 128 visible ASCII characters.")


def _join_conversation(
    principal: Principal, agent: Agent, external_id: str | None, channel: str, text: str, idempotency_key: str
) -> tuple[Conversation, bool]:
    """The conversation, with room for two more messages, and whether this turn is its first. Its row is locked."""
    if external_id is not None:
        identifier = checked_external_id(external_id)
    else:
        identifier = str(uuid5(KEYED_CONVERSATIONS, idempotency_key) if idempotency_key else new_id())
    conversation = Conversation(
        workspace=principal.workspace,
        agent=agent,
        owner_key=principal.owner_key,
        scope=Scope.PERSONAL,
        external_id=identifier,
        channel=channel,
        title=_title(text),
        message_count=2,
        last_message_at=timezone.now(),
    )
    may_exist = external_id is not None or bool(idempotency_key)
    if may_exist and _count_up(conversation):
        return conversation, False
    try:
        with transaction.atomic():
            conversation.save(force_insert=True)
    except IntegrityError:
        # Somebody else's first message of the same conversation was quicker: join it.
        if not _count_up(conversation):
            raise
        return conversation, False
    meet_owner(principal)
    return conversation, True


def _title(text: str) -> str:
    return text.strip().splitlines()[0][:TITLE_LENGTH] if text.strip() else ""


COUNT_UP = """
    UPDATE memoryapp_conversation
    SET message_count = message_count + 2, last_message_at = %s, title = CASE WHEN title = '' THEN %s ELSE title END
    WHERE workspace_id = %s AND agent_id = %s AND owner_key = %s AND external_id = %s
    RETURNING id, message_count, title, channel
"""


def _count_up(conversation: Conversation) -> bool:
    """Find, lock and count up the stored conversation in one statement, so that concurrent turns take turns."""
    values = [
        conversation.last_message_at,
        conversation.title,
        conversation.workspace_id,
        conversation.agent_id,
        conversation.owner_key,
        conversation.external_id,
    ]
    with connection.cursor() as cursor:
        cursor.execute(COUNT_UP, values)
        row = cursor.fetchone()
    if row is None:
        return False
    conversation.pk, conversation.message_count, conversation.title, conversation.channel = row
    conversation._state.adding = False
    return True


def _find_turn(conversation: Conversation, key: str) -> BegunTurn | None:
    """The turn of that key, exactly: the conversation's lock keeps its twin from beginning meanwhile."""
    rows = Message.objects.filter(conversation=conversation, idempotency_key=key)
    by_role = {message.role: message for message in rows}
    if Message.Role.USER not in by_role:
        return None
    # The room made for two more messages is not needed after all.
    Conversation.objects.filter(pk=conversation.pk).update(message_count=F("message_count") - 2)
    conversation.message_count -= 2
    return BegunTurn(conversation, by_role[Message.Role.USER], by_role[Message.Role.ASSISTANT])


def _return_to(turn: BegunTurn, text: str) -> BegunTurn:
    if turn.said.text != text:
        raise Conflict("This Idempotency-Key was used with another message.", code="idempotency_key_reused")
    if turn.is_answered:
        return turn
    if (
        turn.reply.state == Message.State.STREAMING
        and timezone.now() - turn.reply.updated_at < longest_call()
    ):
        raise Conflict("This message is being answered. Ask again in a moment.", code="turn_in_progress")
    turn.reply.text, turn.reply.reasoning, turn.reply.state = "", "", Message.State.STREAMING
    turn.reply.save(update_fields=["text", "reasoning", "state", "updated_at"])
    return turn


def longest_call() -> timedelta:
    """After this long an unanswered turn is not being worked on any more: its process must have died."""
    seconds: int = settings.LLM_TIMEOUT_SECONDS * (settings.LLM_MAX_RETRIES + 1) + 30
    return timedelta(seconds=seconds)


def _store(principal: Principal, conversation: Conversation, text: str, idempotency_key: str) -> BegunTurn:
    now = timezone.now()
    place: dict[str, Any] = {
        "workspace": principal.workspace,
        "agent_id": conversation.agent_id,
        "owner_key": conversation.owner_key,
        "scope": Scope.PERSONAL,
        "conversation": conversation,
        "idempotency_key": idempotency_key,
        "said_at": now,
    }
    number = conversation.message_count
    said = Message(**place, number=number - 1, role=Message.Role.USER, text=text)
    reply = Message(
        **place, number=number, role=Message.Role.ASSISTANT, text="", state=Message.State.STREAMING
    )
    Message.objects.bulk_create([said, reply])
    return BegunTurn(conversation, said, reply)
