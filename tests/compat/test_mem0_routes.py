"""mem0's other routes: lists, single memories, batches, entities, events, reports and the project."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from memoryapp.actions.agents import create_agent
from memoryapp.jobs import drain
from memoryapp.models import Fact, Owner
from tenants.scoping import workspace_scope
from tests.compat.conftest import Mem0, counted
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


class TestSingleMemories:
    def test_are_changed_with_their_history(self, mem0: Mem0) -> None:
        (item,) = mem0.added("likes tea", user_id="ana", run_id="r1", metadata={"bucket": 7, "old": 1})
        path = f"/v1/memories/{item['id']}/"
        changed = mem0.call(
            "PUT", path, {"text": "likes coffee", "metadata": {"old": None, "user_id": "eve"}}
        )
        assert (changed["memory"], changed["user_id"]) == ("likes coffee", "ana")
        assert changed["metadata"] == {"bucket": 7, "user_id": "eve"}
        assert mem0.found("coffee", {"user_id": "eve"}) == []
        mem0.call("DELETE", path)
        assert mem0.send("GET", path).status_code == 404
        history = mem0.call("GET", f"{path}history/")
        assert [entry["event"] for entry in history] == ["ADD", "UPDATE", "DELETE"]
        assert {entry["user_id"] for entry in history} == {"ana"}
        assert "tea" not in str(history)

    def test_of_a_living_memory_the_history_tells_both_texts(self, mem0: Mem0) -> None:
        (item,) = mem0.added("likes tea", user_id="ana")
        mem0.call("PUT", f"/v1/memories/{item['id']}", {"text": "likes coffee"})
        first, second = mem0.call("GET", f"/memories/{item['id']}/history")
        assert (first["new_memory"], second["old_memory"]) == ("likes tea", "likes tea")
        assert second["new_memory"] == "likes coffee"

    @pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
    def test_are_told_apart_from_ids_that_are_none(self, mem0: Mem0, method: str) -> None:
        body = {"text": "x"} if method == "PUT" else None
        for given, status in (("nonsense", 400), ("a%00b", 400), (MISSING, 404)):
            response = mem0.send(method, f"/v1/memories/{given}/", body)
            assert (response.status_code, bool(response.json()["error"])) == (status, True)

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"text": ""},
            {"text": 7},
            {"metadata": "x"},
            {"expiration_date": "soon"},
            {"timestamp": "soon"},
        ],
    )
    def test_refuse_a_change_that_is_none(self, mem0: Mem0, body: Any) -> None:
        (item,) = mem0.added("likes tea", user_id="ana")
        assert mem0.send("PUT", f"/v1/memories/{item['id']}/", body).status_code == 400

    def test_of_others_are_missing(self, mem0: Mem0, charlie: Person, alice: Person, remember: Any) -> None:
        (item,) = mem0.added("likes tea", user_id="ana")
        own = remember(alice, "the vault code word is heron")
        stranger = Mem0(charlie.token)
        for who, key in ((stranger, item["id"]), (mem0, str(own.pk))):
            for method in ("GET", "PUT", "DELETE"):
                body = {"text": "x"} if method == "PUT" else None
                assert who.send(method, f"/v1/memories/{key}/", body).status_code == 404
            assert who.send("GET", f"/v1/memories/{key}/history/").status_code == 404
        assert counted(alice) == 2


class TestDeletion:
    @pytest.mark.parametrize(
        "query",
        [
            "",
            "?source=CLI",
            "?user_id=",
            "?user_id=%20&run_id=r1",
            "?run_id=&user_id=ana",
            "?filters=%5Bobject%20Object%5D",
            "?filters=",
            "?filters={}",
            "?filters=nonsense",
            "?filters=__import__('os').getcwd()",
            "?filters=%7B'NOT':%7B'user_id':'ana'%7D%7D",
            "?filters=%7B'colour':'red'%7D",
            "?user_id=ana&colour=red",
            "?user_id=ana&user_id=ben",
            "?metadata=%7B%22kind%22:%22drink%22%7D",
            "?user_id=null&filters=x",
        ],
    )
    def test_of_everything_is_not_to_be_had_by_accident(self, mem0: Mem0, alice: Person, query: str) -> None:
        mem0.added("likes tea", "likes jazz", user_id="ana", run_id="r1")
        mem0.added("the office closes at six", agent_id="x")
        for path in ("/v1/memories/", "/memories"):
            assert mem0.send("DELETE", path + query).status_code == 400
        assert counted(alice) == 3

    def test_takes_what_is_named_and_no_more(self, mem0: Mem0, alice: Person) -> None:
        mem0.added(*[f"ana's place {number}" for number in range(30)], user_id="ana")
        mem0.added(*[f"ben's place {number}" for number in range(30)], user_id="ben")
        mem0.added("the office closes at six", agent_id="juno")
        assert mem0.call("DELETE", "/v1/memories/?user_id=ana")["deleted_count"] == 30
        assert mem0.found("place", {"user_id": "ana"}) == mem0.listed({"user_id": "ana"}) == []
        assert counted(alice) == 31

    @pytest.mark.parametrize("filters", ["{'user_id': 'ana'}", '{"AND": [{"user_id": "ana"}]}'])
    def test_reads_filters_in_pythons_spelling_and_in_json(
        self, mem0: Mem0, alice: Person, filters: str
    ) -> None:
        mem0.added("likes tea", user_id="ana")
        mem0.added("likes rain", user_id="ben")
        mem0.call("DELETE", f"/v1/memories/?filters={quote(filters)}")
        assert counted(alice) == 1
        assert mem0.listed({"user_id": "ben"}) == ["likes rain"]

    def test_with_an_agent_beside_the_user_leaves_the_others(self, mem0: Mem0, alice: Person) -> None:
        mem0.added("likes tea", user_id="ana", agent_id="bot")
        mem0.added("likes jazz", user_id="ana")
        mem0.call("DELETE", "/v1/memories/?user_id=ana&agent_id=bot")
        assert mem0.listed({"user_id": "ana"}) == ["likes jazz"]


class TestBatches:
    def test_change_all_or_nothing(self, mem0: Mem0, alice: Person) -> None:
        one, two = mem0.added("likes tea", "likes jazz", user_id="ana")
        good = [
            {"memory_id": one["id"], "text": "likes coffee"},
            {"memory_id": two["id"], "metadata": {"a": 1}},
        ]
        mem0.call("PUT", "/v1/batch/", {"memories": good})
        assert set(mem0.listed({"user_id": "ana"})) == {"likes coffee", "likes jazz"}
        for bad, status in (
            ({"memory_id": MISSING, "text": "x"}, 404),
            ({"memory_id": "nonsense", "text": "x"}, 400),
            ({"memory_id": two["id"]}, 400),
            ({"memory_id": two["id"], "text": " "}, 400),
            ({"memory_id": one["id"], "text": "x"}, 400),
        ):
            memories = [{"memory_id": one["id"], "text": "likes water"}, bad]
            assert mem0.send("PUT", "/v1/batch/", {"memories": memories}).status_code == status
        for bad_id in (MISSING, "nonsense", None):
            memories = [{"memory_id": one["id"]}, {"memory_id": bad_id}]
            assert mem0.send("DELETE", "/v1/batch/", {"memories": memories}).status_code in {400, 404}
        assert set(mem0.listed({"user_id": "ana"})) == {"likes coffee", "likes jazz"}
        mem0.call("DELETE", "/v1/batch/", {"memories": [{"memory_id": one["id"]}, {"memory_id": two["id"]}]})
        assert counted(alice) == 0

    @pytest.mark.parametrize("memories", [None, [], "x", [7], [{"memory_id": MISSING}] * 1_001])
    def test_are_of_some_size(self, mem0: Mem0, memories: Any) -> None:
        for method in ("PUT", "DELETE"):
            assert mem0.send(method, "/v1/batch/", {"memories": memories}).status_code == 400


class TestEntities:
    def test_are_counted_by_kind(self, mem0: Mem0, alice: Person, charlie: Person) -> None:
        mem0.added("likes tea", "likes jazz", user_id="ana", agent_id="bot", run_id="r1", app_id="web")
        mem0.added("likes rain", user_id="ben")
        listed = mem0.call("GET", "/v1/entities/")
        found = {(each["type"], each["name"]): each["total_memories"] for each in listed["results"]}
        assert found == {
            ("user", "ben"): 1, ("user", "ana"): 2, ("agent", "bot"): 2, ("app", "web"): 2, ("run", "r1"): 2,
        }  # fmt: skip
        assert (listed["count"], listed["total_users"]) == (5, 2)
        assert Mem0(charlie.token).call("GET", "/v1/entities/")["results"] == []
        assert {each["type"] for each in mem0.call("GET", "/entities")} == {"user", "agent", "app", "run"}

    @pytest.mark.parametrize(
        "name", ["ana", "a b/c", "100%", "/x", "x/", "müller 王", " ana ", "a%2Fb", "a//b"]
    )
    def test_go_with_all_of_theirs_by_whatever_name(self, mem0: Mem0, alice: Person, name: str) -> None:
        mem0.added("likes tea", user_id=name)
        mem0.added("likes rain", user_id="ben")
        path = f"/v2/entities/user/{quote(name, safe='')}/"
        mem0.call("DELETE", path)
        assert mem0.send("DELETE", path).status_code == 404
        with workspace_scope(alice.workspace):
            assert set(Fact.objects.values_list("owner_key", flat=True)) == {"api:ben"}
            assert not Owner.objects.filter(owner_key=f"api:{name}").exists()

    def test_of_other_kinds_go_by_label(self, mem0: Mem0, alice: Person) -> None:
        mem0.added("likes tea", user_id="ana", run_id="r1")
        mem0.added("likes jazz", user_id="ana", run_id="r2")
        mem0.call("DELETE", "/v2/entities/run/r1/")
        assert mem0.listed({"user_id": "ana"}) == ["likes jazz"]
        mem0.call("DELETE", "/v2/entities/run/r1/")
        for path in ("/v2/entities/robot/x/", f"/v1/entities/user/{MISSING}/"):
            assert mem0.send("DELETE", path).status_code == 404
        for path in ("/v2/entities/run/%20/", "/v2/entities/run/a%00b/", "/v2/entities/user/a%00b/"):
            assert mem0.send("DELETE", path).status_code == 400


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


def project_path(mem0: Mem0) -> str:
    ping = mem0.call("GET", "/v1/ping/")
    return f"/api/v1/orgs/organizations/{ping['org_id']}/projects/{ping['project_id']}/"


class TestProject:
    def test_says_what_every_reading_is_asked(self, mem0: Mem0, charlie: Person) -> None:
        path = project_path(mem0)
        wanted = {
            "custom_instructions": "Keep what is about ships.",
            "custom_categories": [{"ships": "vessels and harbours"}],
            "retention": {"project": 30},
        }
        mem0.call("PATCH", path, {**wanted, "enable_graph": True, "org_id": "x"})
        assert {name: mem0.call("GET", path)[name] for name in wanted} == wanted
        only = mem0.call("GET", f"{path}?fields=custom_instructions&fields=retention")
        assert set(only) == {"custom_instructions", "retention"}
        assert Mem0(charlie.token).send("GET", path).status_code == 404
        assert mem0.call("GET", f"{path}members/")["members"][0]["email"] == "alice@example.org"

    @pytest.mark.parametrize(
        "body",
        [
            {"custom_instructions": 7},
            {"custom_categories": "x"},
            {"custom_categories": [{"": "x"}]},
            {"retention": {"project": "long"}},
            {"retention": {"project": -1}},
            {"async_mode": "no"},
        ],
    )
    def test_refuses_what_it_cannot_keep(self, mem0: Mem0, body: Any) -> None:
        assert mem0.send("PATCH", project_path(mem0), body).status_code == 400

    def test_mirrors_the_category_that_agents_put_into_the_metadata(self, mem0: Mem0) -> None:
        mem0.call("PATCH", project_path(mem0), {"retention": {"operational": 1}})
        facts = ["likes tea", "likes jazz"]
        preference = {"category": "preference", "importance": 0.9}
        mem0.added("\n".join(facts), user_id="ana", deduced_memories=facts, metadata=preference)
        (state,) = mem0.added("the build is running", user_id="ana", metadata={"category": "operational"})
        assert state["expiration_date"] is not None
        assert set(mem0.found("what does she like", {"user_id": "ana"}, categories=["preference"])) == set(
            facts
        )


class TestReports:
    def test_feedback_moves_trust_and_can_be_taken_back(self, mem0: Mem0, alice: Person) -> None:
        (item,) = mem0.added("likes tea", user_id="ana")
        for given, helpful in (("positive", (1, 0)), ("VERY_NEGATIVE", (0, 1)), (None, (0, 0))):
            body = {"memory_id": item["id"], "feedback": given, "feedback_reason": "why"}
            answer = mem0.call("POST", "/v1/feedback/", body)
            assert answer["feedback"] == (given and given.upper())
            with workspace_scope(alice.workspace):
                fact = Fact.objects.get(pk=item["id"])
            assert (fact.helpful_count, fact.unhelpful_count) == helpful
        for bad in ({"feedback": "GREAT", "memory_id": item["id"]}, {"feedback": "POSITIVE"}):
            assert mem0.send("POST", "/v1/feedback/", bad).status_code == 400

    def test_exports_take_the_shape_of_their_schema(self, mem0: Mem0, charlie: Person) -> None:
        mem0.added("likes tea", user_id="ana", metadata={"category": "preference", "city": "Lisbon"})
        schema = {
            "type": "object",
            "properties": {"preference": {"type": "array"}, "city": {"type": "string"}},
        }
        created = mem0.send("POST", "/v1/exports/", {"schema": schema, "filters": {"user_id": "ana"}})
        assert created.status_code == 201
        key = {"memory_export_id": created.json()["id"]}
        exported = mem0.call("POST", "/v1/exports/get/", key)
        assert (exported["preference"], exported["city"]) == (["likes tea"], "Lisbon")
        assert [item["memory"] for item in exported["results"]] == ["likes tea"]
        assert Mem0(charlie.token).send("POST", "/v1/exports/get/", key).status_code == 404
        assert mem0.send("POST", "/v1/exports/get/", {"memory_export_id": "x"}).status_code == 404
        assert mem0.send("POST", "/v1/exports/", {"schema": schema}).status_code == 400

    def test_summaries_say_what_is_known(self, mem0: Mem0) -> None:
        mem0.added("likes tea", user_id="ana", metadata={"category": "preference"})
        mem0.added("likes rain", user_id="ben")
        summary = mem0.call("POST", "/v1/summary/", {"filters": {"user_id": "ana"}})["summary"]
        assert summary == "Preference\n- likes tea"


def test_the_two_calls_of_a_plugin_that_knows_only_a_base_address(mem0: Mem0) -> None:
    for base in ("", "/v1"):
        said = {
            "user_id": "user:42",
            "agent_id": "7",
            "messages": [{"role": "user", "content": "My name is Ana and I live in Lisbon."}],
            "metadata": {"conversation_id": "c1"},
        }
        assert mem0.send("POST", f"{base}/memories/", said).status_code == 200
        drain()
        asked = {"query": "where does she live", "user_id": "user:42", "agent_id": "7", "limit": 5}
        found = mem0.call("POST", f"{base}/memories/search/", asked)["results"]
        assert any("Lisbon" in item["memory"] for item in found)


def test_too_many_calls_are_told_when_to_come_back(mem0: Mem0, settings: Any) -> None:
    settings.API_CALLS_PER_MINUTE = 2
    answers = [mem0.send("GET", "/v1/ping/") for _ in range(4)]
    limited = next(answer for answer in answers if answer.status_code == 429)
    assert 0 < int(limited["Retry-After"]) <= 60
    assert (limited["X-RateLimit-Limit"], limited["X-RateLimit-Remaining"]) == ("2", "0")
    assert int(limited["X-RateLimit-Reset"]) > 0
    assert limited.json()["error"]


def test_what_a_users_files_say_does_not_come_back_after_a_deletion(mem0: Mem0, alice: Person) -> None:
    said = {"messages": "My name is Ana, I live in Lisbon and I like jazz.", "user_id": "ana"}
    assert mem0.send("POST", "/memories", said).json()["results"]
    mem0.call("DELETE", "/v1/memories/?user_id=ana")
    drain()
    assert mem0.listed({"user_id": "ana"}) == []


class TestProfiles:
    def test_are_what_is_known_by_category_or_by_a_schema(self, mem0: Mem0, charlie: Person) -> None:
        mem0.added("likes tea", user_id="ana", metadata={"category": "preference", "drink": "tea"})
        assert mem0.call("GET", "/v2/entities/user/ana/profile/")["profile"] == {"preference": ["likes tea"]}
        schema = {"properties": {"drink": {"type": "string", "description": "What they drink."}}}
        sent = {"enabled": True, "entities": {"user": {"schema": schema}}}
        assert mem0.call("POST", "/v2/profiles/settings/", sent)["entities"]["user"]["schema"] == schema
        profile = mem0.call("GET", "/v2/entities/user/ana/profile/")
        assert (profile["profile"], profile["status"]) == ({"drink": "tea"}, "succeeded")
        order = {"operation": "trigger", "entity_type": "user", "entity_id": "ana"}
        job = mem0.call("POST", "/v2/profiles/jobs/", order)
        assert mem0.call("GET", job["status_url"])["job"]["succeeded"] == 1
        assert Mem0(charlie.token).send("GET", job["status_url"]).status_code == 404
        assert Mem0(charlie.token).send("GET", "/v2/entities/user/ana/profile/").status_code == 404
        mem0.added("likes rain", user_id="a b/c")
        assert mem0.call("GET", "/v2/entities/user/a%20b%2Fc/profile/")["entity_id"] == "a b/c"
        for odd in ({"operation": ["x"]}, {"operation": "trigger", "entity_type": {}}):
            assert mem0.send("POST", "/v2/profiles/jobs/", odd).status_code == 400
        mem0.call("DELETE", "/v1/memories/?user_id=a%20b%2Fc")
        sampled = mem0.call("POST", "/v2/profiles/jobs/", {"operation": "sample", "limit": 1})
        assert (sampled["sampled"], len(sampled["entity_ids"])) == (1, 1)
        mem0.call("POST", "/v2/profiles/settings/", {"enabled": False})
        assert mem0.call("GET", "/v2/entities/user/ana/profile/")["status"] == "not_enabled"
        assert mem0.send("POST", "/v2/profiles/jobs/", order).status_code == 400

    @pytest.mark.parametrize(
        "sent",
        [
            {"schema": {}},
            {"enabled": "yes"},
            {"entities": {"user": {"schema": {"properties": {"drink": {"type": "string"}}}}}},
            {"entities": []},
        ],
    )
    def test_refuse_settings_that_are_none(self, mem0: Mem0, sent: Any) -> None:
        assert mem0.send("POST", "/v2/profiles/settings/", sent).status_code == 400


class TestAccounts:
    def test_members_are_invited_promoted_and_removed(self, mem0: Mem0, bob: Person) -> None:
        project = mem0.call("GET", "/v1/ping/")["project_id"]
        members = f"/api/v1/orgs/organizations/{project}/projects/{project}/members/"
        invited = mem0.call("POST", members, {"email": "dora@example.org", "role": "READER"})
        assert "/join/" in invited["url"]
        changed = mem0.call("PUT", members, {"email": "BOB@example.org", "role": "OWNER"})
        assert (changed["username"], changed["role"]) == ("bob", "OWNER")
        mem0.call("DELETE", f"{members}?email=bob@example.org")
        assert [each["username"] for each in mem0.call("GET", members)["members"]] == ["alice"]
        for method, body in (
            ("PUT", {"email": "bob@example.org", "role": "READER"}),
            ("DELETE", {"email": "x@y.z"}),
        ):
            assert mem0.send(method, members, body).status_code == 404
        assert mem0.send("POST", members, {"email": "e@example.org", "role": "KING"}).status_code == 400

    def test_a_token_makes_and_deletes_no_projects_and_says_so(self, mem0: Mem0) -> None:
        project = mem0.call("GET", "/v1/ping/")["project_id"]
        projects = f"/api/v1/orgs/organizations/{project}/projects/"
        for method, path in (("POST", projects), ("DELETE", f"{projects}{project}/")):
            refused = mem0.send(method, path, {"name": "other"})
            assert refused.status_code == 400
            assert "dashboard" in refused.json()["detail"]

    def test_nobody_signs_up_by_email(self) -> None:
        for path in ("email_code", "email_code/verify", "agent_mode"):
            answer = Mem0("").client.post(f"/api/v1/auth/{path}/", {"email": "e@example.org"})
            assert (answer.status_code, "invited" in answer.json()["detail"]) == (400, True)

    def test_an_entity_tells_how_much_there_is_of_it(self, mem0: Mem0, charlie: Person) -> None:
        mem0.added("likes tea", user_id="ana")
        assert mem0.call("GET", "/v2/entities/user/ana/")["total_memories"] == 1
        assert Mem0(charlie.token).send("GET", "/v2/entities/user/ana/").status_code == 404
