"""The overview says what waits for somebody, what was dreamt last, and when the next dream comes."""

from __future__ import annotations

from datetime import timedelta

import time_machine
from django.utils import timezone

from memoryapp.jobs import drain, enqueue_dreams
from tests.conftest import Person
from tests.dashboard.conftest import Pages
from tests.dashboard.nights import lived_night, waiting_facts
from tests.lifecycle.nights import offline_rules


def text(pages: Pages, path: str = "overview/") -> str:
    return pages.client.get(pages.agent(path)).content.decode()


def test_it_tells_of_the_night_and_of_what_waits(pages: Pages, alice: Person) -> None:
    assert "Last dream" not in text(pages)
    night = lived_night(alice)
    waiting_facts(alice, "Alice may prefer calls")
    html = text(pages)
    assert "<b>1</b> contradiction</span>" in html
    assert "<b>1</b> fact to review</span>" in html
    assert "<b>1</b> proposal for its persona</span>" in html
    assert f"dreams/{night.dream.pk}/" in html
    assert "Last dream" in html
    assert 'class="moon"' in html
    with time_machine.travel(timezone.now() + timedelta(days=2), tick=False):
        pages.client.force_login(alice.user)
        assert 'class="moon"' not in text(pages), "the band is one day"


def test_a_dream_that_was_asked_for_has_a_line_though_it_found_nothing(pages: Pages, alice: Person) -> None:
    event = enqueue_dreams(principal=alice.principal, agent=alice.agent)
    with offline_rules():
        drain()
    html = text(pages, f"dreams/?job={event.pk}")
    assert "No dreams yet" not in html
    assert "A quiet night" in html
    assert "There are no notes of the last days and nothing was recalled." in html
