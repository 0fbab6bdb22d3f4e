"""Memory through the dashboard: taken along, brought in after a look, taken back; people downloaded and erased."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from memoryapp.actions.erasure import erase_owner
from memoryapp.actions.files import load_file, write_file
from memoryapp.jobs import drain
from memoryapp.models import Backup, Fact, Owner
from memoryapp.snapshots.keeping import keep_backup
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages
from tests.snapshot.crafted import Entry, archive
from tests.snapshot.test_erasure import WORD, everything_in, live


def bring(pages: Pages, data: bytes) -> Any:
    form = {"file": SimpleUploadedFile("m.zip", data)}
    return pages.client.post(pages.agent("files/import/"), form, follow=True)


class TestImport:
    def test_is_shown_then_applied_then_taken_back(self, alice: Person, pages: Pages) -> None:
        data = archive(
            Entry("MEMORY.md", b"# Memory\n\n- <b>Ships</b> on Tuesdays.\n"), Entry("../x.md", b"x")
        )
        shown = bring(pages, data)
        address = shown.redirect_chain[-1][0]
        before = load_file(principal=alice.principal, agent=alice.agent, path="MEMORY.md").content

        assert "&lt;b&gt;Ships&lt;/b&gt; on Tuesdays" in shown.content.decode()
        assert "../x.md" in shown.content.decode()
        assert "Tuesdays" not in before
        pages.client.post(address, {"file": "MEMORY.md"})
        written = load_file(principal=alice.principal, agent=alice.agent, path="MEMORY.md").content
        pages.client.post(address + "undo/")

        assert "Tuesdays" in written
        assert load_file(principal=alice.principal, agent=alice.agent, path="MEMORY.md").content == before

    def test_takes_what_other_products_kept(self, alice: Person, pages: Pages) -> None:
        note = b"# Coffee\n- [method] Pour over is <i>clearer</i> #brewing\n- [long] " + b"x" * 65_000
        form = {
            "file": SimpleUploadedFile("v.zip", archive(Entry("Coffee.md", note))),
            "format": "basic-memory",
        }
        shown = pages.client.post(pages.agent("files/import/"), {**form, "personal": "on"}, follow=True)
        assert "Coffee: Pour over is &lt;i&gt;clearer&lt;/i&gt;" in shown.content.decode()
        assert "longer than 4000 characters" in shown.content.decode()
        pages.client.post(shown.redirect_chain[-1][0], {"file": "notes/Coffee.md"})
        with workspace_scope(alice.workspace):
            fact = Fact.objects.get(workspace=alice.workspace)
        assert (fact.owner_key, fact.labels) == (alice.principal.owner_key, ["brewing"])
        assert "Coffee: Pour over" in pages.client.get(pages.agent(f"facts/?open={fact.pk}")).content.decode()

    def test_of_something_else_is_told(self, pages: Pages) -> None:
        assert "not a ZIP archive" in bring(pages, b"hello").content.decode()

    def test_of_a_target_that_moved_is_told(self, alice: Person, pages: Pages) -> None:
        address = bring(pages, archive(Entry("MEMORY.md", b"# M\n"))).redirect_chain[-1][0]
        write_file(principal=alice.principal, agent=alice.agent, path="MEMORY.md", content="moved")
        assert (
            "changed here since the preview"
            in pages.client.post(address, {"file": "MEMORY.md"}, follow=True).content.decode()
        )

    def test_leaves_out_what_is_not_chosen(self, alice: Person, pages: Pages) -> None:
        data = archive(Entry("MEMORY.md", b"# Left out\n"), Entry("SOUL.md", b"# Chosen\n"))
        address = bring(pages, data).redirect_chain[-1][0]
        pages.client.post(address, {"file": "SOUL.md"})
        files = {
            path: load_file(principal=alice.principal, agent=alice.agent, path=path).content
            for path in ("MEMORY.md", "SOUL.md")
        }
        assert "Left out" not in files["MEMORY.md"]
        assert "Chosen" in files["SOUL.md"]

    def test_is_not_for_viewers(self, vera: Person) -> None:
        pages = Pages(vera)
        form = {"file": SimpleUploadedFile("m.zip", archive(Entry("MEMORY.md", b"x")))}
        assert pages.client.post(pages.agent("files/import/"), form).status_code == 403


class TestExport:
    def test_is_a_download(self, pages: Pages) -> None:
        data = pages.client.get(pages.agent("files/export/")).getvalue()
        with zipfile.ZipFile(io.BytesIO(data)) as found:
            assert "MEMORY.md" in found.namelist()


class TestPeople:
    def test_are_downloaded_and_erased_with_a_receipt(self, alice: Person, pages: Pages) -> None:
        live(alice, alice.principal.acting_as("ann"))
        with workspace_scope(alice.workspace):
            address = pages.workspace(f"people/{Owner.objects.get(owner_key='api:ann').pk}/")
        data = pages.client.get(address + "download/").getvalue()
        asked = pages.client.get(address + "erase/").content.decode()
        mistyped = pages.client.post(address + "erase/", {"confirm": "api:anna"})
        sure = {"confirm": "api:ann"}
        receipt = pages.client.post(address + "erase/", sure, follow=True).content.decode()

        assert data.startswith(b"PK")
        assert "cannot be taken back" in asked
        assert mistyped.status_code == 400
        assert "Nothing was erased." in mistyped.content.decode()
        assert "The signature is genuine." in receipt
        assert WORD not in everything_in(alice)

    def test_of_others_are_not_for_members(self, alice: Person, bob: Person) -> None:
        live(alice, alice.principal.acting_as("ann"))
        with workspace_scope(alice.workspace):
            address = f"people/{Owner.objects.get(owner_key='api:ann').pk}/"
        pages = Pages(bob)
        assert pages.client.get(pages.workspace(address + "download/")).status_code == 404
        assert pages.client.post(pages.workspace(address + "erase/")).status_code == 404

    def test_see_take_along_and_erase_what_is_kept_of_themselves(self, alice: Person, bob: Person) -> None:
        live(alice, bob.principal)
        pages = Pages(bob)
        with workspace_scope(bob.workspace):
            key = bob.principal.owner_key
            address = pages.workspace(f"people/{Owner.objects.get(owner_key=key).pk}/")
        shown = pages.client.get(pages.workspace("people/you/")).content.decode()
        receipt = pages.client.post(address + "erase/", {"confirm": key}, follow=True)

        assert "Download everything" in shown
        assert "The signature is genuine." in receipt.content.decode()
        assert "Nothing yet" in pages.client.get(pages.workspace("people/you/")).content.decode()
        assert WORD not in everything_in(alice)
        other = erase_owner(principal=alice.principal, owner_key="api:ann")
        assert pages.client.get(pages.workspace(f"people/erasures/{other.pk}/")).status_code == 404


class TestBackups:
    @pytest.fixture(autouse=True)
    def folder(self, settings: Any, tmp_path: Path) -> Path:
        settings.BACKUP_DIR = str(tmp_path)
        return tmp_path

    def test_are_written_proved_and_taken_along(self, alice: Person, pages: Pages, folder: Path) -> None:
        live(alice, alice.principal)
        assert "No backups yet" in pages.client.get(pages.workspace("settings/backups/")).content.decode()
        asked = pages.client.post(pages.workspace("settings/backups/new/"), follow=True).content.decode()
        drain()
        [file] = folder.iterdir()
        with workspace_scope(alice.workspace):
            backup = Backup.objects.get(workspace=alice.workspace)
        pages.client.post(pages.workspace(f"settings/backups/{backup.pk}/prove/"))
        drain()
        shown = pages.client.get(pages.workspace("settings/backups/")).content.decode()
        taken = pages.client.get(pages.workspace(f"settings/backups/{backup.pk}/"))

        assert "Being written" in asked
        assert file.name in shown
        assert "not yet" not in shown
        assert b"".join(taken.streaming_content) == file.read_bytes()  # type: ignore[arg-type]

    def test_of_a_file_that_is_gone_are_told(self, alice: Person, pages: Pages, folder: Path) -> None:
        backup = keep_backup(alice.workspace, folder)
        (folder / backup.name).unlink()
        pages.client.post(pages.workspace(f"settings/backups/{backup.pk}/prove/"))
        drain()
        assert "does not restore" in pages.client.get(pages.workspace("settings/backups/")).content.decode()
        assert pages.client.get(pages.workspace(f"settings/backups/{backup.pk}/")).status_code == 404

    def test_are_for_admins_of_the_workspace(self, alice: Person, bob: Person, folder: Path) -> None:
        backup = keep_backup(alice.workspace, folder)
        pages = Pages(bob)
        for path in ("settings/backups/", f"settings/backups/{backup.pk}/"):
            assert pages.client.get(pages.workspace(path)).status_code == 403
        for path in ("settings/backups/new/", f"settings/backups/{backup.pk}/prove/"):
            assert pages.client.post(pages.workspace(path)).status_code == 403
