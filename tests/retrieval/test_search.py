"""One entry to memory: what a question finds, for whom, in which order, and how it says so."""

from __future__ import annotations

import pytest

from memoryapp.exceptions import ValidationFailed
from memoryapp.retrieval.search import search_memories
from tests.conftest import Person
from tests.retrieval.conftest import Remember

pytestmark = pytest.mark.django_db(transaction=True)


def found_texts(person: Person, query: str, **options: object) -> list[str]:
    result = search_memories(query, principal=person.principal, agent=person.agent, **options)  # type: ignore[arg-type]
    return [hit.text for hit in result.items]


def test_a_question_finds_its_fact_by_word_and_by_meaning(alice: Person, remember: Remember) -> None:
    for text in (
        "The dentist's name is Dr Okafor",
        "Prefers oat milk in coffee",
        "Works on the harbour project",
    ):
        remember(alice, text)
    assert found_texts(alice, "Who is my dentist?")[0] == "The dentist's name is Dr Okafor"
    assert found_texts(alice, "What do I like to drink?")[0] == "Prefers oat milk in coffee"


def test_nobody_else_finds_it(alice: Person, bob: Person, charlie: Person, remember: Remember) -> None:
    remember(alice, "The vault is behind the painting")
    for stranger in (bob, charlie):
        assert found_texts(stranger, "Where is the vault?") == []


@pytest.mark.parametrize("query", ["", "   ", "\0", "?!"])
def test_a_blank_question_finds_nothing(alice: Person, remember: Remember, query: str) -> None:
    remember(alice, "anything")
    assert found_texts(alice, query) == []


@pytest.mark.parametrize("top_k", [0, -5, 1_001, 100_000_000, True, "ten"])
def test_a_bad_number_is_refused(alice: Person, top_k: object) -> None:
    with pytest.raises(ValidationFailed):
        found_texts(alice, "x", top_k=top_k)
