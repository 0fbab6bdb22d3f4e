"""What a turn would send, put together by the same code and sent to nobody."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from memoryapp.actions.agents import load_agent
from memoryapp.actions.masking import masked
from memoryapp.actions.turns import EARLIER_MESSAGES, SHOWN_STATES, Earlier
from memoryapp.chat.asking import ask_memory
from memoryapp.chat.compression import trimmed
from memoryapp.chat.context import Part, TurnContext, assemble_context
from memoryapp.chat.tooling import offered_tools
from memoryapp.chat.turns import Said, turn_query
from memoryapp.models import Agent, Conversation, Message
from memoryapp.providers import standing_memory
from tenants.principals import Principal
from tenants.scoping import workspace_scope


def preview_turn(*, principal: Principal, said: Said) -> TurnContext:
    """All the parts a turn would send for these words, the words themselves last; nothing is stored."""
    query, _ = masked(said.text, principal.workspace)
    with workspace_scope(principal.workspace):
        agent = load_agent(principal, said.agent, **standing_memory(principal))
        conversation = _find_conversation(principal, agent, said.conversation)
        history = _load_history(conversation) if conversation else []
    # The rules word the search here, whatever is set: a preview calls no model.
    found_by = ask_memory(query, principal.workspace, with_model=False)
    asked = turn_query(principal, agent, query, found_by, conversation)
    tools = offered_tools(agent, principal.workspace)
    summary = conversation.summary if conversation else ""
    context = assemble_context(asked, history, summary=summary, with_tools=bool(tools))
    context = trimmed(context, settings.MEMORY_WINDOW_MAX_INPUT_TOKENS - context.fixed_tokens)
    sent = (*(part for part in context.parts if part.text), Part("message", "user", said.text))
    return replace(context, parts=sent)


def _find_conversation(principal: Principal, agent: Agent, name: str | None) -> Conversation | None:
    if name is None:
        return None
    return Conversation.objects.owned_by(principal).filter(agent=agent, external_id=name).first()


def _load_history(conversation: Conversation) -> list[Earlier]:
    earlier = Message.objects.filter(
        conversation=conversation, state__in=SHOWN_STATES, number__gt=conversation.summary_through
    ).exclude(text="")
    newest = earlier.order_by("-number").values_list("number", "role", "text")[:EARLIER_MESSAGES]
    return [Earlier(*row) for row in newest][::-1]
