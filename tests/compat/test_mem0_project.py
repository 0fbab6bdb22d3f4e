"""mem0's project: what is asked of every reading, its profiles, and its members."""

from __future__ import annotations

from typing import Any

import pytest

from tests.compat.conftest import Mem0, project_path
from tests.conftest import Person

pytestmark = pytest.mark.django_db

MISSING = "01a00000-0000-7000-8000-000000000000"


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
