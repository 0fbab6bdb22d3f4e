"""The fact list: filters and pages in the address, every match reachable, rows told apart by id."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import Fact
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages

ROW = re.compile(r'id="fact-([0-9a-f-]{36})"')


def add(person: Person, text: str, **more: Any) -> Fact:
    return add_fact(principal=person.principal, agent=person.agent, new=NewFact(text=text, **more)).fact


def listed(pages: Pages, query: str = "") -> list[str]:
    return ROW.findall(pages.client.get(pages.agent(f"facts/{query}")).content.decode())


def link(pages: Pages, query: str, word: str) -> str | None:
    html = pages.client.get(pages.agent(f"facts/{query}")).content.decode()
    found = re.search(rf'<a class="button small" href="([^"]+)">{word}</a>', html)
    return found[1].replace("&amp;", "&") if found else None


@pytest.fixture
def many(alice: Person) -> list[str]:
    """120 facts, of which 45 are rules, newest first."""
    for number in range(120):
        add(alice, f"Statement number {number}.", category="rule" if number < 45 else "preference")
    with workspace_scope(alice.workspace):
        rows = Fact.objects.visible_to(alice.principal).order_by("-pk").values_list("pk", flat=True)
        return [str(key) for key in rows]


def test_every_page_can_be_reached_and_back(pages: Pages, many: list[str]) -> None:
    first = listed(pages)
    older = link(pages, "", "Older")
    assert older is not None
    second = listed(pages, older)
    oldest = link(pages, older, "Older")
    assert oldest is not None
    third = listed(pages, oldest)
    assert first + second + third == many
    assert link(pages, oldest, "Older") is None
    newer = link(pages, oldest, "Newer")
    assert newer is not None
    assert listed(pages, newer) == second
    assert "51 to 100 of 120" in pages.client.get(pages.agent(f"facts/{older}")).content.decode()


def test_a_filtered_list_counts_all_and_survives_a_removal(
    pages: Pages, alice: Person, many: list[str]
) -> None:
    html = pages.client.get(pages.agent("facts/?category=rule")).content.decode()
    assert "45 of the 120 you can see match" in html
    rules = listed(pages, "?category=rule")
    assert len(rules) == 45
    back = pages.agent("facts/?category=rule")
    pages.client.post(pages.agent(f"facts/{rules[-1]}/forget/"), {"next": back})
    assert "44 of the 119" in pages.client.get(back).content.decode()
    assert listed(pages, "?category=rule") == rules[:-1]


def test_a_page_whose_rows_are_gone_falls_back_to_the_first(pages: Pages, many: list[str]) -> None:
    assert listed(pages, f"?before={many[-1]}") == many[:50]
    assert listed(pages, "?before=no-id") == many[:50]


def test_an_action_hits_the_row_it_was_pressed_on(pages: Pages, alice: Person) -> None:
    a, b, c = (add(alice, f"Entry {name}.") for name in "ABC")
    d = add(alice, "Entry D, which came in between.")
    pages.client.post(pages.agent(f"facts/{b.pk}/forget/"))
    assert listed(pages) == [str(row.pk) for row in (d, c, a)]


def test_filters_narrow_and_chips_lead_out_again(pages: Pages, alice: Person) -> None:
    rule = add(alice, "Mine, a rule.", category="rule")
    shared = add(alice, "Ours, a rule.", category="rule", scope=Scope.TEAM)
    add(alice, "Mine, a wish.", category="preference")
    waiting = add(alice, "Doubtful.", category="rule", pending=True)
    assert listed(pages, "?category=rule&scope=TEAM") == [str(shared.pk)]
    assert listed(pages, "?category=rule&scope=PERSONAL") == [str(rule.pk)]
    assert listed(pages, "?status=pending") == [str(waiting.pk)]
    assert len(listed(pages, "?status=all")) == 4
    assert len(listed(pages, "?status=nonsense&scope=nonsense&trust=nonsense")) == 3
    html = pages.client.get(pages.agent("facts/?category=rule&scope=TEAM")).content.decode()
    assert 'href="?scope=TEAM" aria-label="Remove the filter Category"' in html


def test_trust_filters_agree_with_the_facts_own_trust(pages: Pages, alice: Person) -> None:
    fresh = add(alice, "Fresh.")
    old = add(alice, "Old.")
    with workspace_scope(alice.workspace):
        Fact.objects.filter(pk=old.pk).update(confirmed_at=timezone.now() - timedelta(days=70))
        trusted = {str(fact.pk): fact.trust for fact in Fact.objects.visible_to(alice.principal)}
    assert trusted[str(old.pk)] < 0.3 < trusted[str(fresh.pk)]
    assert listed(pages, "?trust=low") == [str(old.pk)]
    assert listed(pages, "?trust=high") == []


def test_nothing_after_a_filter_says_how_much_is_hidden(pages: Pages, alice: Person) -> None:
    add(alice, "Known.")
    html = pages.client.get(pages.agent("facts/?category=decision")).content.decode()
    assert "Nothing matches this filter" in html
    assert "1 fact is hidden by it." in html
    assert "Clear all" in html


def test_first_use_leads_to_the_playground(pages: Pages) -> None:
    html = pages.client.get(pages.agent("facts/")).content.decode()
    assert "No facts yet" in html
    assert "Open playground" in html


def test_a_link_to_a_fact_shows_it_wherever_it_stands(pages: Pages, alice: Person, many: list[str]) -> None:
    oldest = many[-1]
    assert listed(pages, f"?open={oldest}")[0] == oldest
    assert "1 to 50 of 120" in pages.client.get(pages.agent(f"facts/?open={oldest}")).content.decode()
    assert listed(pages, f"?open={many[3]}") == many[:50]
    assert listed(pages, f"?open={oldest}&q=zygote") == [oldest]


def test_the_search_is_the_engines(pages: Pages, alice: Person) -> None:
    wanted = add(alice, "The Antwerp feeder closes at 11:30 on Monday.")
    add(alice, "Reports are written in plain text.")
    assert listed(pages, "?q=antwerp+feeder")[0] == str(wanted.pk)
    headers = {"HX-Request": "true", "HX-Target": "facts-results"}
    part = pages.client.get(pages.agent("facts/?q=antwerp"), headers=headers).content.decode()
    assert "<html" not in part
    assert 'hx-swap-oob="true"' in part


def test_a_search_lists_what_fits_and_not_whatever_there_is(pages: Pages, alice: Person) -> None:
    kept = add(alice, "The Antwerp feeder closes at 11:30 on Monday.")
    add(alice, "Reports are written in plain text.")
    assert listed(pages, "?q=antwerp") == [str(kept.pk)]
    assert listed(pages, "?q=zygote") == []
    assert 'role="option"' not in pages.client.get(pages.agent("facts/palette/?q=zygote")).content.decode()


def test_an_opened_row_tells_where_how_and_how_far(pages: Pages, fact: Fact) -> None:
    html = pages.client.get(pages.agent(f"facts/?open={fact.pk}")).content.decode()
    assert "<mark>Just send me one summary on Monday</mark>" in html
    assert "Added by you" in html
    assert "It falls below 0.30 on" in html
    assert "Trust over time" in html
    assert html.count("<polyline") == 1


def test_the_palette_shows_the_best_few(pages: Pages, alice: Person) -> None:
    for number in range(5):
        add(alice, f"The Antwerp feeder number {number} closes early.")
    html = pages.client.get(pages.agent("facts/palette/?q=antwerp")).content.decode()
    assert html.count('role="option"') == 3
    assert 'role="option"' not in pages.client.get(pages.agent("facts/palette/?q=")).content.decode()
