"""The recall debugger: the engine's own order with its reasons, and why a fact is not in it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.actions.fact_lifecycle import supersede_fact
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import Fact
from memoryapp.retrieval.indexing import embed_missing
from tenants.models import Membership, Role
from tenants.owners import TEST_CHANNEL
from tests.conftest import Person
from tests.dashboard.conftest import Pages

QUESTION = "when does the Monday summary go out"


def ask(pages: Pages, **query: object) -> Any:
    return pages.client.get(pages.agent("recall/"), {"q": QUESTION, **query})


@pytest.fixture
def known(alice: Person, fact: Fact) -> dict[str, Fact]:
    """Alice's facts: one that fits, others around it, one that was superseded and one that expired."""

    def add(text: str, **more: Any) -> Fact:
        new = NewFact(text=text, category="preference", **more)
        return add_fact(principal=alice.principal, agent=alice.agent, new=new).fact

    add("Ops summaries are plain text.")
    add("The harbour cat sleeps on the crane.", metadata={"source": "tour"})
    old, new = add("Monday summary every day at six."), add("Monday summary once a week at eight.")
    supersede_fact(principal=alice.principal, old=old, new=new)
    gone = add("Monday summary by fax.", expires_at=timezone.now() + timedelta(hours=1))
    embed_missing(alice.workspace)
    return {"fits": fact, "old": old, "new": new, "gone": gone}


def test_the_arms_stand_beside_the_engines_order(pages: Pages, known: dict[str, Fact]) -> None:
    response = ask(pages, k="3")
    shown = response.context["shown"]
    html = response.content.decode()
    assert [arm.title for arm in shown.arms] == ["Words", "Meaning", "Context"]
    assert len(shown.results) == 3
    assert shown.beyond
    assert shown.results[0].score >= shown.results[-1].score > 0
    assert [bar.label for bar in shown.times][:1] == ["Words"]
    assert "After the 3 that were asked for" in html
    assert "Why not this one?" in html


def test_the_address_holds_the_question_and_its_limits(pages: Pages, known: dict[str, Fact]) -> None:
    wanted = json.dumps({"metadata": {"source": "tour"}})
    response = ask(pages, filter=wanted, least="0.9", at="2026-06-11T08:00", **{"in": "facts"})
    html = response.content.decode()
    assert "&quot;source&quot;: &quot;tour&quot;" in html
    assert 'value="2026-06-11T08:00"' in html
    assert "below the minimum score of 0.90" in html
    assert [row.text for row in response.context["shown"].below] == ["The harbour cat sleeps on the crane."]


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ({"filter": '{"categorie": "x"}'}, "filter", "Unknown filter field “categorie”"),
        ({"filter": '{"AND": []}'}, "filter", "AND must not be empty."),
        ({"filter": "[1]"}, "filter", "A filter is an object, not a list."),
        ({"filter": '{"category"\n'}, "filter", "This is not JSON: line 1, character 12."),
        ({"filter": "[" * 5000}, "filter", "This is nested too deep."),
        ({"filter": '{"nope": 1}', "q": ""}, "filter", "Unknown filter field “nope”"),
        ({"k": "many"}, "k", "A whole number from 1 to 50."),
        ({"k": "51"}, "k", "A whole number from 1 to 50."),
        ({"least": "nan"}, "least", "A number from 0 to 1."),
        ({"at": "yesterday"}, "at", "A date and a time"),
        ({"at": "9999-12-31T23:59"}, "at", "A date and a time"),
    ],
)
def test_what_cannot_be_read_is_said_at_its_place(
    query: dict[str, str], field: str, says: str, pages: Pages
) -> None:
    response = ask(pages, **query)
    assert response.status_code == 400
    assert says in response.context["asking"].errors[field]
    assert f'id="{field}-error"' in response.content.decode()


@pytest.mark.parametrize(
    ("name", "query", "says"),
    [
        ("old", {}, "It was superseded"),
        ("gone", {"at": "2099-01-01T00:00"}, "It expired"),
        ("fits", {"filter": '{"AND": [{"scope": "TEAM"}]}'}, "The filter leaves it out:"),
        ("fits", {}, "It is result"),
        ("fits", {"least": "1", "q": "who reads ops reports"}, "below the minimum that was asked for."),
        ("new", {"k": "1", "q": "harbour cat"}, "and 1 were asked for."),
    ],
)
def test_a_fact_is_followed_to_where_it_stopped(
    name: str, query: dict[str, str], says: str, pages: Pages, known: dict[str, Fact]
) -> None:
    why = ask(pages, why=str(known[name].pk), **query).context["why"]
    assert says in why.answers[-1].says
    assert [answer.passed for answer in why.answers[:-1]] == [True] * (len(why.answers) - 1)


def test_some_words_name_a_fact_or_several(pages: Pages, known: dict[str, Fact]) -> None:
    assert ask(pages, why="by fax").context["why"].fact == known["gone"]
    assert {fact.pk for fact in ask(pages, why="Monday summary").context["why"].choices} >= {
        known["old"].pk,
        known["new"].pk,
    }
    assert (
        "There is no fact with these words that you may read here."
        in ask(pages, why="zebra").content.decode()
    )


def test_nobody_debugs_anothers_memory(pages: Pages, bob: Person, known: dict[str, Fact]) -> None:
    bobs = Pages(bob)
    assert ask(bobs, **{"as": known["fits"].owner_key}).status_code == 404
    assert ask(pages, **{"as": bob.principal.owner_key}).status_code == 404
    assert ask(pages, **{"as": "api:ann"}).status_code == 404
    told = ask(bobs, why=str(known["fits"].pk))
    assert told.context["why"].is_unknown
    assert "Alice wants" not in told.content.decode()


def test_a_test_end_user_is_everybodys(pages: Pages, alice: Person, bob: Person) -> None:
    tester = alice.principal.acting_as("max", TEST_CHANNEL)
    add_fact(principal=tester, agent=alice.agent, new=NewFact(text="Max reads the Monday summary."))
    assert "Max reads the Monday" in ask(Pages(bob), **{"as": "test:max"}).content.decode()
    assert "Max reads the Monday" not in ask(pages).content.decode()
    Membership.objects.filter(user=bob.user).update(role=Role.VIEWER)
    assert ask(Pages(bob), **{"as": "test:max"}).status_code == 404
