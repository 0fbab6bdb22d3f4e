"""The same kinds of turns in other words and other voices: over two thousand made-up ones, by group and language."""

from __future__ import annotations

import pytest

from tests.llm.triage_cases import Tally, load_cases, tally


@pytest.fixture(scope="module")
def result() -> Tally:
    names = ("triage_variations.jsonl", "triage_further.jsonl", "triage_voices.jsonl")
    return tally([case for name in names for case in load_cases(name)])


def test_what_rules_can_solve_is_solved(result: Tally) -> None:
    assert result.share("solvable") >= 0.98, result.flaws


@pytest.mark.parametrize(
    "group",
    [
        "plain", "mixed", "noop", "update", "credential", "temporal", "grouping", "companion", "attribution",
        "correction", "forget", "language", "noise", "long",
    ],
)  # fmt: skip
def test_no_group_is_left_behind(result: Tally, group: str) -> None:
    assert result.share(f"solvable {group}") >= 0.95, result.flaws


@pytest.mark.parametrize("language", ["en", "zh", "es", "de", "ja"])
def test_no_language_is_left_behind(result: Tally, language: str) -> None:
    assert result.share(language) >= 0.85, result.flaws


def test_nothing_withheld_and_no_noise_is_stored(result: Tally) -> None:
    assert result.share("noop") >= 0.97, result.flaws
    assert result.share("forget") == 1.0, result.flaws
