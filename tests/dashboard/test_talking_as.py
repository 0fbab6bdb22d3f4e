"""The playground as somebody else: a test end user talks and is remembered, an opened person is only tried."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.opening import open_memory
from memoryapp.dashboard.whose import SESSION_OPENED
from memoryapp.models import Conversation, Event, Extraction, Message, Owner, Recall
from memoryapp.retrieval.indexing import embed_missing
from tenants.models import Membership, Role
from tenants.owners import TEST_CHANNEL
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages

HELLO = "I run the night shift in Porto. Please always answer in Spanish."


def say(pages: Pages, text: str, whom: str) -> Any:
    return pages.client.post(pages.agent("playground/say/"), {"message": text, "as": whom}, follow=True)


def test_a_test_end_user_has_a_memory_of_their_own(pages: Pages, alice: Person, bob: Person) -> None:
    begun = pages.client.get(pages.agent("playground/"), {"test": "max"}, follow=True)
    assert begun.redirect_chain[-1][0].endswith("?as=test%3Amax&new=1")
    assert "As max" in begun.content.decode()
    shown = say(pages, HELLO, "test:max").content.decode()
    assert HELLO in shown
    assert HELLO not in pages.client.get(pages.agent("playground/")).content.decode()
    with workspace_scope(alice.workspace):
        talk = Conversation.objects.get(owner_key="test:max")
        assert talk.channel == TEST_CHANNEL
        assert Event.objects.filter(kind="extraction", subject_id=talk.pk).exists()
    seen_by_bob = Pages(bob).client.get(Pages(bob).agent("playground/"), {"as": "test:max"})
    assert HELLO in seen_by_bob.content.decode()


@pytest.mark.parametrize("name", ["system", "x" * 129, "a\tb"])
def test_an_impossible_name_begins_nothing(name: str, pages: Pages) -> None:
    answer = pages.client.get(pages.agent("playground/"), {"test": name}, follow=True)
    assert "A test end user cannot have this name." in answer.content.decode()


@pytest.mark.parametrize("whom", ["api:ann", "user:1", "test:", "telegram:1", "system"])
def test_nobody_else_is_talked_as(whom: str, bob: Person) -> None:
    pages = Pages(bob)
    assert pages.client.get(pages.agent("playground/"), {"as": whom}).status_code == 404
    assert say(pages, "hello", whom).status_code == 404
    assert pages.client.get(pages.agent("playground/preview/"), {"as": whom, "m": "x"}).status_code == 404


def test_the_stream_takes_a_session_for_test_end_users_alone(pages: Pages, bob: Person) -> None:
    body = {"agentId": "juno", "message": "Hello there.", "endUserId": "max", "channel": "test"}

    def send(**changed: str) -> int:
        answer = pages.client.post("/api/v1/chat", {**body, **changed}, "application/json")
        return int(answer.status_code)

    assert send() == 200
    assert send(channel="api") == 403
    pages.client.force_login(bob.user)
    Membership.objects.filter(user=bob.user).update(role=Role.VIEWER)
    assert send() == 403


def test_an_opened_person_is_tried_and_nothing_is_kept(pages: Pages, alice: Person, bob: Person) -> None:
    fact = NewFact(text="Bob keeps the crane key in locker twelve.", category="technical")
    add_fact(principal=bob.principal, agent=alice.agent, new=fact)
    embed_missing(alice.workspace)
    with workspace_scope(alice.workspace):
        Owner.objects.get_or_create(workspace=alice.workspace, owner_key=bob.principal.owner_key)
    key = bob.principal.owner_key
    assert pages.client.get(pages.agent("playground/"), {"as": key}).status_code == 404
    opened = open_memory(principal=alice.principal, owner_key=key, reason="A ticket about the key").owner
    pages.client.post(pages.workspace(f"people/{opened.pk}/open/"), {"reason": "A ticket about the key"})
    assert key in pages.client.session[SESSION_OPENED]["harbour"]["owner"]
    before = counts(alice)
    tried = say(pages, "Where is the crane key?", key)
    html = tried.content.decode()
    assert tried.status_code == 200
    assert "would answer; none of this is stored" in html
    assert "locker twelve" in html
    assert counts(alice) == before
    now = pages.client.post(pages.agent("playground/read/"), {"as": key})
    assert now.status_code == 404
    assert (
        "locker twelve"
        in pages.client.get(
            pages.agent("playground/preview/"), {"as": key, "m": "Where is the crane key?"}
        ).content.decode()
    )


def counts(person: Person) -> dict[str, int]:
    with workspace_scope(person.workspace):
        rows = (Conversation, Message, Recall, Extraction, Event)
        return {model.__name__: model.objects.count() for model in rows}
