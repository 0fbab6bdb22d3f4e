"""Generated hostile archives: each ends in a clear answer, quickly, in little memory, and nothing escapes its name.

Two hundred in the default run, five thousand with `-m long`.
"""

from __future__ import annotations

import io
import tracemalloc
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.exceptions import MemoryAppError, TooLarge
from memoryapp.snapshots.archive import open_archive
from memoryapp.snapshots.limits import MEGABYTE, ArchiveRefused
from memoryapp.snapshots.names import CORE_FILES, DATA, NOTE, place_entries
from tests.snapshot.crafted import Crafted, Entry, deflated

NAMES = st.sampled_from(
    [
        "MEMORY.md", "memory.md", "SOUL.md", "PROFILE.md", "memory/2026-01-01.md", "memory/2026-02-30.md",
        "manifest.json",
        "../MEMORY.md", "/MEMORY.md", "..\\SOUL.md", "C:\\MEMORY.md", "\\\\h\\s\\MEMORY.md", "memory/", "MEMORY.md/",
        "a/b/../../MEMORY.md", "personal/MEMORY.md", "owners/0123456789abcdef/MEMORY.md", "data/facts-001.jsonl",
        "x.zip", "MEMORY.md\x00.txt", "MEM\u202eORY.md", "__MACOSX/._MEMORY.md", "juno/MEMORY.md", "~/MEMORY.md",
    ]
) | st.text(max_size=40) | st.binary(min_size=1, max_size=30)  # fmt: skip
BOMB, LARGE = deflated(bytes(40 * MEGABYTE), 9), deflated(b"ab" * (MEGABYTE // 2 + 5), 1)
CONTENTS = st.sampled_from(
    [b"", b"# Memory\n", b"\xff\xfe", b"PK\x03\x04", b"\x00" * 900, b"{}", b"x" * 5000]
)
WORDS_16 = st.sampled_from([0, 1, 2, 7, 0x7FFF, 0xFFFE, 0xFFFF]) | st.integers(0, 0xFFFF)
WORDS_32 = st.sampled_from([0, 1, 1000, MEGABYTE, MEGABYTE + 1, 0x7FFFFFFF, 0xFFFFFFFF])
LIES_16, LIES_32 = st.none() | WORDS_16, st.none() | WORDS_32

ENTRIES = st.builds(
    Entry,
    name=NAMES,
    content=CONTENTS,
    method=st.sampled_from([0, 8, 8, 8, 8, 9, 12, 14, 99]),
    flags=st.sampled_from([0, 0, 0, 0, 1, 8, 0x20, 0x40, 0x800, 0x2000]),
    mode=st.sampled_from([0, 0o100644, 0o100644, 0o120777, 0o010644, 0o060600, 0o040755]),
    size=st.none() | st.none() | WORDS_32,
    packed_size=st.none() | st.none() | st.none() | WORDS_32,
    crc=st.none() | st.none() | WORDS_32,
    local_name=st.none() | st.none() | st.none() | st.binary(max_size=12),
    local_size=st.none() | st.none() | st.none() | WORDS_32,
    local_method=st.none() | st.none() | st.none() | st.sampled_from([0, 8, 99]),
    offset=st.none() | st.none() | st.none() | WORDS_32,
    packed=st.none()
    | st.none()
    | st.none()
    | st.sampled_from([BOMB, LARGE, b"", b"\xff", deflated(b"x") + b"y"]),
    system=st.sampled_from([0, 3, 19]),
    extra=st.just(b"") | st.binary(max_size=40) | st.just(b"\x01\x00\x10\x00" + b"\xff" * 16),
)
ARCHIVES = st.builds(
    Crafted,
    entries=st.lists(ENTRIES, max_size=6),
    count=st.none() | st.none() | st.none() | WORDS_16,
    directory_offset=st.none() | st.none() | st.none() | WORDS_32,
    comment=st.just(b"") | st.binary(max_size=40) | st.just(b"PK\x05\x06" + bytes(18)),
    before=st.just(b"") | st.just(b"") | st.binary(max_size=8),
    between=st.just(b"") | st.just(b"") | st.binary(max_size=16),
    after=st.just(b"") | st.just(b"") | st.binary(max_size=8),
).map(Crafted.build)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """An honest archive of the standard library with bytes changed, cut or put in."""
    target = io.BytesIO()
    with zipfile.ZipFile(
        target, "w", draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    ) as made:
        made.writestr("MEMORY.md", "# Memory\n" * draw(st.integers(0, 50)))
        made.writestr("memory/2026-01-01.md", "- a note\n")
    data = bytearray(target.getvalue())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        data[at] = draw(st.integers(0, 255))
    cut = draw(st.none() | st.integers(0, len(data)))
    return bytes(data[:cut] if cut is not None else data)


def is_allowed(path: str) -> bool:
    return path in CORE_FILES or bool(NOTE.fullmatch(path)) or bool(DATA.fullmatch(path))


def check(data: bytes) -> None:
    """The promise: refused in our own words, or read within the limits and under allowed names only."""
    refusal: MemoryAppError | None
    tracemalloc.start()
    try:
        archive = open_archive(io.BytesIO(data))
        contents = place_entries(archive.records)
        for entry in contents.placed:
            assert is_allowed(entry.path)
            assert not entry.record.is_special
            assert len(archive.read(entry.record)) == entry.record.size <= MEGABYTE
        assert all(name.isprintable() for name in (each.name for each in contents.refused))
        refusal = None
    except (ArchiveRefused, TooLarge) as error:
        refusal = error
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert refusal is None or (refusal.detail and refusal.code and refusal.status in {400, 413})
    assert peak < 4 * MEGABYTE


def examples(count: int) -> settings:
    """As many as that, however slow the machine is just now."""
    return settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))


class TestGeneratedArchives:
    @given(ARCHIVES | damaged())
    @examples(200)
    def test_end_in_a_clear_answer(self, data: bytes) -> None:
        check(data)

    @pytest.mark.long
    @given(ARCHIVES | damaged())
    @examples(5000)
    def test_end_in_a_clear_answer_five_thousand_times(self, data: bytes) -> None:
        check(data)
