"""What is done to many facts at once takes as many statements as to a few, and leaves everybody else's alone."""

from __future__ import annotations

import time
from typing import Any

import pytest

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_batches import add_facts
from memoryapp.actions.fact_lifecycle import merge_facts
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact, update_fact
from memoryapp.actions.files import write_file
from memoryapp.actions.forget import forget_facts, undo_forget
from memoryapp.models import Fact, FactRevision, Message
from memoryapp.retrieval.indexing import prepare_rows
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Call, Person
from tests.query_counts import counted

FACTS = "/memory/juno/facts"
FEW, MANY = 4, 60
# A place where a few leave nothing to do and many do takes a statement or two more, once.
ONCE = 4
PLACES = ["harbour", "quarry", "museum", "bakery", "stadium", "library"]


def sentence(number: int) -> str:
    return f"Item {number * 7919} stands in the {PLACES[number % len(PLACES)]} cellar"


def remember_with_traces(alice: Person, end_user: str, amount: int) -> list[Fact]:
    """Facts with sources, histories, merges, metadata and a file that says the same."""
    principal = alice.principal.acting_as(end_user)
    who: dict[str, Any] = {"principal": principal, "agent": alice.agent}
    conversation = open_conversation(**who, external_id=f"{end_user}-talk")
    said = add_message(
        principal=principal,
        conversation=conversation,
        role="user",
        text="\n".join(sentence(number) for number in range(amount)),
    )
    facts = []
    for number in range(amount):
        text = sentence(number)
        start = said.text.index(text)
        span = SourceSpan(message=said, start=start, end=start + len(text))
        new = NewFact(text="Item stands somewhere", metadata={"note": text}, run_id=str(number))
        fact = add_fact(**who, new=new, sources=[span]).fact
        facts.append(update_fact(principal=principal, fact=fact, text=text))
    for number, fact in enumerate(facts[::2]):
        other = add_fact(**who, new=NewFact(text=f"The cellar number {number} is dry")).fact
        merge_facts(principal=principal, keep=fact, absorbed=[other], text=fact.text)
        add_fact(**who, new=NewFact(text=f"{fact.text}, and the rent is {number} crowns"))
    write_file(
        **who, path="MEMORY.md", content="".join(f"- {each.text}\n" for each in facts), scope="PERSONAL"
    )
    return facts


def left_of(alice: Person, end_user: str) -> list[str]:
    """Every text of facts, messages and histories that an owner still has."""
    with workspace_scope(alice.workspace):
        mine = {"owner_key": f"api:{end_user}"}
        facts = list(Fact.objects.filter(**mine).exclude(status="forgotten").values_list("text", flat=True))
        told = list(Message.objects.filter(**mine).values_list("text", flat=True))
        kept = list(FactRevision.objects.filter(**mine).values_list("before", "after"))
    return [*facts, *told, *(str(each) for each in kept)]


def test_deleting_many_takes_as_many_statements_as_deleting_a_few(call: Call, alice: Person) -> None:
    takes = {}
    for end_user, amount in (("ana", FEW), ("ben", MANY)):
        remember_with_traces(alice, end_user, amount)
        with counted() as statements:
            body = {"all": True, "confirm": True, "endUserId": end_user}
            assert call(alice, "DELETE", FACTS, body).status_code == 200
        takes[amount] = statements
        assert not [text for text in left_of(alice, end_user) if "cellar" in text]
    assert len(takes[MANY]) <= len(takes[FEW]) + ONCE, [sql[:150] for sql in takes[MANY].statements]


def test_forgetting_many_and_taking_it_back_takes_as_many_statements_as_for_a_few(alice: Person) -> None:
    takes = {}
    for end_user, amount in (("ana", FEW), ("ben", MANY)):
        facts = remember_with_traces(alice, end_user, amount)
        principal = alice.principal.acting_as(end_user)
        before = sorted(left_of(alice, end_user))
        with counted() as forgetting:
            receipt = forget_facts(principal=principal, facts=facts)
        assert not [text for text in left_of(alice, end_user) if "cellar" in text and "dry" not in text]
        with counted() as undoing:
            undo_forget(principal=principal, forgetting=receipt)
        assert sorted(left_of(alice, end_user)) == before
        takes[amount] = len(forgetting), len(undoing)
    for few, many in zip(takes[FEW], takes[MANY], strict=True):
        assert many <= few + ONCE


def test_saying_many_known_facts_again_takes_as_many_statements_as_a_few(alice: Person) -> None:
    takes = {}
    for amount in (FEW, MANY):
        news = [NewFact(text=sentence(number), run_id=f"{amount}") for number in range(amount)]
        add_facts(principal=alice.principal, agent=alice.agent, news=news)
        with counted() as statements:
            again = add_facts(principal=alice.principal, agent=alice.agent, news=news)
        takes[amount] = len(statements)
        assert {(each.created, each.fact.mention_count) for each in again} == {(False, 2)}
    assert takes[FEW] == takes[MANY]


def test_two_facts_of_one_message_are_both_marked_in_it(alice: Person) -> None:
    principal = alice.principal
    conversation = open_conversation(principal=principal, agent=alice.agent, external_id="talk")
    said = add_message(
        principal=principal,
        conversation=conversation,
        role="user",
        text="We got a corgi; my bike got stolen.",
    )
    facts = []
    for text, words in (
        ("User has a dog", "We got a corgi"),
        ("User lost the bicycle", "my bike got stolen"),
    ):
        start = said.text.index(words)
        span = SourceSpan(message=said, start=start, end=start + len(words))
        facts.append(
            add_fact(principal=principal, agent=alice.agent, new=NewFact(text=text), sources=[span]).fact
        )
    receipt = forget_facts(principal=principal, facts=facts)
    with workspace_scope(alice.workspace):
        assert Message.objects.get(pk=said.pk).text == "[forgotten]; [forgotten]."
    undo_forget(principal=principal, forgetting=receipt)
    with workspace_scope(alice.workspace):
        assert Message.objects.get(pk=said.pk).text == said.text


@pytest.mark.long
def test_five_thousand_facts_are_gone_in_ten_seconds(call: Call, alice: Person) -> None:
    for end_user in ("first", "second"):
        store(alice, end_user, 5_000)
    started = time.perf_counter()
    answer = call(alice, "DELETE", FACTS, {"all": True, "confirm": True, "endUserId": "first"})
    assert time.perf_counter() - started < 10
    assert answer.json() == {"deleted": 5_000}
    with workspace_scope(alice.workspace):
        assert set(Fact.objects.values_list("owner_key", flat=True)) == {"api:second"}
        assert Fact.objects.count() == 5_000


def store(alice: Person, end_user: str, amount: int) -> None:
    """Many facts with their histories, past the doors that would embed each."""
    facts = [
        Fact(
            workspace=alice.workspace, agent=alice.agent, owner_key=f"api:{end_user}", scope=Scope.PERSONAL,
            importance=0.5, text=sentence(number), text_key=f"{end_user}{number}", origin="api",
        )
        for number in range(amount)
    ]  # fmt: skip
    with workspace_scope(alice.workspace):
        prepare_rows(facts)
        Fact.objects.bulk_create(facts)
        FactRevision.objects.bulk_create(
            FactRevision(
                workspace=alice.workspace, agent=alice.agent, owner_key=fact.owner_key, scope=fact.scope, fact=fact,
                operation="ADD", after={"text": fact.text}, actor="test",
            )
            for fact in facts
        )  # fmt: skip
