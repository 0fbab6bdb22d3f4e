"""The first run as a newcomer sees it: five screens, each sound, to the first thing kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import Visitor
from tests.browser.test_views import faults

PASSWORD = "a lighthouse in fog"


@pytest.mark.parametrize(
    ("width", "theme"),
    [("desk", "light"), pytest.param("phone", "dark", marks=pytest.mark.long)],
)
def test_a_newcomer_reaches_the_first_thing_kept(
    visit: Callable[..., Visitor], width: str, theme: str
) -> None:
    visitor = visit(width=width, theme=theme)
    page, wrong = visitor.page, []

    def look(step: str) -> None:
        wrong.extend(f"{step}: {fault}" for fault in faults(page))
        if visitor.scrolls_sideways():
            wrong.append(f"{step}: scrolls sideways")

    page.goto("/")
    look("account")
    page.get_by_label("User name").fill("mei")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill("Harbour Logistics")
    assert page.get_by_label("Time zone").input_value()
    look("workspace")
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill("Dispatch")
    look("agent")
    page.get_by_role("button", name="Continue").click()
    look("say")
    page.get_by_role("button", name="See what is kept").click()
    page.get_by_role("heading", level=2, name="Kept").wait_for()
    page.locator(".kept-list a").first.click()
    page.locator(".mark.chosen").first.wait_for()
    look("kept")
    page.get_by_role("link", name="Looks right, continue").click()
    look("done")
    page.get_by_role("link", name="Open the overview").click()
    page.wait_for_url("**/a/dispatch/overview/")
    assert not wrong, "\n".join(wrong)
    assert visitor.complaints == []
