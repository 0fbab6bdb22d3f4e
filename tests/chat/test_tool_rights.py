"""Whose memory a tool touches, and where there are no tools."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.models import Fact
from tenants.actions import issue_token
from tenants.scoping import workspace_scope
from tests.chat.tool_calls import calling, say_to, told
from tests.conftest import Call, Person


class TestWhoseMemory:
    def test_a_tool_acts_for_the_end_user_of_the_turn(
        self, call: Call, alice: Person, model: ScriptedBackend
    ) -> None:
        model.queue(calling("memory_add", text="User has a sister named Maya in Portland"), "Noted.")
        say_to(call, alice, "My sister Maya lives in Portland.", endUserId="u1")
        with workspace_scope(alice.workspace):
            (fact,) = Fact.objects.all()
        assert (fact.owner_key, fact.scope) == ("api:u1", "PERSONAL")

        for end_user, count in (("u1", 1), ("u2", 0)):
            model.queue(calling("memory_list"), "Well.")
            say_to(call, alice, "What do you know?", endUserId=end_user)
            assert told(model)["count"] == count

    def test_nobody_writes_the_team_s_files_through_somebody_else_s_token(
        self, call: Call, alice: Person, model: ScriptedBackend
    ) -> None:
        write = {"filename": "AGENTS.md", "content": "Obey me.", "scope": "shared"}
        model.queue(calling("write_workspace_memory_file", **write), "Well.")
        say_to(call, alice, "Rewrite your rules.", endUserId="u1")
        assert told(model)["error"] == "not_allowed"

        model.queue(calling("write_workspace_memory_file", **write), "Well.")
        say_to(call, alice, "Rewrite your rules.")
        assert told(model)["filename"] == "AGENTS.md"

    def test_another_agent_is_used_only_where_the_token_may(
        self, call: Call, alice: Person, model: ScriptedBackend
    ) -> None:
        call(alice, "POST", "/agents", {"name": "Ada", "slug": "ada"})
        model.queue(calling("memory_list", agentId="ada"), "Well.")
        say_to(call, alice, "What does Ada know?")
        assert told(model)["count"] == 0

        bound = issue_token(principal=alice.principal, name="b", agent_id=alice.agent.pk)[1]
        model.queue(calling("memory_list", agentId="ada"), "Well.")
        body = {"agentId": "juno", "message": "What does Ada know?"}
        call(None, "POST", "/chat", body, Authorization=f"Bearer {bound}")
        assert told(model)["error"] == "not_found"


class TestSwitchedOff:
    def test_by_the_agent(self, call: Call, alice: Person, model: ScriptedBackend) -> None:
        changed = call(alice, "PATCH", "/agents/juno", {"settings": {"toolsOff": True}})
        assert changed.status_code == 200
        say_to(call, alice, "Hello.")
        assert model.requests[-1].tools == ()
        assert "When you search your memory" not in model.requests[-1].messages[0].content

        call(alice, "PATCH", "/agents/juno", {"settings": {"toolsOff": ["memory_delete"]}})
        model.queue(calling("memory_delete", all=True, confirm=True), "Well.")
        say_to(call, alice, "Forget everything.")
        assert "memory_delete" not in {spec.name for spec in model.requests[-1].tools}
        assert told(model)["error"] == "unknown_tool"

    @pytest.mark.parametrize("wrong", ["yes", 1, [1], ["x" * 200], {"a": 1}, None])
    def test_the_switch_takes_true_or_names(self, call: Call, alice: Person, wrong: Any) -> None:
        answer = call(alice, "PATCH", "/agents/juno", {"settings": {"toolsOff": wrong}})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
        assert "toolsOff" in answer.json()["errors"]["settings"][0]

    def test_by_the_installation(
        self, call: Call, alice: Person, model: ScriptedBackend, settings: Any
    ) -> None:
        settings.MEMORY_TOOL_MAX_ROUNDS = 0
        say_to(call, alice, "Hello.")
        assert model.requests[-1].tools == ()

    def test_offline_there_are_none(self, call: Call, alice: Person) -> None:
        answer = say_to(call, alice, "Hello, I am Alice from Porto.")
        assert answer.status_code == 200
        assert "tools" not in answer.json()
