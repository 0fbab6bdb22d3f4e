"""The workspace through the API: agents, tokens, members, settings, owners, events, the audit trail, health."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.models import Event, Heartbeat
from tenants.models import Workspace
from tests.conftest import Call, Person

KEY = "s" + "k-" + "a1B2c3D4e5F6g7H8i9J0"


class TestAgents:
    def test_a_new_agent_has_its_four_files(self, call: Call, alice: Person) -> None:
        made = call(alice, "POST", "/agents", {"name": "Marlow", "slug": "marlow", "reviewMode": "all"})

        assert (made.status_code, made.json()["reviewMode"]) == (201, "all")
        files = call(alice, "GET", "/agents/marlow/workspace/prompt-files").json()["files"]
        assert files == ["AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md"]
        assert call(alice, "GET", f"/agents/{made.json()['id']}").json() == made.json()

    def test_a_slug_is_taken_once(self, call: Call, alice: Person) -> None:
        answer = call(alice, "POST", "/agents", {"name": "Juno", "slug": "juno"})

        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["slug"])

    def test_a_change_and_an_end(self, call: Call, alice: Person) -> None:
        assert call(alice, "PATCH", "/agents/juno", {"overlay": "companion"}).json()["overlay"] == "companion"
        assert call(alice, "PATCH", "/agents/juno", {"overlay": "none"}).status_code == 400
        assert call(alice, "DELETE", "/agents/juno").status_code == 204
        assert call(alice, "GET", "/agents/juno").status_code == 404


class TestTokens:
    def test_is_shown_once_and_ends_when_revoked(self, call: Call, alice: Person) -> None:
        made = call(
            alice,
            "POST",
            "/tokens",
            {"name": "bot", "scopes": ["chat"], "endUserId": "ann", "agentId": "juno"},
        )
        headers = {"Authorization": f"Bearer {made.json()['token']}"}

        assert made.status_code == 201
        who = call(None, "GET", "/whoami", **headers).json()
        assert (who["ownerKey"], who["scopes"], who["agentId"]) == ("api:ann", ["chat"], str(alice.agent.pk))
        assert made.json()["token"] not in call(alice, "GET", "/tokens").content.decode()
        assert call(alice, "DELETE", f"/tokens/{made.json()['id']}").status_code == 204
        assert call(None, "GET", "/whoami", **headers).status_code == 401

    @pytest.mark.parametrize(
        "body",
        [
            {"name": ""},
            {"name": "x", "scopes": []},
            {"name": "x", "scopes": ["everything"]},
            {"name": "x", "scopes": "chat"},
            {"name": "x", "expiresAt": "2020-01-01T00:00:00Z"},
            {"name": "x", "endUserId": "system"},
        ],
    )
    def test_fields_that_cannot_be_used(self, call: Call, alice: Person, body: dict[str, Any]) -> None:
        assert call(alice, "POST", "/tokens", body).status_code == 400

    def test_nobody_gives_more_than_they_have(self, call: Call, alice: Person) -> None:
        narrow = call(alice, "POST", "/tokens", {"name": "n", "scopes": ["chat"]}).json()["token"]

        answer = call(
            None, "POST", "/tokens", {"name": "w", "scopes": ["admin"]}, Authorization=f"Bearer {narrow}"
        )

        assert answer.status_code == 403


class TestSettings:
    def test_a_key_goes_in_and_never_comes_out(self, call: Call, alice: Person) -> None:
        changed = call(
            alice, "PATCH", "/settings", {"llmApiKey": KEY, "llmModel": "m", "timeZone": "Asia/Tokyo"}
        )

        assert changed.status_code == 200
        assert (changed.json()["llmApiKeySet"], changed.json()["timeZone"]) == (True, "Asia/Tokyo")
        for answer in (changed, call(alice, "GET", "/settings"), call(alice, "GET", "/audit")):
            assert KEY not in answer.content.decode()
        assert KEY not in str(Workspace.objects.values("settings", "sealed_secrets"))
        assert not call(alice, "PATCH", "/settings", {"llmApiKey": ""}).json()["llmApiKeySet"]

    @pytest.mark.parametrize(
        "url",
        [
            "http://127.0.0.1:8000/v1",
            "http://localhost/v1",
            "http://[::1]/v1",
            "http://10.0.0.8/v1",
            "http://169.254.169.254/latest",
            "http://2130706433/v1",
            "ftp://example.org",
            "file:///etc/passwd",
            "example.org",
            "https://user:pw@example.org/v1",
        ],
    )
    def test_an_address_that_must_not_be_called(self, call: Call, alice: Person, url: str) -> None:
        answer = call(alice, "PATCH", "/settings", {"llmBaseUrl": url})

        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["llmBaseUrl"])

    def test_the_operator_may_allow_private_addresses(self, call: Call, alice: Person, settings: Any) -> None:
        settings.ALLOW_PRIVATE_URLS = True

        assert (
            call(alice, "PATCH", "/settings", {"llmBaseUrl": "http://127.0.0.1:8000/v1"}).status_code == 200
        )

    @pytest.mark.parametrize(
        "body", [{"timeZone": "Mars/Olympus"}, {"name": " "}, {"perOwner": "yes"}, {"name": 5}]
    )
    def test_values_that_cannot_be_used(self, call: Call, alice: Person, body: dict[str, Any]) -> None:
        assert call(alice, "PATCH", "/settings", body).status_code == 400


def test_owners_are_counted_and_never_quoted(call: Call, alice: Person, model: ScriptedBackend) -> None:
    chat = {"agentId": "juno", "message": "My locker word is PELICAN.", "endUserId": "ann"}
    call(alice, "POST", "/chat", chat)
    call(alice, "POST", "/memory/juno/facts", {"text": "Ann likes PELICAN pies.", "endUserId": "ann"})

    owners = call(alice, "GET", "/owners?ownerKey=api:ann")
    (ann,) = owners.json()["results"]

    assert (ann["endUserId"], ann["facts"], ann["conversations"]) == ("ann", 1, 1)
    assert "PELICAN" not in owners.content.decode()
    assert call(alice, "GET", f"/owners/{ann['id']}").json() == ann


def test_members_are_named_with_their_role(call: Call, alice: Person, bob: Person) -> None:
    members = call(alice, "GET", "/members").json()["results"]

    assert [(row["username"], row["role"]) for row in members] == [("alice", "owner"), ("bob", "member")]


class TestEvents:
    @pytest.fixture
    def failed(self, alice: Person) -> Event:
        return Event.objects.create(
            workspace=alice.workspace,
            owner_key=alice.principal.owner_key,
            kind="chore",
            status=Event.Status.FAILED,
            reason="The model was away.",
        )

    def test_can_be_looked_up_and_tried_again(self, call: Call, alice: Person, failed: Event) -> None:
        listed = call(alice, "GET", "/events?status=FAILED").json()["results"]
        assert [(row["id"], row["reason"]) for row in listed] == [(str(failed.pk), "The model was away.")]

        again = call(alice, "POST", f"/events/{failed.pk}/retry")

        assert (again.status_code, again.json()["status"]) == (202, "PENDING")
        assert call(alice, "POST", f"/events/{failed.pk}/retry").status_code == 409


class TestHealth:
    def test_live_needs_nothing(self, call: Call, db: None) -> None:
        assert call(None, "GET", "/health/live").json() == {"status": "live"}

    @pytest.mark.parametrize(("age", "state"), [(None, "missing"), (10, "silent"), (0, "ok")])
    def test_ready_wants_a_worker(self, call: Call, db: None, age: int | None, state: str) -> None:
        if age is not None:
            Heartbeat.objects.create(name="worker", beat_at=timezone.now() - timedelta(minutes=age))

        answer = call(None, "GET", "/health/ready")

        assert answer.status_code == (200 if state == "ok" else 503)
        assert answer.json()["checks"]["worker"] == state

    def test_metrics_are_for_admins_or_the_machine_itself(
        self, client: Client, alice: Person, bob: Person
    ) -> None:
        path = "/api/v1/metrics"
        outside = {"REMOTE_ADDR": "203.0.113.9"}

        assert b"memoryapp_workspaces 1" in client.get(path).content
        assert client.get(path, headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 401
        assert client.get(path, **outside).status_code == 401
        assert client.get(path, headers=bob.headers, **outside).status_code == 403
        assert client.get(path, headers=alice.headers, **outside).status_code == 200
