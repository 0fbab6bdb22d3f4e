"""Scores tell what answers a question from what does not, in four languages alike, over a set of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.corpus import Installation
from benchmarks.relevance import DATA, LIMIT, Asked, ask_all
from tests.conftest import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "language",
    ["en", "zh", pytest.param("es", marks=pytest.mark.long), pytest.param("de", marks=pytest.mark.long)],
)
def test_answers_lie_above_the_limit_and_other_facts_below(alice: Person, language: str) -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    found, right, wrong = shares_of(ask(alice, data, language))
    assert found >= 0.8
    assert right >= 0.7
    assert wrong >= 0.88


def test_a_question_reaches_facts_in_another_script(alice: Person) -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    questions = [{"answers": each["answers"], "mixed": each["en"]} for each in data["questions"]]
    mixed = {"facts": {"mixed": data["facts"]["zh"]}, "questions": questions}
    found, right, wrong = shares_of(ask(alice, mixed, "mixed"))
    assert found >= 0.85
    assert right >= 0.7
    assert wrong >= 0.95


def ask(person: Person, data: dict[str, Any], language: str) -> list[Asked]:
    return list(ask_all(Installation(person.principal, person.agent), data, language, parts=1))


def shares_of(asked: list[Asked]) -> tuple[float, float, float]:
    """Of the questions those answered among the first three; of the answers and of the rest, those on their side."""
    answered = [each for each in asked if each.answers]
    right = [score for each in asked for key, score in each.scores if key in each.answers]
    wrong = [score for each in asked for key, score in each.scores if key not in each.answers]
    return (
        sum(each.place() < 3 for each in answered) / len(answered),
        sum(score >= LIMIT for score in right) / len(right),
        sum(score < LIMIT for score in wrong) / len(wrong),
    )


BESIDE_TEA = {
    "a password": {
        "tea": "Prefers jasmine tea over coffee in the evening",
        "portal": "A credential was configured for the tenant portal on 3 May",
        "seat": "Always books aisle seats",
        "shop": "The shop's backend runs on PostgreSQL 15",
    },
    # Everything was said this very day, which says nothing for any of it.
    "a plan for today": {
        "password": "Portal password was configured (as of 2026-11-30)",
        "project": "As of 2026-11-30, user's team is moving the Atlas project, deadline is 15 January 2027",
        "rule": "User rule: always answer the user in bullet points from now on",
        "tea": "User prefers tea over coffee because coffee keeps the user awake",
        "name": "User's name is Mira and user works as a harbour pilot in Rotterdam",
    },
}


@pytest.mark.parametrize("facts", BESIDE_TEA.values(), ids=list(BESIDE_TEA))
def test_a_drink_is_told_from_what_stands_beside_it(alice: Person, facts: dict[str, str]) -> None:
    question = {"answers": ["tea"], "en": "What should I drink tonight?"}
    (asked,) = ask(alice, {"facts": {"en": facts}, "questions": [question]}, "en")
    assert asked.scores[0][0] == "tea"
    assert asked.scores[0][1] >= LIMIT > asked.scores[1][1]
