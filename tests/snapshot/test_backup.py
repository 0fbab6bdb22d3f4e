"""Workspace backups: everything comes back, under the same ids or new ones, whole or not at all."""

from __future__ import annotations

import gzip
import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from memoryapp.actions.erasure import erase_owner
from memoryapp.actions.files import write_file
from memoryapp.exceptions import Conflict
from memoryapp.models import Backup, Fact, Message, WorkspaceFile
from memoryapp.retrieval.search import search_memories
from memoryapp.snapshots.backup import backed_up_models, write_backup
from memoryapp.snapshots.backup_reading import BadBackup, Renaming, checked_header
from memoryapp.snapshots.backup_restoring import Restored, restore_backup
from memoryapp.snapshots.keeping import (
    DrillFailed,
    back_up_all,
    drill,
    keep_backup,
    operator_of,
    remove_expired,
)
from tenants.models import AccessToken, Workspace
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.snapshot.remembered import remember_everything
from tests.snapshot.test_erasure import WORD, live


def backup_of(workspace: Workspace) -> bytes:
    target = io.BytesIO()
    write_backup(principal=operator_of(workspace), target=target)
    return target.getvalue()


def restore(data: bytes, **options: Any) -> Restored:
    return restore_backup(io.BytesIO(data), **options)


def rows(data: bytes) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in gzip.decompress(data).decode().split("\n") if line]
    return [line for line in lines if "row" in line and line["model"] != "tenants.AuditEvent"]


@pytest.fixture
def full(alice: Person, bob: Person) -> bytes:
    remember_everything(alice)
    live(alice, alice.principal.acting_as("ann"))
    return backup_of(alice.workspace)


class TestRoundTrip:
    def test_under_new_ids_is_the_identity_but_for_the_ids(self, alice: Person, full: bytes) -> None:
        restored = restore(full, slug="copy", new_ids=True)
        members = {user: user for user in alice.workspace.memberships.values_list("user_id", flat=True)}
        renaming = Renaming(restored.workspace.pk, members)
        expected = {json.dumps(renaming.tree(row), sort_keys=True) for row in rows(full)}
        found = {json.dumps(row, sort_keys=True) for row in rows(backup_of(restored.workspace))}

        assert found == expected
        assert len(found) > 60
        assert restored.new_users == []

    def test_under_the_same_ids_brings_a_lost_workspace_back(self, alice: Person, full: bytes) -> None:
        workspace = alice.workspace
        with workspace_scope(workspace):
            Workspace.objects.get(pk=workspace.pk).delete()
        restored = restore(full)

        assert restored.workspace.pk == workspace.pk
        assert sorted(map(str, rows(backup_of(restored.workspace)))) == sorted(map(str, rows(full)))

    def test_is_found_by_search_and_only_by_its_owner(self, alice: Person, full: bytes) -> None:
        restored = restore(full, slug="copy", new_ids=True)
        with workspace_scope(restored.workspace):
            agent = Fact.objects.filter(owner_key="api:ann").get().agent
        ann, eve = (principal_for_job(restored.workspace, f"api:{name}") for name in ("ann", "eve"))

        assert any(WORD in hit.text for hit in search_memories("boat", principal=ann, agent=agent).items)
        assert not any(WORD in hit.text for hit in search_memories("boat", principal=eve, agent=agent).items)

    def test_is_deterministic(self, alice: Person, full: bytes) -> None:
        assert rows(backup_of(alice.workspace)) == rows(full)


class TestWhatIsNotInIt:
    def test_are_tokens_keys_and_sealed_things(self, alice: Person, full: bytes) -> None:
        text = gzip.decompress(full).decode()
        token = AccessToken.objects.get(user=alice.user)

        assert token.digest not in text
        assert alice.token not in text
        assert alice.user.password not in text
        assert '"sealed' not in text

    def test_is_nothing_of_another_workspace(self, alice: Person, charlie: Person, full: bytes) -> None:
        assert str(charlie.workspace.pk) not in gzip.decompress(full).decode()

    def test_every_table_of_a_workspace_is_in_it_or_left_out_on_purpose(self) -> None:
        labels = {model._meta.label for model in backed_up_models()}
        assert {
            "memoryapp.Fact",
            "memoryapp.Message",
            "memoryapp.FileRevision",
            "tenants.AuditEvent",
        } <= labels


class TestRefusals:
    @pytest.mark.parametrize("harm", [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"PK\x03\x04" + data,
        lambda data: gzip.compress(gzip.decompress(data).rsplit(b"\n", 2)[0]),
        lambda data: gzip.compress(gzip.decompress(data).replace(b"Berth", b"Birth", 1)),
        lambda data: gzip.compress(b"[]\n"),
        lambda data: gzip.compress(b'{"format": "other"}\n'),
    ])  # fmt: skip
    def test_of_anything_but_a_whole_backup(self, alice: Person, full: bytes, harm: Any) -> None:
        before = Workspace.objects.count()
        with pytest.raises(BadBackup):
            restore(harm(full), slug="copy", new_ids=True)
        assert Workspace.objects.count() == before

    def test_of_a_workspace_that_is_there(self, alice: Person, full: bytes) -> None:
        with pytest.raises(Conflict, match="here already"):
            restore(full)
        with pytest.raises(Conflict, match="another slug"):
            restore(full, new_ids=True)

    def test_of_who_was_erased_since_unless_forced(self, alice: Person, full: bytes) -> None:
        erase_owner(principal=alice.principal, owner_key="api:ann")
        restored = restore(full, slug="copy", new_ids=True)
        forced = restore(full, slug="forced", new_ids=True, force=True)
        for result, count in ((restored, 0), (forced, 1)):
            with workspace_scope(result.workspace):
                assert Message.objects.filter(owner_key="api:ann").count() == count

        assert WORD not in str(rows(backup_of(restored.workspace)))
        assert restored.left_out > 5

    def test_to_give_a_former_members_memory_to_whoever_has_their_number_now(
        self, alice: Person, bob: Person
    ) -> None:
        write_personal(bob)
        alice.workspace.memberships.filter(user=bob.user).delete()
        restored = restore(backup_of(alice.workspace), slug="copy", new_ids=True)
        with workspace_scope(restored.workspace):
            owners = set(WorkspaceFile.objects.filter(scope="PERSONAL").values_list("owner_key", flat=True))
        assert owners == {f"former:{bob.user.pk}"}


def write_personal(person: Person) -> None:
    write_file(
        principal=person.principal, agent=person.agent, path="MEMORY.md", content="mine", scope="PERSONAL"
    )


class TestCommands:
    def test_export_and_import(self, alice: Person, full: bytes, tmp_path: Path, capsys: Any) -> None:
        path = tmp_path / "harbour.backup.gz"
        call_command("export_workspace", str(path), workspace="harbour")
        call_command("import_workspace", str(path), slug="copy", new_ids=True)

        assert "Restored" in capsys.readouterr().out
        assert path.stat().st_mode & 0o077 == 0
        with path.open("rb") as file:
            assert checked_header(file)[1] == len(rows(path.read_bytes())) + count_audit(path)
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("export_workspace", str(path), workspace="harbour")
        with pytest.raises(CommandError, match="here already"):
            call_command("import_workspace", str(path))

    def test_scheduled_backups_are_kept_for_their_days_and_the_newest_for_ever(
        self, alice: Person, tmp_path: Path, settings: Any
    ) -> None:
        settings.BACKUP_DIR = str(tmp_path / "backups")
        assert [back_up_all(), back_up_all()] == [1, 1]
        with workspace_scope(alice.workspace):
            Backup.objects.update(expires_at=timezone.now() - timedelta(days=1))
        assert remove_expired(alice.workspace) == 1
        assert len(list((tmp_path / "backups").iterdir())) == 1

    def test_a_drill_proves_that_a_backup_restores_and_leaves_nothing(
        self, alice: Person, full: bytes, tmp_path: Path
    ) -> None:
        backup = keep_backup(alice.workspace, tmp_path, 7)
        counts = drill(backup)

        assert counts["memoryapp.Fact"] == 11
        assert Workspace.objects.filter(slug__startswith="restore-drill").count() == 0
        path = tmp_path / backup.name
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(DrillFailed):
            drill(backup)

    def test_a_receipt_of_erasure_lists_backups_with_their_last_day(
        self, alice: Person, tmp_path: Path
    ) -> None:
        backup = keep_backup(alice.workspace, tmp_path, 7)
        receipt = erase_owner(principal=alice.principal, owner_key="api:ann")
        assert backup.expires_at is not None
        assert receipt.body["backups"] == [{"name": backup.name, "expiresAt": backup.expires_at.isoformat()}]


def count_audit(path: Path) -> int:
    return gzip.decompress(path.read_bytes()).count(b'"model":"tenants.AuditEvent"')
