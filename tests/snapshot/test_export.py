"""Exports: the same memory is the same bytes, and nobody's personal memory is in anybody else's archive."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.test import Client

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_lifecycle import supersede_fact
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from tenants.actions import issue_token
from tenants.models import AuditEvent
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.snapshot.conftest import MakeDoor, contents, lines

NIGHTINGALE = "NIGHTINGALE"


def fill(person: Person, word: str) -> None:
    """Personal memory with a word in every place an export looks at."""
    who: dict[str, Any] = {"principal": person.principal, "agent": person.agent}
    for path in ("MEMORY.md", "memory/2026-01-05.md"):
        write_file(**who, path=path, content=f"# Mine\n\n- {word}\n", scope="PERSONAL")
    talk = open_conversation(**who, external_id=f"talk-{word}")
    message = add_message(principal=person.principal, conversation=talk, role="user", text=f"I keep {word}.")
    span = SourceSpan(message=message, start=0, end=len(message.text))
    old = add_fact(
        **who, new=NewFact(text=f"Keeps {word} at home.", category="technical"), sources=[span]
    ).fact
    new = add_fact(**who, new=NewFact(text=f"Keeps {word} in the office.", category="technical")).fact
    supersede_fact(principal=person.principal, old=old, new=new)


class TestExport:
    def test_has_the_listed_files_and_a_manifest_that_agrees(self, alice: Person, door: MakeDoor) -> None:
        write_file(principal=alice.principal, agent=alice.agent, path="NOTES.md", content="not part of it")
        write_file(
            principal=alice.principal, agent=alice.agent, path="memory/2026-03-01.md", content="- 船\n"
        )
        data = door(alice).export()
        found = contents(data)
        manifest = json.loads(found["manifest.json"])

        assert list(found) == [
            "manifest.json", "AGENTS.md", "MEMORY.md", "PROFILE.md", "SOUL.md", "memory/2026-03-01.md",
        ]  # fmt: skip
        assert manifest["version"] == 2
        assert manifest["agent"] == {"name": "Juno", "slug": "juno"}
        assert {entry["path"]: (entry["sha256"], entry["size"]) for entry in manifest["entries"]} == {
            name: (hashlib.sha256(content).hexdigest(), len(content))
            for name, content in found.items()
            if name != "manifest.json"
        }

    def test_is_the_same_bytes_for_the_same_memory(self, alice: Person, door: MakeDoor) -> None:
        fill(alice, NIGHTINGALE)
        assert door(alice).export("?include=personal") == door(alice).export("?include=personal")

    def test_changes_with_the_memory(self, alice: Person, door: MakeDoor) -> None:
        before = door(alice).export()
        write_file(principal=alice.principal, agent=alice.agent, path="MEMORY.md", content="# New\n")
        assert door(alice).export() != before

    def test_leaves_switches_and_database_ids_at_home(self, alice: Person, door: MakeDoor) -> None:
        fill(alice, NIGHTINGALE)
        everything = b"".join(contents(door(alice).export("?include=all")).values()).decode()

        assert "enabled" not in everything
        assert "sortOrder" not in everything
        assert str(alice.agent.pk) not in everything
        assert f"user:{alice.user.pk} " not in everything

    def test_has_facts_with_history_and_where_they_came_from(self, alice: Person, door: MakeDoor) -> None:
        fill(alice, NIGHTINGALE)
        found = contents(door(alice).export("?include=personal"))
        facts = lines(found["personal/data/facts-001.jsonl"])
        history = lines(found["personal/data/history-001.jsonl"])

        assert [fact["status"] for fact in facts] == ["superseded", "active"]
        assert facts[0]["supersededBy"] == facts[1]["id"]
        assert facts[0]["sources"][0]["conversation"] == f"talk-{NIGHTINGALE}"
        assert {line["operation"] for line in history} >= {"ADD", "SUPERSEDE"}

    def test_never_has_a_byte_of_somebody_elses(self, alice: Person, vera: Person, door: MakeDoor) -> None:
        fill(alice, NIGHTINGALE)
        fill(vera, "SKYLARK")
        for query in ("", "?include=personal"):
            data = door(vera).export(query)
            everything = b"".join([data, *contents(data).values(), *map(str.encode, contents(data))])
            assert NIGHTINGALE.encode() not in everything
            assert f"user:{alice.user.pk}".encode() not in everything
        assert b"SKYLARK" in contents(door(vera).export("?include=personal"))["personal/MEMORY.md"]
        assert not any(b"SKYLARK" in content for content in contents(door(vera).export()).values())

    def test_of_everybody_is_for_admins_and_is_audited(
        self, alice: Person, vera: Person, client: Client, door: MakeDoor
    ) -> None:
        fill(vera, "SKYLARK")
        fill(alice, NIGHTINGALE)
        refused = client.get(f"{door(vera).base}/export?include=all", headers=vera.headers)
        found = contents(door(alice).export("?include=all"))
        owners = json.loads(found["manifest.json"])["owners"]
        (folder,) = owners

        assert refused.status_code == 403
        assert b"SKYLARK" in found[f"{folder}/MEMORY.md"]
        assert NIGHTINGALE.encode() in found["personal/MEMORY.md"]
        with workspace_scope(alice.workspace):
            assert AuditEvent.objects.get(action="snapshot.exported").detail == {"include": "all"}

    def test_of_everybody_is_not_for_a_token_of_one_end_user(
        self, alice: Person, client: Client, door: MakeDoor
    ) -> None:
        token = issue_token(principal=alice.principal, name="bound", end_user="ann")[1]
        answer = client.get(
            f"{door(alice).base}/export?include=all", headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 403

    def test_that_no_import_would_take_points_to_the_backup(
        self, alice: Person, client: Client, door: MakeDoor
    ) -> None:
        write_file(
            principal=alice.principal, agent=alice.agent, path="memory/2026-01-01.md", content="船" * 400_000
        )
        answer = client.get(f"{door(alice).base}/export", headers=alice.headers)

        assert answer.status_code == 413
        assert "export_workspace" in answer.json()["detail"]

    def test_wants_a_known_extent(self, alice: Person, client: Client, door: MakeDoor) -> None:
        answer = client.get(f"{door(alice).base}/export?include=everything", headers=alice.headers)
        assert answer.status_code == 400
