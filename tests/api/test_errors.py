"""Every refusal has one shape, whatever refused: never a page, never a trace."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.conftest import Call, Person

NOT_FOUND = {"detail": "Not found.", "code": "not_found", "errors": {}}


def test_without_a_token_nobody_gets_in(call: Call) -> None:
    response = call(None, "GET", "/whoami")

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert set(response.json()) == {"detail", "code", "errors"}


@pytest.mark.parametrize("token", ["", "nonsense", "map_aaaaaaaa_bbbb", "Bearer"])
def test_a_wrong_token_is_refused_without_saying_what_was_wrong(call: Call, db: None, token: str) -> None:
    response = call(None, "GET", "/whoami", Authorization=f"Bearer {token}")

    assert response.status_code == 401
    assert response.json()["code"] == "invalid_token"


@pytest.mark.parametrize(
    "path", ["/agents/nobody", "/nothing/here", "/events/01a00000-0000-7000-8000-000000000000"]
)
def test_what_is_missing_is_missing_in_one_way(call: Call, alice: Person, path: str) -> None:
    response = call(alice, "GET", path)

    assert (response.status_code, response.json()) == (404, NOT_FOUND)


def test_an_unknown_address_answers_in_json_even_to_a_browser(client: Client, db: None) -> None:
    response = client.get("/api/v1/nothing", headers={"Accept": "text/html"})

    assert (response.status_code, response.json()) == (404, NOT_FOUND)


def test_a_method_that_a_route_does_not_have(call: Call, alice: Person) -> None:
    response = call(alice, "DELETE", "/whoami")

    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"
    assert "GET" in response.headers["Allow"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'"text"', 400),
        (b'{"name": NaN}', 400),
        (b'{"name": 1e999}', 400),
        (b'{"name": "\xff\xfe"}', 400),
        (b'{"name": "a\\u0000b"}', 400),
        (b'{"name": "\\ud800"}', 400),
        (b'{"settings": ' + b'{"a":' * 40 + b"1" + b"}" * 41, 400),
        (b'{"settings": ' + b"[" * 100_000, 400),
        (b'{"name": "' + b"x" * (1024 * 1024) + b'"}', 413),
    ],
)
def test_a_body_that_cannot_be_used(client: Client, alice: Person, body: bytes, status: int) -> None:
    response = client.post("/api/v1/agents", body, content_type="application/json", headers=alice.headers)

    assert response.status_code == status
    assert set(response.json()) == {"detail", "code", "errors"}


def test_what_cannot_be_stored_is_named_by_its_path(client: Client, alice: Person) -> None:
    body = json.dumps({"name": "x", "settings": {"deep": ["fine", "a\x00"]}})

    response = client.post("/api/v1/agents", body, content_type="application/json", headers=alice.headers)

    assert list(response.json()["errors"]) == ["settings.deep.1"]


def test_a_form_is_no_json(client: Client, alice: Person) -> None:
    response = client.post("/api/v1/agents", {"name": "x"}, headers=alice.headers)

    assert response.status_code == 415
    assert response.json()["code"] == "unsupported_media_type"


@pytest.mark.parametrize(
    "body", [{"name": 5, "slug": "x"}, {"name": "  ", "slug": "x"}, {"name": "x"}, {"name": None}]
)
def test_wrong_fields_are_told_one_by_one(call: Call, alice: Person, body: dict[str, object]) -> None:
    response = call(alice, "POST", "/agents", body)

    assert response.status_code == 400
    assert response.json()["errors"]


@pytest.mark.parametrize(
    "query", ["page=0", "page=x", "pageSize=0", "pageSize=201", "pageSize=-1", "page=99999999999"]
)
def test_pages_have_bounds(call: Call, alice: Person, query: str) -> None:
    assert call(alice, "GET", f"/agents?{query}").status_code == 400


def test_a_page_beyond_the_last_is_empty(call: Call, alice: Person) -> None:
    body = call(alice, "GET", "/agents?page=7").json()

    assert (body["count"], body["results"], body["next"]) == (1, [], None)


def test_pages_link_to_each_other(call: Call, alice: Person) -> None:
    first = call(alice, "GET", "/agents/juno/workspace/files?pageSize=2").json()
    second = call(alice, "GET", first["next"].partition("/api/v1")[2]).json()

    assert [len(first["results"]), len(second["results"])] == [2, 2]
    assert second["next"] is None
    assert second["previous"].endswith("files?pageSize=2")


@pytest.mark.parametrize(
    "end_user",
    ["", "   ", "x" * 129, "system", "SYSTEM", "a%00b", "a%0Ab", "%1b"],
    ids=["empty", "blank", "overlong", "reserved", "reserved in capitals", "NUL", "line end", "escape"],
)
def test_an_end_user_who_cannot_be_one(call: Call, alice: Person, end_user: str) -> None:
    response = call(alice, "GET", f"/whoami?endUserId={end_user}")

    assert response.status_code == 400
    assert "endUserId" in response.json()["errors"]


def test_body_and_query_must_name_the_same_end_user(call: Call, alice: Person) -> None:
    response = call(alice, "POST", "/agents?endUserId=ann", {"name": "x", "slug": "x", "endUserId": "ben"})

    assert response.status_code == 400


def test_every_answer_has_a_request_id(call: Call, alice: Person) -> None:
    assert call(alice, "GET", "/agents/nobody").headers["X-Request-ID"]
