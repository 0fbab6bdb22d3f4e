from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.jobs import drain, enqueue_extraction
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Conversation, Event, Extraction, Fact, WorkspaceFile
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.lifecycle.dreams import NOW
from tests.lifecycle.nights import Memory, offline_rules

Read = Callable[[], list[ChatRequest]]
SMALL_TALK = ("How is the weather today?", "Sunny.", "And what about tomorrow then?", "Rain.")
NOTHING = {"should_update": False, "reason": "nothing durable"}


def reply(**fields: Any) -> dict[str, Any]:
    """A model's reply to an extraction."""
    return {"should_update": True, "reason": "something new", **fields}


def add(text: str, category: str = "preference", **fields: Any) -> dict[str, Any]:
    return {"op": "ADD", "text": text, "category": category, "evidence": [1], "explicit": True, **fields}


def transcript(request: ChatRequest) -> str:
    """The part of a request that holds the conversation."""
    return request.messages[-1].content.partition("\nThe conversation")[2]


@pytest.fixture
def no_cooldown(settings: Any) -> None:
    settings.MEMORY_COOLDOWN_MINUTES = 0


@pytest.fixture
def clock() -> Iterator[Any]:
    """A clock that stands still until a test moves it."""
    with time_machine.travel(timezone.now().replace(hour=12), tick=False) as traveller:
        yield traveller


@pytest.fixture
def night() -> Iterator[Any]:
    """The evening on which dreams are dreamt, until a test moves the clock."""
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def mine(alice: Person) -> Iterator[Memory]:
    """Alice's own memory, looked after by the rules."""
    with offline_rules():
        yield Memory(alice)


@pytest.fixture(autouse=True)
def empty_backlog(alice: Person) -> None:
    """What making an agent asked for is out of the way."""
    Event.objects.all().delete()


class Talks:
    """Alice's conversations with her agent, and what is remembered of them."""

    def __init__(self, person: Person, principal: Principal | None = None) -> None:
        self.person = person
        self.principal = principal or person.principal

    def hold(
        self, *texts: str, into: Conversation | None = None, said_at: datetime | None = None, **options: Any
    ) -> Conversation:
        """Say the texts in turn, the person first, and ask for the conversation to be read as a turn does."""
        principal = self.principal
        with workspace_scope(principal.workspace):
            conversation = into or open_conversation(principal=principal, agent=self.person.agent, **options)
            for position, text in enumerate(texts):
                role = "user" if position % 2 == 0 else "assistant"
                add_message(
                    principal=principal, conversation=conversation, role=role, text=text, said_at=said_at
                )
            enqueue_extraction(conversation)
        return conversation

    def know(self, text: str, category: str = "preference", **fields: Any) -> Fact:
        new = NewFact(text=text, category=category, **fields)
        return add_fact(principal=self.principal, agent=self.person.agent, new=new).fact

    def reload(self, conversation: Conversation) -> Conversation:
        with workspace_scope(self.person.workspace):
            return Conversation.objects.get(pk=conversation.pk)

    @property
    def facts(self) -> list[str]:
        with workspace_scope(self.person.workspace):
            facts = Fact.objects.visible_to(self.principal).active().order_by("created_at")
            return list(facts.values_list("text", flat=True))

    def file(self, path: str) -> WorkspaceFile | None:
        with workspace_scope(self.person.workspace):
            files = WorkspaceFile.objects.visible_to(self.principal)
            return files.filter(path=path, scope=Scope.PERSONAL).first()

    def text(self, path: str) -> str:
        file = self.file(path)
        return file.content if file else ""

    @property
    def note(self) -> str:
        return self.text(f"memory/{timezone.now():%Y-%m-%d}.md")

    @property
    def readings(self) -> list[Extraction]:
        with workspace_scope(self.person.workspace):
            return list(Extraction.objects.visible_to(self.principal).order_by("created_at", "last_number"))

    @property
    def everything(self) -> str:
        """All that is stored for this person anywhere, as one text to look for leaks in."""
        from django.apps import apps
        from django.core import serializers

        with workspace_scope(self.person.workspace):
            models = apps.get_app_config("memoryapp").get_models()
            return "\n".join(
                serializers.serialize("json", model._default_manager.all(), ensure_ascii=False)
                for model in models
            )


@pytest.fixture
def talks(alice: Person) -> Talks:
    return Talks(alice)


@pytest.fixture
def read(model: ScriptedBackend) -> Read:
    """Let the worker do what is due, and return the requests the model got."""

    def read() -> list[ChatRequest]:
        before = len(model.requests)
        drain()
        return model.requests[before:]

    return read
