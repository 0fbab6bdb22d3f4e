"""Every conversation can say why it did or did not produce memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.jobs import enqueue_extraction
from memoryapp.lifecycle.account import ConversationAccount, State, explain_conversation
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.errors import ModelTimeout
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Conversation
from tests.lifecycle.conftest import NOTHING, Talks, add, reply

pytestmark = pytest.mark.django_db

Read = Callable[[], list[ChatRequest]]
TALK = ("I always want window seats.", "Noted.", "On trains, that is, not planes.", "Good.")


@pytest.fixture
def explain(talks: Talks) -> Callable[[Conversation], ConversationAccount]:
    return lambda conversation: explain_conversation(talks.principal, talks.reload(conversation))


def test_from_pending_to_read(talks: Talks, model: ScriptedBackend, read: Read, explain: Any) -> None:
    model.queue(reply(operations=[add("User prefers window seats"), {"op": "DELETE", "target": 9}]))
    conversation = talks.hold(*TALK)
    account = explain(conversation)
    assert (account.state, account.unread) == (State.PENDING, 4)
    read()
    account = explain(conversation)
    assert (account.state, account.unread, account.reason) == (State.READ, 0, "something new")
    [reading] = account.readings
    assert [entry["op"] for entry in reading.kept] == ["ADD"]
    assert reading.refused[0]["reason"] == "There is no known fact 9."


def test_deferred_by_the_cooldown_until_when(
    talks: Talks, model: ScriptedBackend, read: Read, explain: Any, clock: Any
) -> None:
    model.answer_always(NOTHING)
    talks.hold(*TALK)
    read()
    second = talks.hold(*TALK)
    read()
    account = explain(second)
    assert account.state == State.DEFERRED
    assert account.until == timezone.now() + timedelta(minutes=5)
    assert "cooldown" in account.reason


def test_failed_with_the_reason_and_the_next_attempt(
    talks: Talks, model: ScriptedBackend, read: Read, explain: Any, clock: Any
) -> None:
    model.answer_always(ModelTimeout())
    conversation = talks.hold(*TALK)
    read()
    account = explain(conversation)
    assert account.state == State.DEFERRED
    assert account.reason.startswith(ModelTimeout().detail)
    for _ in range(8):
        clock.shift(3600)
        read()
    account = explain(conversation)
    assert (account.state, account.reason) == (State.FAILED, ModelTimeout().detail)


def test_skipped_with_what_is_missing(talks: Talks, read: Read, explain: Any) -> None:
    conversation = talks.hold(*TALK[:2])
    read()
    account = explain(conversation)
    assert (account.state, account.unread) == (State.SKIPPED, 2)
    assert "from 4 on" in account.reason


def test_never_read_and_why(talks: Talks, explain: Any) -> None:
    conversation = talks.hold(*TALK, trigger=Conversation.Trigger.JOB)
    assert enqueue_extraction(conversation) is None
    assert explain(conversation).state == State.NEVER
