"""What was said before: messages that fit the one just written and are no longer in its window."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.conf import settings

from memoryapp.models import Message
from memoryapp.providers.base import BuiltIn, Kind, Snippet, TurnQuery
from memoryapp.retrieval.results import LEAST_RELATED
from memoryapp.retrieval.search import Hit, search_memories

MOST_MESSAGES = 5
# More are asked for than are told, since those that the model sees anyway fall out.
ASKED = 20
LONGEST = 600


class ConversationsProvider(BuiltIn):
    name = "conversations"

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        if not settings.MEMORY_RECALL_MAX_ITEMS or not turn.plan.query:
            return []
        found = search_memories(
            turn.plan.query,
            principal=turn.principal,
            agent=turn.agent,
            top_k=ASKED,
            threshold=LEAST_RELATED,
            sources=("messages",),
            query_vector=turn.embedding,
        )
        zone = turn.principal.workspace.zone
        told = [hit for hit in found.items if self._is_out_of_sight(turn, hit)][:MOST_MESSAGES]
        return [Snippet(Kind.RECALLED, _quoted(hit), _dated(hit, zone)) for hit in told]

    def _is_out_of_sight(self, turn: TurnQuery, hit: Hit) -> bool:
        """Whether the model does not see the message anyway: what is summed up, or was said elsewhere."""
        message = hit.object
        if not isinstance(message, Message) or message.text == turn.text:
            return False
        talk = turn.conversation
        return talk is None or message.conversation_id != talk.pk or message.number <= talk.summary_through


def _quoted(hit: Hit) -> str:
    text = hit.text if len(hit.text) <= LONGEST else hit.text[:LONGEST] + "…"
    is_theirs = isinstance(hit.object, Message) and hit.object.role == Message.Role.USER
    return f"{'The person' if is_theirs else 'The assistant'} said: {text}"


def _dated(hit: Hit, zone: ZoneInfo) -> str:
    message = hit.object
    return f"said {message.said_at.astimezone(zone):%Y-%m-%d}" if isinstance(message, Message) else hit.source
