"""The workspace file tools, with the answers of the seed's examples."""

from __future__ import annotations

from datetime import date

import pytest

from memoryapp.actions.files import append_note, load_file
from memoryapp.tools import TOOLS, ToolContext, call_tool


@pytest.fixture
def call(alice):
    def call(name, person=alice, **arguments):
        return call_tool(TOOLS[name], arguments, ToolContext(person.principal, person.agent)).content

    return call


def test_list_read_and_edit_answer_as_the_seed_shows(call, alice):
    call("write_workspace_memory_file", filename="MEMORY.md", content="the old plan\n")
    agent = str(alice.agent.pk)
    assert call("list_workspace_memory_files")["files"] == [
        {"filename": "MEMORY.md", "enabled": False, "fileSize": 13}
    ]
    assert call("edit_workspace_memory_file", filename="MEMORY.md", oldText="old", newText="new") == {
        "agentId": agent,
        "filename": "MEMORY.md",
        "replacements": 1,
    }
    read = call("read_workspace_memory_file", filename="MEMORY.md")
    assert (read["agentId"], read["content"]) == (agent, "the new plan\n")


def test_writing_today_s_note_does_not_erase_the_day(call, alice):
    day = date(2026, 6, 10)
    for entry in ("one", "two", "three"):
        append_note(principal=alice.principal, agent=alice.agent, day=day, entry=entry)
    refused = call("write_workspace_memory_file", filename="memory/2026-06-10.md", content="saved")
    note = load_file(
        principal=alice.principal, agent=alice.agent, path="memory/2026-06-10.md", scope="PERSONAL"
    )
    assert refused["error"] == "note_exists"
    assert note.content.endswith("- one\n- two\n- three\n")


@pytest.mark.parametrize("filename", ["../x.md", "/etc/x.md", "x.txt", "memory/2026-02-30.md"])
def test_unsafe_names_are_refused(call, filename):
    assert call("write_workspace_memory_file", filename=filename, content="x")["error"] == "invalid_path"


def test_personal_files_stay_personal(call, bob, charlie, alice):
    call("write_workspace_memory_file", filename="PROFILE.md", content="Locker word is PELICAN")
    assert call("read_workspace_memory_file", bob, filename="PROFILE.md")["error"] == "not_found"
    assert call("search_workspace_memory", bob, query="PELICAN")["count"] == 0
    assert call("search_workspace_memory", query="PELICAN")["hits"][0]["filename"] == "PROFILE.md"
    assert (
        call("read_workspace_memory_file", charlie, filename="PROFILE.md", agentId=str(alice.agent.pk))[
            "error"
        ]
        == "not_found"
    )
