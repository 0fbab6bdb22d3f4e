"""Texts compared and brought together."""

from __future__ import annotations

import pytest

from memoryapp.dashboard.diffs import compare_texts, count_changes
from memoryapp.dashboard.merging import merge_texts

OLD = "# Memory\n\n- one\n- two\n- three\n- four\n- Monday at 8\n"


def marked(pieces: object) -> list[str]:
    return [piece.text for piece in pieces if piece.changed]  # type: ignore[attr-defined]


def test_changed_words_are_marked_and_far_lines_folded() -> None:
    lines = compare_texts(OLD, OLD.replace("at 8", "at 08:00"))
    assert [line.kind for line in lines] == ["fold", "same", "same", "removed", "added"]
    assert marked(lines[3].pieces) == ["8"]
    assert marked(lines[4].pieces) == ["08:00"]
    assert (lines[0].folded, lines[3].number, lines[4].number) == (4, 7, 7)


def test_chinese_is_compared_by_character() -> None:
    lines = compare_texts("客户偏好周一上午收到摘要\n", "客户偏好周二上午收到摘要\n")
    assert marked(lines[0].pieces) == ["一"]
    assert marked(lines[1].pieces) == ["二"]


def test_equal_texts_have_no_lines() -> None:
    assert compare_texts(OLD, OLD) == [] or all(line.kind == "fold" for line in compare_texts(OLD, OLD))
    assert count_changes(OLD, OLD) == (0, 0)


def test_a_new_text_is_all_added() -> None:
    assert count_changes("", OLD) == (7, 0)


def test_changes_of_different_lines_are_merged() -> None:
    mine = OLD.replace("- one", "- uno")
    theirs = OLD + "- five\n"
    assert merge_texts(OLD, mine, theirs) == mine + "- five\n"


def test_the_same_change_twice_is_one() -> None:
    both = OLD.replace("- two", "- dos")
    assert merge_texts(OLD, both, both) == both


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (OLD.replace("- two", "- dos"), OLD.replace("- two", "- deux")),
        (OLD + "- mine\n", OLD + "- theirs\n"),
        (OLD.replace("- two\n- three\n", ""), OLD.replace("- three", "- drei")),
    ],
)
def test_changes_that_meet_are_left_to_a_person(mine: str, theirs: str) -> None:
    assert merge_texts(OLD, mine, theirs) is None
