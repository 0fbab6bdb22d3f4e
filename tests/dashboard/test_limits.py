"""Memory and limits of a workspace: set in the dashboard or by the API, and what they do."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from memoryapp.jobs.sweeping import is_needed, run_sweep
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.models import Agent, Conversation, Event, Fact, Schedule
from tenants.models import Workspace
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person
from tests.dashboard.conftest import Pages

NONE = {
    "conversation_days": "0",
    "turns_per_day": "0",
    "facts": "0",
    "calls_per_minute": "0",
    "per_owner": "on",
}


def save(pages: Pages, **changes: str) -> int:
    form = {**NONE, **changes}
    if not form["per_owner"]:
        del form["per_owner"]
    return pages.client.post(pages.workspace("settings/memory/"), form).status_code


def kept(pages: Pages) -> dict[str, Any]:
    return Workspace.objects.get(pk=pages.person.workspace.pk).settings


def test_they_are_saved_and_shown(pages: Pages, call: Call) -> None:
    assert save(pages, facts="20", turns_per_day="7", conversation_days="30", per_owner="") == 302
    assert kept(pages)["quotas"] == {"calls_per_minute": 0, "turns_per_day": 7, "facts": 20}
    assert kept(pages)["per_owner"] is False
    html = pages.client.get(pages.workspace("settings/memory/")).content.decode()
    assert 'value="30"' in html
    told = call(pages.person, "GET", "/settings").json()
    assert told["quotas"] == {"callsPerMinute": 0, "turnsPerDay": 7, "facts": 20}
    assert told["conversationDays"] == 30


@pytest.mark.parametrize(
    "wrong", [{"facts": "-1"}, {"turns_per_day": "many"}, {"conversation_days": "99999"}]
)
def test_what_cannot_be_is_told_at_its_field(pages: Pages, wrong: dict[str, str]) -> None:
    assert save(pages, **wrong) == 400
    assert "quotas" not in kept(pages)


@pytest.mark.parametrize("wrong", [{"facts": -1}, {"facts": True}, {"turnsPerDay": "7"}])
def test_the_api_takes_no_guess(call: Call, alice: Person, wrong: dict[str, Any]) -> None:
    assert call(alice, "PATCH", "/settings", {"quotas": wrong}).status_code == 400


def test_a_full_memory_takes_no_further_fact(pages: Pages, call: Call, alice: Person) -> None:
    save(pages, facts="1")
    path = "/memory/juno/facts"
    assert call(alice, "POST", path, {"text": "Alice has a boat."}).status_code == 201
    refused = call(alice, "POST", path, {"text": "Alice has a dog."})
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_reached")
    assert refused.headers["Retry-After"]
    assert call(alice, "POST", path, {"text": "Alice has a boat."}).status_code == 200


def test_a_day_has_its_turns(pages: Pages, call: Call, alice: Person, model: ScriptedBackend) -> None:
    save(pages, turns_per_day="1")
    body = {"agentId": str(alice.agent.pk), "message": "Good morning."}
    first = call(alice, "POST", "/chat", body, **{"Idempotency-Key": "one"})
    refused = call(alice, "POST", "/chat", body)
    assert (first.status_code, refused.status_code, refused.json()["code"]) == (200, 429, "quota_reached")
    assert 0 < int(refused.headers["Retry-After"]) <= 86_400
    assert call(alice, "POST", "/chat", body, **{"Idempotency-Key": "one"}).status_code == 200


def test_a_minute_has_its_calls(pages: Pages, call: Call, alice: Person, charlie: Person) -> None:
    cache.clear()
    save(pages, calls_per_minute="2")
    answers = [call(alice, "GET", "/whoami") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["code"] == "rate_limited"
    assert 0 < int(answers[2].headers["Retry-After"]) <= 60
    assert call(charlie, "GET", "/whoami").status_code == 200
    assert pages.client.get(pages.workspace("settings/")).status_code == 200


def test_old_conversations_go_and_what_was_learnt_stays(
    pages: Pages, alice: Person, conversation: Conversation, fact: Fact
) -> None:
    with workspace_scope(alice.workspace):
        Conversation.objects.update(last_message_at=timezone.now() - timedelta(days=31))
    sweep = Schedule(kind="sweep", workspace=alice.workspace)
    event = Event(workspace=alice.workspace, kind="sweep")
    run_sweep(event)
    with workspace_scope(alice.workspace):
        assert Conversation.objects.count() == 1
    save(pages, conversation_days="30")
    workspace = Workspace.objects.get(pk=alice.workspace.pk)
    assert is_needed(sweep, workspace)
    run_sweep(event)
    with workspace_scope(alice.workspace):
        assert Conversation.objects.count() == 0
        assert Fact.objects.get(pk=fact.pk).status == Fact.Status.ACTIVE


def test_an_agent_asks_before_it_keeps(pages: Pages, alice: Person) -> None:
    address = pages.workspace("settings/memory/agents/")
    pages.client.post(address, {"agent": "juno", "mode": "all"})
    with workspace_scope(alice.workspace):
        assert Agent.objects.get().review_mode == "all"
    assert pages.client.post(address, {"agent": "nobody", "mode": "all"}).status_code == 404
    assert pages.client.post(address, {"agent": "juno", "mode": "sometimes"}).status_code == 404


class TestTrying:
    def test_a_model_saves_nothing(self, pages: Pages, model: ScriptedBackend) -> None:
        form = {"llm_base_url": "", "llm_model": "some-model", "llm_api_key": "x", "try": "1"}
        html = pages.client.post(pages.workspace("settings/model/"), form).content.decode()
        assert "answered in" in html
        assert 'value="some-model"' in html
        assert kept(pages) == {}

    def test_a_dead_model_says_so(self, pages: Pages, settings: Any) -> None:
        settings.ALLOW_PRIVATE_URLS = True
        with socket.create_server(("127.0.0.1", 0)) as listener:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        form = {"llm_base_url": address, "llm_model": "m", "llm_api_key": "", "try": "1"}
        html = pages.client.post(pages.workspace("settings/model/"), form).content.decode()
        assert "The model did not answer; nothing was changed." in html

    def test_a_private_address_is_refused(self, pages: Pages) -> None:
        form = {"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": "m", "llm_api_key": "", "try": "1"}
        assert pages.client.post(pages.workspace("settings/model/"), form).status_code == 400

    def test_the_embedder(self, pages: Pages) -> None:
        answer = pages.client.post(pages.workspace("settings/model/embeddings/"), follow=True)
        assert "Embeddings" in answer.content.decode()
