"""Random filters over random rows: the database finds exactly what a plain evaluator finds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import Q
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.models import Fact
from memoryapp.retrieval.filters import compile_filter, parse_filter
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.retrieval.evaluator import matches

DAY = datetime(2026, 2, 27, tzinfo=UTC)
WORDS = ["", "a", "b", "A_b", "5%", "é"]
words = st.sampled_from(WORDS[1:])
dates = st.sampled_from(
    ["2026-02-27", "2026-02-28", "2026-02-28T12:00:00Z", 1_772_236_800, "2026-03-01T00:00:00+02:00"]
)
scalars = st.one_of(words, st.integers(-2, 3), st.booleans(), st.sampled_from([1.5, "1", "true", "-1"]))
keys = st.sampled_from(["k", "x.y", r"x\.y", "l", "l.0", "none"])


def one_of_operators(operators: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    conditions = st.one_of(*(st.fixed_dictionaries({name: values}) for name, values in operators.items()))
    return st.one_of(
        conditions, st.lists(conditions, min_size=2, max_size=2).map(lambda pair: {**pair[0], **pair[1]})
    )


equality = {
    "eq": words,
    "ne": words,
    "in": st.lists(words, max_size=3),
    "nin": st.lists(words, max_size=3),
    "exists": st.booleans(),
}
order = dict.fromkeys(("gt", "gte", "lt", "lte", "eq", "ne"), dates)
metadata = {
    **dict.fromkeys(("eq", "ne"), scalars),
    **dict.fromkeys(("in", "nin"), st.lists(scalars, max_size=3)),
    **dict.fromkeys(("gt", "gte", "lt", "lte"), st.one_of(st.integers(-2, 3), words)),
    "contains": scalars,
    "icontains": words,
    "exists": st.booleans(),
}
categories = {**equality, "all": st.lists(words, max_size=2), "contains": words}
entity = st.one_of(words, st.just("*"), st.none(), one_of_operators(equality))
leaves = st.one_of(
    *(st.fixed_dictionaries({name: entity}) for name in ("app_id", "run_id", "speaker")),
    *(
        st.fixed_dictionaries({name: st.one_of(dates, one_of_operators(order))})
        for name in ("timestamp", "created_at")
    ),
    st.fixed_dictionaries(
        {"expiration_date": st.one_of(dates, st.none(), st.just("*"), one_of_operators(order))}
    ),
    st.fixed_dictionaries({"categories": st.one_of(words, one_of_operators(categories))}),
    st.fixed_dictionaries(
        {"keywords": st.one_of(words, one_of_operators({"contains": words, "icontains": words}))}
    ),
    st.dictionaries(
        keys, st.one_of(scalars, st.none(), one_of_operators(metadata)), min_size=1, max_size=2
    ).map(lambda conditions: {"metadata": conditions}),
)
filters = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"AND": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"OR": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"NOT": st.one_of(inner, st.lists(inner, min_size=1, max_size=2))}),
        st.tuples(inner, inner).map(lambda pair: {**pair[0], **pair[1]}),
    ),
    max_leaves=6,
)
documents = st.dictionaries(
    st.sampled_from(["k", "x", "x.y", "l", "none"]),
    st.one_of(scalars, st.none(), st.lists(scalars, max_size=2), st.dictionaries(st.just("y"), scalars)),
    max_size=3,
)
moments = st.integers(0, 60).map(lambda hours: DAY + timedelta(hours=hours))
rows = st.fixed_dictionaries(
    {
        "category": st.sampled_from(WORDS),
        "labels": st.lists(words, max_size=2),
        "metadata": documents,
        "app_id": st.sampled_from(WORDS),
        "run_id": st.sampled_from(WORDS),
        "speaker": st.sampled_from(WORDS),
        "said_at": moments,
        "created_at": moments,
        "expires_at": st.one_of(st.none(), moments),
        "text": st.lists(words, min_size=1, max_size=3).map(" ".join),
    }
)


@pytest.mark.django_db
@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(given_filter=filters, contents=st.lists(rows, min_size=1, max_size=6))
def test_the_database_agrees_with_the_evaluator(
    alice: Person, given_filter: Any, contents: list[dict[str, Any]]
) -> None:
    node = parse_filter(given_filter)
    principal = alice.principal
    with workspace_scope(alice.workspace):
        Fact.objects.all().delete()
        facts = Fact.objects.bulk_create(
            Fact(
                workspace=alice.workspace, agent=alice.agent, scope=Scope.PERSONAL, owner_key=principal.owner_key,
                text_key=str(number), importance=0.5, origin="api", **content,
            )
            for number, content in enumerate(contents)
        )  # fmt: skip
        condition = compile_filter(node)
        found = {fact.pk for fact in Fact.objects.visible_to(principal).filter(condition)}
        missed = {fact.pk for fact in Fact.objects.visible_to(principal).filter(~Q(condition))}
    assert found == {fact.pk for fact in facts if matches(node, fact)}
    assert missed == {fact.pk for fact in facts} - found
