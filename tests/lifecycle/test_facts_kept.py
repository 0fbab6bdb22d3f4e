"""The facts that a reading keeps: whose, out of which words, in the place of what."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from memoryapp.actions.agents import update_agent
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.actions.forget import forget_fact
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.tasks import ExtractionInput
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Fact, FactSource
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.lifecycle.conftest import Read, Talks, add, reply

pytestmark = pytest.mark.django_db


def test_a_fact_knows_whose_it_is_and_which_words_it_rests_on(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    model.queue(reply(operations=[add("User prefers window seats", evidence=[3], quote="window  Seats")]))
    talks.hold("Hello there, Juno!", "Hi.", "On trains I always want window seats.", "Noted.")
    read()
    with workspace_scope(talks.person.workspace):
        fact = Fact.objects.get(text="User prefers window seats")
        source = FactSource.objects.select_related("message").get(fact=fact)
    assert (fact.owner_key, fact.scope, fact.origin) == (
        talks.person.principal.owner_key,
        Scope.PERSONAL,
        "chat",
    )
    assert source.message is not None
    assert source.message.text[source.start : source.end] == "window seats"
    assert fact.said_at == source.message.said_at or fact.said_at > source.message.said_at


def test_what_only_the_assistant_said_is_trusted_less(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    model.queue(reply(operations=[add("The report was sent to Teo", "project", evidence=[4])]))
    talks.hold(
        "Send the report to Teo please", "On it.", "Is it done already or not?", "The report was sent to Teo."
    )
    read()
    with workspace_scope(talks.person.workspace):
        assert Fact.objects.get(text__contains="report was sent to Teo").attributed_to == Fact.Source.AGENT


def test_with_memory_per_owner_off_everything_goes_to_the_team(
    talks: Talks, bob: Person, model: ScriptedBackend, read: Read
) -> None:
    model.queue(
        reply(operations=[add("The office is in Porto", "configuration")], daily_entry="Moved to Porto.")
    )
    with override_settings(MEMORY_PER_OWNER=False):
        talks.hold("Our office is in Porto now.", "Noted.", "So use that address from now on.", "Will do.")
        read()
    with workspace_scope(bob.workspace):
        assert Fact.objects.visible_to(bob.principal).get().scope == Scope.TEAM


def test_numbers_nobody_was_given_are_skipped_and_noted(
    talks: Talks, bob: Person, model: ScriptedBackend, read: Read
) -> None:
    """BC-138: the others are applied; another owner's facts cannot be reached by any number."""
    talks.know("User drinks coffee")
    add_fact(principal=bob.principal, agent=bob.agent, new=NewFact(text="User is allergic to nuts"))
    known = talks.facts
    assert known == ["User drinks coffee"]
    model.queue(
        reply(
            operations=[
                {
                    "op": "UPDATE",
                    "target": 1,
                    "text": "User drinks coffee without sugar",
                    "category": "preference",
                    "evidence": [1],
                },
                {"op": "DELETE", "target": 12, "evidence": [1]},
                {"op": "DELETE", "target": 2, "evidence": [1]},
                add("User plays cricket on Sundays", evidence=[3]),
            ]
        )
    )
    talks.hold(
        "I take my coffee without sugar now.", "Noted.", "And I play cricket on Sundays, always.", "Nice."
    )
    read()
    assert talks.facts == ["User drinks coffee without sugar", "User plays cricket on Sundays"]
    refused = talks.readings[-1].refused
    assert [entry["gate"] for entry in refused] == ["novelty", "novelty"]
    assert "12" in refused[0]["reason"]
    with workspace_scope(bob.workspace):
        assert Fact.objects.visible_to(bob.principal).active().get().text == "User is allergic to nuts"


@pytest.mark.usefixtures("no_cooldown")
def test_the_persons_own_word_replaces_what_no_model_may_rewrite(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    old = talks.know("User lives in Lyon", "identity")
    operation = {"op": "UPDATE", "target": 1, "text": "User lives in Porto", "category": "identity"}
    model.queue(
        reply(operations=[{**operation, "evidence": [4]}]), reply(operations=[{**operation, "evidence": [1]}])
    )
    talks.hold(
        "I moved from Lyon, you know.", "Where to?", "Guess where I live now, Juno!", "You live in Porto."
    )
    read()
    assert talks.facts == ["User lives in Lyon"], "the assistant's guess is nobody's word"
    talks.hold("I live in Porto since March.", "Noted.", "The flat is near the river there.", "Nice.")
    read()
    assert talks.facts == ["User lives in Porto"]
    with workspace_scope(talks.person.workspace):
        replaced = Fact.objects.get(pk=old.pk)
    assert (replaced.text, replaced.status) == ("User lives in Lyon", Fact.Status.SUPERSEDED)


def test_a_rich_fact_absorbs_several(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    for text in ("User has a dog", "Dog's name is Poppy", "User walks dog daily"):
        talks.know(text)
    text = "User has a dog named Poppy and says walks are the best part of the day"
    model.queue(
        reply(operations=[{"op": "UPDATE", "target": 1, "also": [2, 3], "text": text, "evidence": [1]}])
    )
    talks.hold(
        "Poppy and I love our walks, best part of my day!",
        "Lovely.",
        "She learned fetch this week too.",
        "Oh!",
    )
    read()
    assert talks.facts == [text]


def test_what_is_immutable_is_never_absorbed(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    talks.know("User is Chris", "identity")
    talks.know("User has a dog")
    talks.know("User walks the dog daily")
    text = "User has a dog named Poppy, walked daily"

    def merge_all(request: ChatRequest) -> dict[str, Any]:
        assert isinstance(request.context, ExtractionInput)
        numbers = {fact.text: fact.number for fact in request.context.known}
        also = [numbers["User is Chris"], numbers["User walks the dog daily"]]
        return reply(
            operations=[
                {
                    "op": "UPDATE",
                    "target": numbers["User has a dog"],
                    "also": also,
                    "text": text,
                    "evidence": [1],
                }
            ]
        )

    model.queue(merge_all)
    talks.hold("Poppy, my dog, gets her walk daily.", "Lovely.", "Rain or shine, every single day.", "Good.")
    read()
    assert talks.facts == ["User is Chris", text]


@pytest.mark.usefixtures("no_cooldown")
def test_said_again_in_another_conversation_it_is_one_fact(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    model.answer_always(reply(operations=[add("User prefers window seats")]))
    for _ in range(2):
        talks.hold(
            "On trains I always want window seats.", "Noted.", "Please keep that in mind, Juno.", "Will do."
        )
        read()
    with workspace_scope(talks.person.workspace):
        assert Fact.objects.get(text="User prefers window seats").mention_count == 2


def test_what_the_person_wants_forgotten_is_forgotten_everywhere(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    talks.know("User wants to sell the workshop")
    person = talks.person
    memory = "# Memory\n- User wants to sell the workshop\n- User's workshop is in Odense\n"
    write_file(
        principal=person.principal, agent=person.agent, path="MEMORY.md", content=memory, scope="PERSONAL"
    )
    model.queue(reply(operations=[{"op": "DELETE", "target": 1, "evidence": [3]}]))
    talks.hold(
        "Good morning to you, Juno.", "Morning.", "Forget that I want to sell the workshop.", "It's gone."
    )
    read()
    assert talks.facts == []
    assert "sell" not in talks.text("MEMORY.md")
    assert "Odense" in talks.text("MEMORY.md")
    with workspace_scope(person.workspace):
        assert Fact.objects.get().status == Fact.Status.FORGOTTEN, "for ten minutes it can be taken back"


@pytest.mark.usefixtures("no_cooldown")
def test_what_was_forgotten_comes_back_only_by_the_persons_own_word(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    forget_fact(principal=talks.principal, fact=talks.know("User likes liquorice"))
    by_the_agent = reply(
        operations=[add("User likes liquorice", evidence=[2])], daily_entry="User likes liquorice."
    )
    model.queue(by_the_agent, reply(operations=[add("User likes liquorice", evidence=[1])]))
    talks.hold(
        "What sweets do I like, Juno?", "You like liquorice.", "Do I? I could not say.", "I thought so."
    )
    read()
    assert (talks.facts, talks.note) == ([], "")
    talks.hold("I like liquorice, by the way.", "Noted.", "The salty kind above all of them.", "Good.")
    read()
    assert talks.facts == ["User likes liquorice"]


@pytest.mark.parametrize(
    ("mode", "waits"), [("off", []), ("low_confidence", ["User may like opera"]), ("all", None)]
)
def test_facts_wait_for_a_person_where_the_agent_wants_it(
    talks: Talks, model: ScriptedBackend, read: Read, mode: str, waits: list[str] | None
) -> None:
    update_agent(principal=talks.person.principal, agent=talks.person.agent, review_mode=mode)
    sure, unsure = add("User likes tea", confidence=0.9), add("User may like opera", confidence=0.65)
    model.queue(reply(operations=[sure, unsure]))
    talks.hold("I like tea, and I may like opera.", "Nice.", "At least I think so sometimes.", "Good.")
    read()
    with workspace_scope(talks.person.workspace):
        pending = (
            Fact.objects.filter(status=Fact.Status.PENDING)
            .order_by("created_at")
            .values_list("text", flat=True)
        )
        assert list(pending) == (["User likes tea", "User may like opera"] if waits is None else waits)


def test_what_is_over_ends_and_stays_in_history(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    gone = talks.know("User works at Nordwind")
    model.queue(reply(operations=[{"op": "DELETE", "target": 1, "evidence": [1]}]))
    talks.hold("I no longer work at Nordwind.", "Oh.", "My last day there was on Friday.", "I see.")
    read()
    assert talks.facts == []
    with workspace_scope(talks.person.workspace):
        ended = Fact.objects.get(pk=gone.pk)
    assert (ended.text, ended.status) == ("User works at Nordwind", Fact.Status.SUPERSEDED)


def test_an_old_conversation_that_comes_late_replaces_nothing(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    talks.know("User prefers aisle seats")
    change = {"op": "UPDATE", "target": 1, "text": "User prefers window seats", "category": "preference"}
    model.queue(reply(operations=[{**change, "evidence": [1]}]))
    last_year = timezone.now() - timedelta(days=365)
    talks.hold("I prefer window seats now.", "Noted.", "On every train, that is.", "Good.", said_at=last_year)
    read()
    assert talks.facts == ["User prefers aisle seats"]
    assert "later" in talks.readings[-1].refused[0]["reason"]
