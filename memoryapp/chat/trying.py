"""A turn on trial, for whoever may look into a memory and may not speak as its owner: answered, and kept nowhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memoryapp.actions.agents import load_agent
from memoryapp.actions.masking import masked
from memoryapp.chat.preview import preview_turn
from memoryapp.chat.replies import Recollection
from memoryapp.chat.turns import Said, chat_input, unavailable
from memoryapp.llm.errors import ModelError
from memoryapp.llm.types import ChatRequest
from memoryapp.model_settings import client_for
from tenants.principals import Principal
from tenants.scoping import workspace_scope


@dataclass(frozen=True, slots=True)
class TriedTurn:
    """What an agent would answer, and what the answer rests on."""

    text: str
    reply: str
    recalled: list[Recollection]


def try_turn(*, principal: Principal, said: Said) -> TriedTurn:
    """Have an agent answer as if the principal had spoken: nothing is stored, counted, extracted or called as a tool.

    Raises ModelUnavailable when the model cannot answer.
    """
    text, _ = masked(said.text, principal.workspace)
    said = replace(said, text=text)
    context = preview_turn(principal=principal, said=said)
    context = replace(context, parts=context.parts[:-1])
    with workspace_scope(principal.workspace):
        agent = load_agent(principal, said.agent)
    request = ChatRequest(
        messages=context.messages_with(text),
        model=agent.model,
        task="chat",
        context=chat_input(text, agent, context),
    )
    try:
        reply = client_for(principal.workspace).complete(request)
    except ModelError as error:
        raise unavailable(error) from error
    return TriedTurn(text, reply.text, [Recollection.of(hit) for hit in context.recalled])
