"""An agent's memory moves from one deployment to another through the dashboard, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ops.installation import Installation, installed, wait_until

SAID = (
    "My name is Mira and I work as a harbour pilot.",
    "Remember: I prefer tea over coffee because coffee keeps me up.",
)


def sign_in(browser: Browser, product: Installation) -> Page:
    page = browser.new_context(base_url=product.login["url"]).new_page()
    page.goto("/sign-in/")
    page.get_by_label("User name").fill(product.login["username"])
    page.get_by_label("Password").fill(product.login["password"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/overview/")
    return page


def facts_shown(page: Page) -> str:
    page.goto("/w/demo/a/demo/facts/")
    return page.locator("main").inner_text()


@pytest.mark.long
def test_a_snapshot_moves_between_two_deployments(browser: Browser, tmp_path: Path) -> None:
    with installed(tmp_path / "old") as old, installed(tmp_path / "new") as new:
        old.start()
        new.start()
        here, there = sign_in(browser, old), sign_in(browser, new)
        here.goto("/w/demo/a/demo/playground/?new=1")
        for number, text in enumerate(SAID, start=1):
            here.get_by_role("textbox", name="Message to Demo").fill(text)
            here.get_by_role("button", name="Send", exact=True).click()
            # A reply that is being written is no prose yet, and who leaves the page then has said nothing.
            expect(here.locator(".message.assistant .prose")).to_have_count(number, timeout=30_000)
        wait_until(lambda: "tea" in facts_shown(here) and "pilot" in facts_shown(here), old.output)

        here.goto("/w/demo/a/demo/files/")
        with here.expect_download() as download:
            here.get_by_role("link", name="Export").click()
        archive = tmp_path / "memory.zip"
        download.value.save_as(archive)

        assert "tea" not in facts_shown(there)
        there.goto("/w/demo/a/demo/files/")
        there.get_by_role("button", name="Import").click()
        there.get_by_label("The file").set_input_files(archive)
        there.get_by_label("As your own memory").check()
        there.get_by_role("button", name="Show what would change").click()
        assert "Nothing has changed yet." in there.locator("main").inner_text()
        there.get_by_role("button", name="Import", exact=True).click()
        there.get_by_text("Imported").first.wait_for()

        moved = facts_shown(there)
        assert "tea" in moved
        assert "pilot" in moved
