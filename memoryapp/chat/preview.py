"""What a turn would send, put together by the same code and sent to nobody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from memoryapp.actions.agents import load_agent
from memoryapp.actions.masking import masked
from memoryapp.actions.turns import EARLIER_MESSAGES, SHOWN_STATES, Earlier
from memoryapp.chat.asking import ask_ahead
from memoryapp.chat.compression import due_for_summary, foreseen, tools_tokens, trimmed
from memoryapp.chat.context import Part, TurnContext, assemble_context
from memoryapp.chat.fitting import Omission
from memoryapp.chat.forgetting import asks_to_forget
from memoryapp.chat.tooling import offered_tools
from memoryapp.chat.turns import Said, turn_query
from memoryapp.llm.types import ToolSpec
from memoryapp.models import Agent, Conversation, Fact, FactSource, Message
from memoryapp.providers import standing_memory
from memoryapp.providers.base import Snippet
from memoryapp.retrieval.recall_plan import RecallPlan
from tenants.principals import Principal
from tenants.scoping import workspace_scope

LONGEST_QUOTE = 200


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a recalled fact comes from, as far as the reader may see it."""

    quote: str
    conversation: str
    path: str
    at: datetime
    # What people call the conversation.
    title: str = ""


@dataclass(frozen=True, slots=True)
class Recollected:
    """One thing that was found for the message, with why it was and what it rests on."""

    kind: str
    id: UUID | None
    text: str
    source: str
    score: float
    explain: dict[str, Any]
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """All of a turn before it is sent."""

    parts: tuple[Part, ...]
    omitted: tuple[Omission, ...]
    plan: RecallPlan
    recalled: tuple[Recollected, ...]
    tools: tuple[str, ...]
    tools_tokens: int
    window: int

    @property
    def tokens(self) -> int:
        """About how many tokens it all takes."""
        return sum(part.tokens for part in self.parts) + self.tools_tokens


def preview_turn(*, principal: Principal, said: Said) -> TurnContext:
    """All the parts a turn would send for these words, the words themselves last; nothing is stored."""
    context, _ = _assembled(principal, said)
    return replace(context, parts=_sent(context, said))


def show_turn(*, principal: Principal, said: Said) -> Preview:
    """The same as somebody looks at it: with its tokens, its tools, and why each thing was found."""
    context, tools = _assembled(principal, said, explain=True)
    return Preview(
        _sent(context, said),
        context.omitted,
        context.plan,
        tuple(_recollected(principal, context)),
        tuple(tool.name for tool in tools),
        tools_tokens(tools),
        settings.MEMORY_WINDOW_MAX_INPUT_TOKENS,
    )


def _sent(context: TurnContext, said: Said) -> tuple[Part, ...]:
    return (*(part for part in context.parts if part.text), Part("message", "user", said.text))


def _assembled(
    principal: Principal, said: Said, *, explain: bool = False
) -> tuple[TurnContext, tuple[ToolSpec, ...]]:
    query, _ = masked(said.text, principal.workspace)
    with workspace_scope(principal.workspace):
        agent = load_agent(principal, said.agent, **standing_memory(principal))
        conversation = _find_conversation(principal, agent, said.conversation)
        history = _load_history(conversation) if conversation else []
    # The rules word the search here, whatever is set: a preview calls no model.
    asking = ask_ahead(query, principal.workspace, with_model=False)
    asked = replace(turn_query(principal, agent, query, asking, conversation), explain=explain)
    tools = offered_tools(agent, principal.workspace)
    summary = conversation.summary if conversation else ""
    context = assemble_context(asked, history, summary=summary, with_tools=bool(tools))
    due = due_for_summary(context, said.text, tools)
    if due and conversation is not None:
        context = foreseen(conversation, context, due)
    if asks_to_forget(query):
        omission = Omission(
            "message", "it is done at once when it is plain what to forget, and no model is asked"
        )
        context = replace(context, omitted=(*context.omitted, omission))
    return trimmed(context, said.text, tools), tools


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


def _recollected(principal: Principal, context: TurnContext) -> list[Recollected]:
    facts = [hit.object for hit in context.recalled if isinstance(hit.object, Fact)]
    origins = _origins(principal, facts)
    return [_described(snippet, origins) for snippet in context.found]


def _described(snippet: Snippet, origins: dict[UUID, list[Origin]]) -> Recollected:
    hit = snippet.hit
    if hit is None:
        return Recollected("snippet", None, snippet.text, snippet.source, 0.0, {})
    return Recollected(
        hit.kind,
        hit.id,
        snippet.text,
        hit.source,
        round(hit.score, 4),
        hit.explain or {},
        tuple(origins.get(hit.id, ())),
    )


def _origins(principal: Principal, facts: list[Fact]) -> dict[UUID, list[Origin]]:
    """What the facts rest on; a shared fact may rest on somebody's own words, which only they are shown."""
    found: dict[UUID, list[Origin]] = {}
    with workspace_scope(principal.workspace):
        sources = FactSource.objects.visible_to(principal).filter(fact__in=facts).order_by("created_at", "id")
        rows = list(sources)
        said = Message.objects.visible_to(principal).filter(pk__in=[row.message_id for row in rows])
        messages: dict[UUID | None, Message] = {
            message.pk: message for message in said.select_related("conversation")
        }
        for row in rows:
            found.setdefault(row.fact_id, []).append(_origin(row, messages.get(row.message_id)))
    return found


def _origin(source: FactSource, message: Message | None) -> Origin:
    if message is None:
        return Origin("", "", source.path, source.created_at)
    quote = message.text[source.start : source.end or None]
    talk = message.conversation
    return Origin(quote[:LONGEST_QUOTE], talk.external_id, source.path, message.said_at, str(talk))
