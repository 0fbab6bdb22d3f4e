"""Imports: the preview says what would change, applying does exactly that, and everything can be taken back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from memoryapp.actions.agents import create_agent
from memoryapp.actions.erasure import erase_owner
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import delete_file, load_file, set_prompt_files, write_file
from memoryapp.actions.forget import erase_facts
from memoryapp.exceptions import NotFound
from memoryapp.models import Agent, Fact, FileRevision, ImportPart, SnapshotImport, WorkspaceFile
from tenants.models import AuditEvent
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.snapshot.conftest import Door, MakeDoor, contents, paths
from tests.snapshot.crafted import Entry, archive, deflated
from tests.snapshot.remembered import remember_everything
from tests.snapshot.test_archive import FAULTS

AWKWARD = {
    "MEMORY.md": "# Memory\r\n\r\n- línea\r\n",
    "KNOWLEDGE.md": "",
    "PROFILE.md": "# 简介\n\n- 喜欢绿茶 🍵\n- no newline at the end",
    "memory/2028-02-29.md": "# 2028-02-29\n\n- A leap day.\n",
}


def fill(person: Person, agent: Agent | None = None) -> None:
    for path, content in AWKWARD.items():
        write_file(principal=person.principal, agent=agent or person.agent, path=path, content=content)


def another_agent(person: Person, slug: str = "nova") -> Agent:
    return create_agent(principal=person.principal, name="Nova", slug=slug)


def content_of(person: Person, path: str, scope: str = "TEAM", agent: Agent | None = None) -> str:
    who: dict[str, Any] = {"principal": person.principal, "agent": agent or person.agent}
    return load_file(**who, path=path, scope=scope).content


def count_rows(person: Person) -> tuple[int, ...]:
    with workspace_scope(person.workspace):
        models = (WorkspaceFile, FileRevision, Fact, SnapshotImport, ImportPart)
        return tuple(model._default_manager.count() for model in models)


NEW = archive(Entry("MEMORY.md", b"# Memory\n\n- Ships on Tuesdays.\n"), Entry("KNOWLEDGE.md", b"# Known\n"))


class TestPreview:
    def test_sorts_files_and_shows_what_changes(self, alice: Person, door: MakeDoor) -> None:
        soul = content_of(alice, "SOUL.md").encode()
        entries = [Entry("MEMORY.md", b"# Memory\n\n- New.\n"), Entry("SOUL.md", soul)]
        entries += [Entry("KNOWLEDGE.md", b"# Known\n"), Entry("notes/x.md", b"x")]
        body = door(alice).previewed(archive(*entries))

        assert (paths(body["create"]), paths(body["update"])) == (["KNOWLEDGE.md"], ["MEMORY.md"])
        assert [(skip["path"], skip["reason"]) for skip in body["skip"]] == [("SOUL.md", "unchanged")]
        assert body["rejected"] == [{"name": "notes/x.md", "reason": "not a file of a snapshot"}]
        assert {"kind": "added", "text": "- New."} in body["update"][0]["diff"]

    def test_writes_nothing_that_is_remembered(self, alice: Person, door: MakeDoor) -> None:
        before = count_rows(alice)[:3]
        door(alice).previewed(NEW)
        assert count_rows(alice)[:3] == before

    def test_is_gone_when_it_is_too_old(self, alice: Person, door: MakeDoor) -> None:
        preview = door(alice).previewed(NEW)["previewId"]
        with workspace_scope(alice.workspace):
            SnapshotImport.objects.update(expires_at="2020-01-01T00:00:00Z")
        assert door(alice).apply(preview)[0] == 409
        door(alice).previewed(NEW)
        assert door(alice).apply(preview)[0] == 404

    def test_belongs_to_whoever_made_it(self, alice: Person, bob: Person, door: MakeDoor) -> None:
        preview = door(alice).previewed(NEW)["previewId"]
        assert door(bob).apply(preview)[0] == 404

    def test_is_for_members(self, alice: Person, vera: Person, charlie: Person, door: MakeDoor) -> None:
        assert door(vera).preview(NEW)[0] == 403
        assert Door(door(alice).client, charlie, alice.agent).preview(NEW)[0] == 404

    @pytest.mark.parametrize("fault", FAULTS)
    def test_of_a_faulty_archive_is_a_clear_400_and_keeps_nothing(
        self, alice: Person, door: MakeDoor, fault: str
    ) -> None:
        before = count_rows(alice)
        status, body = door(alice).preview(FAULTS[fault][0])

        assert (status, body["code"]) == (400, FAULTS[fault][1])
        assert count_rows(alice) == before

    def test_of_nothing_is_told(self, alice: Person, door: MakeDoor) -> None:
        assert door(alice).preview(archive())[1]["code"] == "nothing_to_import"

    def test_refuses_what_is_over_16_mb_by_its_length(self, alice: Person, door: MakeDoor) -> None:
        status, body = door(alice).preview(bytes(16 * 1024 * 1024 + 1))
        assert (status, body["code"]) == (413, "upload_too_large")

    def test_without_a_file_is_told(self, alice: Person, door: MakeDoor) -> None:
        assert door(alice)._send("import/preview", {"x": "y"})[0] == 400

    def test_lists_content_that_is_no_text(self, alice: Person, door: MakeDoor) -> None:
        body = door(alice).previewed(
            archive(
                Entry("MEMORY.md", b"\xff\xfe"), Entry("SOUL.md", b"a\x00b"), Entry("PROFILE.md", NEW[:200])
            )
        )
        assert {entry["name"]: entry["reason"] for entry in body["rejected"]} == {
            "MEMORY.md": "not valid UTF-8",
            "SOUL.md": "has control characters",
            "PROFILE.md": "an archive inside the archive",
        }


class TestManifest:
    @pytest.mark.parametrize(
        ("manifest", "code"),
        [
            (b"[]", "manifest_malformed"), (b"{", "manifest_malformed"), (b"{}", "manifest_version"),
            (b'{"version": 99}', "manifest_version"), (b'{"version": true}', "manifest_version"),
            (b'{"version": 2, "entries": {}}', "manifest_malformed"), (b"[" * 100_000, "manifest_malformed"),
        ],
    )  # fmt: skip
    def test_that_is_none_is_refused(self, alice: Person, door: MakeDoor, manifest: bytes, code: str) -> None:
        data = archive(Entry("manifest.json", manifest), Entry("MEMORY.md", b"x"))
        status, body = door(alice).preview(data)
        assert (status, body["code"]) == (400, code)

    def test_may_be_missing(self, alice: Person, door: MakeDoor) -> None:
        assert "no manifest" in door(alice).previewed(NEW)["notices"][0]

    def test_of_version_1_is_read_and_chooses_nothing(self, alice: Person, door: MakeDoor) -> None:
        manifest = {"version": 1, "exportedAt": "2026-01-01T00:00:00Z", "agentId": 999, "agentName": "Other"}
        data = archive(Entry("manifest.json", json.dumps(manifest).encode()), Entry("KNOWLEDGE.md", b"# K\n"))
        body = door(alice).previewed(data)

        assert body["manifest"]["agent"] == "Other"
        assert paths(body["create"]) == ["KNOWLEDGE.md"]
        door(alice).apply(body["previewId"])
        assert content_of(alice, "KNOWLEDGE.md") == "# K\n"

    def test_that_lists_what_is_missing_or_not_what_is_there_is_told(
        self, alice: Person, door: MakeDoor
    ) -> None:
        listed = [
            {"path": "SOUL.md", "sha256": "0" * 64, "size": 1},
            {"path": "PROFILE.md", "sha256": "0", "size": 2},
        ]
        manifest = json.dumps({"version": 2, "entries": listed}).encode()
        data = archive(Entry("manifest.json", manifest), Entry("MEMORY.md", b"x"), Entry("SOUL.md", b"y"))
        body = door(alice).previewed(data)

        assert [entry["name"] for entry in body["rejected"]] == ["MEMORY.md"]
        assert "The manifest lists PROFILE.md, which is not in the archive." in body["notices"]
        assert "1 entries were changed after the snapshot was made." in body["notices"]
        assert paths(body["update"]) == ["SOUL.md"]


class TestApply:
    def test_writes_what_was_shown_and_keeps_what_it_replaced(self, alice: Person, door: MakeDoor) -> None:
        before = content_of(alice, "MEMORY.md")
        body = door(alice).bring(NEW)

        assert sorted(body["applied"]) == ["KNOWLEDGE.md", "MEMORY.md"]
        assert content_of(alice, "MEMORY.md") == "# Memory\n\n- Ships on Tuesdays.\n"
        with workspace_scope(alice.workspace):
            revision = FileRevision.objects.filter(path="MEMORY.md").first()
            assert revision is not None
            assert (revision.before, revision.origin) == (before, "import")
            assert AuditEvent.objects.filter(action="snapshot.imported").exists()
            assert not ImportPart.objects.exclude(text="").exists()

    def test_happens_once(self, alice: Person, door: MakeDoor) -> None:
        preview = door(alice).previewed(NEW)["previewId"]
        assert [door(alice).apply(preview)[0] for _ in range(2)] == [200, 409]

    @pytest.mark.parametrize("path", ["MEMORY.md", "KNOWLEDGE.md", "SOUL.md"])
    def test_is_refused_whole_when_a_file_moved_meanwhile(
        self, alice: Person, door: MakeDoor, path: str
    ) -> None:
        soul = Entry("SOUL.md", content_of(alice, "SOUL.md").encode())
        data = archive(Entry("KNOWLEDGE.md", b"# Known\n"), Entry("MEMORY.md", b"# Other\n"), soul)
        preview = door(alice).previewed(data)["previewId"]
        write_file(principal=alice.principal, agent=alice.agent, path=path, content="edited meanwhile")
        before = count_rows(alice)
        status, body = door(alice).apply(preview)

        assert (status, body["code"]) == (409, "target_moved")
        assert path in body["detail"]
        assert count_rows(alice) == before
        assert content_of(alice, path) == "edited meanwhile"

    def test_of_another_archive_than_previewed_is_refused(self, alice: Person, door: MakeDoor) -> None:
        preview = door(alice).previewed(NEW)["previewId"]
        other = archive(Entry("MEMORY.md", b"# Evil\n"))

        assert door(alice).apply(preview, other)[1]["code"] == "archive_differs"
        assert door(alice).apply(preview, NEW)[0] == 200

    def test_masks_credentials_and_cuts_at_the_ceiling(self, alice: Person, door: MakeDoor) -> None:
        secret = "sk-" + "proj-" + "aB3xY9kL2mN5pQ8rT1vW4zC7dF0gH6jK"
        data = archive(
            Entry("MEMORY.md", f"# Memory\n\n- key {secret}\n\n## More\n\n{'word ' * 4000}\n".encode()),
            Entry("memory/2026-01-01.md", f"- the api key is {secret}\n".encode()),
        )
        body = door(alice).previewed(data)
        assert secret not in json.dumps(body)
        door(alice).apply(body["previewId"])

        memory = content_of(alice, "MEMORY.md")
        assert body["update"][0]["masked"]
        assert body["update"][0]["truncated"]
        assert len(memory) <= 8000
        assert secret not in memory + content_of(alice, "memory/2026-01-01.md")

    def test_does_not_bring_back_what_was_forgotten(self, alice: Person, door: MakeDoor) -> None:
        who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
        text = "The harbour master drinks espresso."
        fact = add_fact(**who, new=NewFact(text=text, category="preference", scope="TEAM")).fact
        write_file(**who, path="MEMORY.md", content=f"# Memory\n\n- {text}\n- Ships on Tuesdays.\n")
        data = door(alice).export()
        erase_facts(principal=alice.principal, facts=[fact])
        body = door(alice).previewed(data)
        door(alice).apply(body["previewId"])

        assert body["facts"]["forgotten"] == 1
        assert "espresso" not in content_of(alice, "MEMORY.md")
        with workspace_scope(alice.workspace):
            assert not Fact.objects.filter(text=text).exists()

    def test_leaves_switches_to_the_target(self, alice: Person, door: MakeDoor) -> None:
        set_prompt_files(principal=alice.principal, agent=alice.agent, paths=["SOUL.md"])
        fill(alice)
        nova = another_agent(alice)
        door(alice, nova).bring(door(alice).export())
        with workspace_scope(alice.workspace):
            enabled = WorkspaceFile.objects.filter(agent=nova, enabled=True).order_by("sort_order")
            assert [file.path for file in enabled] == list(WorkspaceFile.PROMPT_FILES)

    def test_of_personal_memory_goes_to_the_importer_only_and_only_if_asked(
        self, alice: Person, bob: Person, door: MakeDoor
    ) -> None:
        for person in (alice, bob):
            write_file(
                principal=person.principal, agent=alice.agent, path="MEMORY.md",
                content=f"# of {person.user.username}\n", scope="PERSONAL",
            )  # fmt: skip
        data = door(alice).export("?include=all")
        shared = door(bob).previewed(data)
        own = door(bob).previewed(data, include="personal")
        door(bob).apply(own["previewId"])

        assert {skip["reason"][:12] for skip in shared["skip"] if skip["reason"] != "unchanged"} == {
            "personal mem",
            "somebody els",
        }
        assert [file["scope"] for file in own["update"]] == ["PERSONAL"]
        assert content_of(bob, "MEMORY.md", "PERSONAL") == "# of alice\n"
        assert content_of(alice, "MEMORY.md", "PERSONAL") == "# of alice\n"

    def test_of_somebody_who_was_erased_is_skipped_unless_forced(self, alice: Person, door: MakeDoor) -> None:
        write_file(
            principal=alice.principal,
            agent=alice.agent,
            path="MEMORY.md",
            content="# mine\n",
            scope="PERSONAL",
        )
        data = door(alice).export("?include=personal")
        erase_owner(principal=alice.principal, owner_key=alice.principal.owner_key)
        barred = door(alice).previewed(data, include="personal")
        forced = door(alice).previewed(data, include="personal", force="true")

        assert barred["create"] == []
        assert [file["scope"] for file in forced["create"]] == ["PERSONAL"]


class TestUndo:
    def test_puts_everything_back(self, alice: Person, door: MakeDoor) -> None:
        before = {path: content_of(alice, path) for path in WorkspaceFile.PROMPT_FILES}
        source = another_agent(alice)
        fill(alice, source)
        add_fact(
            principal=alice.principal,
            agent=source,
            new=NewFact(text="Berths are booked by phone.", scope="TEAM"),
        )
        body = door(alice).bring(door(alice, source).export())
        status, outcome = door(alice).undo(body["importId"])

        assert status == 200
        assert outcome["factsRemoved"] == 1
        assert {path: content_of(alice, path) for path in before} == before
        with pytest.raises(NotFound):
            content_of(alice, "KNOWLEDGE.md")
        assert door(alice).undo(body["importId"])[0] == 409

    def test_keeps_what_changed_since(self, alice: Person, door: MakeDoor) -> None:
        body = door(alice).bring(NEW)
        write_file(principal=alice.principal, agent=alice.agent, path="MEMORY.md", content="mine now")
        delete_file(principal=alice.principal, agent=alice.agent, path="KNOWLEDGE.md")
        _, outcome = door(alice).undo(body["importId"])

        assert (outcome["restored"], sorted(outcome["kept"])) == ([], ["KNOWLEDGE.md", "MEMORY.md"])
        assert content_of(alice, "MEMORY.md") == "mine now"


def without_origin(data: bytes) -> dict[str, bytes]:
    """The archive's entries but for the manifest's agent and time."""
    found = contents(data)
    manifest = json.loads(found.pop("manifest.json"))
    del manifest["agent"], manifest["exportedAt"]
    return {**found, "manifest": json.dumps(manifest).encode()}


class TestRoundTrip:
    def test_is_the_identity(self, alice: Person, door: MakeDoor) -> None:
        fill(alice)
        remember_everything(alice)
        nova = another_agent(alice)
        first = door(alice).export("?include=personal")
        door(alice, nova).bring(first, include="personal")
        second = door(alice, nova).export("?include=personal")

        assert without_origin(second) == without_origin(first)
        assert len(contents(first)) >= 14

    def test_again_skips_everything_and_makes_no_revisions(self, alice: Person, door: MakeDoor) -> None:
        fill(alice)
        add_fact(
            principal=alice.principal, agent=alice.agent, new=NewFact(text="Berths are booked.", scope="TEAM")
        )
        nova = another_agent(alice)
        data = door(alice).export()
        door(alice, nova).bring(data)
        before = count_rows(alice)[:3]
        again = door(alice, nova).previewed(data)
        door(alice, nova).apply(again["previewId"])

        assert (again["create"], again["update"]) == ([], [])
        assert (again["facts"]["new"], again["facts"]["known"]) == (0, 1)
        assert count_rows(alice)[:3] == before

    def test_to_another_workspace_carries_facts_that_are_found_there(
        self, alice: Person, charlie: Person, door: MakeDoor
    ) -> None:
        add_fact(
            principal=alice.principal, agent=alice.agent,
            new=NewFact(text="The crane at berth seven lifts forty tonnes.", scope="TEAM"),
        )  # fmt: skip
        door(charlie).bring(door(alice).export())
        found = door(charlie).client.post(
            f"/api/v1/memory/{charlie.agent.pk}/facts/search",
            {"query": "crane berth seven"},
            content_type="application/json",
            headers=charlie.headers,
        )
        assert "forty tonnes" in found.content.decode()


class TestDataLines:
    def lines(self, *values: object) -> bytes:
        return b"\n".join(
            value if isinstance(value, bytes) else json.dumps(value).encode() for value in values
        )

    def test_that_are_none_are_listed(self, alice: Person, door: MakeDoor) -> None:
        bad = self.lines(
            b"{", b"[]", {"id": 1}, b'{"x": NaN}', b'{"x": 1e999}', b'{"x":' + b"[" * 500 + b"]" * 500 + b"}"
        )
        body = door(alice).previewed(archive(Entry("data/facts-001.jsonl", bad)))

        assert [problem["line"] for problem in body["facts"]["unreadable"]] == [1, 2, 3, 4, 5, 6]
        assert door(alice).apply(body["previewId"])[0] == 200

    def test_cannot_name_an_owner_or_an_agent(self, alice: Person, door: MakeDoor) -> None:
        add_fact(
            principal=alice.principal, agent=alice.agent, new=NewFact(text="Berths are booked.", scope="TEAM")
        )
        line = json.loads(contents(door(alice).export())["data/facts-001.jsonl"])
        for intruder in ({"ownerKey": "user:1"}, {"scope": "GLOBAL"}, {"agent": "x"}):
            body = door(alice).previewed(
                archive(Entry("data/facts-001.jsonl", self.lines({**line, "text": "Other.", **intruder})))
            )
            assert body["facts"]["new"] == 0
            assert len(body["facts"]["unreadable"]) == 1

    def test_are_masked(self, alice: Person, door: MakeDoor) -> None:
        secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        add_fact(
            principal=alice.principal, agent=alice.agent, new=NewFact(text="Berths are booked.", scope="TEAM")
        )
        line = json.loads(contents(door(alice).export())["data/facts-001.jsonl"])
        data = archive(
            Entry(
                "data/facts-001.jsonl",
                self.lines({**line, "text": f"The token is {secret}.", "metadata": {"k": secret}}),
            )
        )
        body = door(alice).bring(data)

        assert body["counts"]["facts"] == 1
        with workspace_scope(alice.workspace):
            assert secret not in json.dumps(list(Fact.objects.values_list("text", "metadata")))

    def test_lying_about_size_apply_to_nothing(self, alice: Person, door: MakeDoor) -> None:
        lie = replace(Entry("data/facts-001.jsonl"), packed=deflated(bytes(3_000_000)), size=10, crc=1)
        assert door(alice).preview(archive(lie))[0] == 400
