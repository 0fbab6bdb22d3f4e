"""Erasing somebody leaves nothing of theirs anywhere, says so in a signed receipt, and leaves everybody else alone."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.erasure import erase_owner, is_genuine, was_erased
from memoryapp.actions.events import request_job
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.exceptions import NotPermitted
from memoryapp.models import Event, Fact, Owner, WorkspaceFile
from memoryapp.retrieval.search import search_memories
from tenants.exceptions import NotAllowed
from tenants.models import AuditEvent
from tenants.principals import Principal
from tenants.scoping import workspace_scope
from tests.conftest import Person

WORD = "WINDJAMMER"


def live(person: Person, principal: Principal, word: str = WORD) -> None:
    """Everything that is kept of somebody who uses the agent for a while."""
    who: dict[str, Any] = {"principal": principal, "agent": person.agent}
    talk = open_conversation(**who, external_id=f"about-{word}")
    message = add_message(
        principal=principal, conversation=talk, role="user", text=f"My boat is called {word}."
    )
    span = SourceSpan(message=message, start=0, end=len(message.text))
    add_fact(
        **who, new=NewFact(text=f"The person's boat is called {word}.", category="identity"), sources=[span]
    )
    write_file(**who, path="MEMORY.md", content=f"# Memory\n\n- A boat called {word}.\n", scope="PERSONAL")
    request_job(principal=principal, kind="extract", subject_id=talk.pk, agent_id=person.agent.pk)


def everything_in(person: Person) -> str:
    """All text of the workspace, whatever table it is in."""
    found = []
    with workspace_scope(person.workspace):
        for model in apps.get_models():
            columns = {field.name for field in model._meta.concrete_fields}
            if "workspace" not in columns:
                continue
            rows = model._default_manager.filter(workspace_id=person.workspace.pk)
            for row in rows.values(*columns - {"vector", "packed", "lexemes"}):
                found.append(str(row))
    return "\n".join(found)


@pytest.fixture
def ann(alice: Person) -> Principal:
    principal = alice.principal.acting_as("ann")
    live(alice, principal)
    return principal


class TestErasure:
    def test_leaves_nothing_in_any_table(self, alice: Person, ann: Principal) -> None:
        assert WORD in everything_in(alice)
        receipt = erase_owner(principal=alice.principal, owner_key="api:ann")
        left = everything_in(alice)

        assert WORD not in left
        assert "api:ann" not in left
        assert receipt.body["before"]["facts"] == 1
        assert receipt.body["after"] == {}
        assert receipt.body["verification"]["found"] == 0
        assert receipt.body["verification"]["textsSearched"] > 0

    def test_takes_their_statements_out_of_shared_files_too(self, alice: Person, ann: Principal) -> None:
        shared = f"# Team\n\n- The person's boat is called {WORD}.\n- Berths are booked by phone.\n"
        write_file(principal=alice.principal, agent=alice.agent, path="KNOWLEDGE.md", content=shared)
        receipt = erase_owner(principal=alice.principal, owner_key="api:ann")

        with workspace_scope(alice.workspace):
            assert "booked by phone" in WorkspaceFile.objects.get(path="KNOWLEDGE.md").content
        assert WORD not in everything_in(alice)
        assert receipt.body["removedFromShared"]["KNOWLEDGE.md"] == 1

    def test_leaves_everybody_else_as_they_were(self, alice: Person, ann: Principal) -> None:
        other = alice.principal.acting_as("anna")
        live(alice, other, "SCHOONER")
        erase_owner(principal=alice.principal, owner_key="api:ann")

        assert everything_in(alice).count("SCHOONER") >= 4
        assert [hit.text for hit in search_memories("boat", principal=other, agent=alice.agent).items]
        assert not search_memories("boat", principal=ann, agent=alice.agent).items

    def test_keeps_what_the_team_knows_by_itself(self, alice: Person, ann: Principal) -> None:
        team = NewFact(text=f"The person's boat is called {WORD}.", scope="TEAM")
        add_fact(principal=alice.principal, agent=alice.agent, new=team)
        erase_owner(principal=alice.principal, owner_key="api:ann")
        with workspace_scope(alice.workspace):
            assert Fact.objects.get().scope == "TEAM"

    def test_gives_a_receipt_that_names_nobody_and_cannot_be_changed(
        self, alice: Person, ann: Principal
    ) -> None:
        receipt = erase_owner(principal=alice.principal, owner_key="api:ann")
        assert "ann" not in json.dumps(receipt.body).replace("channel", "")
        assert is_genuine(receipt)
        receipt.body["before"]["facts"] = 0
        assert not is_genuine(receipt)

    def test_is_remembered_for_imports_by_a_keyed_hash(
        self, alice: Person, charlie: Person, ann: Principal
    ) -> None:
        erase_owner(principal=alice.principal, owner_key="api:ann")
        assert was_erased(alice.workspace, "api:ann")
        assert not was_erased(alice.workspace, "api:anna")
        assert not was_erased(charlie.workspace, "api:ann")

    def test_of_others_is_for_admins(self, alice: Person, bob: Person, ann: Principal) -> None:
        with pytest.raises(NotAllowed):
            erase_owner(principal=bob.principal, owner_key="api:ann")
        for nobody in ("system", ""):
            with pytest.raises(NotPermitted):
                erase_owner(principal=alice.principal, owner_key=nobody)

    def test_of_oneself_leaves_no_trace_of_who_asked(self, alice: Person, vera: Person) -> None:
        live(vera, vera.principal)
        receipt = erase_owner(principal=vera.principal, owner_key=vera.principal.owner_key)
        with workspace_scope(alice.workspace):
            actors = list(AuditEvent.objects.values_list("actor", "target", "detail"))

        assert receipt.actor == "the person themselves"
        assert vera.principal.owner_key not in json.dumps(actors).replace(f"{vera.principal.owner_key}0", "")
        assert WORD not in everything_in(alice)

    def test_removes_their_jobs_and_their_name_from_others(self, alice: Person, ann: Principal) -> None:
        request_job(principal=alice.principal, kind="dream", payload={"owners": ["api:ann", "api:bo"]})
        erase_owner(principal=alice.principal, owner_key="api:ann")
        events = Event.objects.filter(workspace=alice.workspace)
        assert not events.filter(owner_key="api:ann").exists()
        assert [event.payload for event in events.filter(kind="dream")] == [{"owners": ["api:bo"]}]


class TestDoors:
    def owner_id(self, alice: Person, key: str) -> str:
        with workspace_scope(alice.workspace):
            return str(Owner.objects.get(owner_key=key).pk)

    def test_an_admin_erases_and_finds_the_receipt(
        self, alice: Person, ann: Principal, client: Client
    ) -> None:
        path = f"/api/v1/owners/{self.owner_id(alice, 'api:ann')}"
        answer = client.post(f"{path}/erase", headers=alice.headers)
        again = client.post(f"{path}/erase", headers=alice.headers)
        listed = client.get("/api/v1/owners/erasures", headers=alice.headers).json()

        assert (answer.status_code, again.status_code) == (200, 404)
        assert answer.json()["genuine"]
        assert listed["results"][0]["receipt"] == answer.json()["receipt"]

    def test_a_token_erases_the_end_user_it_acts_for(
        self, alice: Person, ann: Principal, client: Client
    ) -> None:
        sent: dict[str, Any] = {"data": {"endUserId": "ann"}, "content_type": "application/json"}
        assert client.post("/api/v1/me/erase", headers=alice.headers, **sent).status_code == 200
        assert WORD not in everything_in(alice)

    def test_everybody_takes_their_own_data_along(
        self, alice: Person, ann: Principal, client: Client
    ) -> None:
        answer = client.get("/api/v1/me/export?endUserId=ann", headers=alice.headers)
        with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as archive:
            found = {name: archive.read(name).decode() for name in archive.namelist()}

        assert set(found) == {
            "about.json", "juno/MEMORY.md", "juno/data/facts-001.jsonl", "juno/data/history-001.jsonl",
            "juno/data/messages-001.jsonl",
        }  # fmt: skip
        assert all(WORD in text for name, text in found.items() if name != "about.json")

    def test_reading_somebody_elses_is_for_admins_and_audited(
        self, alice: Person, bob: Person, ann: Principal, client: Client
    ) -> None:
        path = f"/api/v1/owners/{self.owner_id(alice, 'api:ann')}/export"
        assert client.get(path, headers=bob.headers).status_code == 403
        assert WORD.encode() in zip_text(client.get(path, headers=alice.headers).getvalue())
        with workspace_scope(alice.workspace):
            assert AuditEvent.objects.filter(action="owner.exported", target="api:ann").exists()


def zip_text(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())
