"""Which conversation a completion continues: the protocol names none, a caller sends all that was said before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memoryapp.actions.masking import masked
from memoryapp.actions.turns import checked_key, conversation_name
from memoryapp.compat.openai.requests import Asked, Spoken
from memoryapp.exceptions import ValidationFailed
from memoryapp.lifecycle.extraction import NewMessage, keep_messages
from memoryapp.models import Agent, Conversation, Message
from tenants.principals import Principal
from tenants.scoping import workspace_scope

# Among so many of the latest conversations the one is looked for that a caller continues.
LOOKED_AT: Final = 50
# Borne by the first of them, so that two requests at once take over what was said elsewhere only once.
SAID_BEFORE: Final = "said-before-this-conversation-began-here"


def find_talk(
    principal: Principal, agent: Agent, asked: Asked, named: str | None, key: str = ""
) -> str | None:
    """The conversation's own name: as the caller says, else by what was said in it so far; None for a new one.

    What was said before and is kept nowhere yet becomes the beginning of the conversation; a request that is sent again
    under its key finds the same one.
    """
    if not asked.earlier:
        return named
    name = conversation_name(named, checked_key(key))
    with workspace_scope(principal.workspace):
        known = _called(principal, agent, name) if name else None
        if known is None and named is None:
            known = _continued(principal, agent, asked.earlier, key)
    if known is not None:
        return known
    told = [NewMessage(role=each.role, text=each.text) for each in asked.earlier]
    kept = keep_messages(
        principal=principal,
        agent=agent,
        messages=told,
        conversation_id=name,
        idempotency_key=SAID_BEFORE if name else "",
    )
    return str(kept.external_id)


def _called(principal: Principal, agent: Agent, name: str) -> str | None:
    """The name again when the person has a conversation that is called so."""
    is_there = Conversation.objects.owned_by(principal).filter(agent=agent, external_id=name).exists()
    return name if is_there else None


def _continued(principal: Principal, agent: Agent, earlier: Sequence[Spoken], key: str) -> str | None:
    """The latest conversation of the person with exactly these words of theirs, in this order, or with the key."""
    said = [masked(each.text, principal.workspace)[0] for each in earlier if each.role == "user"]
    talks = Conversation.objects.owned_by(principal).filter(agent=agent, message_count__gte=len(said))
    latest = list(talks.order_by("-last_message_at")[:LOOKED_AT])
    messages = Message.objects.filter(conversation__in=latest, role=Message.Role.USER)
    by_talk: dict[object, list[str]] = {}
    answered: set[object] = set()
    for talk, text, borne in messages.order_by("number").values_list(
        "conversation", "text", "idempotency_key"
    ):
        by_talk.setdefault(talk, []).append(text)
        answered |= {talk} if key and borne == key else set()
    return next(
        (talk.external_id for talk in latest if talk.pk in answered or by_talk.get(talk.pk) == said), None
    )


def named_talk(header: str | None) -> str | None:
    """The caller's own name for the conversation, when it gives one."""
    if header is not None and not header.strip():
        raise ValidationFailed.of("X-Conversation-Id", "The conversation's id must not be blank.")
    return header
