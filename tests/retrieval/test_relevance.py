"""Scores tell what answers a question from what does not, in four languages alike, over a set of its own."""

from __future__ import annotations

import json

import pytest

from benchmarks.corpus import Installation
from benchmarks.relevance import DATA, LIMIT, ask_all
from tests.conftest import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "language",
    ["en", "zh", pytest.param("es", marks=pytest.mark.long), pytest.param("de", marks=pytest.mark.long)],
)
def test_answers_lie_above_the_limit_and_other_facts_below(alice: Person, language: str) -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    asked = list(ask_all(Installation(alice.principal, alice.agent), data, language, parts=1))
    answered = [each for each in asked if each.answers]
    right = [score for each in asked for key, score in each.scores if key in each.answers]
    wrong = [score for each in asked for key, score in each.scores if key not in each.answers]
    assert sum(each.place() < 3 for each in answered) >= 0.8 * len(answered)
    assert sum(score >= LIMIT for score in right) >= 0.7 * len(right)
    assert sum(score < LIMIT for score in wrong) >= 0.88 * len(wrong)


def test_a_question_reaches_facts_in_another_script(alice: Person) -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    questions = [{"answers": each["answers"], "mixed": each["en"]} for each in data["questions"]]
    mixed = {"facts": {"mixed": data["facts"]["zh"]}, "questions": questions}
    asked = list(ask_all(Installation(alice.principal, alice.agent), mixed, "mixed", parts=1))
    answered = [each for each in asked if each.answers]
    right = [score for each in asked for key, score in each.scores if key in each.answers]
    wrong = [score for each in asked for key, score in each.scores if key not in each.answers]
    assert sum(each.place() < 3 for each in answered) >= 0.85 * len(answered)
    assert sum(score >= LIMIT for score in right) >= 0.7 * len(right)
    assert sum(score < LIMIT for score in wrong) >= 0.95 * len(wrong)


def test_a_drink_is_not_a_password(alice: Person) -> None:
    data = {
        "facts": {
            "en": {
                "tea": "Prefers jasmine tea over coffee in the evening",
                "portal": "A credential was configured for the tenant portal on 3 May",
                "seat": "Always books aisle seats",
                "shop": "The shop's backend runs on PostgreSQL 15",
            }
        },
        "questions": [{"answers": ["tea"], "en": "What should I drink tonight?"}],
    }
    (asked,) = ask_all(Installation(alice.principal, alice.agent), data, "en", parts=1)
    assert asked.scores[0][0] == "tea"
    assert asked.scores[0][1] >= LIMIT > asked.scores[1][1]


def test_a_plan_for_today_is_not_about_what_was_said_today(alice: Person) -> None:
    """Everything was said this very day, which says nothing for any of it."""
    data = {
        "facts": {
            "en": {
                "password": "Portal password was configured (as of 2026-11-30)",
                "project": "As of 2026-11-30, user's team is moving the Atlas project, deadline is 15 January 2027",
                "rule": "User rule: always answer the user in bullet points from now on",
                "tea": "User prefers tea over coffee because coffee keeps the user awake",
                "name": "User's name is Mira and user works as a harbour pilot in Rotterdam",
            }
        },
        "questions": [{"answers": ["tea"], "en": "What should I drink tonight?"}],
    }
    (asked,) = ask_all(Installation(alice.principal, alice.agent), data, "en", parts=1)
    assert asked.scores[0][0] == "tea"
    assert asked.scores[0][1] >= LIMIT > asked.scores[1][1]
