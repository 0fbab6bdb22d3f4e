"""A turn: what somebody says to an agent, answered from what is known, kept, and handed to extraction.

Two short transactions with the model call between them; nothing waits on the network inside either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from django.db.models import Value

from memoryapp.actions.agents import load_agent
from memoryapp.actions.conversations import finish_message, was_just_met
from memoryapp.actions.forget_requests import note_forgetting
from memoryapp.actions.masking import masked, masked_tree
from memoryapp.actions.recalls import note_recalls
from memoryapp.actions.turns import (
    BegunTurn,
    begin_turn,
    conversation_exists,
    conversation_name,
    mark_kept_by_tool,
)
from memoryapp.chat.asking import Asking, ask_ahead
from memoryapp.chat.compression import cut_to_last_turns, keep_within_window
from memoryapp.chat.context import TurnContext, assemble_context
from memoryapp.chat.forgetting import ForgetReply, Talk, answer_forgetting
from memoryapp.chat.replies import Recollection, TurnReply, reload_reply
from memoryapp.chat.tooling import Exchange, offered_tools, provider_tools, tool_principal
from memoryapp.exceptions import ModelUnavailable
from memoryapp.jobs import enqueue_extraction, enqueue_sync, enqueue_written
from memoryapp.lifecycle.morning import card_of_first_conversation, shown_on
from memoryapp.llm.chat_input import ChatInput, Remembered
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ContextTooLong, ModelError
from memoryapp.llm.types import ChatRequest, Completion, Delta, ToolCall, Usage
from memoryapp.model_settings import client_for
from memoryapp.models import Agent, Conversation, Message
from memoryapp.providers import standing_memory, standing_of
from memoryapp.providers.base import TurnQuery
from memoryapp.retrieval.results import LEAST_RELATED
from memoryapp.tools import ToolContext
from tenants.principals import Principal
from tenants.scoping import workspace_scope

CUT_SHORT: Final = ("length", "content_filter")


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says to an agent: the raw words, which go to the model once, and where they belong."""

    agent: str
    text: str
    conversation: str | None = None
    channel: str = "api"
    idempotency_key: str = ""


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn whose message is stored and whose reply is still to come."""

    principal: Principal
    agent: Agent
    begun: BegunTurn
    query: str
    context: TurnContext
    request: ChatRequest
    asked: TurnQuery
    # When the owner was last shown the agent's morning card.
    card_shown_on: date | None = None

    def exchange(self) -> Exchange:
        """The talk with the model that this turn begins."""
        owner, talk = tool_principal(self.principal), self.begun.conversation
        shorter = cut_to_last_turns(self.context).messages_with(self.request.messages[-1].content)
        given = provider_tools(self.agent, self.principal.workspace)
        return Exchange(self.request, ToolContext(owner, self.agent, talk), self.asked, shorter, given)

    def find_model(self) -> LLMClient:
        """The workspace's model; raises ModelError when its settings cannot work, as a failed call would."""
        return client_for(self.principal.workspace)

    def asked_with(self, instructions: str, **settings: Any) -> OpenTurn:
        """The same turn under instructions of the calling application, and with other settings of the request."""
        parts = self.context.parts
        text = f"{parts[0].text}\n\n{instructions}" if instructions else parts[0].text
        context = replace(self.context, parts=(replace(parts[0], text=text), *parts[1:]))
        messages = context.messages_with(self.request.messages[-1].content)
        return replace(self, context=context, request=replace(self.request, messages=messages, **settings))

    @property
    def recalled(self) -> list[Recollection]:
        return [Recollection.of(hit) for hit in self.context.recalled]


def run_turn(*, principal: Principal, said: Said) -> TurnReply:
    """Answer a message and return the reply, or the earlier one when the same message was sent before under its key.

    Raises ModelUnavailable, with the message kept, when the model cannot answer.
    """
    turn = open_turn(principal=principal, said=said)
    return turn if isinstance(turn, TurnReply) else answer_turn(turn)


def answer_turn(turn: OpenTurn) -> TurnReply:
    """Have the model answer an opened turn; raises ModelUnavailable, with the message kept, when it cannot."""
    exchange = turn.exchange()
    try:
        _talk(turn.find_model(), exchange)
    except ModelError as error:
        break_off_turn(turn, error, exchange)
        raise unavailable(error) from error
    return close_turn(turn, exchange)


def _talk(model: LLMClient, exchange: Exchange) -> None:
    """Have the model answer, with the tools it calls on the way."""
    calls: Sequence[ToolCall] | None = None
    while calls is None or calls:
        for place, call in enumerate(calls or ()):
            exchange.use(call, place)
        exchange.take(_as_piece(_completed(model, exchange)))
        calls = exchange.wanted_calls()
    exchange.check_answer()


def _completed(model: LLMClient, exchange: Exchange) -> Completion:
    """The model's answer; when it finds the request too long, to a shorter one."""
    try:
        return model.complete(exchange.request)
    except ContextTooLong:
        if not exchange.shorten():
            raise
        return model.complete(exchange.request)


def _as_piece(whole: Completion) -> Delta:
    return Delta(whole.text, whole.reasoning, whole.tool_calls, whole.usage, whole.finish_reason)


def open_turn(*, principal: Principal, said: Said) -> OpenTurn | TurnReply:
    """Store what was said and put together what the model will see."""
    query, _ = masked(said.text, principal.workspace)
    asking = ask_ahead(query, principal.workspace)
    with workspace_scope(principal.workspace):
        agent = _find_agent(principal, said)
        begun = begin_turn(
            principal=principal,
            agent=agent,
            text=said.text,
            external_id=said.conversation,
            channel=said.channel,
            idempotency_key=said.idempotency_key,
            may_exist=agent.knows_talk,
            is_met=agent.knows_owner,
        )
        if begun.is_answered:
            return reload_reply(principal, begun.conversation, begun.reply)
    answer = answer_forgetting(Talk.of(principal, agent, begun))
    if answer is not None:
        return _answer_at_once(principal, begun, answer)
    # What has just been forgotten on request goes to no model either.
    text = said.text if begun.said.text == query else begun.said.text
    asked = turn_query(principal, agent, query, asking, begun.conversation)
    tools = offered_tools(agent, principal.workspace)
    summary = begun.conversation.summary
    context = assemble_context(asked, begun.history, summary=summary, with_tools=bool(tools))
    context = keep_within_window(asked, context, text, tools)
    request = ChatRequest(
        messages=context.messages_with(text),
        model=agent.model,
        task="chat",
        context=chat_input(text, agent, context),
        tools=tools,
    )
    return OpenTurn(principal, agent, begun, query, context, request, asked, agent.card_shown_on)


def _answer_at_once(principal: Principal, begun: BegunTurn, answer: ForgetReply) -> TurnReply:
    """Store an answer that needed no model; neither it nor what it answers is read for what is worth keeping."""
    with workspace_scope(principal.workspace):
        note_forgetting(principal=principal, turn=begun, detail=answer.detail)
        reply = finish_message(
            principal=principal,
            message=begun.reply,
            text=answer.text,
            state=Message.State.COMPLETE,
            detail={"recalled": [], "usage": usage_body(None)},
        )
    return TurnReply.of(begun.conversation, reply, ())


def _find_agent(principal: Principal, said: Said) -> Any:
    """The agent, in one statement with all that a turn wants to know beforehand, as attributes of the agent."""
    name = conversation_name(said.conversation, said.idempotency_key)
    return load_agent(
        principal,
        said.agent,
        knows_talk=conversation_exists(principal, name) if name else Value(False),
        knows_owner=was_just_met(principal),
        card_shown_on=shown_on(principal),
        **standing_memory(principal),
    )


def turn_query(
    principal: Principal, agent: Agent, text: str, asking: Asking, conversation: Conversation | None
) -> TurnQuery:
    """What the memory sources are asked, with what came along with the agent."""
    return TurnQuery(
        principal, agent, text, asking.embedding, conversation, standing_of(agent), plan=asking.plan
    )


def chat_input(text: str, agent: Agent, context: TurnContext) -> ChatInput:
    """The turn as plain data, for a backend that answers without a model."""
    recalled = tuple(
        Remembered(each.text, each.source, each.hit.score if each.hit else 0.0) for each in context.found
    )
    standing = tuple(Remembered(known) for known in context.standing)
    return ChatInput(message=text, recalled=recalled, standing=standing, agent_name=agent.name)


def close_turn(turn: OpenTurn, exchange: Exchange) -> TurnReply:
    """Store the reply, note what was recalled for it, and have the conversation read for what is worth keeping.

    A turn in which a tool has written memory is not read: that would keep the same a second time.
    """
    detail = {"recalled": [item.stored for item in turn.recalled], **_told_by(turn, exchange)}
    with workspace_scope(turn.principal.workspace):
        reply = finish_message(
            principal=turn.principal,
            message=turn.begun.reply,
            text=exchange.text,
            reasoning=exchange.reasoning,
            state=Message.State.COMPLETE,
            detail=detail,
        )
        note_recalls(
            principal=turn.principal,
            agent=turn.agent,
            conversation=turn.begun.conversation,
            hits=[hit for hit in turn.context.recalled if hit.score >= LEAST_RELATED],
            query=turn.query,
        )
        if exchange.wrote:
            mark_kept_by_tool(turn.begun)
            enqueue_written(turn.principal, turn.agent.pk, exchange.written_ids)
        else:
            enqueue_extraction(turn.begun.conversation)
        enqueue_sync(turn.begun.conversation, turn.begun.said, reply)
    return replace(
        TurnReply.of(turn.begun.conversation, reply, turn.recalled), morning_card=_morning_card(turn)
    )


def _morning_card(turn: OpenTurn) -> dict[str, Any] | None:
    """What the night changed, told with the first message of the day's first conversation."""
    if turn.begun.said.number > 1:
        return None
    card = card_of_first_conversation(turn.principal, turn.agent, turn.card_shown_on)
    return card.as_json() if card else None


def _told_by(turn: OpenTurn, exchange: Exchange) -> dict[str, Any]:
    uses = masked_tree([use.stored for use in exchange.uses], turn.principal.workspace)
    cut = {"finish": exchange.finish_reason} if exchange.finish_reason in CUT_SHORT else {}
    return {"usage": usage_body(exchange.usage), **({"tools": uses} if uses else {}), **cut}


def break_off_turn(turn: OpenTurn, error: ModelError, exchange: Exchange) -> None:
    """Keep what there is of a reply, marked: it is shown, and never extracted as if it were whole."""
    finish_message(
        principal=turn.principal,
        message=turn.begun.reply,
        text=exchange.text,
        reasoning=exchange.reasoning,
        state=Message.State.PARTIAL if exchange.text else Message.State.FAILED,
        detail={"failure": error.code, **_told_by(turn, exchange)},
    )


def unavailable(error: ModelError) -> ModelUnavailable:
    """What a client is told when the model failed: the reason, never its prompt or key."""
    return ModelUnavailable(f"{error.detail} Your message is kept.", errors={"model": [error.code]})


def usage_body(usage: Usage | None) -> dict[str, int]:
    counted = usage or Usage()
    return {
        "promptTokens": counted.prompt_tokens,
        "completionTokens": counted.completion_tokens,
        "totalTokens": counted.total_tokens,
    }
