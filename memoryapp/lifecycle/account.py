"""What a conversation can say for itself: what was kept of it, what was refused, what still waits, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Case, Q, When
from django.utils import timezone

from memoryapp.actions.turns import KEPT_BY_TOOL
from memoryapp.lifecycle.timing import EXTRACTION, never_read
from memoryapp.lifecycle.transcripts import readable
from memoryapp.models import Conversation, Event, Extraction, Message
from tenants.principals import Principal
from tenants.scoping import workspace_scope

READINGS = 50
BY_TOOL = "The agent has kept it itself, by a tool."


class State(StrEnum):
    """How things stand with what was said last."""

    READ = "read"
    RUNNING = "running"
    PENDING = "pending"
    DEFERRED = "deferred"
    FAILED = "failed"
    SKIPPED = "skipped"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ConversationAccount:
    """The account of one conversation.

    `until` is when a waiting reading will take place; `by_tool` are replies with whose turns the agent wrote memory.
    """

    state: State
    reason: str
    until: datetime | None
    unread: int
    readings: tuple[Extraction, ...]
    event: Event | None
    by_tool: tuple[Message, ...] = ()


def explain_conversation(principal: Principal, conversation: Conversation) -> ConversationAccount:
    """What has become of a conversation so far; the caller has made sure that it is the principal's to see."""
    with workspace_scope(principal.workspace):
        readings = tuple(
            Extraction.objects.filter(conversation=conversation).order_by("-created_at")[:READINGS]
        )
        unread = readable(conversation).filter(number__gt=conversation.extracted_through).count()
        event, by_tool = _event_of(conversation), _kept_by_tool(conversation)
    never = never_read(conversation)
    if never:
        return ConversationAccount(State.NEVER, never, None, unread, readings, event, by_tool)
    state, reason, until = _state(unread, event, readings[0] if readings else None)
    if state is State.READ and by_tool and not readings:
        reason = BY_TOOL
    return ConversationAccount(state, reason, until, unread, readings, event, by_tool)


def _kept_by_tool(conversation: Conversation) -> tuple[Message, ...]:
    """The latest replies in whose turns the agent wrote memory itself."""
    replies = Message.objects.filter(
        conversation=conversation, role=Message.Role.ASSISTANT, detail__has_key=KEPT_BY_TOOL
    )
    return tuple(replies.order_by("-number")[:READINGS])


def _event_of(conversation: Conversation) -> Event | None:
    """The job that is at it or waits, else the latest one."""
    jobs = Event.objects.filter(
        workspace_id=conversation.workspace_id, kind=EXTRACTION, subject_id=conversation.pk
    )
    waiting = Q(status__in=[Event.Status.RUNNING, Event.Status.PENDING])
    return jobs.order_by(Case(When(waiting, then=0), default=1), "-created_at").first()


def _state(unread: int, event: Event | None, latest: Extraction | None) -> tuple[State, str, datetime | None]:
    if event is not None and event.status == Event.Status.RUNNING:
        return State.RUNNING, "It is being read right now.", None
    told = latest.reason if latest is not None else ""
    if not unread:
        return State.READ, told or "Nothing has been said yet.", None
    if event is not None and event.status == Event.Status.PENDING:
        return _waiting(event, latest)
    if event is not None and event.status == Event.Status.FAILED:
        return State.FAILED, event.reason, None
    return State.SKIPPED, told or "Nobody has asked for it to be read.", None


def _waiting(event: Event, latest: Extraction | None) -> tuple[State, str, datetime | None]:
    if event.run_after <= timezone.now():
        return State.PENDING, "It will be read in a moment.", None
    if latest is not None and latest.status == Extraction.Status.FAILED:
        return State.DEFERRED, f"{latest.reason} It will be tried again.", event.run_after
    return State.DEFERRED, event.reason, event.run_after
