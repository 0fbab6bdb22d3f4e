"""Which conversation a completion continues: the protocol names none, a caller sends all that was said before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memoryapp.actions.masking import masked
from memoryapp.compat.openai.requests import Asked, Spoken
from memoryapp.exceptions import ValidationFailed
from memoryapp.lifecycle.extraction import NewMessage, keep_messages
from memoryapp.models import Agent, Conversation, Message
from tenants.principals import Principal
from tenants.scoping import workspace_scope

# Among so many of the latest conversations the one is looked for that a caller continues.
LOOKED_AT: Final = 50


def find_talk(principal: Principal, agent: Agent, asked: Asked, named: str | None) -> str | None:
    """The conversation's own name: as the caller says, else by what was said in it so far; None for a new one.

    What was said before and is kept nowhere yet becomes the beginning of the conversation.
    """
    if not asked.earlier:
        return named
    with workspace_scope(principal.workspace):
        known = _called(principal, agent, named) if named else _continued(principal, agent, asked.earlier)
    if known is not None:
        return known
    told = [NewMessage(role=each.role, text=each.text) for each in asked.earlier]
    kept = keep_messages(principal=principal, agent=agent, messages=told, conversation_id=named)
    return str(kept.external_id)


def _called(principal: Principal, agent: Agent, name: str) -> str | None:
    """The name again when the person has a conversation that is called so."""
    is_there = Conversation.objects.owned_by(principal).filter(agent=agent, external_id=name).exists()
    return name if is_there else None


def _continued(principal: Principal, agent: Agent, earlier: Sequence[Spoken]) -> str | None:
    """The latest conversation of the person with exactly these words of theirs, in this order."""
    said = [masked(each.text, principal.workspace)[0] for each in earlier if each.role == "user"]
    talks = Conversation.objects.owned_by(principal).filter(agent=agent, message_count__gte=len(said))
    latest = list(talks.order_by("-last_message_at")[:LOOKED_AT])
    messages = Message.objects.filter(conversation__in=latest, role=Message.Role.USER)
    by_talk: dict[object, list[str]] = {}
    for talk, text in messages.order_by("number").values_list("conversation", "text"):
        by_talk.setdefault(talk, []).append(text)
    return next((talk.external_id for talk in latest if by_talk.get(talk.pk) == said), None)


def named_talk(header: str | None) -> str | None:
    """The caller's own name for the conversation, when it gives one."""
    if header is not None and not header.strip():
        raise ValidationFailed.of("X-Conversation-Id", "The conversation's id must not be blank.")
    return header
