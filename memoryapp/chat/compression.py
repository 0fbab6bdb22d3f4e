"""Keeping a conversation inside the model's window, in three stages.

Ahead of time, at the share of the window that is set: all but the newest messages are summed up, and the summary is
carried on the next time, so that each message is summed up once. When the model says “too long” all the same: the last
two turns, once more. And what still does not fit is left out from the front.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from threading import Lock

from django.conf import settings

from memoryapp.actions.conversations import store_summary
from memoryapp.actions.turns import SHOWN_STATES, Earlier
from memoryapp.chat.budget import TOKENS_PER_MESSAGE, cut_to_tokens, estimate_tokens, newest_within
from memoryapp.chat.context import LAST_MESSAGES, TurnContext
from memoryapp.chat.fitting import Omission
from memoryapp.llm.backends.offline.compress import summarise
from memoryapp.llm.client import LLMClient
from memoryapp.llm.compressing import CompressInput, build_compress_request, words_for
from memoryapp.llm.errors import ModelError
from memoryapp.llm.tasks import TranscriptMessage
from memoryapp.llm.types import ToolSpec
from memoryapp.model_settings import client_for
from memoryapp.models import Conversation, Message
from memoryapp.providers import providers_for
from memoryapp.providers.base import TurnQuery
from memoryapp.providers.chain import guarded
from tenants.principals import Principal
from tenants.scoping import workspace_scope

logger = logging.getLogger(__name__)

# However short the messages: so many are summed up before the oldest would drop out of what a turn loads.
MOST_MESSAGES = 150
MOST_KEPT = 60
EMERGENCY_TURNS = 2
# What is summed up by the model at once; what goes beyond is condensed by rules first, so that one turn makes one call.
SUMMED_AT_ONCE = 16_000
GAP_AT_ONCE = 500
# Of a summary without a limit of its own.
MOST_TOKENS = 3_000
CACHE_SECONDS = 30 * 60
CACHED = 256

_summaries: OrderedDict[str, tuple[float, str]] = OrderedDict()
_lock = Lock()
_tool_tokens: dict[str, int] = {}


def keep_within_window(
    turn: TurnQuery, context: TurnContext, text: str, tools: Sequence[ToolSpec]
) -> TurnContext:
    """The context with its history summed up where that is due, and trimmed to the window whatever comes of it.

    Not inside a scope: a model may be asked.
    """
    head = due_for_summary(context, text, tools)
    if head and turn.conversation is not None:
        context = _summed_up(turn, turn.conversation, context, head, context.history[len(head) :])
    return trimmed(context, text, tools)


def due_for_summary(context: TurnContext, text: str, tools: Sequence[ToolSpec]) -> Sequence[Earlier]:
    """The messages that are to be summed up before this turn; none mostly."""
    share = settings.MEMORY_WINDOW_COMPACT_TRIGGER_RATIO
    room = int(settings.MEMORY_WINDOW_MAX_INPUT_TOKENS * share) - fixed_tokens(context, text, tools)
    history = context.history
    if _tokens(history) + estimate_tokens(context.summary) <= room and len(history) <= MOST_MESSAGES:
        return []
    return history[: len(history) - len(tail_of(history, room // 2))]


def fixed_tokens(context: TurnContext, text: str, tools: Sequence[ToolSpec]) -> int:
    """About what a turn sends that is not its conversation."""
    return context.fixed_tokens + estimate_tokens(text) + tools_tokens(tools)


def tail_of(history: Sequence[Earlier], tokens: int) -> Sequence[Earlier]:
    """The newest messages that stay word for word: as many as fit, at least those the settings protect.

    It begins with a question, so that none is parted from its answer.
    """
    floor = max(
        2 * settings.MEMORY_WINDOW_PRESERVE_RECENT_PAIRS,
        settings.MEMORY_WINDOW_PROTECT_LAST_MIN_MESSAGES,
        LAST_MESSAGES,
    )
    kept = newest_within(history[-max(MOST_KEPT, floor) :], tokens, at_least=floor)
    start = len(history) - len(kept)
    while start and history[start].role == Message.Role.ASSISTANT:
        start -= 1
    return history[start:]


def trimmed(context: TurnContext, text: str, tools: Sequence[ToolSpec]) -> TurnContext:
    """The context without the oldest messages that do not fit; the last two stay whether they do or not."""
    taken = fixed_tokens(context, text, tools) + estimate_tokens(context.summary)
    room = settings.MEMORY_WINDOW_MAX_INPUT_TOKENS - taken
    kept = newest_within(context.history, room, at_least=LAST_MESSAGES)
    gone = len(context.history) - len(kept)
    if not gone:
        return context
    omission = Omission("history", f"{gone} earlier messages did not fit the window")
    return context.with_history(kept, context.summary, omission)


def cut_to_last_turns(context: TurnContext) -> TurnContext:
    """What is sent when the model has said “too long”: the last two turns and the message."""
    kept = context.history[-2 * EMERGENCY_TURNS :]
    gone = len(context.history) - len(kept)
    omission = Omission("history", f"{gone} earlier messages were too long for the model")
    return context.with_history(kept, context.summary, *([omission] if gone else []))


def tools_tokens(tools: Sequence[ToolSpec]) -> int:
    """About how many tokens the descriptions of tools take."""
    for tool in tools:
        if tool.name not in _tool_tokens:
            told = json.dumps([tool.name, tool.description, dict(tool.parameters)])
            _tool_tokens[tool.name] = estimate_tokens(told)
    return sum(_tool_tokens[tool.name] for tool in tools)


def _tokens(history: Sequence[Earlier]) -> int:
    return sum(estimate_tokens(message.text) + TOKENS_PER_MESSAGE for message in history)


def _summed_up(
    turn: TurnQuery,
    conversation: Conversation,
    context: TurnContext,
    head: Sequence[Earlier],
    tail: Sequence[Earlier],
) -> TurnContext:
    gap = _never_loaded(conversation, head[0].number)
    leaving = [*gap, *head]
    previous = "\n".join([context.summary, *_to_carry_on(turn, leaving)]).strip()
    summary = sum_up(turn.principal, previous, leaving)
    store_summary(
        principal=turn.principal, conversation=conversation, summary=summary, through=head[-1].number
    )
    omission = Omission("history", f"{len(gap) + len(head)} earlier messages are summarised")
    return context.with_history(tail, summary, omission)


def _to_carry_on(turn: TurnQuery, leaving: Sequence[Earlier]) -> list[str]:
    """What the memory sources want the summary of these messages to keep."""
    said = [message.text for message in leaving]
    lines: list[str] = []
    for provider in providers_for(turn.agent, turn.principal.workspace):
        if provider.hears("on_pre_compress"):
            ask = partial(provider.on_pre_compress, turn.principal, turn.agent, said)
            told = guarded(provider, "on_pre_compress", ask)
            lines += told or []
    return lines


def _never_loaded(conversation: Conversation, before: int) -> list[Earlier]:
    """What lies between the summary and the oldest message a turn loads, as after an import."""
    if before <= conversation.summary_through + 1:
        return []
    with workspace_scope(conversation.workspace_id):
        rows = Message.objects.filter(
            conversation=conversation,
            number__gt=conversation.summary_through,
            number__lt=before,
            state__in=SHOWN_STATES,
        )
        found = rows.exclude(text="").order_by("number").values_list("number", "role", "text")
        return [Earlier(*row) for row in found.iterator(GAP_AT_ONCE)]


def sum_up(principal: Principal, previous: str, head: Sequence[Earlier]) -> str:
    """A summary that carries the earlier one on; by rules when the model does not answer."""
    words = words_for(settings.MEMORY_WINDOW_SUMMARY_MAX_TOKENS)
    key = hashlib.sha256(repr((previous, words, [tuple(_told(each)) for each in head])).encode()).hexdigest()
    known = _cached(key)
    if known is not None:
        return known
    given = _to_sum_up(previous, head, words)
    try:
        summary = _asked(client_for(principal.workspace), given) or summarise(given)
    except ModelError as error:
        logger.warning("A conversation was summed up by rules: %s", error.code)
        return summarise(given)
    _keep(key, summary)
    return summary


def foreseen(conversation: Conversation, context: TurnContext, head: Sequence[Earlier]) -> TurnContext:
    """The context as it will be once these messages are summed up, with the summary as the rules word it."""
    leaving = [*_never_loaded(conversation, head[0].number), *head]
    words = words_for(settings.MEMORY_WINDOW_SUMMARY_MAX_TOKENS)
    summary = summarise(_to_sum_up(context.summary, leaving, words))
    omission = Omission("history", f"{len(leaving)} earlier messages would be summarised first")
    return context.with_history(context.history[len(head) :], summary, omission)


def _asked(client: LLMClient, given: CompressInput) -> str:
    limit = settings.MEMORY_WINDOW_SUMMARY_MAX_TOKENS
    text = client.complete(build_compress_request(given, max_tokens=limit or None)).text.strip()
    # A model that does not keep to its limit must not fill the window with its summary.
    return cut_to_tokens(text, 2 * (limit or MOST_TOKENS))


def _to_sum_up(previous: str, head: Sequence[Earlier], words: int) -> CompressInput:
    """The earlier summary and as much of what came since as a model reads at once; the rest told by rules."""
    recent = newest_within(head, SUMMED_AT_ONCE, at_least=1)
    older = head[: len(head) - len(recent)]
    if older:
        previous = summarise(CompressInput(tuple(_transcribed(older)), previous, words))
    return CompressInput(tuple(_transcribed(recent)), previous, words)


def _transcribed(messages: Sequence[Earlier]) -> list[TranscriptMessage]:
    return [
        TranscriptMessage(
            message.number,
            "assistant" if message.role == Message.Role.ASSISTANT else "user",
            message.text,
        )
        for message in messages
    ]


def _told(message: Earlier) -> tuple[int, str, str]:
    return message.number, message.role, message.text


def _cached(key: str) -> str | None:
    with _lock:
        moment, summary = _summaries.get(key, (0.0, ""))
        return summary if summary and time.monotonic() - moment < CACHE_SECONDS else None


def _keep(key: str, summary: str) -> None:
    with _lock:
        _summaries[key] = (time.monotonic(), summary)
        while len(_summaries) > CACHED:
            _summaries.popitem(last=False)
