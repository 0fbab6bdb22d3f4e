"""What the model sees in a turn: the stable system prompt, the history, the fenced memory of this owner, the message.

Told without a model, so that a page can show it truthfully: the turn sends exactly these parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.turns import Earlier
from memoryapp.chat.budget import estimate_tokens
from memoryapp.chat.fitting import FILES_SHARE, Omission, fit_files, fit_memory, standing_block
from memoryapp.llm.types import ChatMessage, Role
from memoryapp.models import Agent, Message
from memoryapp.prompts import render_prompt
from memoryapp.providers import providers_for
from memoryapp.providers.base import Kind, Snippet, TurnQuery
from memoryapp.providers.chain import end_of_asking, prefetched, shared_blocks
from memoryapp.retrieval.recall_plan import RecallPlan
from memoryapp.retrieval.search import Hit
from memoryapp.safety.fences import fence

LAST_MESSAGES = 2
SUMMARY, HISTORY = "summary", "history"
SUMMARY_TITLE = "What was said earlier in this conversation, summed up"


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of what the model sees."""

    name: str
    role: Role
    text: str

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True)
class TurnContext:
    """Everything a turn sends but the message itself, and what of memory it used."""

    parts: tuple[Part, ...]
    omitted: tuple[Omission, ...]
    # What was found for the message, best first, in the words in which it stands in the prompt.
    found: tuple[Snippet, ...]
    standing: tuple[str, ...] = ()
    plan: RecallPlan = field(default_factory=lambda: RecallPlan(""))
    history: tuple[Earlier, ...] = ()
    # What the conversation came to before its history begins.
    summary: str = ""

    @property
    def fixed_tokens(self) -> int:
        """What all takes that is not the conversation."""
        return sum(part.tokens for part in self.parts if part.name not in {SUMMARY, HISTORY})

    def with_history(self, history: Sequence[Earlier], summary: str, *omitted: Omission) -> TurnContext:
        """The same with another stretch of the conversation, and what went before it as a summary."""
        others = [part for part in self.parts if part.name not in {SUMMARY, HISTORY}]
        return replace(
            self,
            parts=(others[0], *_conversation(history, summary), *others[1:]),
            omitted=(*self.omitted, *omitted),
            history=tuple(history),
            summary=summary,
        )

    def messages_with(self, text: str) -> tuple[ChatMessage, ...]:
        """The request's messages, the person's own words last."""
        before = tuple(ChatMessage(part.role, part.text) for part in self.parts if part.text)
        return (*before, ChatMessage("user", text))

    @property
    def recalled(self) -> tuple[Hit, ...]:
        return tuple(snippet.hit for snippet in self.found if snippet.hit is not None)

    @property
    def memory(self) -> str:
        """The fenced memory of the owner as the model sees it; empty when there is none."""
        return next((part.text for part in self.parts if part.name == "memory"), "")


def assemble_context(
    query: TurnQuery, history: Sequence[Earlier], *, summary: str = "", with_tools: bool = False
) -> TurnContext:
    """Everything the model is told before the message: system prompt, history, the owner's memory for this query."""
    providers = providers_for(query.agent, query.principal.workspace)
    until = end_of_asking()
    blocks, fetched = shared_blocks(providers, query, until), prefetched(providers, query, until)
    shared, cut, room = fit_files(blocks.snippets, int(settings.MEMORY_WINDOW_MAX_INPUT_TOKENS * FILES_SHARE))
    offered, cut_too, _ = fit_files(fetched.snippets, room)
    system = Part(
        "system", "system", system_prompt(query.agent, shared, today=_today(query) if with_tools else "")
    )
    own, found, omitted = fit_memory(offered, known=system.text)
    omitted = [*cut, *cut_too, *omitted]
    omitted += [
        Omission(name, "this memory source did not answer in time, or failed")
        for name in dict.fromkeys([*blocks.silent, *fetched.silent])
    ]
    memory = Part("memory", "user", fence(own) if own else "")
    standing = tuple(snippet.text for snippet in (*offered, *shared) if snippet.kind is Kind.STANDING)
    alone = TurnContext((system, memory), tuple(omitted), tuple(found), standing, query.plan)
    return alone.with_history(history, summary)


def _conversation(history: Sequence[Earlier], summary: str) -> list[Part]:
    """What was said: a summary of the earlier part, which is data as all that people said, then the messages."""
    before = [Part(SUMMARY, "user", fence([summary], SUMMARY_TITLE))] if summary else []
    return [*before, *(Part(HISTORY, _role_of(message), message.text) for message in history)]


def _today(query: TurnQuery) -> str:
    return timezone.now().astimezone(query.principal.workspace.zone).date().isoformat()


def system_prompt(agent: Agent, shared: Sequence[Snippet], *, today: str = "") -> str:
    """Who the agent is and what is shared by all it talks to; the same bytes until one of them changes.

    With a day it may use tools: whoever writes “as of” or filters by dates has to know which day it is. That stands
    last, so that all before it stays the same from one day to the next.
    """
    files = [
        f"---\n\n{snippet.source}\n\n---\n\n{snippet.text}" for snippet in shared if snippet.kind is Kind.FILE
    ]
    standing, _ = standing_block(
        [snippet for snippet in shared if snippet.kind is Kind.STANDING], "\n".join(files)
    )
    known = [f"---\n\nKnown to all\n\n---\n\n{standing}"] if standing else []
    description = agent.description.strip()
    return render_prompt(
        "chat_system",
        agent_name=agent.name,
        agent_description=f" {description}" if description else "",
        tools=f"\n{render_prompt('chat_tools')}" if today else "",
        today=f"\n\nToday is {today}." if today else "",
        files="\n" + "\n\n".join([*files, *known]),
    )


def _role_of(message: Earlier) -> Role:
    return "assistant" if message.role == Message.Role.ASSISTANT else "user"
