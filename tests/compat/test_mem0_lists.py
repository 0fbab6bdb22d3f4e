"""mem0's addresses, its lists, and messages that are read."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from memoryapp.actions.agents import create_agent
from memoryapp.jobs import drain
from tests.compat.conftest import Mem0, counted, project_path
from tests.conftest import Person

pytestmark = pytest.mark.django_db

MISSING = "01a00000-0000-7000-8000-000000000000"


class TestAddresses:
    @pytest.mark.parametrize("path", ["/v1/ping/", "/v1/ping", "//v1/ping/", "//v1//ping//"])
    def test_are_served_however_their_slashes_are_written(self, mem0: Mem0, path: str) -> None:
        answer = mem0.call("GET", f"http://testserver{path}")
        assert (answer["status"], answer["user_email"]) == ("ok", "alice@example.org")
        assert answer["org_id"]
        assert answer["project_id"]

    def test_refuse_a_wrong_token_in_every_clients_words(self) -> None:
        response = Mem0("map_wrong").send("GET", "/v1/ping/")
        assert response.status_code == 401
        assert response.json()["detail"] == response.json()["error"] != ""


class TestLists:
    def test_are_read_page_by_page(self, mem0: Mem0) -> None:
        mem0.added(*[f"place number {number}" for number in range(205)], user_id="ana")
        body, seen = {"filters": {"user_id": "ana"}}, []
        path: str | None = "/v3/memories/?page=1&page_size=100"
        while path:
            page = mem0.call("POST", path, body)
            assert page["count"] == 205
            seen.append(len(page["results"]))
            path = page["next"] and page["next"].removeprefix("http://testserver")
        assert seen == [100, 100, 5]
        last = mem0.call("POST", "/v3/memories/?page=3", body)
        assert (len(last["results"]), last["next"]) == (5, None)
        assert "page=2" in last["previous"]
        assert mem0.call("POST", "/v3/memories/?page=9", body)["results"] == []

    def test_take_filters_as_older_clients_write_them(self, mem0: Mem0) -> None:
        mem0.added("likes tea", user_id="ana", metadata={"kind": "drink"}, run_id="r1")
        mem0.added("likes jazz", user_id="ana", timestamp=1_767_225_600)
        mem0.added("likes rain", user_id="ben")
        drink = quote('{"kind": "drink"}')
        for path, expected in {
            "/v1/memories/?user_id=ana": {"likes tea", "likes jazz"},
            "/v1/memories/?user_id=ana&run_id=r1": {"likes tea"},
            "/v1/memories/?user_id=ana&limit=1": {"likes jazz"},
            f"/v1/memories/?user_id=ana&metadata={drink}": {"likes tea"},
            "/v1/memories/?user_id=ana&end_date=2026-01-31": {"likes jazz"},
            "/v1/memories/?user_id=ana&keywords=JAZZ": {"likes jazz"},
            "/memories?user_id=ben": {"likes rain"},
        }.items():
            assert {item["memory"] for item in mem0.call("GET", path)["results"]} == expected, path
        assert isinstance(mem0.call("GET", "/v1/memories/?user_id=ana&output_format=v1.0"), list)

    @pytest.mark.parametrize(
        "path",
        [
            "/v1/memories/",
            "/v1/memories/?user_id=",
            "/v1/memories/?user_id=ana&page=0",
            "/v1/memories/?user_id=ana&page_size=201",
            "/v1/memories/?user_id=ana&limit=many",
            "/v1/memories/?user_id=ana&metadata=x",
            "/v1/memories/?user_id=a%00b",
            "/v1/memories/?user_id=ana&start_date=soon",
            "/v1/memories/?filters=%5Bobject+Object%5D",
            "/v1/memories/?user_id=ana&user_id=ben",
        ],
    )
    def test_refuse_what_they_cannot_read(self, mem0: Mem0, path: str) -> None:
        assert mem0.send("GET", path).status_code == 400

    def test_look_at_every_agent_unless_one_is_named(self, mem0: Mem0, alice: Person) -> None:
        create_agent(principal=alice.principal, name="Support", slug="support-bot")
        mem0.added("likes tea", user_id="ana")
        mem0.added("has a ticket about tea", user_id="ana", agent_id="support-bot")
        assert set(mem0.listed({"user_id": "ana"})) == {"likes tea", "has a ticket about tea"}
        assert set(mem0.found("tea", {"user_id": "ana"})) == {"likes tea", "has a ticket about tea"}
        both = {"AND": [{"user_id": "ana"}, {"agent_id": "support-bot"}]}
        assert mem0.listed(both) == mem0.found("tea", both) == ["has a ticket about tea"]

    def test_agree_with_searches_about_what_has_expired(self, mem0: Mem0) -> None:
        (old,) = mem0.added("tea was on sale", user_id="ana", expiration_date="2026-01-01")
        assert mem0.listed({"user_id": "ana"}) == []
        assert mem0.listed({"user_id": "ana"}, show_expired=True) == ["tea was on sale"]
        assert mem0.call("GET", f"/v1/memories/{old['id']}/")["memory"] == "tea was on sale"
        mem0.call("PUT", f"/v1/memories/{old['id']}/", {"expiration_date": None})
        assert mem0.listed({"user_id": "ana"}) == ["tea was on sale"]


class TestReading:
    MESSAGES = [{"role": "user", "content": "My name is Ana and I live in Lisbon."}]

    def test_becomes_an_event_that_can_be_followed(self, mem0: Mem0, charlie: Person) -> None:
        given = {"run_id": "r7", "agent_id": "bot", "app_id": "web", "metadata": {"turn": 3}}
        body = {"messages": self.MESSAGES, "user_id": "ana", **given}
        queued = mem0.call("POST", "/v3/memories/add/", body)
        assert (queued["status"], queued["results"]) == ("PENDING", [])
        path = f"/v1/event/{queued['event_id']}/"
        assert mem0.call("GET", path)["status"] == "PENDING"
        drain()
        event = mem0.call("GET", path)
        assert (event["status"], event["event_type"], event["error"]) == ("SUCCEEDED", "ADD", None)
        assert event["latency"] > 0
        (result, *_) = event["results"]
        assert result["event"] == "ADD"
        assert "Lisbon" in " ".join(each["data"]["memory"] for each in event["results"])
        assert [each["id"] for each in mem0.call("GET", "/v1/events/")["results"]] == [event["id"]]
        item = mem0.call("GET", f"/v1/memories/{result['id']}/")
        assert {name: item[name] for name in given} == given
        assert item["session_id"] == "r7"
        assert Mem0(charlie.token).send("GET", path).status_code == 404
        assert Mem0(charlie.token).call("GET", "/v1/events/")["results"] == []

    @pytest.mark.parametrize("way", ["body", "header", "project", "self-hosted"])
    def test_can_be_waited_for(self, mem0: Mem0, way: str) -> None:
        body: dict[str, Any] = {"messages": self.MESSAGES, "user_id": "ana"}
        path, headers = "/v3/memories/add/", {}
        if way == "body":
            body["async_mode"] = False
        elif way == "header":
            headers = {"Prefer": "wait"}
        elif way == "project":
            mem0.call("PATCH", project_path(mem0), {"async_mode": False})
        else:
            path = "/memories"
        answer = mem0.send("POST", path, body, **headers).json()
        assert {each["event"] for each in answer["results"]} == {"ADD"}
        assert "Lisbon" in " ".join(each["memory"] for each in answer["results"])
        assert any("Lisbon" in text for text in mem0.found("where does she live", {"user_id": "ana"}))

    def test_keeps_what_it_draws_as_long_as_the_caller_says(self, mem0: Mem0) -> None:
        body = {"messages": self.MESSAGES, "user_id": "ana", "async_mode": False, "immutable": True}
        for item in mem0.call("POST", "/v3/memories/add/", {**body, "expiration_date": "2099-12-31"})[
            "results"
        ]:
            assert (item["expiration_date"], item["immutable"]) == ("2099-12-31", True)

    def test_of_nothing_is_refused(self, mem0: Mem0, alice: Person) -> None:
        for messages in ([], "", " ", [{"role": "user", "content": ""}], [{"role": "user", "content": None}]):
            for infer in (True, False):
                body = {"messages": messages, "user_id": "ana", "run_id": "r", "infer": infer}
                assert mem0.post("/v3/memories/add/", body).status_code == 400
        assert counted(alice) == 0
