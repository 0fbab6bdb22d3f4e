"""The fact list with very many of them: what it shows is right, and what it does not count it does not claim to."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.dashboard import counting, known, newest
from memoryapp.dashboard.facts.filters import TRUSTS
from memoryapp.models import Fact
from memoryapp.retrieval.indexing import prepare_rows
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages
from tests.dashboard.test_fact_list import add, listed

FEW = 60


def store(person: Person, amount: int, **given: Any) -> list[Fact]:
    """Facts past the doors that would embed each."""
    own = {
        "scope": Scope.PERSONAL,
        "owner_key": person.principal.owner_key,
        "importance": 0.5,
        "origin": "api",
    }
    place = {"workspace": person.workspace, "agent": person.agent, **own, **given}
    facts = [
        Fact(**place, text=f"The heron number {number} wades.", text_key=f"{given}{number}"[-64:])
        for number in range(amount)
    ]
    with workspace_scope(place["workspace"]):
        prepare_rows(facts)
        Fact.objects.bulk_create(facts)
    return facts


def said(pages: Pages, query: str = "") -> str:
    return pages.client.get(pages.agent(f"facts/{query}")).content.decode()


@pytest.fixture
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting ends at sixty."""
    for module in (counting, newest):
        monkeypatch.setattr(module, "MOST_COUNTED", FEW)


def test_beyond_what_is_counted_it_says_so(pages: Pages, alice: Person, low_limit: None) -> None:
    facts = store(alice, 3 * FEW)
    oldest_first = sorted(fact.pk for fact in facts)
    assert f"{FEW}+ facts you can see" in said(pages)
    assert f"1 to 50 of {FEW}+" in said(pages)
    assert f"51 to 100 of {FEW}+" in said(pages, f"?before={oldest_first[-50]}")
    assert f"beyond the first {FEW}<" in said(pages, f"?before={oldest_first[70]}")


def test_a_search_that_may_have_more_says_so(pages: Pages, alice: Person) -> None:
    store(alice, FEW)
    assert "50+ facts match" in said(pages, "?q=heron")
    assert len(listed(pages, "?q=heron")) == 50
    add(alice, "Quarries open late.")
    assert "1 fact matches" in said(pages, "?q=quarries")


def test_charts_of_the_newest_say_so(pages: Pages, alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    store(alice, FEW)
    address = pages.agent("overview/charts/")
    assert "Of the newest" not in pages.client.get(address).content.decode()
    monkeypatch.setattr(known, "MOST_CHARTED", 20)
    html = pages.client.get(address).content.decode()
    assert "Of the newest 20 facts." in html
    assert '<td class="number">20</td>' in html


def test_all_that_one_may_see_is_listed_once_and_in_order(pages: Pages, alice: Person, bob: Person) -> None:
    at_once: dict[str, Any] = {"created_at": timezone.now()}
    mine = store(alice, 20, **at_once)
    store(alice, 20, **at_once, owner_key=bob.principal.owner_key)
    ours = store(alice, 20, **at_once, scope=Scope.TEAM, owner_key="")
    expected = sorted((str(fact.pk) for fact in [*mine, *ours]), reverse=True)
    assert listed(pages) == expected
    assert listed(pages, "?scope=TEAM") == [key for key in expected if key in {str(each.pk) for each in ours}]
    assert listed(pages, "?scope=GLOBAL") == []
    assert listed(pages, f"?before={expected[9]}") == expected[10:]
    assert listed(pages, f"?after={expected[10]}") == expected[:10]


def test_a_filter_by_trust_agrees_with_every_facts_own(pages: Pages, alice: Person) -> None:
    now = timezone.now()
    for helpful, unhelpful, pinned, source in product((0, 2, 5), (0, 1), (False, True), Fact.SOURCE_TRUST):
        for days in (0, 29, 43, 46, 80, 200):
            store(
                alice,
                1,
                helpful_count=helpful,
                unhelpful_count=unhelpful,
                pinned=pinned,
                attributed_to=source,
                confirmed_at=now - timedelta(days=days),
            )
    with workspace_scope(alice.workspace):
        trusted = {str(fact.pk): fact.trust for fact in Fact.objects.all()}
    for name, (_label, low, high) in TRUSTS.items():
        expected = sorted((key for key, trust in trusted.items() if low <= trust < high), reverse=True)
        shown: list[str] = []
        while page := listed(pages, f"?trust={name}" + (f"&before={shown[-1]}" if shown else "")):
            if page[0] in shown:
                break
            shown += page
        assert shown == expected, name
