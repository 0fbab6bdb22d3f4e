"""A model's rewrite meets a file that has moved on, and nothing anybody wrote is lost."""

from __future__ import annotations

import pytest

from memoryapp.lifecycle.rewrites import drop_added_lines, merge_rewrite

BASE = "# Memory\n\n## Team\n- Five people\n- Standup at 9\n\n## Release\n- Ship on Thursdays\n"


def merge(current: str, proposed: str, base: str = BASE) -> str:
    return merge_rewrite(base=base, current=current, proposed=proposed)


def test_an_unchanged_file_becomes_the_proposal() -> None:
    proposed = BASE.replace("at 9", "at 10:15").replace("Thursdays\n", "Thursdays\n- Freeze in August\n")
    assert merge(BASE, proposed) == proposed


def test_a_line_written_meanwhile_survives_the_rewrite() -> None:
    current = BASE.replace("- Five people\n", "- Five people\n- hand-written: budget 900\n")
    proposed = BASE.replace("- Standup at 9", "- Standup at 10:15")
    merged = merge(current, proposed)
    assert "- hand-written: budget 900" in merged
    assert "- Standup at 10:15" in merged
    assert "- Standup at 9\n" not in merged


def test_what_somebody_deleted_meanwhile_stays_deleted() -> None:
    current = BASE.replace("- Five people\n", "")
    merged = merge(current, BASE + "- Freeze in August\n")
    assert "Five people" not in merged
    assert "Freeze in August" in merged


def test_a_new_section_lands_where_the_model_put_it() -> None:
    proposed = BASE.replace("## Release", "## Budget\n- 900 euros\n\n## Release")
    assert merge(BASE, proposed) == proposed


def test_the_same_line_from_both_sides_is_written_once() -> None:
    current = proposed = BASE + "- Freeze in August\n"
    assert merge(current, proposed).count("Freeze in August") == 1


def test_a_model_that_lost_the_file_only_adds() -> None:
    merged = merge(BASE, "- Freeze in August\n")
    assert merged.startswith("- Freeze in August")
    for line in BASE.splitlines():
        assert line in merged


@pytest.mark.parametrize("base", ["", "# Memory\n"])
def test_an_empty_file_takes_the_proposal(base: str) -> None:
    assert merge(base, "# Memory\n- Likes tea\n", base) == "# Memory\n- Likes tea\n"


def test_only_new_lines_can_be_unwanted() -> None:
    base = "- secret recipe is ours\n"
    text, dropped = drop_added_lines(
        base=base, proposed=base + "- another secret\n- harmless\n", unwanted=lambda line: "secret" in line
    )
    assert (text, dropped) == (base + "- harmless\n", 1)
