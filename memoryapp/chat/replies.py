"""A finished turn as its caller sees it, fresh or found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memoryapp.exceptions import NotFound
from memoryapp.models import Conversation, Fact, FileSection, Message
from memoryapp.retrieval.search import Hit
from tenants.principals import Principal

RECALLABLE: dict[str, QuerySet[Any]] = {
    "fact": Fact.objects.exclude(status=Fact.Status.FORGOTTEN),
    "section": FileSection.objects.all(),
}


@dataclass(frozen=True, slots=True)
class Recollection:
    """One memory that was used for a reply."""

    kind: str
    id: str
    text: str
    source: str
    score: float

    @classmethod
    def of(cls, hit: Hit) -> Recollection:
        return cls(hit.kind, str(hit.id), hit.text, hit.source, round(hit.score, 4))

    @property
    def body(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "id": self.id,
            "text": self.text,
            "source": self.source,
            "score": self.score,
        }

    @property
    def stored(self) -> dict[str, Any]:
        """What the reply's row keeps: no text, so that there is nothing in it to be forgotten."""
        return {"kind": self.kind, "id": self.id, "source": self.source, "score": self.score}


@dataclass(frozen=True, slots=True)
class TurnReply:
    """The answer to a turn."""

    conversation: str
    message_id: UUID
    text: str
    recalled: tuple[Recollection, ...]
    usage: dict[str, int]
    # What the night changed, with the first conversation of the day.
    morning_card: dict[str, Any] | None = None
    # The tools that the model called on the way, and how each ended.
    tools: tuple[dict[str, str], ...] = ()
    # Why the model ended: “stop” of its own accord, “length” or “content_filter” when it was cut short.
    finish_reason: str = "stop"

    @classmethod
    def of(cls, conversation: Conversation, reply: Message, recalled: Sequence[Recollection]) -> TurnReply:
        uses = reply.detail.get("tools", [])
        return cls(
            conversation.external_id,
            reply.pk,
            reply.text,
            tuple(recalled),
            reply.detail.get("usage", {}),
            tools=tuple({"name": use["name"], "status": use["status"]} for use in uses),
            finish_reason=reply.detail.get("finish", "stop"),
        )

    @property
    def body(self) -> dict[str, Any]:
        return {
            "conversationId": self.conversation,
            "messageId": str(self.message_id),
            "reply": self.text,
            "recalled": [item.body for item in self.recalled],
            "usage": self.usage,
            **({"tools": list(self.tools)} if self.tools else {}),
            **({"morningCard": self.morning_card} if self.morning_card else {}),
            **({"finishReason": self.finish_reason} if self.finish_reason != "stop" else {}),
        }


def reload_reply(principal: Principal, conversation: Conversation, reply: Message) -> TurnReply:
    """A stored reply again, with the text of what was recalled for it where that still exists."""
    noted = reply.detail.get("recalled", [])
    texts: dict[str, str] = {}
    for kind, rows in RECALLABLE.items():
        ids = [item["id"] for item in noted if item["kind"] == kind]
        found = rows.visible_to(principal).filter(pk__in=ids) if ids else ()  # type: ignore[attr-defined] # owned rows
        texts.update({str(row.pk): row.text for row in found})
    recalled = [Recollection(text=texts[item["id"]], **item) for item in noted if item["id"] in texts]
    return TurnReply.of(conversation, reply, recalled)


def find_reply(principal: Principal, message_id: str) -> Message:
    """The owner's reply of that id; NotFound when missing or somebody else's."""
    try:
        key = UUID(message_id)
    except ValueError as error:
        raise NotFound from error
    replies = Message.objects.visible_to(principal).select_related("conversation")
    reply: Message | None = replies.filter(pk=key, role=Message.Role.ASSISTANT).first()
    if reply is None:
        raise NotFound
    return reply
