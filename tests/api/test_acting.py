"""On whose behalf a request acts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tenants.actions import issue_token
from tests.conftest import PASSWORD, Call, Person


@pytest.fixture
def bound(alice: Person) -> Callable[[str], dict[str, str]]:
    def bound(end_user: str) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {issue_token(principal=alice.principal, name='b', end_user=end_user)[1]}"
        }

    return bound


def test_a_token_acts_as_its_own_user_until_it_names_somebody(call: Call, alice: Person) -> None:
    assert call(alice, "GET", "/whoami").json()["ownerKey"] == f"user:{alice.user.pk}"
    assert call(alice, "GET", "/whoami?endUserId=ann").json()["ownerKey"] == "api:ann"
    assert call(alice, "GET", "/whoami?endUserId=ann&channel=telegram").json()["ownerKey"] == "telegram:ann"


@pytest.mark.parametrize("channel", ["user", "system", "web", "Bad Channel", "x" * 40])
def test_reserved_and_impossible_channels(call: Call, alice: Person, channel: str) -> None:
    assert call(alice, "GET", f"/whoami?endUserId=1&channel={channel}").status_code == 400


def test_a_bound_token_is_its_end_user_and_nobody_else(
    client: Client, bound: Callable[[str], dict[str, str]]
) -> None:
    headers = bound("ann")

    assert client.get("/api/v1/whoami", headers=headers).json()["ownerKey"] == "api:ann"
    assert client.get("/api/v1/whoami?endUserId=ann", headers=headers).status_code == 200
    refused = client.get("/api/v1/whoami?endUserId=ben", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "end_user_bound")


def test_a_logged_in_person_acts_as_themselves_only(client: Client, alice: Person) -> None:
    client.login(username="alice", password=PASSWORD)

    assert client.get("/api/v1/whoami").json()["ownerKey"] == f"user:{alice.user.pk}"
    refused = client.get("/api/v1/whoami?endUserId=ann")
    assert (refused.status_code, refused.json()["code"]) == (403, "end_user_needs_token")


class TestSessions:
    """The dashboard's own pages call the API with their session."""

    @pytest.fixture
    def browser(self, alice: Person) -> Client:
        browser = Client(enforce_csrf_checks=True)
        browser.login(username="alice", password=PASSWORD)
        return browser

    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
    def test_a_change_from_another_site_is_refused(self, browser: Client, method: str) -> None:
        path = "/api/v1/agents/juno/workspace/files/evil.md" if method != "POST" else "/api/v1/agents"
        response = browser.generic(
            method, path, '{"content": "x"}', "text/plain", headers={"Origin": "https://other-site.example"}
        )

        assert response.status_code == 403
        assert "Access-Control-Allow-Origin" not in response.headers
        assert browser.get("/api/v1/agents/juno/workspace/files/evil.md").status_code == 404

    def test_a_preflight_is_granted_nothing(self, browser: Client) -> None:
        asked = {"Origin": "https://other-site.example", "Access-Control-Request-Method": "POST"}
        response = browser.options("/api/v1/chat/stream", headers=asked)

        assert response.status_code in {401, 403, 405}
        assert not [name for name in response.headers if name.startswith("Access-Control-")]

    def test_a_change_with_the_pages_own_mark_goes_through(self, browser: Client) -> None:
        mark = "m" * 32
        browser.cookies["csrftoken"] = mark
        response = browser.put(
            "/api/v1/agents/juno/workspace/files/mine.md",
            '{"content": "x"}',
            content_type="application/json",
            headers={"X-CSRFToken": mark},
        )

        assert response.status_code == 201
