"""mem0's other routes: single memories, batches, entities, reports."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from memoryapp.jobs import drain
from memoryapp.models import Fact, Owner
from tenants.scoping import workspace_scope
from tests.compat.conftest import Mem0, counted
from tests.conftest import Person

pytestmark = pytest.mark.django_db

MISSING = "01a00000-0000-7000-8000-000000000000"


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
