from __future__ import annotations

from collections.abc import Callable

import pytest

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.models import Message


@pytest.fixture
def conversation_of() -> Callable[..., Message]:
    """Let somebody say one thing in a new conversation."""

    def say(person, text: str) -> Message:
        conversation = open_conversation(principal=person.principal, agent=person.agent)
        return add_message(principal=person.principal, conversation=conversation, role="user", text=text)

    return say
