"""What the pages' tests share: somebody signed in, and memory worth looking at."""

from __future__ import annotations

import pytest
from django.test import Client

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import Conversation, Extraction, Fact
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person

SAID = "The daily mails are too much. Just send me one summary on Monday."
WORDS = "Just send me one summary on Monday"


class Pages:
    """A person's browser without script: paths are given below their workspace's agent."""

    def __init__(self, person: Person, *, sign_in: bool = True) -> None:
        self.person = person
        self.client = Client()
        if sign_in:
            self.client.force_login(person.user)

    def agent(self, path: str = "") -> str:
        return f"/w/{self.person.workspace.slug}/a/{self.person.agent.slug}/{path}"

    def workspace(self, path: str = "") -> str:
        return f"/w/{self.person.workspace.slug}/{path}"


@pytest.fixture
def pages(alice: Person) -> Pages:
    """Alice, owner of the workspace, signed in."""
    return Pages(alice)


@pytest.fixture
def stranger(charlie: Person) -> Pages:
    return Pages(charlie)


@pytest.fixture
def conversation(alice: Person) -> Conversation:
    """What alice said, one sentence of which is known now."""
    conversation = open_conversation(
        principal=alice.principal, agent=alice.agent, external_id="weekly", channel="web"
    )
    said = add_message(principal=alice.principal, conversation=conversation, role="user", text=SAID)
    add_message(
        principal=alice.principal,
        conversation=conversation,
        role="assistant",
        text="One on **Monday**, then.",
    )
    start = SAID.index(WORDS)
    fact = add_fact(
        principal=alice.principal,
        agent=alice.agent,
        new=NewFact(text="Alice wants one summary on Monday.", category="preference"),
        sources=[SourceSpan(message=said, start=start, end=start + len(WORDS))],
    ).fact
    with workspace_scope(alice.workspace):
        Extraction.objects.create(
            workspace=alice.workspace,
            owner_key=alice.principal.owner_key,
            scope=Scope.PERSONAL,
            agent=alice.agent,
            conversation=conversation,
            first_number=1,
            last_number=2,
            status=Extraction.Status.SUCCEEDED,
            kept=[{"op": "ADD", "factId": str(fact.pk), "category": "preference"}],
            refused=[
                {"text": "The daily mails are too much.", "gate": "utility", "reason": "No use next week."}
            ],
        )
    return conversation


@pytest.fixture
def fact(alice: Person, conversation: Conversation) -> Fact:
    """The fact that alice's conversation made."""
    with workspace_scope(alice.workspace):
        return Fact.objects.visible_to(alice.principal).get(text__startswith="Alice wants")
