"""Where code stands in a text, and where a text is cut."""

from __future__ import annotations

import pytest

from memoryapp.llm.markdown import cut_at_section, lines_of, open_fence, with_code_marked

MARK = "\n\n(cut)\n"


@pytest.mark.parametrize(
    ("text", "fence"),
    [
        ("```\nx", "```"),
        ("````\n```\nx", "````"),
        ("~~~\n```\n", "~~~"),
        ("```\nx\n```", ""),
        ("```\nx\n````", ""),
        ("```\nx\n``` no end", "```"),
        ("```inline``` x", ""),
        ("    ```\n", ""),
        ("  ```py\n", "```"),
    ],
)
def test_a_block_ends_with_a_fence_like_the_one_that_began_it(text: str, fence: str) -> None:
    assert open_fence(text) == fence


def test_lines_are_the_text_and_end_as_ours_do() -> None:
    text = "a\u2028b\n\n```\nc\n```\nd"

    assert "".join(lines_of(text)) == text
    assert [line for line, is_code in with_code_marked(lines_of(text)) if not is_code] == [
        "a\u2028b\n",
        "\n",
        "d",
    ]


@pytest.mark.parametrize(
    ("text", "limit", "head"),
    [
        ("short", 9, None),
        ("anything", 0, None),
        ("# T\n\n## A\n" + "a\n" * 40 + "## B\n" + "b\n" * 40, 120, "# T\n\n## A\n" + "a\n" * 39 + "a"),
        ("# T\n\n## A\n\n" + "x" * 100, 60, "# T"),
        ("## A\n\n" + "x" * 100, 60, "## A\n\n" + "x" * (60 - 6 - len(MARK))),
        ("one\n" * 30, 60, "one\n" * 12 + "one"),
        ("one\n" * 10 + "```\n" + "code\n" * 40 + "```\n", 70, "one\n" * 9 + "one"),
        ("one\n```\n" + "code\n" * 40 + "```\n", 70, "one\n```\n" + "code\n" * 9 + "code\n```"),
        ("词" * 100, 50, "词" * (50 - len(MARK))),
        ("🚲" * 100, 50, "🚲" * (50 - len(MARK))),
    ],
)
def test_a_text_is_cut_where_it_does_the_least_harm(text: str, limit: int, head: str | None) -> None:
    cut = cut_at_section(text, limit, MARK)

    assert cut == (text if head is None else head + MARK)
    assert not limit or len(cut) <= limit
    assert not open_fence(cut)
