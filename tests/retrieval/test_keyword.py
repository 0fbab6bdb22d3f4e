"""Keyword search over files: found as written, in any script, with the right line and an honest snippet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memoryapp.actions.files import write_file
from memoryapp.exceptions import ValidationFailed
from memoryapp.retrieval.keyword import KeywordResult, search_files
from tests.conftest import Person

Look = Callable[..., KeywordResult]


@pytest.fixture
def look(alice: Person) -> Look:
    """Write notes of alice's and search them."""

    def look(
        query: str, person: Person = alice, limit: int = 10, notes: list[str] | None = None
    ) -> KeywordResult:
        for number, content in enumerate(notes or [], start=1):
            path = f"notes-{number}.md"
            write_file(
                principal=alice.principal, agent=alice.agent, path=path, content=content, scope="PERSONAL"
            )
        return search_files(query, principal=person.principal, agent=alice.agent, limit=limit)

    return look


def places(result: KeywordResult) -> list[tuple[str, int]]:
    return [(hit.path, hit.line) for hit in result.items]


def test_characters_need_not_stand_together(look: Look) -> None:
    result = look("后台日志轮换", notes=["日志的轮换在后台页面设置", "今天天气很好"])
    assert places(result) == [("notes-1.md", 1)]
    assert result.items[0].score > 0


NOTES = ["昨晚和同事讨论了搬家计划", "第一行\nきのうはたこやきをたべた", "주말에 자전거수리를 맡겼다"]


@pytest.mark.parametrize(
    ("query", "place"),
    [("搬家计划", ("notes-1.md", 1)), ("たこやき", ("notes-2.md", 2)), ("수리", ("notes-3.md", 1))],
)
def test_a_word_inside_a_sentence_is_found_in_its_own_note_only(
    look: Look, query: str, place: tuple[str, int]
) -> None:
    assert places(look(query, notes=NOTES)) == [place]


@pytest.mark.parametrize("query", ["v2.3", "staging", "部署 staging", "版本", "STAGING"])
def test_words_of_mixed_script_are_found(look: Look, query: str) -> None:
    assert places(look(query, notes=["部署v2.3版本到staging"])) == [("notes-1.md", 1)]


@pytest.mark.parametrize(("query", "note"), [("100%", 1), ("a_b", 3)])
def test_wildcards_are_literal(look: Look, query: str, note: int) -> None:
    result = look(query, notes=["uptime 100% in May", "room 1007", "file a_b.txt", "file aXb.txt"])
    assert places(result) == [(f"notes-{note}.md", 1)]


def test_lines_and_snippets_survive_line_ends_and_wide_characters(look: Look) -> None:
    far = "x" * 100 + " harbour " + "y" * 60
    result = look("harbour", notes=[f"🚲 start\r\nsecond\r\nthe harbour\r\n\r\n\r\n\r\n{far}\r\n"])
    assert sorted(places(result)) == [("notes-1.md", 3), ("notes-1.md", 7)]
    for hit in result.items:
        ((start, end),) = hit.marks
        assert (hit.snippet[start:end], len(hit.snippet) <= 80) == ("harbour", True)


def test_markup_in_a_line_stays_data(look: Look) -> None:
    (hit,) = look("onerror", notes=["<img src=x onerror=alert(1)>"]).items
    assert hit.snippet == "<img src=x onerror=alert(1)>"


def test_a_core_file_ranks_first_and_the_oldest_note_is_found(look: Look, alice: Person) -> None:
    for number in range(60):
        path = f"memory/2026-{1 + number // 28:02d}-{1 + number % 28:02d}.md"
        content = "ZEPHYR" if number == 0 else "an ordinary day"
        write_file(principal=alice.principal, agent=alice.agent, path=path, content=content, scope="PERSONAL")
    write_file(
        principal=alice.principal, agent=alice.agent, path="PROFILE.md", content="ZEPHYR", scope="PERSONAL"
    )
    result = look("zephyr")
    assert (places(result), result.left_out) == ([("PROFILE.md", 1), ("memory/2026-01-01.md", 1)], 0)


def test_nobody_else_s_files_are_searched(look: Look, bob: Person) -> None:
    assert places(look("PELICAN", notes=["Locker word is PELICAN"])) == [("notes-1.md", 1)]
    assert places(look("PELICAN", bob)) == []


@pytest.mark.parametrize("query", ["", "   ", "x" * 200_000])
def test_degenerate_queries_are_refused(look: Look, query: str) -> None:
    with pytest.raises(ValidationFailed):
        look(query)
