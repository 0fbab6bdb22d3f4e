from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import httpx2
import pytest

from memoryapp.chat.replies import TurnReply
from memoryapp.chat.turns import Said, run_turn
from memoryapp.models import Message
from tenants.principals import Principal
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.scripted_endpoint import ScriptedEndpoint, running_endpoint
from tests.served import StreamReader, served

Say = Callable[..., TurnReply]
Open = Callable[..., AbstractContextManager[StreamReader]]


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


@pytest.fixture
def endpoint(settings: Any) -> Iterator[ScriptedEndpoint]:
    """The model's server, which does to the wire what a test says."""
    with running_endpoint() as endpoint:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = endpoint.base_url, "m", "none"
        settings.LLM_MAX_RETRIES = 0
        yield endpoint


@pytest.fixture
def address(transactional_db: None, settings: Any) -> Iterator[str]:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    with served() as address:
        yield f"{address}/api/v1"


@pytest.fixture
def talk(address: str, alice: Person, endpoint: ScriptedEndpoint) -> Open:
    """Opens a stream of alice's: a message, or with `back_to` the return to one."""

    @contextmanager
    def talk(
        text: str = "Hello.", *, back_to: str = "", who: Person = alice, **headers: str
    ) -> Iterator[StreamReader]:
        body = {"agentId": "juno", "message": text, "conversationId": "talk"}
        returning = {"Last-Event-ID": back_to} if back_to else {}
        sent: dict[str, Any] = {"json": body} if not back_to else {}
        asked = {**who.headers, **returning, **headers}
        method = "GET" if back_to else "POST"
        with httpx2.stream(method, f"{address}/chat/stream", headers=asked, timeout=20, **sent) as response:
            yield StreamReader(response)

    return talk
