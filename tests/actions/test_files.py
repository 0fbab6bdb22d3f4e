"""Workspace files: one validator, one ceiling, one version check, whatever the door."""

from __future__ import annotations

from datetime import date

import pytest

from memoryapp.actions.file_text import checked_path, cut_to_ceiling
from memoryapp.actions.files import (
    append_note,
    delete_file,
    edit_file,
    load_file,
    restore_revision,
    set_prompt_files,
    write_file,
)
from memoryapp.actions.sections import split_sections, with_person_sections
from memoryapp.exceptions import AmbiguousEdit, NotFound, NotPermitted, PreconditionFailed, ValidationFailed
from memoryapp.models import FileRevision, FileSection, WorkspaceFile
from tenants.scoping import workspace_scope


def write(who, path, content, **options):
    return write_file(principal=who.principal, agent=who.agent, path=path, content=content, **options)


def read(person, path, scope="TEAM"):
    return load_file(principal=person.principal, agent=person.agent, path=path, scope=scope).content


BAD_PATHS = [
    "../x.md", "memory/../../x.md", "/abs/x.md", "..\\x.md", "%2e%2e%2fx.md", "memory/..%2fx.md", "C:x.md",
    "memory//x.md", "./MEMORY.md",
    "memory/2026-01-01.md/../MEMORY.md", "a\u0000.md", "\uff0e\uff0e/x.md", "memory/2026-13-40.md",
    "memory/2026-02-29.md", "memory/2026-1-5.md",
    ".md", "memory/.md", "x.md.exe", "x.txt", "x.md/", "n" * 300 + ".md", "", "a\u202eb.md", "\\\\server\\x.md",
    "~/x.md", ".hidden.md", "a\nb.md", "memory/x.md",
    # Read as another name, by people or by some system.
    "memory.md", "Memory.md", "MEMORY.MD", "MEMORY .md", "memory /2026-01-01.md", "memory./2026-01-01.md",
    "Memory/2026-01-01.md", "MEMORY/2026-13-40.md", "\u041cEMORY.md", "S\u039fUL.md", "MEMORY\ufe0f.md",
    "MEM\u034fORY.md", "a\u2028b.md", "\u1160x.md", "\u2800.md", "CON.md", "a/aux.md", "com1.notes.md",
    "memory/x/2026-01-01.md", "memory/2026-01-01/x.md", "memory/\u0662\u0660\u0662\u0666-01-01.md",
]  # fmt: skip


@pytest.mark.parametrize("path", BAD_PATHS)
def test_unsafe_names_are_refused_in_every_spelling(alice, path):
    for call in (
        lambda: write(alice, path, "x"),
        lambda: read(alice, path),
        lambda: delete_file(principal=alice.principal, agent=alice.agent, path=path),
    ):
        with pytest.raises(ValidationFailed) as refusal:
            call()
        assert "/" not in refusal.value.detail.replace("memory/", "")


@pytest.mark.parametrize(
    "path",
    [
        "memory/2028-02-29.md",
        "notes.md",
        "projects/rotterdam.md",
        "日志.md",
        "dreams/2026-01.md",
        "a b.md",
        "❤️ health.md",
        "Мемуары.md",
        "x/memory/2026.md",
        "console.md",
    ],
)
def test_ordinary_names_are_accepted(path):
    assert checked_path(path) == path


def test_a_decomposed_name_is_the_composed_one(alice):
    write(alice, "cafe\u0301.md", "x")
    assert read(alice, "caf\u00e9.md") == "x"


def test_every_agent_starts_with_its_four_files(alice):
    with workspace_scope(alice.workspace):
        files = list(
            WorkspaceFile.objects.visible_to(alice.principal).values_list("path", "enabled", "sort_order")
        )
    assert files == [
        ("AGENTS.md", True, 0),
        ("SOUL.md", True, 1),
        ("PROFILE.md", True, 2),
        ("MEMORY.md", True, 3),
    ]


def test_new_files_are_not_enabled(alice):
    assert write(alice, "notes.md", "x").file.enabled is False


@pytest.mark.parametrize(("content", "old"), [("- limit: 5\n- limit: 5\n", "- limit: 5"), ("aaaa", "aaa")])
def test_an_ambiguous_edit_changes_nothing(alice, content, old):
    write(alice, "notes.md", content)
    with pytest.raises(AmbiguousEdit, match="2 times"):
        edit_file(principal=alice.principal, agent=alice.agent, path="notes.md", old_text=old, new_text="x")
    assert read(alice, "notes.md") == content


@pytest.mark.parametrize(
    ("content", "old", "new", "after"),
    [
        ("one\r\ntwo\r\n", "one\r\ntwo", "three", "three\n"),
        ("cafe\u0301 x", "cafe\u0301", "tea", "tea x"),
        ("a.*b", "a.*b", "\\1", "\\1"),
    ],
)
def test_a_text_is_found_in_the_form_in_which_it_was_written(alice, content, old, new, after):
    write(alice, "notes.md", content)
    edit_file(principal=alice.principal, agent=alice.agent, path="notes.md", old_text=old, new_text=new)
    assert read(alice, "notes.md") == after


@pytest.mark.parametrize(("old", "new"), [("b", "b"), ("b", "b\u0000"), ("", "x"), ("\u0000", "x")])
def test_an_edit_that_edits_nothing_is_refused(alice, old, new):
    write(alice, "notes.md", "abc")
    with pytest.raises(ValidationFailed):
        edit_file(principal=alice.principal, agent=alice.agent, path="notes.md", old_text=old, new_text=new)


def test_replace_all_says_how_many(alice):
    write(alice, "notes.md", "- limit: 5\n- limit: 5\n")
    _, replacements = edit_file(
        principal=alice.principal,
        agent=alice.agent,
        path="notes.md",
        old_text="5",
        new_text="6",
        replace_all=True,
    )
    assert (replacements, read(alice, "notes.md")) == (2, "- limit: 6\n- limit: 6\n")


def test_a_stale_write_is_refused_and_one_without_version_keeps_the_earlier_text(alice):
    stale = load_file(principal=alice.principal, agent=alice.agent, path="MEMORY.md").etag
    write(alice, "MEMORY.md", "A", if_match=stale)
    with pytest.raises(PreconditionFailed):
        write(alice, "MEMORY.md", "B", if_match=stale)
    assert read(alice, "MEMORY.md") == "A"
    write(alice, "MEMORY.md", "C")
    restore_revision(principal=alice.principal, agent=alice.agent, path="MEMORY.md", number=2)
    assert read(alice, "MEMORY.md") == "A"


def test_a_deleted_file_can_be_restored(alice):
    write(alice, "notes.md", "keep me")
    delete_file(principal=alice.principal, agent=alice.agent, path="notes.md")
    with pytest.raises(NotFound):
        read(alice, "notes.md")
    restore_revision(principal=alice.principal, agent=alice.agent, path="notes.md", number=1)
    assert read(alice, "notes.md") == "keep me"


def test_a_file_made_again_goes_on_counting_so_that_every_revision_is_found(alice):
    place = {"principal": alice.principal, "agent": alice.agent, "path": "notes.md"}
    write(alice, "notes.md", "one")
    delete_file(**place)
    assert write(alice, "notes.md", "three").file.version == 3
    assert restore_revision(**place, number=1).file.content == "one"


def test_a_note_is_never_part_of_the_prompt(alice):
    write(alice, "memory/2026-11-30.md", "- said")
    with pytest.raises(ValidationFailed):
        set_prompt_files(principal=alice.principal, agent=alice.agent, paths=["memory/2026-11-30.md"])


def test_the_ceiling_cuts_at_a_heading_outside_code(settings):
    text = "# Memory\n\n" + "## One\n" + "a" * 50 + "\n```\n## not a heading\n```\n" + "## Two\n" + "b" * 100
    cut = cut_to_ceiling(text, 150)
    assert len(cut) <= 150
    assert "## One" in cut
    assert "## Two" not in cut
    assert "cut: over the size limit" in cut


@pytest.mark.parametrize("content", ["x" * 20_000, "# A\n\n" + "## B\nline\n" * 3_000, "词" * 9_000])
def test_the_ceiling_holds_on_every_path(alice, content):
    assert write(alice, "MEMORY.md", content).truncated
    assert len(read(alice, "MEMORY.md")) <= 8000
    write(alice, "MEMORY.md", "start")
    edit_file(
        principal=alice.principal, agent=alice.agent, path="MEMORY.md", old_text="start", new_text=content
    )
    assert len(read(alice, "MEMORY.md")) <= 8000


def test_a_credential_is_masked_before_the_text_is_cut(alice):
    secret = "ghp_" + "Zz9q" * 9
    written = write(alice, "MEMORY.md", "x" * (8000 - 60) + "\n" + secret + "\n" + "y" * 200)
    assert written.masked
    assert secret[:8] not in read(alice, "MEMORY.md")


def test_a_note_is_appended_to_and_a_line_not_doubled(alice):
    day = date(2026, 6, 10)
    for entry in ("Chose blue for the banner.", "Chose blue for the banner.", "Two more\nlines"):
        append_note(principal=alice.principal, agent=alice.agent, day=day, entry=entry)
    assert (
        read(alice, "memory/2026-06-10.md", "PERSONAL")
        == "# 2026-06-10\n\n- Chose blue for the banner.\n- Two more\n- lines\n"
    )


def test_personal_files_are_ones_own(alice, bob, charlie):
    write(alice, "PROFILE.md", "alice's", scope="PERSONAL")
    with pytest.raises(NotFound):
        read(bob, "PROFILE.md", "PERSONAL")
    write(bob, "PROFILE.md", "bob's", scope="PERSONAL")
    assert (read(alice, "PROFILE.md", "PERSONAL"), read(bob, "PROFILE.md", "PERSONAL")) == (
        "alice's",
        "bob's",
    )
    with pytest.raises(NotFound):
        load_file(principal=charlie.principal, agent=alice.agent, path="PROFILE.md", scope="PERSONAL")


def test_a_viewer_writes_no_shared_file(vera):
    with pytest.raises(NotPermitted):
        write(vera, "notes.md", "x")
    assert write(vera, "notes.md", "x", scope="PERSONAL").created


def test_a_person_s_section_survives_a_model_s_rewrite(alice):
    write(alice, "MEMORY.md", "# Memory\n\n## Team\n- five\n\n## Budget\n- 500\n")
    write(alice, "MEMORY.md", "# Memory\n\n## Team\n- five\n\n## Budget\n- 900, by hand\n", person=True)
    with workspace_scope(alice.workspace):
        sections = list(FileSection.objects.filter(file__path="MEMORY.md", file__scope="TEAM"))
    assert [row.person_edited for row in sections] == [False, False, True]
    assert (
        with_person_sections(sections, "# Memory\n\n## Budget\n- none\n\n## New\n- x")
        == "# Memory\n\n## Budget\n- 900, by hand\n## New\n- x\n"
    )
    assert "900, by hand" in with_person_sections(sections, "# Memory\n")


def test_sections_keep_their_identity_when_others_move(alice):
    write(alice, "MEMORY.md", "# M\n\n## A\n- a\n\n## B\n- b\n")
    with workspace_scope(alice.workspace):
        before = dict(FileSection.objects.filter(file__path="MEMORY.md").values_list("heading", "pk"))
    write(alice, "MEMORY.md", "# M\n\n## B\n- b\n\n## New\n- n\n\n## A\n- a, changed\n")
    with workspace_scope(alice.workspace):
        after = dict(
            FileSection.objects.filter(file__path="MEMORY.md")
            .order_by("position")
            .values_list("heading", "pk")
        )
    assert list(after) == ["", "B", "New", "A"]
    assert (after["A"], after["B"]) == (before["A"], before["B"])


@pytest.mark.parametrize("content", ["", "no heading", "# T\n\n## A\n```\n## x\n```\n## B\n", "## A\r\n"])
def test_split_sections_lose_nothing(content):
    assert "".join(piece.text for piece in split_sections(content)) == content


def test_prompt_files_are_set_in_order(alice):
    write(alice, "KNOWLEDGE.md", "k")
    set_prompt_files(principal=alice.principal, agent=alice.agent, paths=["SOUL.md", "KNOWLEDGE.md"])
    with workspace_scope(alice.workspace):
        enabled = (
            WorkspaceFile.objects.visible_to(alice.principal)
            .filter(enabled=True)
            .order_by("sort_order")
            .values_list("path", flat=True)
        )
        assert list(enabled) == ["SOUL.md", "KNOWLEDGE.md"]
    with pytest.raises(ValidationFailed):
        set_prompt_files(principal=alice.principal, agent=alice.agent, paths=["nowhere.md"])


def test_every_write_says_who_and_why(alice):
    write(alice, "notes.md", "one", reason="first")
    write(alice, "notes.md", "two", reason="second")
    with workspace_scope(alice.workspace):
        revisions = list(
            FileRevision.objects.filter(path="notes.md").values_list(
                "number", "before", "after", "actor", "reason"
            )
        )
    actor = alice.principal.actor
    assert revisions == [(2, "one", "two", actor, "second"), (1, "", "one", actor, "first")]
