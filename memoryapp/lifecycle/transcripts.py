"""From stored messages to the transcript an extraction reads: which stretch, whose words, how much of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from memoryapp.actions.forget_requests import FORGETTING
from memoryapp.actions.forget_texts import MARK
from memoryapp.actions.masking import masked
from memoryapp.actions.turns import KEPT_BY_TOOL
from memoryapp.llm.tasks import TranscriptMessage
from memoryapp.models import Conversation, Message, Owner
from tenants.models import Workspace
from tenants.principals import Principal

CUT_MARK = " […]"
# A pause after which talk goes on about something else, on another day: what follows is read by itself.
SESSION_BREAK = timedelta(hours=4)
# An answer that has been "still coming" for this long never will come.
STREAM_ABANDONED = timedelta(hours=1)
MANY = 1_000


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a conversation that one extraction reads, in the order in which it was said."""

    conversation: Conversation
    messages: tuple[Message, ...]
    zone: ZoneInfo
    # Whether more can be read right after it, and whether an answer is still coming that belongs to what follows.
    more: bool = False
    unfinished: bool = False

    @property
    def first_number(self) -> int:
        return self.conversation.extracted_through + 1

    @property
    def last_number(self) -> int:
        return self.messages[-1].number if self.messages else self.conversation.extracted_through

    @property
    def said_at(self) -> datetime:
        """When the stretch ended; "today" for everything it says."""
        return self.messages[-1].said_at

    @property
    def day(self) -> date:
        return self.day_in(self.zone)

    def day_in(self, zone: ZoneInfo) -> date:
        """The day on which it was said, in another zone: notes have the workspace's, as the nights that read them."""
        return self.said_at.astimezone(zone).date()

    @property
    def user_texts(self) -> list[str]:
        return [message.text for message in self.messages if message.role == Message.Role.USER]


def load_stretch(conversation: Conversation, zone: ZoneInfo) -> Stretch:
    """The next unread messages, at most as many as a transcript holds, up to a turn whose answer is still coming."""
    limit = settings.MEMORY_MAX_TRANSCRIPT_MESSAGES or MANY
    rows = readable(conversation).filter(number__gt=conversation.extracted_through)
    unread = list(rows.order_by("number")[: limit + 1])
    finished = _finished(unread)
    chosen = _one_session(finished[:limit])
    more, unfinished = len(finished) > len(chosen), len(unread) > len(finished)
    return Stretch(conversation, tuple(chosen), zone, more, unfinished)


def _finished(messages: list[Message]) -> list[Message]:
    """What comes before the first answer that is still coming, and before the question it answers."""
    for position, message in enumerate(messages):
        if message.state == Message.State.STREAMING:
            while position and messages[position - 1].role == Message.Role.USER:
                position -= 1
            return messages[:position]
    return messages


def readable(conversation: Conversation) -> QuerySet[Message]:
    """What people and the agent really said and no tool has dealt with: no system messages, no half answers."""
    lost = Q(role=Message.Role.ASSISTANT, state__in=[Message.State.PARTIAL, Message.State.FAILED])
    lost |= Q(state=Message.State.STREAMING, updated_at__lt=timezone.now() - STREAM_ABANDONED)
    spoken = Q(role__in=[Message.Role.USER, Message.Role.ASSISTANT])
    done = Q(detail__has_any_keys=[KEPT_BY_TOOL, FORGETTING])
    return Message.objects.filter(spoken & ~lost, ~done, conversation=conversation)


def _one_session(messages: list[Message]) -> list[Message]:
    for position, (earlier, later) in enumerate(pairwise(messages), start=1):
        if later.said_at - earlier.said_at > SESSION_BREAK:
            return messages[:position]
    return messages


def transcribe(stretch: Stretch, workspace: Workspace) -> list[TranscriptMessage]:
    """The stretch as a model reads it: masked before it is cut, so that no half of a secret is left."""
    return [
        TranscriptMessage(
            number=number,
            role="user" if message.role == Message.Role.USER else "assistant",
            text=_cut(masked(_left_of(message), workspace)[0]),
            name=message.name or None,
            at=message.said_at.astimezone(stretch.zone),
        )
        for number, message in enumerate(stretch.messages, start=1)
    ]


def _left_of(message: Message) -> str:
    """What was not forgotten of a message: a mark in front of a sentence would hide how it begins."""
    return message.text.replace(MARK, "").strip() or MARK


def _cut(text: str) -> str:
    limit = settings.MEMORY_MAX_TRANSCRIPT_MESSAGE_CHARS
    return text if not limit or len(text) <= limit else text[: limit - len(CUT_MARK)] + CUT_MARK


def owner_zone(principal: Principal) -> ZoneInfo:
    """The time zone in which the owner's "yesterday" is meant: their own if known, else the workspace's."""
    known = Owner.objects.visible_to(principal).filter(owner_key=principal.owner_key).exclude(time_zone="")
    name = known.values_list("time_zone", flat=True).first()
    return ZoneInfo(name) if name else principal.workspace.zone
