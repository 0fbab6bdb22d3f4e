"""Facts through the API: added, found, changed, judged, deleted; and whose they are."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from django.http import HttpResponse

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_lifecycle import supersede_fact
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.models import Embedding, Fact
from tenants.models import AuditEvent
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person

FACTS = "/memory/juno/facts"
ODD_IDS = ['" || 1==1', "') OR 1=1 OR (", "%", "_", "a/../b", '{"$ne": ""}']


def texts(response: HttpResponse) -> list[str]:
    assert response.status_code == 200, response.content
    return sorted(row["text"] for row in response.json()["results"])


def count(who: Person) -> int:
    with workspace_scope(who.workspace):
        return Fact.objects.count()


def add(call: Call, who: Person, text: str, end_user: str | None = None, **more: Any) -> dict[str, Any]:
    response = call(who, "POST", FACTS, {"text": text, "endUserId": end_user, **more})
    assert response.status_code in {200, 201}, response.content
    body: dict[str, Any] = response.json()
    return body


class TestAdding:
    def test_a_new_fact_is_kept_word_for_word(self, call: Call, alice: Person) -> None:
        response = call(
            alice,
            "POST",
            FACTS,
            {"text": "  Alice likes 茶 🚲 ", "category": "preference", "metadata": {"a": 1}},
        )
        body = response.json()

        assert response.status_code == 201
        assert (body["text"], body["category"], body["metadata"]) == (
            "  Alice likes 茶 🚲 ",
            "preference",
            {"a": 1},
        )
        assert (body["scope"], body["duplicate"], body["indexing"], body["masked"]) == (
            "PERSONAL",
            False,
            "ready",
            False,
        )
        assert call(alice, "GET", f"{FACTS}/{body['id']}").json()["text"] == body["text"]

    def test_the_same_again_is_the_known_one(self, call: Call, alice: Person) -> None:
        first = add(call, alice, "Alice likes tea.")
        response = call(alice, "POST", FACTS, {"text": "alice likes  tea"})

        assert response.status_code == 200
        assert (response.json()["id"], response.json()["duplicate"]) == (first["id"], True)

    def test_a_credential_is_masked_and_said_to_be(self, call: Call, alice: Person) -> None:
        secret = "gh" + "p_" + "A1b2C3d4E5" * 4
        body = add(call, alice, f"The token is {secret}", metadata={"k": secret})

        assert body["masked"]
        assert secret not in json.dumps(body)

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"text": ""},
            {"text": " \n"},
            {"text": 5},
            {"text": None},
            {"text": "x" * 64_001},
            {"text": "x", "category": 1},
            {"text": "x", "importance": 2},
            {"text": "x", "importance": "0.5"},
            {"text": "x", "metadata": []},
            {"text": "x", "metadata": {"a": "\x00"}},
            {"text": "x", "scope": "GLOBAL"},
            {"text": "x", "expiresAt": "soon"},
            {"text": "x", "validFrom": "2026-05-01T00:00:00Z", "validTo": "2026-01-01T00:00:00Z"},
            {"text": "x", "immutable": "true"},
            {"text": "x", "categories": ["y"] * 40},
        ],
    )
    def test_what_cannot_be_a_fact(self, call: Call, alice: Person, body: dict[str, Any]) -> None:
        response = call(alice, "POST", FACTS, body)

        assert response.status_code in {400, 413}
        assert response.json()["errors"] or response.status_code == 413
        assert count(alice) == 0

    def test_a_viewer_keeps_what_is_their_own_and_nothing_shared(self, call: Call, vera: Person) -> None:
        add(call, vera, "Vera likes tea.")

        assert call(vera, "POST", FACTS, {"text": "Everybody likes tea.", "scope": "TEAM"}).status_code == 403

    def test_times_name_their_zone(self, call: Call, alice: Person) -> None:
        body = add(call, alice, "Met Dana.", saidAt="2025-11-03T03:15:00+01:00")

        assert body["saidAt"] == "2025-11-03T02:15:00Z"
        assert body["createdAt"].endswith("Z")
        assert body["updatedAt"] >= body["createdAt"]


class TestReading:
    def test_a_list_takes_the_filter_language(self, call: Call, alice: Person) -> None:
        add(call, alice, "Alice likes tea.", category="preference")
        add(call, alice, "Always answer briefly.", category="rule")
        wanted = quote(json.dumps({"categories": {"in": ["rule"]}}))

        assert texts(call(alice, "GET", f"{FACTS}?filter={wanted}")) == ["Always answer briefly."]

    @pytest.mark.parametrize("wanted", ["{", "[]", '"x"', '{"nonsense": 1}', '{"AND": "x"}'])
    def test_a_filter_that_is_none(self, call: Call, alice: Person, wanted: str) -> None:
        assert call(alice, "GET", f"{FACTS}?filter={quote(wanted)}").status_code == 400

    def test_expired_facts_are_shown_when_asked_for(self, call: Call, alice: Person) -> None:
        fact = add(call, alice, "Parked on level 2.", expiresAt="2020-01-01T00:00:00Z")

        assert texts(call(alice, "GET", FACTS)) == []
        assert texts(call(alice, "GET", f"{FACTS}?showExpired=true")) == ["Parked on level 2."]
        assert call(alice, "GET", f"{FACTS}/{fact['id']}").status_code == 200

    def test_search_finds_what_was_just_added(self, call: Call, alice: Person) -> None:
        add(call, alice, "Alice keeps her bicycle in the north shed.")
        add(call, alice, "Alice was born in Lisbon.")

        found = call(alice, "POST", f"{FACTS}/search", {"query": "Where is the bicycle?", "topK": 1}).json()

        assert [row["fact"]["text"] for row in found["results"]] == [
            "Alice keeps her bicycle in the north shed."
        ]
        assert (found["degraded"], found["results"][0]["score"] > 0) == (False, True)

    def test_search_finds_the_meaning_of_what_was_just_changed(self, call: Call, alice: Person) -> None:
        known = add(call, alice, "The bicycle is in the shed.")
        assert call(alice, "PATCH", f"{FACTS}/{known['id']}", {"text": "Has a terrier."}).status_code == 200
        body = {"query": "pets", "explain": True}
        (hit,) = call(alice, "POST", f"{FACTS}/search", body).json()["results"]
        assert hit["explain"]["vector"]["rank"] == 1

    def test_search_sends_the_fields_that_are_asked_for(self, call: Call, alice: Person) -> None:
        known = add(call, alice, "The bicycle is in the shed.", metadata={"a": 1})
        body = {"query": "bicycle", "fields": ["text", "metadata"]}
        (hit,) = call(alice, "POST", f"{FACTS}/search", body).json()["results"]

        assert hit["fact"] == {"id": known["id"], "text": "The bicycle is in the shed.", "metadata": {"a": 1}}
        unknown = call(alice, "POST", f"{FACTS}/search", {**body, "fields": ["colour"]})
        assert (unknown.status_code, "colour" in unknown.content.decode()) == (400, True)

    def test_search_looks_into_files_and_messages_when_asked(self, call: Call, alice: Person) -> None:
        principal, agent = alice.principal, alice.agent
        write_file(principal=principal, agent=agent, path="notes.md", content="The harbour closes at nine.\n")
        talk = open_conversation(principal=principal, agent=agent, external_id="talk")
        add_message(principal=principal, conversation=talk, role="user", text="I love the harbour at night.")
        add(call, alice, "The harbour master is Ines.")
        body = {"query": "harbour", "sources": ["facts", "files", "messages"], "topK": 1_000}
        results = call(alice, "POST", f"{FACTS}/search", body).json()["results"]

        assert {(hit["kind"], hit["place"], hit["fact"] is None) for hit in results} == {
            ("fact", "fact", False),
            ("section", "notes.md", True),
            ("message", "conversation talk", True),
        }
        (only,) = call(alice, "POST", f"{FACTS}/search", {"query": "harbour"}).json()["results"]
        assert only["text"] == "The harbour master is Ines."

    def test_search_finds_superseded_facts_only_when_asked(self, call: Call, alice: Person) -> None:
        old, new = (
            add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=text)).fact
            for text in ("Lives in Porto", "Lives in Bergen")
        )
        supersede_fact(principal=alice.principal, old=old, new=new)
        body = {"query": "Where do they live?"}
        now = call(alice, "POST", f"{FACTS}/search", body).json()["results"]
        all_of_them = call(alice, "POST", f"{FACTS}/search", {**body, "latestOnly": False}).json()["results"]

        assert [hit["text"] for hit in now] == ["Lives in Bergen"]
        assert {hit["text"] for hit in all_of_them} == {"Lives in Porto", "Lives in Bergen"}

    @pytest.mark.parametrize(
        "body",
        [
            {"query": ""},
            {"query": "   "},
            {"query": "x", "topK": 0},
            {"query": "x", "topK": -5},
            {"query": "x", "topK": 100_000_000},
            {"query": "x", "topK": "ten"},
            {"query": "x" * 200_000},
            {"query": "a\x00"},
            {"query": "x", "filter": []},
            {"query": "x", "threshold": 7},
            {},
        ],
    )
    def test_a_search_that_makes_no_sense(self, call: Call, alice: Person, body: dict[str, Any]) -> None:
        assert call(alice, "POST", f"{FACTS}/search", body).status_code == 400


class TestChanging:
    def test_a_change_keeps_what_was(self, call: Call, alice: Person) -> None:
        fact = add(call, alice, "Alice lives in Delft.")
        changed = call(alice, "PATCH", f"{FACTS}/{fact['id']}", {"text": "Alice lives in Leiden."})
        history = call(alice, "GET", f"{FACTS}/{fact['id']}/history").json()["results"]

        assert (changed.status_code, changed.json()["text"]) == (200, "Alice lives in Leiden.")
        assert [row["operation"] for row in history] == ["ADD", "UPDATE"]
        assert history[1]["before"]["text"] == "Alice lives in Delft."

    def test_of_two_who_change_the_second_is_refused(self, call: Call, alice: Person) -> None:
        fact = add(call, alice, "Alice lives in Delft.")
        tag = call(alice, "GET", f"{FACTS}/{fact['id']}").headers["ETag"]

        first = call(alice, "PATCH", f"{FACTS}/{fact['id']}", {"text": "A."}, **{"If-Match": tag})
        second = call(alice, "PATCH", f"{FACTS}/{fact['id']}", {"text": "B."}, **{"If-Match": tag})

        assert (first.status_code, second.status_code) == (200, 412)

    def test_feedback_counts_once_per_person(self, call: Call, alice: Person) -> None:
        path = f"{FACTS}/{add(call, alice, 'Alice likes tea.')['id']}"

        call(alice, "POST", f"{path}/feedback", {"kind": "helpful"})
        body = call(alice, "POST", f"{path}/feedback", {"kind": "unhelpful"}).json()

        assert (body["helpfulCount"], body["unhelpfulCount"]) == (0, 1)
        assert call(alice, "POST", f"{path}/feedback", {"kind": "great"}).status_code == 400
        assert call(alice, "POST", f"{path}/pin", {"pinned": True}).json()["pinned"]
        assert call(alice, "POST", f"{path}/pin", {"pinned": 1}).status_code == 400
        assert call(alice, "POST", f"{path}/confirm").status_code == 200

    def test_provenance_gives_the_words_a_fact_rests_on(self, call: Call, alice: Person, bob: Person) -> None:
        talk = open_conversation(principal=alice.principal, agent=alice.agent, external_id="talk")
        said = add_message(
            principal=alice.principal, conversation=talk, role="user", text="We quote prices without tax."
        )
        span = SourceSpan(message=said, start=3, end=15)
        new = NewFact(text="Prices are quoted without tax.", scope="TEAM")
        fact = add_fact(principal=alice.principal, agent=alice.agent, new=new, sources=[span]).fact

        mine = call(alice, "GET", f"{FACTS}/{fact.pk}/provenance").json()["results"]
        theirs = call(bob, "GET", f"{FACTS}/{fact.pk}/provenance").json()["results"]

        assert [(row["text"], row["conversationId"]) for row in mine] == [("quote prices", "talk")]
        assert [(row["text"], row["messageId"], row["conversationId"]) for row in theirs] == [
            ("", None, None)
        ]


class TestDeleting:
    def test_a_deleted_fact_leaves_its_history_without_text(self, call: Call, alice: Person) -> None:
        fact = add(call, alice, "Alice lives in Delft.")

        assert call(alice, "DELETE", f"{FACTS}/{fact['id']}").status_code == 204
        assert call(alice, "GET", f"{FACTS}/{fact['id']}").status_code == 404
        history = call(alice, "GET", f"{FACTS}/{fact['id']}/history")
        assert history.json()["results"][-1]["operation"] == "DELETE"
        assert "Delft" not in history.content.decode()

    @pytest.mark.parametrize(
        "body",
        [
            {"all": True},
            {"all": True, "confirm": "false"},
            {"all": True, "confirm": False},
            {"all": "true", "confirm": 1},
            {"all": False, "confirm": True},
            {"confirm": True},
            {},
            {"query": ""},
            {"memoryId": None},
            {"memoryId": "x", "all": True, "confirm": True},
            {"filter": {}},
            {"filter": None},
            {"filter": {"categories": {"in": ["rule"]}}, "all": True, "confirm": True},
        ],
    )
    def test_anything_but_a_clear_word_deletes_nothing(
        self, call: Call, alice: Person, body: dict[str, Any]
    ) -> None:
        add(call, alice, "Alice likes tea.", category="rule")

        assert call(alice, "DELETE", FACTS, body).status_code == 400
        assert count(alice) == 1

    def test_everything_of_one_owner_and_nothing_of_anybody_else(
        self, call: Call, alice: Person, bob: Person
    ) -> None:
        for number in range(3):
            add(call, alice, f"Alice's fact {number}.")
            add(call, bob, f"Bob's fact {number}.")
        add(call, alice, "A shared fact.", scope="TEAM")

        gone = call(alice, "DELETE", FACTS, {"all": True, "confirm": True})

        assert gone.json() == {"deleted": 3}
        assert texts(call(alice, "GET", FACTS)) == ["A shared fact."]
        assert texts(call(bob, "GET", FACTS)) == [
            "A shared fact.",
            "Bob's fact 0.",
            "Bob's fact 1.",
            "Bob's fact 2.",
        ]
        with workspace_scope(alice.workspace):
            assert Embedding.objects.filter(fact__isnull=False).count() == 4
            assert AuditEvent.objects.get(action="facts.deleted").detail["count"] == 3

    def test_those_of_a_filter(self, call: Call, alice: Person) -> None:
        add(call, alice, "Alice likes tea.", category="preference")
        add(call, alice, "Always answer briefly.", category="rule")

        assert call(alice, "DELETE", FACTS, {"filter": {"categories": {"in": ["rule"]}}}).json() == {
            "deleted": 1
        }
        assert texts(call(alice, "GET", FACTS)) == ["Alice likes tea."]


class TestOwners:
    """Nothing personal crosses from one owner to another, whatever the ids look like."""

    def test_ids_are_compared_exactly(self, call: Call, alice: Person) -> None:
        owners = ["1", "10", "1a", "user:1"]
        for owner in owners:
            add(call, alice, f"Fact of {owner}.", owner)

        assert texts(call(alice, "GET", f"{FACTS}?endUserId=1")) == ["Fact of 1."]
        found = call(
            alice, "POST", f"{FACTS}/search", {"query": "fact", "topK": 50, "endUserId": "1"}
        ).json()["results"]
        assert [row["fact"]["text"] for row in found] == ["Fact of 1."]
        deleted = call(alice, "DELETE", FACTS, {"all": True, "confirm": True, "endUserId": "1"})
        assert deleted.json() == {"deleted": 1}
        for owner in owners[1:]:
            assert texts(call(alice, "GET", f"{FACTS}?endUserId={owner}")) == [f"Fact of {owner}."]

    @pytest.mark.parametrize("odd", ODD_IDS)
    def test_an_id_that_looks_like_a_query_is_an_id(self, call: Call, alice: Person, odd: str) -> None:
        add(call, alice, "Fact of ann.", "ann")
        add(call, alice, "Fact of the odd one.", odd)

        assert texts(call(alice, "GET", f"{FACTS}?endUserId={quote(odd, safe='')}")) == [
            "Fact of the odd one."
        ]
        assert call(alice, "DELETE", FACTS, {"all": True, "confirm": True, "endUserId": odd}).json() == {
            "deleted": 1
        }
        assert texts(call(alice, "GET", f"{FACTS}?endUserId=ann")) == ["Fact of ann."]

    def test_a_failed_add_leaves_nothing_and_nobody_elses_memory_answers(
        self, call: Call, alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add(call, alice, "Alice's locker word is PELICAN.")
        with monkeypatch.context() as broken:
            broken.setattr("memoryapp.actions.facts.keep_revision", _break)
            with pytest.raises(RuntimeError):
                call(bob, "POST", FACTS, {"text": "Bob's locker word is HERON."})

        assert call(bob, "POST", f"{FACTS}/search", {"query": "locker word"}).json()["results"] == []
        add(call, bob, "Bob's locker word is HERON.")
        assert texts(call(bob, "GET", FACTS)) == ["Bob's locker word is HERON."]


def _break(*arguments: Any, **named: Any) -> None:
    raise RuntimeError("The storage is on fire.")


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "", {"text": "Tea, never coffee.", "scpoe": "TEAM"}, "scpoe"),
        ("POST", "", {"infer": True, "messages": [{"role": "user", "content": "Hi"}], "agent": "x"}, "agent"),
        ("POST", "/search", {"query": "tea", "topk": 3}, "topk"),
    ],
)
def test_a_misspelt_field_is_told_and_nothing_is_kept(
    call: Call, alice: Person, method: str, path: str, body: dict[str, Any], field: str
) -> None:
    refused = call(alice, method, f"/memory/juno/facts{path}", body)
    assert refused.status_code == 400
    assert list(refused.json()["errors"]) == [field]
    assert call(alice, "GET", "/memory/juno/facts").json()["count"] == 0
