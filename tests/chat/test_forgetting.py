"""“Forget that”, said to an agent over the API without a model: found, asked about, done, taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import append_note, write_file
from memoryapp.jobs import drain
from memoryapp.models import Conversation, Fact, Message, WorkspaceFile
from tenants.scoping import workspace_scope
from tests.actions.test_forgotten_everywhere import columns_with
from tests.lifecycle.nights import offline_rules


@pytest.fixture(autouse=True)
def offline():
    with offline_rules():
        yield


TEAS = ("User likes green tea", "User likes black tea")
TES = ("Al usuario le gusta el té verde", "Al usuario le gusta el té negro")


class Talker:
    """Alice, talking to her agent in one conversation."""

    def __init__(self, person, call):
        self.person, self.call = person, call

    def say(self, text, conversation="kitchen", **fields):
        body = {
            "agentId": str(self.person.agent.pk),
            "message": text,
            "conversationId": conversation,
            **fields,
        }
        answer = self.call(self.person, "POST", "/chat", body)
        assert answer.status_code == 200, answer.content
        return answer.json()["reply"]

    def know(self, *texts, **fields):
        who = {"principal": self.person.principal, "agent": self.person.agent}
        return [add_fact(**who, new=NewFact(text=text, **fields)).fact for text in texts]

    @property
    def facts(self):
        with workspace_scope(self.person.workspace):
            standing = Fact.objects.owned_by(self.person.principal).exclude(status="forgotten")
            return sorted(standing.values_list("text", flat=True))

    def read(self):
        """Have everything said so far read for what is worth keeping."""
        with time_machine.travel(timezone.now() + timedelta(minutes=1)):
            drain()

    def search(self, query):
        path = f"/memory/{self.person.agent.pk}/facts/search"
        return [
            hit["text"] for hit in self.call(self.person, "POST", path, {"query": query}).json()["results"]
        ]

    def prompt(self, message):
        path = f"/agents/{self.person.agent.pk}/context"
        return self.call(self.person, "POST", path, {"message": message}).content.decode()


@pytest.fixture
def talk(alice, call):
    return Talker(alice, call)


@pytest.mark.parametrize(
    "request_",
    [
        "Forget that I like tea.",
        "Please forget I like tea",
        "I want you to forget that I like tea.",
        "Can you forget that I like tea?",
        "Would you mind forgetting that I like tea?",
        "Stop remembering that I like tea",
        "Forget about the tea",
        "Forget everything about tea!",
    ],
)
def test_one_thing_is_forgotten_at_once(talk, request_):
    talk.know("User likes tea", "User plays chess on Sundays")
    assert talk.say(request_).startswith("Forgotten")
    assert talk.facts == ["User plays chess on Sundays"]


@pytest.mark.parametrize(
    ("known", "other", "request_", "answer"),
    [
        ("用户对坚果过敏", "用户住在里昂", "忘掉我对坚果过敏", "已经忘掉"),
        ("用户对坚果过敏", "用户住在里昂", "请把我对坚果过敏这件事忘掉", "已经忘掉"),
        ("用户对坚果过敏", "用户住在里昂", "别再记得我对坚果过敏", "已经忘掉"),
        ("El usuario vive en Lyon", "El usuario toca el piano", "Olvida que vivo en Lyon", "Olvidado"),
        ("El usuario vive en Lyon", "El usuario toca el piano", "Quiero que olvides que vivo en Lyon.", "Olvidado"),
        ("El usuario vive en Lyon", "El usuario toca el piano", "Ya no recuerdes que vivo en Lyon", "Olvidado"),
        ("Der Nutzer wohnt in Lyon", "Der Nutzer spielt Klavier", "Vergiss, dass ich in Lyon wohne", "Vergessen"),
    ],
)  # fmt: skip
def test_in_other_languages(talk, known, other, request_, answer):
    talk.know(known, other)
    assert talk.say(request_).startswith(answer)
    assert talk.facts == [other]


def test_it_is_gone_from_everywhere_and_the_same_talk_does_not_teach_it_again(talk, alice):
    talk.say("Remember that I am allergic to hazelnuts.")
    talk.read()
    assert any("hazelnut" in text for text in talk.facts)
    who = {"principal": alice.principal, "agent": alice.agent}
    for path in ("MEMORY.md", "PROFILE.md"):
        write_file(**who, path=path, content="- User is allergic to hazelnuts\n- Runs\n", scope="PERSONAL")
    append_note(**who, day=timezone.now().date(), entry="User is allergic to hazelnuts")

    assert talk.say("Forget that I am allergic to hazelnuts.").startswith("Forgotten")
    talk.say("What must you know about my food?")
    talk.read()

    assert not any("hazelnut" in text for text in talk.facts)
    assert not any("hazelnut" in text for text in talk.search("allergic to hazelnuts"))
    assert "hazelnut" not in talk.prompt("What may I eat?")
    with workspace_scope(alice.workspace):
        files = WorkspaceFile.objects.owned_by(alice.principal)
        assert not any("hazelnut" in text for text in files.values_list("content", flat=True))
        assert columns_with("hazelnut") == ["Fact.text"]
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        drain()
    with workspace_scope(alice.workspace):
        assert columns_with("hazelnut") == []


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("the second one", ["User likes green tea"]),
        ("2", ["User likes green tea"]),
        ("the black one", ["User likes green tea"]),
        ("Both", []),
        ("all of them, please", []),
        ("the first", ["User likes black tea"]),
    ],
)
def test_when_several_may_be_meant_it_asks_and_forgets_what_is_chosen(talk, choice, left):
    green, black = talk.know("User likes green tea", "User likes black tea")
    asked = talk.say("Forget that I like tea.")
    assert {green.text, black.text} == {line[3:] for line in asked.splitlines()[1:3]}
    assert talk.facts == sorted([green.text, black.text])
    order = [line[3:] for line in asked.splitlines()[1:3]]
    if order != [green.text, black.text] and choice in ("the second one", "2", "the first"):
        left = [text for text in order if text not in left]
    assert talk.say(choice).startswith("Forgotten")
    assert talk.facts == left


@pytest.mark.parametrize(
    ("known", "request_", "asks", "calls_off", "kept"),
    [
        (TEAS, "Forget that I like tea.", "Which", "Never mind.", "All right"),
        (TEAS, "Forget that I like tea.", "Which", "No, leave it", "All right"),
        (("用户喜欢绿茶", "用户喜欢红茶"), "忘掉我喜欢茶", "要忘掉", "算了", "好的"),
        (TES, "Olvida que me gusta el té", "¿Cuál", "Déjalo", "De acuerdo"),
    ],
)  # fmt: skip
def test_never_mind_leaves_everything(talk, known, request_, asks, calls_off, kept):
    talk.know(*known)
    assert talk.say(request_).startswith(asks)
    assert talk.say(calls_off).startswith(kept)
    talk.read()
    assert talk.facts == sorted(known)


def test_no_the_other_one(talk):
    talk.know("User's brother is a pilot", "User's brother is called Sam, once a sailor")
    talk.say("Forget that my brother is a pilot.")
    assert talk.facts == ["User's brother is called Sam, once a sailor"]
    assert talk.say("No, the other one.").startswith("Forgotten")
    assert talk.facts == ["User's brother is a pilot"]
    assert talk.say("undo").startswith("It is back")
    assert len(talk.facts) == 2


def test_taken_back_within_ten_minutes_only(talk):
    talk.know("User likes tea")
    talk.say("Forget that I like tea.")
    assert talk.say("Undo that, please").startswith("It is back")
    assert talk.facts == ["User likes tea"]
    talk.say("Forget that I like tea.")
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        assert talk.say("Undo").startswith("It is too late")
    assert talk.facts == []


def test_that_is_what_was_just_said(talk, alice):
    talk.say("I moved to a flat in Porto last week.")
    assert talk.say("Forget that.").startswith("Forgotten")
    talk.say("How is the weather today?")
    talk.read()
    assert talk.facts == []
    with workspace_scope(alice.workspace):
        assert columns_with("porto") == []


def test_that_is_what_was_just_said_and_kept_already(talk, alice):
    talk.say("Remember that I moved to a flat in Porto.")
    talk.read()
    assert talk.facts
    assert talk.say("Please forget that.").startswith("Forgotten")
    talk.read()
    assert talk.facts == []
    with workspace_scope(alice.workspace):
        assert columns_with("porto") == ["Fact.text"]


def test_that_is_what_the_agent_just_told(talk):
    talk.know("User lives in Lyon", "User plays chess on Sundays")
    assert "Lyon" in talk.say("Where do I live?")
    assert talk.say("Forget that!").startswith("Forgotten")
    assert talk.facts == ["User plays chess on Sundays"]


def test_what_is_not_known_is_said_not_to_be(talk):
    talk.know("User plays chess on Sundays")
    assert talk.say("Forget that I like tea.").startswith("There is nothing of that kind")
    assert talk.say("Forget that.", conversation="fresh").startswith("There is nothing of that kind")
    assert talk.facts == ["User plays chess on Sundays"]


def test_everything_takes_a_yes(talk):
    talk.know("User likes tea", "User lives in Lyon", "User plays chess")
    assert "3" in talk.say("Forget everything you know about me.")
    assert len(talk.facts) == 3
    assert talk.say("Yes").startswith("Forgotten")
    assert talk.facts == []


def test_beside_something_else_both_are_done(talk, alice):
    talk.know("User likes tea")
    talk.say("Forget that I like tea. Remember that I live in Porto.")
    talk.read()
    assert len(talk.facts) == 1
    assert "Porto" in talk.facts[0]
    with workspace_scope(alice.workspace):
        assert Message.objects.order_by("number").first().text == "[forgotten] Remember that I live in Porto."


def test_another_matter_ends_the_question(talk):
    talk.know("User likes green tea", "User likes black tea", "User lives in Lyon")
    talk.say("Forget that I like tea.")
    assert "Lyon" in talk.say("Where do I live?")
    assert talk.say("the second one").startswith(("Noted", "I remember"))
    assert len(talk.facts) == 3


def test_only_ones_own_is_forgotten(talk, alice, bob, call):
    talk.know("User likes tea")
    theirs = Talker(bob, call)
    theirs.know("User likes tea")
    customer = alice.principal.acting_as("customer-7")
    add_fact(principal=customer, agent=alice.agent, new=NewFact(text="User likes tea"))
    talk.say("Forget that I like tea.", endUserId="customer-7", conversation="shop")
    assert (talk.facts, theirs.facts) == (["User likes tea"], ["User likes tea"])
    with workspace_scope(alice.workspace):
        assert not Fact.objects.owned_by(customer).exclude(status="forgotten").exists()


def test_what_the_team_knows_takes_a_yes_of_a_member(talk, alice):
    talk.know("The office closes at six", scope="TEAM")
    assert talk.say("Forget that the office closes at six.").startswith("Shall I forget this?")
    assert talk.say("yes").startswith("Forgotten")
    with workspace_scope(alice.workspace):
        assert not Fact.objects.exclude(status="forgotten").exists()


def test_with_forgetting_switched_off_it_says_so(talk, settings):
    settings.MEMORY_FACT_FORGET_ENABLED = False
    talk.know("User likes tea")
    assert talk.say("Forget that I like tea.").startswith("Forgetting is switched off")
    assert talk.facts == ["User likes tea"]


def test_a_retry_under_its_key_forgets_once(talk, alice, call):
    talk.know("User likes tea")
    body = {"agentId": str(alice.agent.pk), "message": "Forget that I like tea."}
    first = call(alice, "POST", "/chat", body, **{"Idempotency-Key": "k1"})
    again = call(alice, "POST", "/chat", body, **{"Idempotency-Key": "k1"})
    assert again.status_code in (200, 409)
    assert first.json()["reply"].startswith("Forgotten")
    with workspace_scope(alice.workspace):
        assert Conversation.objects.count() == 1
