"""What waits for one's word: pairs that disagree, facts to review, a new persona; each decision can be taken back."""

from __future__ import annotations

import re

import pytest

from memoryapp.actions.soul import current_soul
from memoryapp.models import Contradiction, Fact
from tenants.scoping import workspace_scope
from tests.dashboard.conftest import Pages
from tests.dashboard.nights import lived_night, waiting_facts

EIGHT, TEN = "The shop opens at 8 in the morning", "The shop opens at 10 in the morning"


@pytest.fixture
def night(alice):
    return lived_night(alice)


def text(pages, path=""):
    return pages.client.get(pages.agent(f"inbox/{path}")).content.decode()


def post(pages, path, **fields):
    return pages.client.post(pages.agent(f"inbox/{path}"), fields, follow=True).content.decode()


def standing(person):
    with workspace_scope(person.workspace):
        facts = Fact.objects.owned_by(person.principal).filter(text__contains="shop opens").current()
        return sorted(facts.values_list("text", flat=True))


def status_of(person, fact):
    with workspace_scope(person.workspace):
        return Fact.objects.get(pk=fact.pk).status


def test_the_pair_is_shown_with_both_sides_and_what_differs(pages, night):
    html = text(pages)
    assert "<mark>8</mark>" in html
    assert "<mark>10</mark>" in html
    assert "1 of 2" in html
    assert f"{TEN} (before: {EIGHT})" in html
    assert '<span class="count">2' in html, "the pair and the persona"


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("KEEP_A", [EIGHT]),
        ("KEEP_B", [TEN]),
        ("IGNORE", [TEN, EIGHT]),
        ("MERGE", ["The shop opens later now"]),
    ],
)
def test_each_resolution_edits_and_can_be_undone(pages, night, alice, choice, left):
    path = f"contradictions/{night.pair.pk}/"
    html = post(pages, f"{path}resolve/", do=choice, text="The shop opens later now")
    assert f"inbox/{path}undo/" in html, "the toast takes it back"
    assert standing(alice) == sorted(left)
    assert "This was decided" in text(pages, path)
    assert "was decided already" in post(pages, f"{path}resolve/", do="KEEP_B")
    post(pages, f"{path}undo/")
    assert standing(alice) == [TEN, EIGHT]
    with workspace_scope(alice.workspace):
        assert Contradiction.objects.get().resolution == "open"


def test_an_unknown_choice_changes_nothing(pages, night, alice):
    post(pages, f"contradictions/{night.pair.pk}/resolve/", do="BOTH")
    assert standing(alice) == [TEN, EIGHT]


def test_a_review_is_approved_declined_edited_and_taken_back(pages, alice):
    phone, friday = waiting_facts(alice, "Alice may prefer calls", "Alice seems to work on Fridays")
    html = text(pages)
    assert "Should this be remembered?" in html
    assert "Most similar known fact" in html
    post(pages, f"reviews/{phone.pk}/decide/", do="edit", text="Alice prefers calls")
    assert status_of(alice, phone) == "pending"
    html = post(pages, f"reviews/{phone.pk}/decide/", do="approve", text="Alice prefers calls")
    assert status_of(alice, phone) == "active"
    assert f"reviews/{phone.pk}/decide/?do=undo" in html
    assert "Fridays" in html, "the next one comes by itself"
    post(pages, f"reviews/{phone.pk}/decide/?do=undo")
    assert status_of(alice, phone) == "pending"
    post(pages, f"reviews/{friday.pk}/decide/", do="decline")
    assert status_of(alice, friday) == "forgotten"
    post(pages, f"reviews/{friday.pk}/decide/?do=undo")
    assert status_of(alice, friday) == "pending"


def test_several_reviews_are_decided_at_once(pages, alice, bob):
    mine = waiting_facts(alice, "Alice reads maps", "Alice keeps bees")
    theirs = waiting_facts(bob, "Bob keeps goats")
    ids = [str(fact.pk) for fact in [*mine, *theirs]]
    html = post(pages, "reviews/decide/", do="approve", fact=ids)
    assert "2 approved." in html
    assert "1 could not be decided." in html
    assert [status_of(alice, fact) for fact in [*mine, *theirs]] == ["active", "active", "pending"]


def test_a_persona_is_accepted_by_a_member_only(pages, night, alice, vera):
    path = f"personas/{night.persona.pk}/"
    assert "Calm and brief." in text(pages, path)
    assert (
        Pages(vera).client.post(Pages(vera).agent(f"inbox/{path}decide/"), {"do": "accept"}).status_code
        == 403
    )
    html = post(pages, f"{path}decide/", do="accept")
    # A workspace's own SOUL.md has moved on since the proposal was written for version 1 of another text.
    assert "SOUL.md" in html
    soul, _version = current_soul(alice.principal, alice.agent)
    assert "Calm and brief." in soul


def test_what_is_somebody_elses_waits_for_them(bob, night, alice):
    fact = waiting_facts(alice, "Alice keeps bees")[0]
    pages = Pages(bob)
    assert "shop opens" not in text(pages)
    for path in (f"contradictions/{night.pair.pk}/", f"reviews/{fact.pk}/"):
        assert pages.client.get(pages.agent(f"inbox/{path}")).status_code == 404
    assert (
        pages.client.post(
            pages.agent(f"inbox/contradictions/{night.pair.pk}/resolve/"), {"do": "KEEP_A"}
        ).status_code
        == 404
    )


def test_nothing_waiting_is_said(pages):
    assert "All done" in text(pages)


def test_more_than_are_listed_are_told_and_follow(pages, night, alice, monkeypatch):
    waiting_facts(alice, "Alice may prefer calls", "Alice seems to work on Fridays", "Alice might move")
    monkeypatch.setattr("memoryapp.dashboard.inbox.listing.SHOWN", 2)
    html = text(pages)
    assert "<span>2+</span>" in html
    assert "More wait; they follow when these are decided." in html
    first, second = re.findall(r'name="fact" value="([^"]+)"', html)
    html = post(pages, "reviews/decide/", do="approve", fact=[first, second])
    assert "More wait" not in html
    assert html.count('name="fact" value=') == 1
