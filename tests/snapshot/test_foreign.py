"""Memory of other products comes in through the preview: workspace folders, basic-memory's notes, mem0's exports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memoryapp.actions.fact_lifecycle import delete_fact
from memoryapp.models import Conversation, Event, Fact, FactSource, WorkspaceFile
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.snapshot.conftest import MakeDoor
from tests.snapshot.crafted import Entry, archive

pytestmark = pytest.mark.django_db

NOTE = b"""---
title: Coffee
tags: [drinks, morning]
permalink: drinks/coffee
created: 2025-03-04
---
# Coffee
Prose that stays in the file, with [[Tea]] in it.

## Observations
- [method] Pour over is clearer than a press #brewing (on workdays)
- [x] a ticked box is no observation
- [Preference] Coffee is drunk without sugar
```
- [method] not inside code
```
## Relations
- pairs_well_with [[Dark Chocolate|chocolate]] (in winter)
- I met [[Ana]] at the roastery
"""
VAULT = [Entry("vault/drinks/Coffee.md", NOTE), Entry("vault/a/b/c/d/deep.md", b"# Deep\n")]


def facts(who: Person) -> dict[str, Fact]:
    with workspace_scope(who.workspace):
        return {fact.text: fact for fact in Fact.objects.filter(workspace=who.workspace).active()}


def files(who: Person, scope: str = "TEAM") -> dict[str, str]:
    with workspace_scope(who.workspace):
        rows = WorkspaceFile.objects.filter(workspace=who.workspace, scope=scope)
        return dict(rows.values_list("path", "content"))


def rejected(preview: dict[str, Any]) -> dict[str, str]:
    return {entry["name"]: entry["reason"] for entry in preview["rejected"]}


def test_a_note_is_a_file_and_what_it_states_are_facts(door: MakeDoor, alice: Person) -> None:
    preview = door(alice).previewed(archive(*VAULT), format="basic-memory")
    assert [file["path"] for file in preview["create"]] == [
        "notes/a/b/c - d - deep.md",
        "notes/drinks/Coffee.md",
    ]
    assert preview["facts"]["new"] == 3
    assert facts(alice) == {}
    door(alice).apply(preview["previewId"])
    assert files(alice)["notes/drinks/Coffee.md"] == NOTE.decode()
    known = facts(alice)
    assert set(known) == {
        "Coffee: Pour over is clearer than a press (on workdays)",
        "Coffee is drunk without sugar",
        "Coffee pairs well with Dark Chocolate (in winter)",
    }
    fact = known["Coffee: Pour over is clearer than a press (on workdays)"]
    assert (fact.category, fact.labels, fact.origin) == ("method", ["brewing", "drinks", "morning"], "import")
    assert (fact.owner_key, f"{fact.said_at:%Y-%m-%d}") == ("", "2025-03-04")
    assert fact.metadata == {"note": "Coffee", "permalink": "drinks/coffee", "context": "on workdays"}
    assert known["Coffee is drunk without sugar"].category == "preference"
    relation = known["Coffee pairs well with Dark Chocolate (in winter)"]
    assert relation.metadata["target"] == "Dark Chocolate"
    with workspace_scope(alice.workspace):
        source = FactSource.objects.get(fact=fact)
        assert source.section is not None
        words = source.section.text[source.start : source.end]
    assert source.path == "notes/drinks/Coffee.md"
    assert words == "- [method] Pour over is clearer than a press #brewing (on workdays)"


def test_a_second_import_adds_only_what_is_new_and_nothing_forgotten(door: MakeDoor, alice: Person) -> None:
    mine = door(alice)
    mine.bring(archive(*VAULT), format="basic-memory", include="personal")
    assert {fact.owner_key for fact in facts(alice).values()} == {alice.principal.owner_key}
    delete_fact(principal=alice.principal, fact=facts(alice)["Coffee is drunk without sugar"])
    again = mine.previewed(archive(*VAULT), format="basic-memory", include="personal")
    assert (again["facts"]["known"], again["facts"]["forgotten"], again["facts"]["new"]) == (2, 1, 0)
    grown = [Entry("vault/drinks/Coffee.md", NOTE + b"- [fact] Coffee beans come from Huila\n"), VAULT[1]]
    done = mine.bring(archive(*grown), format="basic-memory", include="personal")
    assert "Coffee beans come from Huila" in facts(alice)
    assert mine.undo(done["importId"])[0] == 200
    assert len(facts(alice)) == 2
    assert "Huila" not in files(alice, "PERSONAL")["notes/drinks/Coffee.md"]


def test_a_workspace_folder_is_sorted_by_what_its_files_are(door: MakeDoor, alice: Person) -> None:
    entries = [
        Entry("workspace/12/SOUL.md", b"Be kind.\n"),
        Entry("workspace/12/USER.md", b"# User\n- Ana\n"),
        Entry("workspace/12/MEMORY.md", b"# Memory\n" + b"- a line of the memory\n" * 500),
        Entry("workspace/12/memory/2026-01-02.md", b"# 2026-01-02\n- sailed\n"),
        Entry("workspace/12/memory/2026-01-02-harbour.md", b"# A talk\n"),
        Entry("workspace/12/structured/user.md", b"## tea\nlikes tea\n"),
        Entry("workspace/12/DREAMS.md", b"## dream\n"),
        Entry("workspace/12/.git/config.md", b"x"),
        Entry("workspace/12/skills/run.py", b"print()"),
        Entry("workspace/12/notes/bad.md", "Umlaut".encode("utf-16")),
    ]  # fmt: skip
    preview = door(alice).previewed(archive(*entries), format="workspace")
    paths = {file["path"] for file in [*preview["create"], *preview["update"]]}
    assert paths == {
        "SOUL.md", "PROFILE.md", "MEMORY.md", "notes/MEMORY.md", "memory/2026-01-02.md",
        "notes/2026-01-02-harbour.md", "structured/user.md",
    }  # fmt: skip
    reasons = rejected(preview)
    assert reasons["workspace/12/skills/run.py"] == "not a Markdown file"
    assert "dreams" in reasons["workspace/12/DREAMS.md"]
    assert "UTF-8" in reasons["workspace/12/notes/bad.md"]
    assert [entry["name"] for entry in preview["ignored"]] == ["workspace/12/.git/config.md"]
    own = door(alice).previewed(archive(*entries), format="workspace", include="personal")
    assert "shared" in rejected(own)["workspace/12/SOUL.md"]
    assert {file["scope"] for file in own["create"]} == {"PERSONAL"}
    door(alice).apply(preview["previewId"])
    assert len(files(alice)["notes/MEMORY.md"]) > len(files(alice)["MEMORY.md"])


@pytest.mark.parametrize(
    "name",
    ["../up.md", "/etc/x.md", "a\\..\\b.md", "C:/x.md", "notes/..md/x.md", "memory/2026-02-30.md/y.md"],
)
def test_names_that_lead_elsewhere_are_left_out(door: MakeDoor, alice: Person, name: str) -> None:
    for kind in ("workspace", "basic-memory"):
        status, body = door(alice).preview(archive(Entry(name, b"x"), Entry("ok.md", b"fine")), format=kind)
        if status == 200:
            created = {file["path"] for file in body["create"]}
            assert not [path for path in created if ".." in path or path.startswith("/")]
            assert created == {"ok.md" if kind == "workspace" else "notes/ok.md"} or "C:" not in str(created)
        else:
            assert (status, bool(body["code"])) == (400, True)


EXPORT = [
    {"id": "1", "memory": "Drinks oat milk", "user_id": "ana", "categories": ["preference", "food"]},
    {"id": "2", "memory": "Lives in Lisbon", "user_id": "ben"},
    {"id": "3", "memory": "The office closes at six", "agent_id": "desk", "metadata": {"category": "rule"}},
    {"id": "4", "memory": ""},
]


def test_an_export_of_mem0_is_taken_person_by_person(door: MakeDoor, alice: Person) -> None:
    data = json.dumps({"results": EXPORT}).encode()
    shared = door(alice).previewed(data, format="mem0")
    assert [item["text"] for item in shared["facts"]["items"]] == ["The office closes at six"]
    assert {each["line"] for each in shared["facts"]["unreadable"]} == {1, 2, 4}
    status, body = door(alice).preview(data, format="mem0", include="personal")
    assert (status, body["code"]) == (400, "which_user")
    assert "2 users" in body["detail"]
    door(alice).bring(data, format="mem0", include="personal", user="ben")
    ana = {"endUserId": "ana"}
    preview = door(alice).previewed(data, format="mem0", include="personal", **ana)
    assert door(alice)._send("import", {"previewId": preview["previewId"], **ana}, json_body=True)[0] == 200
    door(alice).bring(data, format="mem0")
    assert {(fact.owner_key, fact.text, fact.category) for fact in facts(alice).values()} == {
        (alice.principal.owner_key, "Lives in Lisbon", ""),
        ("api:ana", "Drinks oat milk", "preference"),
        ("", "The office closes at six", "rule"),
    }


def test_items_that_no_memory_can_be_are_told_one_by_one(door: MakeDoor, alice: Person) -> None:
    deep: Any = "x"
    for _ in range(600):
        deep = {"a": deep}
    odd = [
        '{"memory": "x", "run_id": "\\ud800"}',
        '{"memory": "x", "categories": ["\\ud800"]}',
        '{"memory": "x", "user_id": "\\u0000"}',
        '{"memory": "x", "created_at": "0001-01-01T00:00:00+14:00"}',
        '{"memory": "x", "expiration_date": "9999-12-31"}',
        '{"memory": "x", "metadata": {"k": NaN}}',
        f'{{"memory": "x", "metadata": {json.dumps(deep)}}}',
        '{"memory": ["x"]}',
        "7",
        '{"memory": "The office closes at six", "metadata": {"k": "\\ud800"}}',
    ]
    preview = door(alice).previewed(f"[{','.join(odd)}]".encode(), format="mem0")
    assert [each["line"] for each in preview["facts"]["unreadable"]] == list(range(1, 10))
    assert [item["text"] for item in preview["facts"]["items"]] == ["The office closes at six"]
    assert door(alice).apply(preview["previewId"])[0] == 200


@pytest.mark.parametrize(
    ("data", "kind", "code"),
    [
        (b"{", "mem0", "not_an_export"),
        (b'{"results": 7}', "mem0", "not_an_export"),
        (b"", "mem0", "not_a_zip"),
        (b"not a zip", "workspace", "not_a_zip"),
        (b"[]", "notion", "invalid"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_code(
    door: MakeDoor, alice: Person, data: bytes, kind: str, code: str
) -> None:
    status, body = door(alice).preview(data, format=kind)
    assert (status, body["code"]) == (400, code)
    assert body["detail"]


def test_credentials_in_notes_and_facts_are_masked(door: MakeDoor, alice: Person) -> None:
    secret = "gh" + "p_" + "abcdefghij" * 3 + "klmnop"
    note = f"- [technical] The deploy token is {secret} for the harbour server\n".encode()
    door(alice).bring(archive(Entry("deploy.md", note)), format="basic-memory")
    assert secret not in files(alice)["notes/deploy.md"]
    assert secret not in json.dumps(list(facts(alice)))


def test_conversations_come_in_as_ones_own_and_are_read(door: MakeDoor, alice: Person) -> None:
    lines = [
        {
            "role": "user",
            "content": "Hello there!",
            "timestamp": "2024-03-28T09:30:00+00:00",
            "conversation": "t1",
        },
        {"role": "assistant", "content": "Hello Ana.", "conversation": "t1"},
        {"role": "user", "content": "And another one.", "owner": "api:ana"},
        {"role": "user", "content": "Not mine.", "owner": "ben"},
        {"role": "narrator", "content": "x"},
    ]
    data, ana = "\n".join(map(json.dumps, lines)).encode(), {"endUserId": "ana"}
    mine = door(alice)
    assert mine.preview(data, format="conversations", **ana)[1]["code"] == "whose_conversations"
    preview = mine.previewed(data, format="conversations", include="personal", **ana)
    assert preview["messages"] == {"new": 3, "known": 0, "conversations": 2}
    assert [each["line"] for each in preview["facts"]["unreadable"]] == [4, 5]
    status, done = mine._send("import", {"previewId": preview["previewId"], **ana}, json_body=True)
    assert (status, done["counts"]) == (200, {"messages": 3, "conversations": 2})
    with workspace_scope(alice.workspace):
        talk = Conversation.objects.get(workspace=alice.workspace, external_id="t1")
        assert (talk.owner_key, talk.message_count, talk.trigger) == ("api:ana", 2, "import")
        assert Event.objects.filter(kind="extraction", subject_id=talk.pk).exists()
    again = mine.previewed(data, format="conversations", include="personal", **ana)
    assert again["messages"] == {"new": 0, "known": 3, "conversations": 2}
    assert mine._send(f"import/{done['importId']}/undo", ana, json_body=True)[0] == 200
    with workspace_scope(alice.workspace):
        assert not Conversation.objects.filter(workspace=alice.workspace).exists()
