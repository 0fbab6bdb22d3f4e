"""A secret found later: gone from every version of everything, counted first, once and for all."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Q

from memoryapp.actions.scrub_places import scrub_places
from memoryapp.jobs import drain, scrub
from memoryapp.models import (
    Event,
    Fact,
    FactRevision,
    FileRevision,
    FileSection,
    Message,
    WorkspaceFile,
)
from memoryapp.models.embeddings import Embedding
from tenants.models import AuditEvent
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person
from tests.soiled import KEY, PATTERN, know_the_pattern, make_soiled, places_with


@pytest.fixture
def soiled(alice: Person) -> Person:
    return make_soiled(alice)


def test_it_is_purged_from_every_version_of_everything(soiled: Person, call: Call) -> None:
    before = places_with(soiled)
    assert len(before) >= 14
    know_the_pattern(call, soiled)

    counted = call(soiled, "POST", "/scrub?wait=true", {"dryRun": True}).json()
    assert places_with(soiled) == before
    receipt = call(soiled, "POST", "/scrub?wait=true", {}).json()

    assert places_with(soiled) == set()
    assert counted["dryRun"] is True
    assert receipt["changed"] == counted["changed"]
    assert receipt["changed"]["file revisions"] == 2
    assert receipt["credentials"]["secret"] > 14
    assert receipt["signature"]
    with workspace_scope(soiled.workspace):
        assert AuditEvent.objects.filter(action="workspace.scrubbed").count() == 1
    again = call(soiled, "POST", "/scrub?wait=true", {}).json()
    assert (again["changed"], again["credentials"]) == ({}, {})


def test_what_is_masked_is_found_by_its_new_words_and_keeps_whose_hand_is_in_it(
    soiled: Person, call: Call
) -> None:
    know_the_pattern(call, soiled)
    with workspace_scope(soiled.workspace):
        version = WorkspaceFile.objects.get(path="MEMORY.md", scope="PERSONAL").version
    call(soiled, "POST", "/scrub?wait=true", {})
    with workspace_scope(soiled.workspace):
        fact = Fact.objects.get()
        assert fact.text == "The crane opens with [masked] since May."
        assert "40718822" not in str(fact.lexemes) + str(Message.objects.get().lexemes)
        masked = Q(fact__text__contains="[masked]") | Q(section__text__contains="[masked]")
        assert set(Embedding.objects.filter(masked).values_list("vector", flat=True)) == {None}
        assert WorkspaceFile.objects.get(path="MEMORY.md", scope="PERSONAL").version == version + 1
        assert FileSection.objects.get(heading="Crane").person_edited
        assert FactRevision.objects.count() == 1
        assert FileRevision.objects.filter(path="MEMORY.md", scope="PERSONAL").count() == 2
    found = call(soiled, "POST", "/memory/juno/facts/search", {"query": "What opens the crane?"})
    assert fact.text in found.content.decode()
    revisions = call(soiled, "GET", "/agents/juno/workspace/files/MEMORY.md/revisions?scope=personal")
    assert KEY not in revisions.content.decode()


def test_facts_that_are_one_without_their_secrets_do_not_collide(alice: Person, call: Call) -> None:
    said_at = "2026-05-04T10:00:00Z"
    for digit in "12":
        body = {"text": f"The crane opens with HARB-KEY-4071882{digit}", "saidAt": said_at}
        assert call(alice, "POST", "/memory/juno/facts", body).status_code == 201
    with workspace_scope(alice.workspace):
        Fact.objects.update(said_at=said_at)
    know_the_pattern(call, alice)
    assert call(alice, "POST", "/scrub?wait=true", {}).json()["changed"]["facts"] == 2
    with workspace_scope(alice.workspace):
        assert sorted(Fact.objects.values_list("text", "status")) == [
            ("The crane opens with [masked]", "active"),
            ("The crane opens with [masked]", "merged"),
        ]


def test_one_known_secret_is_purged_whatever_it_looks_like(soiled: Person, call: Call) -> None:
    receipt = call(soiled, "POST", "/scrub", {"secret": f" {KEY.lower()} "}).json()
    assert receipt["credentials"] == {"secret": receipt["credentials"]["secret"]}
    assert places_with(soiled) == set()
    assert KEY not in str(receipt)


def test_as_a_job_it_goes_on_where_it_was_stopped(
    soiled: Person, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_the_pattern(call, soiled)
    monkeypatch.setattr(scrub, "SECONDS_AT_A_TIME", 0.0)
    monkeypatch.setattr("memoryapp.actions.scrubbing.BATCH", 1)
    started = call(soiled, "POST", "/scrub", {})
    assert started.status_code == 202
    assert call(soiled, "POST", "/scrub", {}).json()["code"] == "scrub_running"

    event = Event.objects.get(pk=started.json()["eventId"])
    turns = 0
    while event.status == Event.Status.PENDING:
        monkeypatch.setattr(scrub, "SECONDS_AT_A_TIME", 0.01)
        outcome = scrub.run_scrub(event)
        turns += 1
        event.refresh_from_db()
        if isinstance(outcome, scrub.Done):
            break
        assert "texts are read" in outcome.reason
    assert turns > 1
    assert outcome.result["changed"]["facts"] == 1
    assert places_with(soiled) == set()


def test_the_worker_does_it(soiled: Person, call: Call) -> None:
    know_the_pattern(call, soiled)
    event_id = call(soiled, "POST", "/agents/juno/workspace/scrub", {}).json()["eventId"]
    drain()
    event = call(soiled, "GET", f"/events/{event_id}").json()
    assert (event["status"], event["result"]["changed"]["messages"]) == ("SUCCEEDED", 1)


def test_other_workspaces_and_agents_are_left_alone(soiled: Person, charlie: Person, call: Call) -> None:
    for who in (soiled, charlie):
        call(who, "POST", "/agents", {"name": "Ada", "slug": "ada"})
        call(who, "POST", "/memory/ada/facts", {"text": f"Ada knows {KEY}"})
    know_the_pattern(call, soiled)
    call(soiled, "POST", "/agents/juno/workspace/scrub?wait=true", {})
    for who in (soiled, charlie):
        with workspace_scope(who.workspace):
            assert Fact.objects.filter(text__contains=KEY).count() == 1


def test_names_of_rows_are_reported(alice: Person, call: Call) -> None:
    body = {"text": "User likes rain", "runId": KEY}
    assert call(alice, "POST", "/memory/juno/facts", body).status_code == 201
    know_the_pattern(call, alice)
    receipt = call(alice, "POST", "/scrub?wait=true", {}).json()
    assert (receipt["left"], receipt["changed"].get("facts")) == ({"facts: run_id": 1}, None)


def test_every_table_with_words_is_a_place() -> None:
    names = {place.model.__name__ for place in scrub_places()}
    assert {
        "Fact",
        "FactRevision",
        "Message",
        "FileRevision",
        "DreamArchive",
        "Forgetting",
        "Event",
        "AuditEvent",
    } <= names


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"secret": "short"}, "secret"),
        ({"secret": "x" * 300}, "secret"),
        ({"secret": "       "}, "secret"),
        ({"dryRun": "perhaps"}, "dryRun"),
    ],
)
def test_bad_orders_are_refused(alice: Person, call: Call, body: dict[str, Any], field: str) -> None:
    answer = call(alice, "POST", "/scrub", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert field in answer.json()["errors"]


def test_only_admins_may(soiled: Person, bob: Person, charlie: Person, call: Call) -> None:
    assert call(bob, "POST", "/scrub", {}).status_code == 403
    assert call(charlie, "POST", f"/agents/{soiled.agent.pk}/workspace/scrub", {}).status_code == 404


@pytest.mark.parametrize(
    ("pattern", "why"),
    [("(", "valid"), ("a*", "empty"), ("(a+)+$", "long"), ("x" * 301, "longer"), ("(a|a)*b|c*", "empty")],
)
def test_patterns_are_tried_when_they_are_saved(alice: Person, call: Call, pattern: str, why: str) -> None:
    answer = call(alice, "PATCH", "/settings", {"credentialPatterns": [PATTERN, pattern]})
    assert answer.status_code == 400
    assert why in answer.json()["errors"]["credentialPatterns"][0]
