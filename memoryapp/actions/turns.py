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
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from memoryapp.actions.conversations import checked_external_id, meet_owner, title_of
from memoryapp.actions.masking import masked
from memoryapp.actions.quotas import check_turn_quota
from memoryapp.exceptions import Conflict, ValidationFailed
from memoryapp.models import Agent, Conversation, Message
from memoryapp.retrieval.indexing import prepare_rows
from tenants.ids import new_id
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,128}")
# Names the conversation of a first message that came with a key and without a conversation, so that its retry finds it.
KEYED_CONVERSATIONS = UUID("6f3c1a52-8f0e-5d0b-9a57-4c3f2f6f1c11")


# More earlier messages than this are never loaded for one turn; what they said is in memory by then.
EARLIER_MESSAGES = 200
# In the detail of the two messages of a turn whose memory the model has written itself: they are not extracted again.
KEPT_BY_TOOL = "keptByTool"


@dataclass(frozen=True, slots=True)
class Earlier:
    """Something said before in the conversation."""

    number: int
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class BegunTurn:
    """What a turn stands on: the conversation, what was said in it (masked), and the reply's row, to be filled."""

    conversation: Conversation
    said: Message
    reply: Message
    # Oldest first; without replies that failed or are still coming.
    history: tuple[Earlier, ...] = ()

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
    may_exist: bool = True,
    is_met: bool = False,
) -> BegunTurn:
    """Store what somebody said, masked, and make room for the reply; with a known key, find the turn again.

    `may_exist` is False when the caller has just seen that there is no such conversation yet, and `is_met` is True when
    it has seen that the owner was just met: each spares a statement.

    Raises ValidationFailed for an unusable id or key, Conflict while the first request of a key is being answered, or
    when the key comes with another text. A turn that failed or broke off is opened again.
    Raises QuotaReached when the workspace has had its turns of the day.
    """
    checked_key(idempotency_key)
    stored, _ = masked(text, principal.workspace)
    with workspace_scope(principal.workspace):
        conversation = _unsaved(principal, agent, external_id, channel, stored, idempotency_key)
        is_named = conversation_name(external_id, idempotency_key) is not None
        earlier = _join_or_make(conversation, may_exist=may_exist and is_named)
        if earlier is None and not is_met:
            meet_owner(principal)
        if idempotency_key and earlier is not None:
            known = _find_turn(conversation, idempotency_key, earlier)
            if known is not None:
                return _return_to(known, stored)
        check_turn_quota(principal)
        return _store(principal, conversation, stored, idempotency_key, earlier or [])


def conversation_name(external_id: str | None, idempotency_key: str) -> str | None:
    """The conversation's own name: the caller's, else one made from the key, so that its retry finds it; else None."""
    if external_id is not None:
        return checked_external_id(external_id)
    return str(uuid5(KEYED_CONVERSATIONS, idempotency_key)) if idempotency_key else None


def conversation_exists(principal: Principal, name: str) -> Exists:
    """Whether an agent has a conversation of that name with the principal, as a condition in the agent's query."""
    key = {"workspace": principal.workspace, "owner_key": principal.owner_key, "external_id": name}
    return Exists(Conversation.objects.filter(**key, agent=OuterRef("pk")))


def checked_key(key: str) -> str:
    """The key when it can be one, or empty for none; raises ValidationFailed otherwise."""
    if key and not IDEMPOTENCY_KEY.fullmatch(key):
        raise ValidationFailed.of("Idempotency-Key", "1 to 128 visible ASCII characters.")
    return key


def _unsaved(
    principal: Principal, agent: Agent, external_id: str | None, channel: str, text: str, idempotency_key: str
) -> Conversation:
    """The conversation as it is when this turn is its first."""
    return Conversation(
        workspace=principal.workspace,
        agent=agent,
        owner_key=principal.owner_key,
        scope=Scope.PERSONAL,
        external_id=conversation_name(external_id, idempotency_key) or str(new_id()),
        channel=channel,
        title=title_of(text),
        message_count=2,
        last_message_at=timezone.now(),
    )


def _join_or_make(conversation: Conversation, *, may_exist: bool) -> list[Earlier] | None:
    """Lock the conversation with room for two more messages; what was said in it before, None when it is new."""
    earlier = _count_up(conversation) if may_exist else None
    if earlier is not None:
        return earlier
    try:
        with transaction.atomic():
            conversation.save(force_insert=True)
    except IntegrityError:
        # Somebody else's first message of the same conversation was quicker: join it.
        earlier = _count_up(conversation)
        if earlier is None:
            raise
        return earlier
    return None


COUNT_UP = """
    UPDATE memoryapp_conversation AS talk
    SET message_count = message_count + 2, last_message_at = %s, title = CASE WHEN title = '' THEN %s ELSE title END
    WHERE workspace_id = %s AND agent_id = %s AND owner_key = %s AND external_id = %s
    RETURNING id, message_count, title, channel, trigger, extracted_through, summary, summary_through, ARRAY(
        SELECT json_build_object('number', said.number, 'role', said.role, 'text', said.text)
        FROM memoryapp_message AS said
        WHERE said.workspace_id = talk.workspace_id AND said.conversation_id = talk.id
            AND said.state = ANY(%s) AND said.text <> '' AND said.number > talk.summary_through
        ORDER BY said.number DESC LIMIT %s
    ) AS earlier
"""
SHOWN_STATES = [Message.State.COMPLETE.value, Message.State.PARTIAL.value]


def _count_up(conversation: Conversation) -> list[Earlier] | None:
    """Find, lock, count up and read the stored conversation in one statement; None when there is none yet.

    The lock makes concurrent turns of a conversation begin one after the other.
    """
    values: list[Any] = [
        conversation.last_message_at,
        conversation.title,
        conversation.workspace_id,
        conversation.agent_id,
        conversation.owner_key,
        conversation.external_id,
        SHOWN_STATES,
        EARLIER_MESSAGES,
    ]
    with connection.cursor() as cursor:
        cursor.execute(COUNT_UP, values)
        row = cursor.fetchone()
        columns = [column.name for column in cursor.description]
    if row is None:
        return None
    loaded = dict(zip(columns, row, strict=True))
    earlier = loaded.pop("earlier")
    for name, value in loaded.items():
        setattr(conversation, name, value)
    conversation._state.adding = False
    return [Earlier(**said) for said in reversed(earlier)]


def _find_turn(conversation: Conversation, key: str, earlier: list[Earlier]) -> BegunTurn | None:
    """The turn of that key, exactly: the conversation's lock keeps its twin from beginning meanwhile."""
    rows = Message.objects.filter(conversation=conversation, idempotency_key=key)
    by_role = {message.role: message for message in rows}
    if Message.Role.USER not in by_role:
        return None
    # The room made for two more messages is not needed after all.
    Conversation.objects.filter(pk=conversation.pk).update(message_count=F("message_count") - 2)
    conversation.message_count -= 2
    said = by_role[Message.Role.USER]
    history = tuple(message for message in earlier if message.number < said.number)
    return BegunTurn(conversation, said, by_role[Message.Role.ASSISTANT], history)


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


def _store(
    principal: Principal, conversation: Conversation, text: str, idempotency_key: str, earlier: list[Earlier]
) -> BegunTurn:
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
    prepare_rows([said, reply])
    Message.objects.bulk_create([said, reply])
    return BegunTurn(conversation, said, reply, tuple(earlier))


def mark_kept_by_tool(turn: BegunTurn) -> None:
    """Note of a turn that its memory is written already."""
    for message in (turn.said, turn.reply):
        message.detail = {**message.detail, KEPT_BY_TOOL: True}
        message.save(update_fields=["detail", "updated_at"])
