"""How new text joins a file, in every way Markdown can be written: as text to text."""

from __future__ import annotations

import pytest

from memoryapp.actions.merging import Strategy, merged
from memoryapp.actions.sections import split_sections
from memoryapp.exceptions import Conflict, ValidationFailed

REPLACE, APPEND, SET = Strategy.REPLACE_SECTION, Strategy.APPEND, Strategy.UPSERT_KV
TWO = "# T\n\n## Pending checks #soon\n\n- a\n\n## Archive\n\n- b\n"


@pytest.mark.parametrize(
    ("heading", "asked"),
    [
        ("Goals ##", "Goals"),
        ("Goals", "## Goals ##"),
        ("Goals:", "goals"),
        ("**Goals**", "Goals"),
        ("Café", "Cafe\u0301"),
        ("Ｇoals", "Goals"),
    ],
)
def test_a_heading_is_the_same_however_it_is_written(heading: str, asked: str) -> None:
    assert merged(f"## {heading}\n\n- a\n", REPLACE, "- n", asked) == f"## {heading}\n\n- n\n"


@pytest.mark.parametrize(
    "content",
    [
        "x\n\n## Archive\n\n- y",
        "x\n\n## Pending checks\n\n- y",
        "x\n\n## PENDING CHECKS #soon ##\n\n- y",
        "x\n\n## New\n\n1\n\n## New\n\n2",
    ],
)
@pytest.mark.parametrize("strategy", [REPLACE, APPEND])
def test_no_section_comes_twice_into_a_file(strategy: Strategy, content: str) -> None:
    with pytest.raises(Conflict) as refusal:
        merged(TWO, strategy, content, "Archive")
    assert refusal.value.code == "duplicate_section"


def test_the_heading_of_a_section_that_is_added_to_is_not_added() -> None:
    assert merged(TWO, APPEND, "## Archive\r\n\r\n- c\r\n", "Archive").endswith("## Archive\n\n- b\n- c\n")


@pytest.mark.parametrize(
    "code",
    [
        "```\n## Goals\nport: 1\n```\n",
        "~~~\n```\n## Goals\nport: 1\n~~~\n",
        "````md\n```\n## Goals\nport: 1\n```\n````\n",
        "  ```\n## Goals\nport: 1\n  ```\n",
    ],
)
def test_code_is_neither_a_section_nor_a_value(code: str) -> None:
    assert merged(f"{code}\n## Goals\n\n- a\n", REPLACE, "- n", "Goals") == f"{code}\n## Goals\n\n- n\n"
    assert merged(f"{code}\nport: 2\n", SET, "port: 3") == f"{code}\nport: 3\n"


def test_a_line_that_only_mentions_backticks_begins_no_code() -> None:
    assert [piece.heading for piece in split_sections("```inline``` x\n\n## A\n\n## B\n")] == ["", "A", "B"]


@pytest.mark.parametrize(
    ("known", "given", "after"),
    [
        ("- **tea**: yes\n", "tea: no", "- **tea**: no\n"),
        ("- **tea:** yes\n", "tea: no", "- **tea:** no\n"),
        ('"tea": yes\n', "`Tea`: no", '"tea": no\n'),
        ("* 茶：是\n", "茶: 否", "* 茶： 否\n"),
        ("a\u2028b: c\n- tea: yes\n", "tea: no", "a\u2028b: c\n- tea: no\n"),
        ("see http://x.example.org/a\n", "see http: no", "see http://x.example.org/a\n\n- see http: no\n"),
    ],
)
def test_a_value_is_set_where_its_key_stands(known: str, given: str, after: str) -> None:
    assert merged(known, SET, given) == after


@pytest.mark.parametrize("line", ["http://x.example.org/a", "C:\\x", "tea", "tea:", "# tea: no"])
def test_what_is_no_value_is_refused(line: str) -> None:
    with pytest.raises(ValidationFailed):
        merged("", SET, line)
