"""Facts as the doors write them, with their vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import Fact
from memoryapp.retrieval.indexing import embed_now
from tests.conftest import Person

Remember = Callable[..., Fact]


def remember(person: Person, text: str, *, end_user: str | None = None, **fields: Any) -> Fact:
    """Add a fact as a person or as their end user."""
    principal = person.principal.acting_as(end_user)
    vector = embed_now([text])[0]
    return add_fact(
        principal=principal, agent=person.agent, new=NewFact(text=text, **fields), vector=vector
    ).fact


@pytest.fixture(name="remember")
def remember_fixture() -> Remember:
    return remember
