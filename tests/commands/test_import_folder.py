"""A folder of another product comes in from the command line: told first, once, and never beyond its walls."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memoryapp.models import Fact, SnapshotImport, WorkspaceFile
from tenants.scoping import workspace_scope
from tests.conftest import Person

pytestmark = pytest.mark.django_db


def run(folder: Path, kind: str, *options: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    places = ["--format", kind, "--agent", "juno", "--workspace", "harbour"]
    call_command("import_folder", str(folder), *places, *options, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / "people").mkdir(parents=True)
    (folder / "people" / "Ana.md").write_text(
        "# Ana\n- [hobby] Sails on Sundays #sea\n- works_at [[Harbour]]\n"
    )
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "state.md").write_text("hidden")
    (tmp_path / "outside.md").write_text("- [secret] not in the folder")
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / "elsewhere").symlink_to(tmp_path)
    return folder


def kept(who: Person) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    with workspace_scope(who.workspace):
        facts = Fact.objects.filter(workspace=who.workspace).values_list("owner_key", "text")
        files = WorkspaceFile.objects.filter(workspace=who.workspace, path__startswith="notes/")
        return set(facts), set(files.values_list("owner_key", "path"))


def test_a_folder_is_told_of_then_brought_and_then_known(alice: Person, vault: Path) -> None:
    told, _ = run(vault, "basic-memory", "--dry-run", "--owner", "ana")
    assert told.startswith("Would import 1 new files, 0 changed ones and 2 facts")
    assert kept(alice) == (set(), set())
    assert run(vault, "basic-memory", "--owner", "ana")[0].startswith("Imported 1 new files")
    facts, files = kept(alice)
    assert facts == {("api:ana", "Ana: Sails on Sundays"), ("api:ana", "Ana works at Harbour")}
    assert files == {("api:ana", "notes/people/Ana.md")}
    again, problems = run(vault, "basic-memory", "--owner", "ana")
    assert again.startswith(
        "Imported 0 new files, 0 changed ones and 0 facts; 1 files and 2 facts were there"
    )
    assert problems == ""


def test_without_an_owner_it_is_shared(alice: Person, vault: Path) -> None:
    run(vault, "basic-memory")
    facts, files = kept(alice)
    assert {owner for owner, _ in facts | files} == {""}
    with workspace_scope(alice.workspace):
        assert SnapshotImport.objects.get().status == "applied"


@pytest.mark.parametrize(
    ("kind", "options", "reason"),
    [
        ("workspace", ["--owner", "user:999"], "no member"),
        ("workspace", ["--owner", "system"], "reserved"),
        ("workspace", ["--agent", "stranger"], "no agent"),
    ],
)
def test_unknown_targets_are_refused(
    alice: Person, vault: Path, kind: str, options: list[str], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason):
        run(vault, kind, *options)


def test_a_file_that_is_no_archive_is_refused_with_its_code(alice: Person, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run(tmp_path / "missing", "workspace")
    (tmp_path / "a.zip").write_bytes(b"nothing")
    with pytest.raises(CommandError, match="not_a_zip"):
        run(tmp_path / "a.zip", "workspace")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match="nothing_to_import"):
        run(tmp_path / "empty", "workspace")
