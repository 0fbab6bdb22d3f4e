"""The memory tools: what a model may call in a turn, always for the turn's own owner."""

from __future__ import annotations

import pytest

from memoryapp.actions.conversations import open_conversation
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import Fact
from memoryapp.tools import TOOLS, ToolContext, call_tool
from tenants.scoping import workspace_scope


@pytest.fixture
def call(alice):
    conversation = open_conversation(principal=alice.principal, agent=alice.agent, external_id="c1")

    def call(name, person=alice, conversation=conversation, **arguments):
        context = ToolContext(person.principal, person.agent, conversation if person is alice else None)
        return call_tool(TOOLS[name], arguments, context)

    return call


def kept(person):
    with workspace_scope(person.workspace):
        return sorted(Fact.objects.visible_to(person.principal).active().values_list("text", flat=True))


def test_every_tool_says_what_it_takes():
    for tool in TOOLS.values():
        assert tool.spec.parameters["type"] == "object"
        assert tool.spec.parameters["additionalProperties"] is False
        assert tool.description.endswith(".")


def test_what_is_added_is_found_got_listed_changed_and_forgotten(call, alice):
    added = call(
        "memory_add", facts=["User prefers trains over planes because of the view"], category="preference"
    )
    key = added.content["results"][0]["id"]
    assert (added.wrote, added.content["stored"]) == (True, 1)
    assert call("memory_search", query="trains or planes").content["memories"][0]["id"] == key
    assert call("memory_get", memoryId=key).content["category"] == "preference"
    assert (
        call("memory_update", memoryId=key, text="User prefers night trains").content["memory"]
        == "User prefers night trains"
    )
    assert call("memory_list").content["count"] == 1
    assert call("memory_delete", memoryId=key).content["deleted"] == 1
    assert kept(alice) == []


@pytest.mark.parametrize("junk", ["ok thanks", "Download at 50%", "What time is it?"])
def test_a_tool_s_candidates_pass_the_gates(call, alice, junk):
    result = call("memory_add", text=junk).content["results"][0]
    assert result["event"] == "NONE"
    assert result["gate"]
    assert kept(alice) == []


def test_a_credential_leaves_only_the_note_that_it_was_configured(call, alice):
    secret = "ghp_" + "Ab3d" * 9
    result = call(
        "memory_add", text=f"The API key for the staging database is {secret}", category="configuration"
    )
    assert secret not in result.text + str(kept(alice))
    assert "configured" in kept(alice)[0]
    assert result.content["results"][0]["masked"] is True


def test_a_session_memory_lives_with_its_conversation(call, alice):
    call(
        "memory_add", text="User wants this report in landscape format", category="preference", longTerm=False
    )
    other = open_conversation(principal=alice.principal, agent=alice.agent, external_id="c2")
    assert call("memory_search", query="landscape report", scope="session").content["count"] == 1
    assert call("memory_search", query="landscape report", scope="all").content["count"] == 1
    assert call("memory_search", query="landscape report", scope="long-term").content["count"] == 0
    assert call("memory_search", query="landscape report", conversation=other).content["count"] == 0
    assert call("memory_list", conversation=other).content["count"] == 0


def test_another_person_s_memory_is_not_found(call, alice, bob, charlie):
    fact = add_fact(
        principal=alice.principal, agent=alice.agent, new=NewFact(text="Locker word is PELICAN")
    ).fact
    for stranger in (bob, charlie):
        missing = call("memory_get", stranger, memoryId="01a229e8-e889-7398-860c-d4d2bbe800d6").content
        assert call("memory_get", stranger, memoryId=str(fact.pk)).content == missing
        assert call("memory_delete", stranger, memoryId=str(fact.pk)).content == missing
        assert (
            call("memory_search", stranger, query="locker", userId=alice.principal.owner_key).content
            == missing
        )
        assert call("memory_list", stranger).content["count"] == 0
    assert call("memory_list", charlie, agentId=str(alice.agent.pk)).content["error"] == "not_found"
    assert kept(alice) == ["Locker word is PELICAN"]


def test_deleting_everything_takes_a_confirmation_and_spares_others(call, alice, bob):
    for person in (alice, bob):
        add_fact(principal=person.principal, agent=person.agent, new=NewFact(text="User likes rain"))
    assert call("memory_delete", all=True).content["error"] == "invalid"
    assert call("memory_delete", all=True, confirm=True).content["deleted"] == 1
    assert (kept(alice), kept(bob)) == ([], ["User likes rain"])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_search", {}),
        ("memory_search", {"query": "x", "limit": 0}),
        ("memory_search", {"query": "x", "colour": "red"}),
        ("memory_search", {"query": "x", "filters": {"colour": "red"}}),
        ("memory_add", {}),
        ("memory_get", {"memoryId": "1"}),
        ("memory_delete", {}),
        ("memory_delete", {"all": True, "query": "x"}),
        ("memory_event_status", {"event_id": "nonsense"}),
    ],
)
def test_bad_arguments_are_told_to_the_model(call, name, arguments):
    result = call(name, **arguments)
    assert (result.ok, result.wrote) == (False, False)
    assert result.content["detail"]


def test_arguments_that_are_no_json_are_told_to_the_model(alice):
    result = call_tool(TOOLS["memory_search"], "{query: ", ToolContext(alice.principal, alice.agent))
    assert result.content["error"] == "invalid_arguments"
