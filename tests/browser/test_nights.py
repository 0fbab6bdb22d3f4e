"""Nights and decisions in a real browser: the inbox from the keyboard, a dream one watches, the card above the talk."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import expect

from memoryapp.jobs import drain
from memoryapp.models import Contradiction, Fact
from tenants.scoping import workspace_scope
from tests.dashboard.nights import LINE, lived_night, waiting_facts
from tests.lifecycle.nights import Memory, offline_rules


def statuses(alice: Any, *facts: Fact) -> list[str]:
    with workspace_scope(alice.workspace):
        known = dict(Fact.objects.filter(pk__in=[fact.pk for fact in facts]).values_list("pk", "status"))
    return [known[fact.pk] for fact in facts]


def press(page: Any, key: str) -> None:
    """Press a key once the page's script listens."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def test_the_inbox_is_worked_off_from_the_keyboard(visit: Any, alice: Any) -> None:
    lived_night(alice)
    calls, fridays, bees = waiting_facts(
        alice, "Alice may prefer calls", "Alice seems to work on Fridays", "Alice may keep bees"
    )
    visitor = visit(alice)
    page = visitor.page
    press(page, "g")
    press(page, "i")
    expect(page.get_by_role("heading", name="Which of these holds?")).to_be_visible()
    press(page, "b")
    expect(page.get_by_text("B stays, A has ended.")).to_be_visible()
    press(page, "u")
    expect(page.get_by_text("Both facts are as they were.")).to_be_visible()
    press(page, "i")
    expect(page.get_by_role("heading", name="Should this be remembered?")).to_be_visible()
    press(page, "y")
    expect(page.get_by_text("Approved. It counts from now on.")).to_be_visible()
    press(page, "j")
    expect(page.get_by_label("Fact", exact=True)).to_have_value("Alice may keep bees")
    press(page, "n")
    expect(page.get_by_text("Declined. It will not be proposed again.")).to_be_visible()
    press(page, "e")
    expect(page.get_by_label("Fact", exact=True)).to_be_focused()
    assert statuses(alice, calls, fridays, bees) == ["active", "pending", "forgotten"]
    with workspace_scope(alice.workspace):
        assert Contradiction.objects.get().resolution == "IGNORE"
    assert visitor.complaints == []


def test_a_dream_is_started_watched_and_followed_to_its_line(visit: Any, alice: Any) -> None:
    memory = Memory(alice)
    for back in range(3):
        memory.note(timezone.localdate() - timedelta(days=back), LINE)
    visitor = visit(alice)
    page = visitor.page
    page.goto(f"/w/{alice.workspace.slug}/a/juno/dreams/")
    page.get_by_role("button", name="Dream now").first.click()
    expect(page.get_by_text("Dreaming.")).to_be_visible()
    with offline_rules():
        drain()
    expect(page.get_by_text("The dream is over.")).to_be_visible()
    page.get_by_role("link", name=re.compile("MEMORY.md")).first.click()
    expect(page.get_by_role("heading", name=LINE)).to_be_visible()
    page.get_by_role("link", name=re.compile("Kept by the dream of")).click()
    page.get_by_role("button", name="Revert").click()
    expect(page.get_by_text("Taken back. The line is as it was before that night.")).to_be_visible()
    assert LINE not in memory.text()
    assert visitor.complaints == []


def test_the_morning_card_is_judged_above_the_talk(visit: Any, alice: Any) -> None:
    lived_night(alice)
    visitor = visit(alice, width="phone")
    page = visitor.page
    page.goto(f"/w/{alice.workspace.slug}/a/juno/playground/?new=1")
    card = page.get_by_role("region", name="Since you were last here")
    item = card.get_by_role("listitem").filter(has_text=LINE)
    item.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Better words").fill("Oat milk in every coffee, always")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Dreams leave your words alone.")).to_be_visible()
    assert "- Oat milk in every coffee, always" in Memory(alice).text()
    page.get_by_role("button", name="Put the card away").click()
    expect(page.get_by_text("Put away.")).to_be_visible()
    expect(card.get_by_role("list")).to_have_count(0)
    assert visitor.complaints == []
