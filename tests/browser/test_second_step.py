"""Signing in in two steps, from the QR code to a code on paper, as somebody does it in a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import Visitor
from tests.browser.test_views import faults
from tests.conftest import PASSWORD, Person
from tests.dashboard.test_account import code_of


@pytest.mark.long
def test_a_second_step_is_set_up_and_passed(visit: Callable[..., Visitor], alice: Person) -> None:
    visitor = visit(alice, width="phone", theme="dark")
    page = visitor.page
    page.goto(f"/w/{alice.workspace.slug}/account/second-step/")
    page.get_by_label("Code", exact=True).fill(code_of(alice.user))
    page.get_by_role("button", name="Switch on").click()
    codes = page.locator(".paper-codes li").all_inner_texts()
    assert len(codes) == 10
    assert faults(page) == []
    assert not visitor.scrolls_sideways()

    page.get_by_role("link", name="I have kept them").click()
    assert "on since" in page.locator("main").inner_text()
    page.context.clear_cookies()
    page.goto("/sign-in/")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    assert faults(page) == []
    page.get_by_label("Code", exact=True).fill(codes[3])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/overview/")
    assert visitor.complaints == []
