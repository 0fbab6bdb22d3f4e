"""Every change to conversations and their messages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Exists
from django.utils import timezone

from memoryapp.actions.access import require_own
from memoryapp.actions.masking import clean, masked
from memoryapp.actions.purging import purge_facts
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Agent, Conversation, Fact, Message, Owner
from memoryapp.retrieval.indexing import prepare_rows
from tenants.ids import new_id
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

MAX_EXTERNAL_ID = 128
TITLE_LENGTH = 80


def checked_external_id(value: object) -> str:
    """A caller's own conversation id as given; raises ValidationFailed for one that cannot be used."""
    if (
        not isinstance(value, str)
        or not value.strip()
        or len(value) > MAX_EXTERNAL_ID
        or value != clean(value)
        or "\n" in value
    ):
        raise ValidationFailed.of(
            "conversationId", f"A string of 1 to {MAX_EXTERNAL_ID} printable characters."
        )
    return value


def open_conversation(
    *,
    principal: Principal,
    agent: Agent,
    external_id: str | None = None,
    channel: str = "api",
    trigger: str = Conversation.Trigger.CHAT,
) -> Conversation:
    """The principal's conversation of that id with the agent, made on first use; without an id always a new one.

    The same id from another owner is another conversation.
    """
    identifier = checked_external_id(external_id) if external_id is not None else str(new_id())
    key = {
        "workspace": principal.workspace,
        "agent": agent,
        "owner_key": principal.owner_key,
        "external_id": identifier,
    }
    with workspace_scope(principal.workspace):
        found = Conversation.objects.filter(**key).first() if external_id is not None else None
        if found is not None:
            return found
        conversation = Conversation(**key, scope=Scope.PERSONAL, channel=channel, trigger=trigger)
        # Two first messages at once must meet in one conversation: the loser of the insert reads the winner's row.
        Conversation.objects.bulk_create([conversation], ignore_conflicts=True)
        meet_owner(principal)
        return Conversation.objects.get(**key)


# Somebody's “last seen” is no truer than this: it spares most turns a write to the owner's row.
MEETING = timedelta(hours=1)


def was_just_met(principal: Principal) -> Exists:
    """Whether the owner was seen so lately that there is nothing to note, as a condition in another query."""
    lately = timezone.now() - MEETING
    key = {"workspace": principal.workspace, "owner_key": principal.owner_key}
    return Exists(Owner.objects.filter(**key, last_seen_at__gte=lately))


def meet_owner(principal: Principal) -> None:
    """Note that the workspace has met this owner, and when last; once a conversation, not once a turn."""
    owner = Owner(workspace=principal.workspace, owner_key=principal.owner_key)
    Owner.objects.bulk_create(
        [owner],
        update_conflicts=True,
        unique_fields=["workspace", "owner_key"],
        update_fields=["last_seen_at"],
    )


def add_message(
    *,
    principal: Principal,
    conversation: Conversation,
    role: str,
    text: str,
    name: str = "",
    said_at: datetime | None = None,
    idempotency_key: str = "",
    state: str = Message.State.COMPLETE,
    detail: dict[str, Any] | None = None,
    reasoning: str = "",
) -> Message:
    """Append a message to a conversation, masked, under the next number, and return it."""
    require_own(principal, conversation)
    stored, _ = masked(text, principal.workspace)
    now = timezone.now()
    with workspace_scope(principal.workspace):
        number = _next_number(conversation, said_at or now, title=stored if role == Message.Role.USER else "")
        message = Message(
            workspace=principal.workspace,
            agent_id=conversation.agent_id,
            owner_key=conversation.owner_key,
            scope=Scope.PERSONAL,
            conversation=conversation,
            number=number,
            role=role,
            name=name[:120],
            text=stored,
            reasoning=reasoning,
            state=state,
            idempotency_key=idempotency_key,
            detail=detail or {},
            said_at=said_at or now,
        )
        prepare_rows([message])
        message.save(force_insert=True)
        return message


NUMBER_NEXT = """
    UPDATE memoryapp_conversation
    SET message_count = message_count + 1, last_message_at = %s, title = CASE WHEN title = '' THEN %s ELSE title END
    WHERE id = %s
    RETURNING message_count, title
"""


def title_of(text: str) -> str:
    """What a conversation is called that begins with these words: its first line, cut where it is long."""
    first_line = next(iter(text.strip().splitlines()), "")
    return first_line if len(first_line) <= TITLE_LENGTH else f"{first_line[: TITLE_LENGTH - 1].rstrip()}…"


def _next_number(conversation: Conversation, said_at: datetime, title: str) -> int:
    """Count up and date the conversation in one statement, whose row lock makes concurrent writers take turns."""
    with connection.cursor() as cursor:
        cursor.execute(NUMBER_NEXT, [said_at, title_of(title), conversation.pk])
        conversation.message_count, conversation.title = cursor.fetchone()
    conversation.last_message_at = said_at
    return conversation.message_count


FINISHED_FIELDS = ("text", "state", "reasoning", "detail", "lexemes", "length", "updated_at")


def finish_message(
    *,
    principal: Principal,
    message: Message,
    text: str,
    state: str,
    detail: dict[str, Any] | None = None,
    reasoning: str = "",
) -> Message:
    """Fill in a message that was written while it was still coming, and say how it ended; gives it as it is stored.

    One that is complete stays as it is: whoever was slower with the same turn does not overwrite it. Raises NotFound
    when it was removed meanwhile.
    """
    require_own(principal, message)
    message.text, _ = masked(text, principal.workspace)
    message.state, message.reasoning = state, reasoning
    message.detail = {**message.detail, **(detail or {})}
    with workspace_scope(principal.workspace):
        prepare_rows([message])
        message.updated_at = timezone.now()
        fields = {name: getattr(message, name) for name in FINISHED_FIELDS}
        mine = Message.objects.filter(pk=message.pk)
        if not mine.exclude(state=Message.State.COMPLETE).update(**fields):
            stored: Message | None = mine.first()
            if stored is None:
                raise NotFound
            return stored
    return message


def store_summary(*, principal: Principal, conversation: Conversation, summary: str, through: int) -> None:
    """Keep what the conversation came to up to a message, unless somebody else has summed up further meanwhile."""
    require_own(principal, conversation)
    text, _ = masked(summary, principal.workspace)
    with workspace_scope(principal.workspace):
        rows = Conversation.objects.filter(pk=conversation.pk, summary_through=conversation.summary_through)
        if rows.update(summary=text, summary_through=through):
            conversation.summary, conversation.summary_through = text, through


def delete_conversation(*, principal: Principal, conversation: Conversation) -> None:
    """Remove a conversation with its messages and the facts that lived with it.

    What was learnt from it for good stays until it is forgotten.
    """
    require_own(principal, conversation)
    with workspace_scope(principal.workspace):
        purge_facts(principal, list(Fact.objects.filter(session=conversation)))
        conversation.delete()
