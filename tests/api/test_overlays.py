"""Overlays: rules of an agent's own, categories with their own retention, and trying them before they are saved."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.errors import ModelTimeout
from memoryapp.models import Fact
from tenants.models import Workspace
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person

GARDEN = {"name": "garden", "description": "Beds, seeds and plants.", "retentionDays": 30, "importance": 0.9}
TALK = (
    "User: I am Ana, a baker in Porto.\n"
    "Assistant: Nice to meet you.\n"
    "User: I always want short answers because I read them on the phone.\n"
    "And one more thing: what is the weather like?"
)


def try_it(call: Call, who: Person, conversation: str = TALK, **more: Any) -> Any:
    return call(who, "POST", "/overlays/juno/try", {"conversation": conversation, **more})


def rows(who: Person) -> dict[str, int]:
    """How many rows there are of everything."""
    with workspace_scope(who.workspace):
        return {model._meta.label: model._default_manager.count() for model in apps.get_models()}


def test_rules_are_read_changed_in_part_and_listed(call: Call, alice: Person) -> None:
    changed = call(
        alice,
        "PATCH",
        "/overlays/juno",
        {"overlay": "companion", "include": [" names of  plants "], "categories": [GARDEN]},
    )
    assert changed.status_code == 200
    call(alice, "PATCH", "/overlays/juno", {"exclude": ["prices"]})
    told = call(alice, "GET", "/overlays/juno").json()
    assert (told["overlay"], told["include"], told["exclude"], told["categories"]) == (
        "companion",
        ["names of plants"],
        ["prices"],
        [GARDEN],
    )
    assert call(alice, "GET", "/overlays").json()["results"] == [told]


@pytest.mark.parametrize(
    "body",
    [
        {"overlay": "wizard"},
        {"include": ["x" * 201]},
        {"include": "names"},
        {"include": [str(number) for number in range(51)]},
        {"categories": [{"name": "Garden Beds"}]},
        {"categories": [{"name": "identity"}]},
        {"categories": [{"name": "garden"}, {"name": "garden"}]},
        {"categories": [{"name": "garden", "retentionDays": 0}]},
        {"categories": [{"name": "garden", "retentionDays": 1.5}]},
        {"categories": [{"name": "garden", "importance": 2}]},
        {"categories": [{"description": "x"}]},
        {"categories": "garden"},
    ],
)
def test_what_cannot_be_used_is_refused(call: Call, alice: Person, body: dict[str, Any]) -> None:
    for method, path, more in (
        ("PATCH", "/overlays/juno", {}),
        ("POST", "/overlays/juno/try", {"conversation": TALK}),
    ):
        answer = call(alice, method, path, {**body, **more})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
        assert answer.json()["errors"]
    assert call(alice, "GET", "/overlays/juno").json()["categories"] == []


@pytest.mark.parametrize(
    "rules",
    [
        [],
        "x",
        {"include": [1]},
        {"colour": []},
        {"categories": [1]},
        {"categories": [{"name": "a", "importance": True}]},
    ],
)
def test_the_agent_s_own_door_refuses_the_same(call: Call, alice: Person, rules: Any) -> None:
    answer = call(alice, "PATCH", "/agents/juno", {"overlayRules": rules})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["overlayRules"])


def test_a_category_of_its_own_has_its_own_retention(call: Call, alice: Person) -> None:
    call(alice, "PATCH", "/overlays/juno", {"categories": [GARDEN]})
    call(alice, "POST", "/memory/juno/facts", {"text": "The roses stand in bed 4", "category": "garden"})
    with workspace_scope(alice.workspace):
        fact = Fact.objects.get()
    assert fact.importance == 0.9
    assert fact.expires_at is not None
    assert timedelta(days=29) < fact.expires_at - timezone.now() <= timedelta(days=30)


def test_what_is_read_falls_into_it(call: Call, alice: Person, model: ScriptedBackend) -> None:
    call(alice, "PATCH", "/overlays/juno", {"categories": [GARDEN], "include": ["names of plants"]})
    candidate = {"op": "ADD", "text": "User planted roses in bed 4", "category": "garden", "evidence": [1]}
    model.queue("Noted.", {"should_update": True, "operations": [candidate]})
    call(alice, "POST", "/chat", {"agentId": "juno", "message": "Remember that I planted roses in bed 4."})
    drain()
    prompt = model.requests[-1].messages[0].content
    assert "- garden: Beds, seeds and plants." in prompt
    assert "- names of plants" in prompt
    with workspace_scope(alice.workspace):
        fact = Fact.objects.get()
    assert (fact.category, fact.importance) == ("garden", 0.9)
    assert fact.expires_at is not None


class TestTrying:
    def test_candidates_pass_or_fall_and_nothing_is_stored(self, call: Call, alice: Person) -> None:
        before = rows(alice)
        told = try_it(call, alice).json()
        assert rows(alice) == before
        assert told["messages"] == 3
        kept = [each for each in told["candidates"] if each["accepted"]]
        assert "identity" in {each["category"] for each in kept}
        assert any("Ana" in each["text"] for each in kept)
        refused = [each for each in told["candidates"] if not each["accepted"]]
        assert refused
        assert all(each["gate"] and each["reason"] for each in refused)

    def test_rules_can_be_tried_before_they_are_saved(
        self, call: Call, alice: Person, model: ScriptedBackend
    ) -> None:
        model.answer_always(
            {
                "should_update": True,
                "operations": [
                    {
                        "op": "ADD",
                        "text": "User pays 3 euros for roses, prices rise",
                        "category": "garden",
                        "evidence": [1],
                    },
                    {
                        "op": "ADD",
                        "text": "User planted roses in bed 4",
                        "category": "garden",
                        "evidence": [1],
                    },
                ],
            }
        )
        talk = "User: I planted roses in bed 4 and pay 3 euros, prices rise."
        told = try_it(call, alice, talk, exclude=["prices"], categories=[GARDEN]).json()["candidates"]
        assert [(each["accepted"], each["keptDays"], each["gate"]) for each in told] == [
            (True, 30, ""),
            (False, None, "utility"),
        ]
        assert call(alice, "GET", "/overlays/juno").json()["exclude"] == []
        assert "- prices" in model.requests[-1].messages[0].content

    def test_a_secret_is_shown_to_nobody(self, call: Call, alice: Person) -> None:
        secret = "gh" + "p_" + "A1b2C3d4E5" * 4
        answer = try_it(call, alice, f"User: Remember that my GitHub token is {secret}, set today.")
        assert answer.status_code == 200
        assert secret not in answer.content.decode()

    def test_a_model_that_fails_is_told(self, call: Call, alice: Person, model: ScriptedBackend) -> None:
        model.queue(ModelTimeout())
        answer = try_it(call, alice)
        assert (answer.status_code, answer.json()["errors"]) == (503, {"model": ["model_timeout"]})

    @pytest.mark.parametrize("conversation", ["", "   ", "Assistant: Hello.", "x" * 20_001, "User: a\n" * 31])
    def test_what_is_no_conversation_is_refused(self, call: Call, alice: Person, conversation: str) -> None:
        answer = try_it(call, alice, conversation)
        assert answer.status_code == 400
        assert "conversation" in answer.json()["errors"]

    def test_labels_of_several_languages_and_the_agent_s_name(
        self, call: Call, alice: Person, model: ScriptedBackend
    ) -> None:
        model.answer_always({"should_update": False, "reason": "-"})
        try_it(call, alice, "我： 你好\n助手: 您好\nJuno: Hello.\nUsuario: Hola\nNote: a line of that")
        messages = model.requests[-1].context.messages  # type: ignore[attr-defined]
        assert [(each.role, each.text) for each in messages] == [
            ("user", "你好"),
            ("assistant", "您好"),
            ("assistant", "Hello."),
            ("user", "Hola\nNote: a line of that"),
        ]

    def test_only_admins_may(self, call: Call, alice: Person, bob: Person, charlie: Person) -> None:
        assert try_it(call, bob).status_code == 403
        answer = call(charlie, "POST", f"/overlays/{alice.agent.pk}/try", {"conversation": TALK})
        assert answer.status_code == 404
        assert Workspace.objects.exists()
