"""The archive reader: sound archives are read, every fault has a name, and no limit rests on what a header says."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from dataclasses import replace

import pytest

from memoryapp.exceptions import MemoryAppError
from memoryapp.snapshots.archive import Archive, open_archive
from memoryapp.snapshots.limits import MEGABYTE, SNAPSHOT_LIMITS, ArchiveRefused
from memoryapp.snapshots.names import Part, place_entries
from tests.snapshot.crafted import Crafted, Entry, archive, deflated

GOOD = Entry("MEMORY.md", b"# Memory\n\n- Ships on Tuesdays.\n")
SOUL = Entry("SOUL.md", b"# Soul\n")


def opened(data: bytes) -> Archive:
    return open_archive(io.BytesIO(data))


def code_of(data: bytes) -> str:
    with pytest.raises(MemoryAppError) as refusal:
        opened(data)
    return refusal.value.code


def zipped() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("MEMORY.md", GOOD.content)
        made.writestr("memory/", b"")
        made.writestr("memory/2026-01-01.md", b"note\n" * 40)
    return target.getvalue()


class TestSoundArchives:
    def test_of_the_standard_library_are_read(self) -> None:
        found = opened(zipped())

        assert [record.name for record in found.records] == ["MEMORY.md", "memory/", "memory/2026-01-01.md"]
        assert found.read(found.records[0]) == GOOD.content

    def test_written_as_a_stream_are_read(self) -> None:
        class Unseekable(io.RawIOBase):
            def __init__(self) -> None:
                self.data = bytearray()

            def writable(self) -> bool:
                return True

            def write(self, data: object) -> int:
                self.data += bytes(data)  # type: ignore[call-overload]
                return len(bytes(data))  # type: ignore[call-overload]

        target = Unseekable()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr("MEMORY.md", GOOD.content)
            made.writestr("SOUL.md", SOUL.content)
        found = opened(bytes(target.data))

        assert [found.read(record) for record in found.records] == [GOOD.content, SOUL.content]

    def test_may_be_stored_and_have_a_comment(self) -> None:
        data = Crafted([replace(GOOD, method=0)], comment=b"from the harbour").build()

        found = opened(data)
        assert found.read(found.records[0]) == GOOD.content

    def test_may_hold_files_up_to_the_limit_exactly(self) -> None:
        full = bytes(range(32, 127)) * (MEGABYTE // 95 + 1)
        found = opened(archive(Entry("MEMORY.md", full[:MEGABYTE])))

        assert len(found.read(found.records[0])) == MEGABYTE


FAULTS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not_a_zip"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(400), "not_a_zip"),
    "cut": (zipped()[: int(len(zipped()) * 0.6)], "not_a_zip"),
    "bytes after the end": (Crafted([GOOD], after=b"more").build(), "not_a_zip"),
    "bytes before the beginning": (Crafted([GOOD], before=b"#!/bin/sh\n").build(), "archive_malformed"),
    "bytes between entries": (Crafted([GOOD, SOUL], between=b"hidden").build(), "archive_malformed"),
    "encrypted": (archive(replace(GOOD, flags=1)), "archive_encrypted"),
    "strongly encrypted": (archive(replace(GOOD, flags=0x41)), "archive_encrypted"),
    "method 99": (archive(replace(GOOD, method=99, packed=b"x")), "archive_compression"),
    "bzip2": (archive(replace(GOOD, method=12, packed=b"BZh9")), "archive_compression"),
    "patched": (archive(replace(GOOD, flags=0x20)), "archive_compression"),
    "a wrong checksum": (archive(replace(GOOD, crc=1)), "archive_crc"),
    "damaged data": (archive(replace(GOOD, packed=b"\xff" * 20)), "archive_crc"),
    "names not UTF-8 as flagged": (
        archive(replace(GOOD, name=b"\xff\xfe.md", flags=0x800)),
        "archive_malformed",
    ),
    "two names for an entry": (archive(replace(GOOD, local_name=b"PROFIL.md")), "archive_headers_disagree"),
    "names of two lengths": (archive(replace(GOOD, local_name=b"P.md")), "archive_headers_disagree"),
    "two sizes for an entry": (archive(replace(GOOD, local_size=7)), "archive_headers_disagree"),
    "two methods for an entry": (archive(replace(GOOD, local_method=0)), "archive_headers_disagree"),
    "zip64 counts": (Crafted([GOOD], count=0xFFFF).build(), "archive_zip64"),
    "zip64 sizes": (archive(replace(GOOD, size=0xFFFFFFFF)), "archive_zip64"),
    "fewer entries than it has": (Crafted([GOOD, SOUL], count=1).build(), "archive_malformed"),
    "more entries than it has": (Crafted([GOOD], count=2).build(), "archive_malformed"),
    "a directory elsewhere": (Crafted([GOOD], directory_offset=3).build(), "archive_malformed"),
    "one entry twice": (archive(GOOD, replace(SOUL, offset=0)), "archive_headers_disagree"),
    "the same bytes twice": (archive(GOOD, replace(GOOD, offset=0, name="MEMORY.md")), "archive_overlap"),
    "the same name twice": (archive(GOOD, replace(GOOD, content=b"other")), "archive_duplicate_names"),
    "the same name in two cases": (archive(GOOD, replace(GOOD, name="memory.MD")), "archive_duplicate_names"),
    "the same name in two forms": (
        archive(replace(GOOD, name="caf\u00e9.md"), replace(GOOD, name="cafe\u0301.md")),
        "archive_duplicate_names",
    ),
    "a folder with data": (archive(GOOD, Entry("memory/", b"x" * 9)), "archive_directory_data"),
    "a bomb in a folder": (
        archive(Entry("x/", packed=deflated(bytes(MEGABYTE)), size=0, crc=0)),
        "archive_directory_data",
    ),
    "a size that is too small": (
        archive(Entry("MEMORY.md", packed=deflated(bytes(50 * MEGABYTE)), size=1000, crc=5)),
        "archive_size",
    ),
    "a size that is too large": (archive(replace(GOOD, size=1000)), "archive_size"),
    "an entry over the limit": (
        archive(Entry("MEMORY.md", b"x" * (MEGABYTE + 1))),
        "archive_entry_too_large",
    ),
    "data after the end of the stream": (
        archive(replace(GOOD, packed=deflated(GOOD.content) + b"tail")),
        "archive_malformed",
    ),
    "no name": (archive(replace(GOOD, name=b"")), "archive_malformed"),
}


class TestFaults:
    @pytest.mark.parametrize("fault", FAULTS)
    def test_are_refused_by_name(self, fault: str) -> None:
        data, code = FAULTS[fault]
        assert code_of(data) == code

    def test_too_many_entries_of_whatever_kind(self) -> None:
        folders = [Entry(f"f{number}/") for number in range(501)]
        assert code_of(archive(*folders)) == "archive_too_many"
        assert len(opened(archive(*folders[:500])).records) == 500

    def test_too_much_in_all(self) -> None:
        noise = bytes(range(256)) * (MEGABYTE // 256)
        entries = [Entry(f"memory/2026-01-{day:02}.md", noise[:-1], method=8) for day in range(1, 21)]
        assert code_of(archive(*entries)) in {"archive_too_large", "archive_ratio"}

    def test_packed_too_tightly(self) -> None:
        entries = [Entry(f"memory/2026-01-{day:02}.md", b"a" * MEGABYTE) for day in range(1, 10)]
        assert code_of(archive(*entries)) == "archive_ratio"

    def test_too_slow(self) -> None:
        with pytest.raises(ArchiveRefused) as refusal:
            open_archive(io.BytesIO(archive(GOOD)), replace(SNAPSHOT_LIMITS, seconds=-1.0))
        assert refusal.value.code == "archive_too_slow"

    def test_an_upload_over_the_limit_is_not_even_looked_at(self) -> None:
        assert code_of(b"x" * (16 * MEGABYTE + 1)) == "upload_too_large"

    def test_a_lie_about_a_size_costs_no_memory(self) -> None:
        bomb = archive(Entry("MEMORY.md", packed=deflated(bytes(50 * MEGABYTE)), size=1000, crc=5))
        tracemalloc.start()
        code_of(bomb)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert peak < MEGABYTE


class TestNames:
    def placed(self, *names: str | bytes) -> dict[str, str]:
        contents = place_entries(opened(archive(*(Entry(name, b"x") for name in names))).records)
        return {entry.record.name: f"{entry.part.value} {entry.path}" for entry in contents.placed}

    def refused(self, *names: str | bytes, mode: int = 0o100644) -> list[str]:
        contents = place_entries(opened(archive(*(Entry(name, b"x", mode=mode) for name in names))).records)
        assert not contents.placed
        return [entry.name for entry in contents.refused if not entry.ignored]

    def test_of_a_snapshot_are_known(self) -> None:
        assert self.placed(
            "MEMORY.md", "memory/2028-02-29.md", "personal/PROFILE.md", "data/facts-001.jsonl"
        ) == {
            "MEMORY.md": "shared MEMORY.md",
            "memory/2028-02-29.md": "shared memory/2028-02-29.md",
            "personal/PROFILE.md": "personal PROFILE.md",
            "data/facts-001.jsonl": "shared data/facts-001.jsonl",
        }

    def test_of_others_are_told_apart(self) -> None:
        contents = place_entries(opened(archive(Entry("owners/0123456789abcdef/MEMORY.md", b"x"))).records)
        assert [entry.part for entry in contents.placed] == [Part.OTHERS]

    @pytest.mark.parametrize(
        "name",
        [
            "../MEMORY.md", "/MEMORY.md", "memory/../SOUL.md", "..\\PROFILE.md", "C:\\MEMORY.md", "C:MEMORY.md",
            "memory/2026-01-01.md/x", "\\\\host\\share\\MEMORY.md", "//host/MEMORY.md", "./MEMORY.md", "memory.md",
            "memory/2026-02-30.md", "memory/2026-1-5.md", "MEMORY.md ", "MEMORY.md.zip", "%2e%2e/MEMORY.md",
            "ＭEMORY.md", "MEMORY\u200b.md", "memory//2026-01-01.md", "notes/x.md", "MEMORY.md::$DATA",
            "memory/٢٠٢٦-01-01.md",
        ],
    )  # fmt: skip
    def test_that_are_not_on_the_list_are_told_and_never_placed(self, name: str) -> None:
        assert len(self.refused(name)) == 1

    def test_are_shown_escaped(self) -> None:
        assert self.refused("MEM\x1bORY\n.md") == ["MEM\\x1bORY\\n.md"]
        assert self.refused(b"MEM\xff.md") != [""]

    @pytest.mark.parametrize("mode", [0o120777, 0o010644, 0o020644, 0o060644, 0o140644, 0o040755])
    def test_of_special_entries_are_refused(self, mode: int) -> None:
        assert self.refused("MEMORY.md", mode=mode) == ["MEMORY.md"]

    def test_of_plain_folders_are_nothing(self) -> None:
        contents = place_entries(opened(archive(Entry("memory/"), Entry("MEMORY.md/"))).records)
        assert [entry.name for entry in contents.refused] == ["MEMORY.md/"]

    def test_inside_one_common_folder_are_found_and_junk_is_ignored(self) -> None:
        names = ["juno/MEMORY.md", "__MACOSX/juno/._MEMORY.md", "juno/.DS_Store", "juno/manifest.json"]
        contents = place_entries(opened(archive(*(Entry(name, b"{}") for name in names))).records)

        assert [entry.path for entry in contents.placed] == ["MEMORY.md"]
        assert contents.manifest is not None
        assert {entry.ignored for entry in contents.refused} == {True}
