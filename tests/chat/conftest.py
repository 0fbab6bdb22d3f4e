from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.chat.replies import TurnReply
from memoryapp.chat.turns import Said, run_turn
from memoryapp.models import Message
from tenants.principals import Principal
from tenants.scoping import workspace_scope
from tests.conftest import Person

Say = Callable[..., TurnReply]


@pytest.fixture
def say() -> Say:
    """Has somebody say something to the agent of their workspace and gives the reply."""

    def say(who: Person | Principal, text: str, conversation: str | None = "talk", **more: Any) -> TurnReply:
        principal = who.principal if isinstance(who, Person) else who
        return run_turn(principal=principal, said=Said("juno", text, conversation, **more))

    return say


def stored(who: Person | Principal) -> list[Message]:
    """Every message of a person, as it stands in the database."""
    principal = who.principal if isinstance(who, Person) else who
    with workspace_scope(principal.workspace):
        return list(Message.objects.owned_by(principal).order_by("conversation", "number"))
