"""The triage cases that the offline rules must solve, and how many of the others."""

from __future__ import annotations

import pytest

from memoryapp.llm.backends.offline.extract import extract
from tests.llm.triage_cases import SECRETS, Case, Tally, changes_of, expand, load_cases, tally


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return load_cases("triage_dev.jsonl")


@pytest.fixture(scope="module")
def result(cases: list[Case]) -> Tally:
    return tally(cases)


def test_the_worked_examples_are_solved(result: Tally) -> None:
    assert result.share("solvable seed") == 1.0, result.flaws


def test_nearly_all_that_rules_can_solve_is_solved(result: Tally) -> None:
    assert result.share("solvable") >= 0.95, result.flaws


def test_most_is_solved_over_all(result: Tally) -> None:
    assert result.share("all") >= 0.75, result.flaws


@pytest.mark.parametrize("language", ["en", "zh", "es"])
def test_no_language_is_left_behind(result: Tally, language: str) -> None:
    assert result.share(f"solvable {language}") >= 0.95, result.flaws


def test_no_secret_is_stored_anywhere(cases: list[Case]) -> None:
    for case in cases:
        reply = extract(case.task).model_dump_json()
        for secret in SECRETS.values():
            assert secret not in reply, case.id


def test_placeholders_become_made_up_secrets() -> None:
    assert expand("{{PASSWORD}} and {{HEX_TOKEN}}") == f"{SECRETS['PASSWORD']} and {SECRETS['HEX_TOKEN']}"


def test_what_an_update_takes_in_counts_as_deleted(cases: list[Case]) -> None:
    consolidation = next(case for case in cases if sum(wanted.op == "delete" for wanted in case.wanted) == 2)

    ops = [change.op for change in changes_of(extract(consolidation.task))]

    assert sorted(ops) == ["delete", "delete", "update"]
