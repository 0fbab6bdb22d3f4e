"""The filter language: what it accepts, what it refuses by name, and which rows it finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Fact
from memoryapp.retrieval.filters import EVERYTHING, compile_filter, names_entity, parse_filter
from memoryapp.retrieval.filters.fields import FIELDS
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.retrieval.conftest import Remember

Find = Callable[[Any], set[str]]


def find_as(person: Person, given: Any) -> set[str]:
    with workspace_scope(person.workspace):
        rows = Fact.objects.visible_to(person.principal)
        return {fact.text for fact in rows.filter(compile_filter(parse_filter(given)))}


@pytest.fixture
def find(alice: Person) -> Find:
    return lambda given: find_as(alice, given)


# --- What it refuses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"created_at": {"gtee": "2026-01-01"}}, "gtee"),
        ({"categories": {"notin": ["x"]}}, "notin"),
        ({"user_id": {">=": "a"}}, ">="),
        ({"metadata": {"kind": {"gtee": 1}}}, "gtee"),
        ({"colour": "red"}, "colour"),
        ({"_connector": "OR", "user_id": "user:11"}, "_connector"),
        ({"_negated": True}, "_negated"),
        ({"owner__password__startswith": "p"}, "owner__password__startswith"),
        ({"agent__owner_key": "user:12"}, "agent__owner_key"),
        ({"AND": [{"owner_key": "user:12"}]}, "owner_key"),
        ({"$or": [{"user_id": "x"}]}, "$or"),
    ],
)
def test_unknown_names_are_refused_by_name(given: Any, named: str) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        parse_filter(given)
    assert f"“{named}”" in refusal.value.detail
    assert "Allowed: " in refusal.value.detail


def test_an_operator_of_sql_gets_a_hint() -> None:
    with pytest.raises(ValidationFailed, match="Write “gte”"):
        parse_filter({"created_at": {">=": "2026-01-01"}})


@pytest.mark.parametrize(
    "given",
    [
        [],
        "user_id",
        7,
        {"AND": []},
        {"OR": []},
        {"NOT": []},
        {"NOT": {}},
        {"AND": {"user_id": "a"}},
        {"AND": [{}]},
        {"AND": ["user_id"]},
        {"user_id": {}},
        {"user_id": ["a"]},
        {"user_id": {"in": "a"}},
        {"user_id": {"eq": {"ne": "a"}}},
        {"user_id": {"eq": ["a"]}},
        {"user_id": {"in": [["a"]]}},
        {"user_id": True},
        {"user_id": {"ne": "a", "strict": "yes"}},
        {"categories": {"in": [None]}},
        {"created_at": "yesterday"},
        {"created_at": True},
        {"created_at": {"gte": "2026-02-30"}},
        {"created_at": {"gte": 1e20}},
        {"created_at": {"gte": "0000-01-01"}},
        {"metadata": {}},
        {"metadata": "red"},
        {"metadata": {"": 1}},
        {"metadata": {"a": [1]}},
        {"metadata": {"a": {"gt": True}}},
        {"metadata": {"a": {"eq": {"b": 1}}}},
        {"metadata": {"a": float("inf")}},
        {"importance": "high"},
        {"pinned": "yes"},
        {"keywords": {"eq": "a"}},
        {"memory_ids": "a"},
        {"run_id": {"exists": "yes"}},
        {"run_id": "nul\0"},
        {"app_id": {"in": ["a"] * 1_001}},
    ],
)
def test_what_does_not_fit_is_refused(given: Any) -> None:
    with pytest.raises(ValidationFailed):
        parse_filter(given)


def test_depth_and_size_are_limited() -> None:
    deep: dict[str, Any] = {"user_id": "a"}
    for _ in range(9):
        deep = {"NOT": deep}
    parse_filter(deep)
    with pytest.raises(ValidationFailed, match="nested"):
        parse_filter({"AND": [deep]})
    parse_filter({"OR": [{"user_id": "a"}] * 199})
    with pytest.raises(ValidationFailed, match="at most 200"):
        parse_filter({"OR": [{"user_id": "a"}] * 200})


@pytest.mark.parametrize("given", [None, {}])
def test_no_filter_is_everything(given: Any) -> None:
    assert parse_filter(given) is EVERYTHING


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"user_id": "a"}, True),
        ({"user_id": "*"}, True),
        ({"AND": [{"categories": "x"}, {"run_id": {"in": ["r"]}}]}, True),
        ({"OR": [{"user_id": "a"}, {"categories": "x"}]}, False),
        ({"NOT": {"user_id": "a"}}, False),
        ({"user_id": {"ne": "a"}}, False),
        ({"user_id": None}, False),
        ({}, False),
    ],
)
def test_whether_a_filter_says_whose_memory_it_is_about(given: Any, expected: bool) -> None:
    assert names_entity(parse_filter(given)) is expected


# --- Which rows it finds ----------------------------------------------------------------------------------------------


def test_sibling_groups_are_anded(alice: Person, find: Find, remember: Remember) -> None:
    for name in ("finance", "health", "travel"):
        remember(alice, name, category=name)
    mine = {"user_id": alice.principal.owner_key}
    assert find({"AND": [mine], "OR": [{"categories": "finance"}, {"categories": "health"}]}) == {
        "finance",
        "health",
    }
    assert find({"categories": "finance", "NOT": {"categories": "finance"}}) == set()


def test_a_day_is_the_whole_day(alice: Person, find: Find, remember: Remember) -> None:
    times = {
        "start": datetime(2026, 2, 28, tzinfo=UTC),
        "end": datetime(2026, 2, 28, 23, 59, 59, 600_000, tzinfo=UTC),
        "next": datetime(2026, 3, 1, tzinfo=UTC),
    }
    for name, moment in times.items():
        fact = remember(alice, name, said_at=moment)
        with workspace_scope(alice.workspace):
            Fact.objects.filter(pk=fact.pk).update(created_at=moment, updated_at=moment)
    for field in ("created_at", "updated_at", "timestamp"):
        assert find({field: {"lte": "2026-02-28"}}) == {"start", "end"}
        assert find({field: {"lt": "2026-03-01"}}) == {"start", "end"}
        assert find({field: {"gte": "2026-02-28"}}) == {"start", "end", "next"}
        assert find({field: {"gt": "2026-02-28"}}) == {"next"}
        assert find({field: "2026-02-28"}) == find({field: {"eq": "2026-02-28"}}) == {"start", "end"}
        assert find({field: {"ne": "2026-02-28"}}) == {"next"}
        assert find({field: {"in": ["2026-03-01", "2026-03-02"]}}) == {"next"}
        assert find({field: "2026-02-28T01:00:00+01:00"}) == {"start"}
        assert find({field: {"gte": int(times["next"].timestamp())}}) == {"next"}


def test_wildcards_mean_a_value_and_only_bare(alice: Person, find: Find, remember: Remember) -> None:
    remember(alice, "none")
    remember(alice, "empty", run_id="")
    remember(alice, "run", run_id="r1")
    assert find({"run_id": "*"}) == find({"run_id": {"exists": True}}) == {"run"}
    assert find({"run_id": None}) == find({"NOT": {"run_id": "*"}}) == {"none", "empty"}
    for literal in (
        {"run_id": {"eq": "*"}},
        {"run_id": {"in": ["*"]}},
        {"user_id": {"in": ["*"]}},
        {"user_id": {"eq": "*"}},
    ):
        assert find(literal) == set()


def test_percent_and_underscore_are_letters(alice: Person, find: Find, remember: Remember) -> None:
    for text in ("discount 5%", "discount 50 units", "file_a", "fileXa"):
        remember(alice, text, category=text, metadata={"name": text})
    assert find({"keywords": {"contains": "5%"}}) == {"discount 5%"}
    assert find({"keywords": {"icontains": "FILE_A"}}) == {"file_a"}
    assert find({"keywords": {"contains": "FILE"}}) == set()
    assert find({"keywords": "e_A"}) == {"file_a"}
    assert find({"categories": {"contains": "FILE_"}}) == {"file_a"}
    assert find({"metadata": {"name": {"contains": "5%"}}}) == {"discount 5%"}
    assert find({"metadata": {"name": {"icontains": "E_A"}}}) == {"file_a"}


def test_no_filter_reaches_anybody_else(alice: Person, bob: Person, remember: Remember) -> None:
    remember(alice, "alice's", category="finance")
    remember(bob, "bob's", category="finance")
    mine, theirs = ({"user_id": person.principal.owner_key} for person in (alice, bob))
    for given in (
        {"OR": [mine, theirs]},
        {"OR": [mine, {"categories": "finance"}]},
        {"NOT": mine},
        {"user_id": "*"},
        {"user_id": {"ne": alice.principal.owner_key}},
        theirs,
    ):
        assert "bob's" not in find_as(alice, given)


def test_metadata_keys_are_only_ever_keys(alice: Person, find: Find, remember: Remember) -> None:
    odd = {"a')) OR 1=1 --": "x", "a__b__contains": "x", "a.b": "x", "%": "x"}
    remember(alice, "odd", metadata=odd)
    remember(alice, "plain", metadata={"a": {"b": "x"}})
    for key in ("a')) OR 1=1 --", "a__b__contains", r"a\.b", "%"):
        assert find({"metadata": {key: "x"}}) == {"odd"}
    assert find({"metadata": {"a.b": "x"}}) == {"plain"}


def test_metadata_compares_by_type_and_takes_text_forms(
    alice: Person, find: Find, remember: Remember
) -> None:
    remember(alice, "numbers", metadata={"n": 5, "b": True, "s": "5", "nested": {"deep": [{"x": 1.5}]}})
    remember(alice, "texts", metadata={"n": "12", "b": "true", "tags": ["red", 7], "none": None})
    remember(alice, "nothing")
    assert (
        find({"metadata": {"n": 5}})
        == find({"metadata": {"n": "5"}})
        == find({"metadata": {"n": {"in": [4, 5.0]}}})
        == {"numbers"}
    )
    assert find({"metadata": {"b": True}}) == {"numbers", "texts"}
    assert find({"metadata": {"b": 1}}) == set()
    assert find({"metadata": {"n": {"gt": 4, "lt": 6}}}) == {"numbers"}
    assert find({"metadata": {"n": {"gte": 13}}}) == set()
    assert find({"metadata": {"nested.deep.0.x": 1.5}}) == {"numbers"}
    assert (
        find({"metadata": {"tags": {"contains": "red"}}})
        == find({"metadata": {"tags": {"contains": 7}}})
        == {"texts"}
    )
    assert find({"metadata": {"n": {"ne": 5}}}) == {"texts", "nothing"}
    assert find({"metadata": {"n": {"ne": 5, "strict": True}}}) == {"texts"}
    assert find({"metadata": {"none": None}}) == {"numbers", "texts", "nothing"}
    assert find({"metadata": {"tags": {"exists": True}}}) == {"texts"}
    assert find({"metadata": "*"}) == {"numbers", "texts"}


def test_empty_lists_match_nothing(alice: Person, find: Find, remember: Remember) -> None:
    remember(alice, "one", category="x")
    assert (
        find({"categories": {"in": []}})
        == find({"memory_ids": []})
        == find({"metadata": {"a": {"in": []}}})
        == set()
    )
    assert find({"categories": {"nin": []}}) == {"one"}
    assert find({"memory_ids": ["not an id"]}) == set()


def test_exclusion_keeps_rows_without_a_value(alice: Person, find: Find, remember: Remember) -> None:
    remember(alice, "spam", category="spam", labels=["junk"])
    remember(alice, "none")
    remember(alice, "other", category="ham", run_id="r")
    assert find({"NOT": {"categories": {"in": ["spam", "test"]}}}) == {"none", "other"}
    assert find({"NOT": {"categories": "junk"}}) == {"none", "other"}
    assert find({"NOT": [{"categories": "ham"}, {"categories": None}]}) == {"spam"}
    assert find({"run_id": {"ne": "r"}}) == {"spam", "none"}
    assert (
        find({"AND": [{"run_id": "*"}, {"run_id": {"ne": "x"}}]})
        == find({"run_id": {"ne": "x", "strict": True}})
        == {"other"}
    )
    assert find({"expiration_date": {"ne": "2026-01-01"}}) == {"spam", "none", "other"}


def test_user_and_agent_together_match(alice: Person, remember: Remember) -> None:
    remember(alice, "labelled", end_user="ana", agent_label="bot")
    remember(alice, "unlabelled", end_user="ana")
    ana = alice.principal.acting_as("ana")

    def find(given: Any) -> set[str]:
        with workspace_scope(alice.workspace):
            rows = Fact.objects.visible_to(ana).filter(compile_filter(parse_filter(given)))
            return set(rows.values_list("text", flat=True))

    assert find({"user_id": "ana", "agent_id": "bot"}) == {"labelled"}
    assert find({"user_id": "api:ana", "agent_id": alice.agent.slug}) == {"labelled", "unlabelled"}
    assert find({"agent_id": str(alice.agent.pk)}) == {"labelled", "unlabelled"}
    assert find({"agent_id": None}) == {"unlabelled"}


@pytest.mark.parametrize("name", FIELDS)
def test_every_example_of_the_table_compiles(alice: Person, name: str) -> None:
    assert find_as(alice, json.loads(FIELDS[name].example)) == set()
