"""The page about secrets: patterns are tried before they are kept, and what got in is counted and purged."""

from __future__ import annotations

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.jobs import drain
from memoryapp.models import Fact
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages

KEY = "HARB" + "-KEY-" + "40718822"
PAGE, SCRUB = "/w/harbour/settings/secrets/", "/w/harbour/settings/secrets/scrub/"


def test_a_pattern_is_kept_and_what_got_in_before_is_counted_then_purged(alice: Person, pages: Pages) -> None:
    add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=f"The crane opens with {KEY}"))

    assert pages.client.post(PAGE, {"credential_patterns": "(\n"}).status_code == 400
    assert pages.client.post(PAGE, {"credential_patterns": "HARB-KEY-[0-9]{8}\n\n"}).status_code == 302
    assert "HARB-KEY-[0-9]{8}" in pages.client.get(PAGE).content.decode()

    pages.client.post(SCRUB, {"count": "yes"})
    waiting = pages.client.get(PAGE).content.decode()
    assert "Counting" in waiting
    assert "Purge now" not in waiting
    drain()
    assert "Would be masked" in pages.client.get(PAGE).content.decode()
    with workspace_scope(alice.workspace):
        assert KEY in Fact.objects.get().text

    pages.client.post(SCRUB)
    drain()
    purged = pages.client.get(PAGE).content.decode()
    assert "Masked" in purged
    assert KEY not in purged
    with workspace_scope(alice.workspace):
        assert KEY not in Fact.objects.get().text
