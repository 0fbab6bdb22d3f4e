"""What of memory goes into a prompt: each thing once, within its budget."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.chat.fitting import is_said, standing_block
from memoryapp.providers.base import Kind, Snippet


def always(*texts: str, group: str = "user", size: int = 0) -> list[Snippet]:
    return [Snippet(Kind.STANDING, text, "fact", group=group, group_size=size) for text in texts]


@pytest.mark.parametrize("limit", [100, 500, 2_000])
def test_the_block_as_it_is_rendered_keeps_to_its_limit(settings: Any, limit: int) -> None:
    settings.MEMORY_SYSTEM_BLOCK_MAX_CHARS = limit
    entries = [*always(*(f"Likes number {at}" for at in range(200))), *always("Be short", group="feedback")]

    block, omitted = standing_block(entries)

    assert len(block) <= limit
    assert "Likes number 0" in block
    assert f"({201 - block.count('- ')} older entries are not shown.)" in block
    assert len(omitted) == 1


def test_one_long_entry_does_not_hide_all(settings: Any) -> None:
    settings.MEMORY_SYSTEM_BLOCK_MAX_CHARS = 400

    block, _ = standing_block(always("x" * 900, "Likes tea"))

    assert "x" * 280 + "…" in block
    assert "Likes tea" in block


def test_without_a_limit_all_is_told(settings: Any) -> None:
    settings.MEMORY_SYSTEM_BLOCK_MAX_CHARS = 0

    block, omitted = standing_block(always("x" * 9_000, "Likes tea", size=2))

    assert (len(block) > 9_000, omitted) == (True, [])


def test_what_a_file_says_is_not_said_again_and_not_missing() -> None:
    block, omitted = standing_block(
        always("User likes tea.", "likes tea", "喜欢茶", "Keeps bees", size=4),
        "- user LIKES  tea\n- dislikes tea\n- 不喜欢茶",
    )

    assert block == "About the person:\n- 喜欢茶\n- Keeps bees"
    assert omitted == []


@pytest.mark.parametrize(
    ("text", "heard", "said"),
    [
        ("Likes tea", "she likes tea, he does not", True),
        ("Likes tea", "he dislikes tea", False),
        ("Likes tea", "he likes teapots", False),
        ("Likes tea", "dislikes tea; likes tea", True),
        ("喜欢茶", "不喜欢茶", False),
        ("喜欢茶。", "- 喜欢茶", True),
        ("", "anything", True),
    ],
)
def test_words_are_said_as_words(text: str, heard: str, said: bool) -> None:
    assert is_said(text, heard) == said
