"""A dream's changes on a text: a new line goes under its heading, and never into code."""

from __future__ import annotations

import pytest

from memoryapp.actions.memory_changes import apply_changes, find_changes

CODE = "# M\n\n```\n## Team\n- an example\n```\n\n## Team\n\n- Five people\n\n## Tools\n\n- Jira\n"


@pytest.mark.parametrize("line", ["- Noor leads", "- Teo tests"])
def test_a_line_under_a_heading_that_also_stands_in_code(line: str) -> None:
    after = CODE.replace("- Five people\n", f"- Five people\n{line}\n")
    moved_on = CODE.replace("- Five people\n", "- Six people\n")

    done = apply_changes(moved_on, find_changes(CODE, after))

    assert done.text == moved_on.replace("- Six people\n", f"- Six people\n{line}\n")
