"""What a turn recalls: worded by rules or by the model, within limits, in order, and never at the model's mercy."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.errors import ModelTimeout
from memoryapp.llm.types import ChatRequest
from memoryapp.retrieval.indexing import embed_missing
from tests.chat.conftest import Say
from tests.conftest import Call, Person


def remember(who: Person, *texts: str, **more: Any) -> None:
    for text in texts:
        add_fact(principal=who.principal, agent=who.agent, new=NewFact(text=text, **more))
    embed_missing(who.workspace)


def asked(model: ScriptedBackend, task: str) -> list[ChatRequest]:
    return [request for request in model.requests if request.task == task]


def seen(model: ScriptedBackend) -> str:
    return "\n".join(message.content for message in asked(model, "chat")[-1].messages)


def test_small_talk_recalls_nothing(alice: Person, model: ScriptedBackend, say: Say) -> None:
    remember(alice, "User decided on RabbitMQ as the message queue", category="decision")
    assert say(alice, "Good morning, how are you today?").recalled == ()
    assert "RabbitMQ" not in seen(model)


def test_what_people_say_around_it_does_not_hide_the_question(
    alice: Person, model: ScriptedBackend, say: Say
) -> None:
    remember(
        alice,
        "User decided on RabbitMQ as the message queue because it is simple",
        "User asked for help with conversations in Portuguese",
        "User was wondering about the quick questions of a quiz",
        category="decision",
    )
    message = (
        "Hi there! I was wondering if you could help me, quick question: why did we pick that message queue?"
    )
    assert say(alice, message).recalled[0].text.startswith("User decided on RabbitMQ")


def test_the_kind_that_is_asked_for_comes_and_the_rest_stays(
    alice: Person, model: ScriptedBackend, say: Say, settings: Any
) -> None:
    settings.MEMORY_RECALL_MAX_ITEMS = 6
    words = ["a slow build", "the blue theme", "a shorter name", "weekly reviews", "one index", "two regions"]
    remember(alice, *(f"Someone spoke about decisions on {each}" for each in words), category="technical")
    remember(alice, "As of 2026-03-30, the team went with Grafana to save money", category="decision")
    recalled = [item.text for item in say(alice, "What decisions did we make?").recalled]
    assert recalled[0].startswith("As of 2026-03-30, the team went with Grafana")
    assert len(recalled) == 6


def test_a_time_of_telling_narrows_and_never_empties(alice: Person, model: ScriptedBackend, say: Say) -> None:
    long_ago = timezone.now() - timedelta(days=90)
    remember(
        alice, "The budget of the harbour project is 20,000 euros", category="technical", said_at=long_ago
    )
    assert (
        "20,000" in say(alice, "What did we say yesterday about the budget of the harbour?").recalled[0].text
    )


def test_what_is_recalled_stands_in_the_order_of_kinds(
    alice: Person, model: ScriptedBackend, say: Say
) -> None:
    remember(alice, "The harbour crane project is due in May", category="project")
    remember(alice, "The harbour crane runs on firmware 2.3", category="technical")
    remember(alice, "The team decided to rent the harbour crane", category="decision")
    say(alice, "Tell me about the harbour crane")
    text = seen(model)
    places = [text.index(words) for words in ("decided to rent", "firmware 2.3", "due in May")]
    assert places == sorted(places)


def test_the_threshold_keeps_out_what_does_not_fit(
    alice: Person, model: ScriptedBackend, say: Say, settings: Any
) -> None:
    settings.MEMORY_RECALL_THRESHOLD = 0.9
    remember(alice, "The harbour crane runs on firmware 2.3", category="technical")
    assert say(alice, "Which tea should I buy?").recalled == ()


class TestByTheModel:
    @pytest.fixture(autouse=True)
    def _switched_on(self, settings: Any) -> None:
        settings.MEMORY_RECALL_REWRITE = "model"

    def test_its_words_are_searched_for(self, alice: Person, model: ScriptedBackend, say: Say) -> None:
        remember(alice, "User decided on RabbitMQ as the message queue", category="decision")
        model.queue(
            {"search": True, "query": "RabbitMQ message queue", "categories": ["decision", "nonsense"]},
            "Well.",
        )
        reply = say(alice, 'Why "that" thing?')
        assert "RabbitMQ" in reply.recalled[0].text
        (request,) = asked(model, "rewrite_query")
        assert '"Why \\"that\\" thing?"' in request.messages[0].content

    def test_it_may_see_nothing_to_search_for(self, alice: Person, model: ScriptedBackend, say: Say) -> None:
        remember(alice, "User decided on RabbitMQ as the message queue", category="decision")
        model.queue({"search": False}, "Well.")
        assert say(alice, "Translate the words message queue").recalled == ()

    @pytest.mark.parametrize("answer", ["no json at all", {"query": 3}, ModelTimeout()])
    def test_when_it_fails_the_rules_do(
        self, alice: Person, model: ScriptedBackend, say: Say, answer: Any
    ) -> None:
        remember(alice, "User decided on RabbitMQ as the message queue", category="decision")
        model.answer_always(lambda request: answer if request.task == "rewrite_query" else "Well.")
        assert "RabbitMQ" in say(alice, "Why that message queue?").recalled[0].text

    def test_when_it_is_slow_the_rules_do(
        self, alice: Person, model: ScriptedBackend, say: Say, settings: Any
    ) -> None:
        settings.MEMORY_RECALL_REWRITE_TIMEOUT_MS = 50
        remember(alice, "User decided on RabbitMQ as the message queue", category="decision")
        never = threading.Event()
        slow = Scripted("{}", hold=never)
        model.answer_always(lambda request: slow if request.task == "rewrite_query" else "Well.")
        assert "RabbitMQ" in say(alice, "Why that message queue?").recalled[0].text
        never.set()

    def test_small_talk_costs_no_call(self, alice: Person, model: ScriptedBackend, say: Say) -> None:
        say(alice, "Thanks!")
        assert asked(model, "rewrite_query") == []


def test_the_preview_tells_the_search_and_asks_no_model(
    alice: Person, model: ScriptedBackend, call: Call, settings: Any
) -> None:
    settings.MEMORY_RECALL_REWRITE = "model"
    body = {"message": "Could you please show me all my standing rules?"}
    plan = call(alice, "POST", "/agents/juno/context", body).json()["plan"]
    assert (plan["categories"], plan["by"]) == (["rule"], "rules")
    assert "please" not in plan["query"]
    plan = call(alice, "POST", "/agents/juno/context", {"message": "Hello!"}).json()["plan"]
    assert plan["query"] == ""
    assert plan["reason"]
    assert model.requests == []


def test_switched_off_the_message_itself_is_searched_for(
    alice: Person, model: ScriptedBackend, call: Call, settings: Any
) -> None:
    settings.MEMORY_RECALL_REWRITE = "off"
    plan = call(alice, "POST", "/agents/juno/context", {"message": "Could you help me?"}).json()["plan"]
    assert (plan["query"], plan["by"]) == ("Could you help me?", "off")
