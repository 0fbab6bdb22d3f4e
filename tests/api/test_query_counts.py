"""The cost of a request does not grow with what it returns, and changes only on purpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.actions.events import request_job
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.models import Conversation
from tenants.actions import issue_token, record_audit
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Call, Person
from tests.query_counts import Counted, assert_as_before, counted

FEW, MANY = 5, 100
MOST_PER_TURN = 12


def add_rows(alice: Person, amount: int) -> None:
    """So many more of everything that can be listed."""
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    for number in range(amount):
        add_fact(**who, new=NewFact(text=f"Thing {number} of {amount} stands in the shed.", run_id="r"))
        request_job(principal=alice.principal, kind="chore")
    for number in range(min(amount, 20)):
        write_file(**who, path=f"notes-{amount}-{number}.md", content=f"Note {number}.\n")
        issue_token(principal=alice.principal, name=f"token {number}")
    with workspace_scope(alice.workspace):
        record_audit(principal=alice.principal, action="chore.done")
        Conversation.objects.bulk_create(
            Conversation(
                workspace=alice.workspace,
                agent=alice.agent,
                owner_key=alice.principal.owner_key,
                scope=Scope.PERSONAL,
                external_id=f"{amount}-{number}",
            )
            for number in range(amount)
        )


LISTS = {
    "list agents": "/agents",
    "list audit": "/audit",
    "list conversations": "/conversations?pageSize=200",
    "list events": "/events?pageSize=200",
    "list facts": "/memory/juno/facts?pageSize=200",
    "list files": "/agents/juno/workspace/files?pageSize=200",
    "list members": "/members",
    "list owners": "/owners",
    "list tokens": "/tokens?pageSize=200",
}


def test_lists_take_as_many_statements_for_many_rows_as_for_few(call: Call, alice: Person) -> None:
    call(alice, "GET", "/whoami")
    takes: dict[int, dict[str, int]] = {}
    for amount in (FEW, MANY):
        add_rows(alice, amount)
        takes[amount] = {}
        for name, path in LISTS.items():
            with counted() as statements:
                assert call(alice, "GET", path).status_code == 200
            takes[amount][name] = len(statements)
            assert_as_before(name, statements)

    assert takes[FEW] == takes[MANY]


@pytest.mark.django_db(transaction=True)
class TestTurns:
    """A turn, with what it hands to the queue after its commit."""

    @pytest.fixture
    def turn(self, call: Call, alice: Person, model: ScriptedBackend) -> Callable[..., None]:
        def turn(conversation: str | None) -> None:
            body = {
                "agentId": "juno",
                "message": "Which thing stands in the shed?",
                "conversationId": conversation,
            }
            assert call(alice, "POST", "/chat", body).status_code == 200

        for number in range(FEW):
            new = NewFact(text=f"Thing {number} stands in the shed.", category="identity")
            add_fact(principal=alice.principal, agent=alice.agent, new=new)
        turn("warm")
        return turn

    def test_in_a_new_conversation(self, turn: Callable[..., None]) -> None:
        with counted() as statements:
            turn(None)
        assert_as_before("turn, new conversation", statements)
        assert within_budget(statements)

    def test_in_a_new_conversation_with_a_name(self, turn: Callable[..., None]) -> None:
        with counted() as statements:
            turn("another")
        assert_as_before("turn, new conversation with a name", statements)
        assert within_budget(statements)

    def test_in_a_conversation_that_goes_on(self, turn: Callable[..., None]) -> None:
        with counted() as statements:
            turn("warm")
        assert_as_before("turn", statements)
        assert within_budget(statements)


def within_budget(statements: Counted) -> bool:
    """Whether a turn keeps to its twelve, waking the queue included."""
    return len(statements) <= MOST_PER_TURN
