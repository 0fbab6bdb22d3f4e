"""A program is connected while somebody watches, and another product's notes come in by the dialog."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.models import Fact
from tenants.scoping import workspace_scope
from tests.browser.conftest import Visitor
from tests.conftest import Person
from tests.snapshot.crafted import Entry, archive

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

TOKEN = re.compile(r"map_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}")


def test_the_light_turns_green_with_the_first_call(
    visit: Callable[..., Visitor], site: str, alice: Person
) -> None:
    visitor = visit(alice)
    page = visitor.page
    page.goto("/w/harbour/connect/?client=mem0-python")
    page.get_by_role("button", name="Make a token").click()
    light = page.locator("#light")
    light.get_by_text("waiting for your first call").wait_for()
    (token,) = set(TOKEN.findall(page.content()))
    ping = urllib.request.Request(f"{site}/v1/ping/", headers={"Authorization": f"Token {token}"})  # noqa: S310
    with urllib.request.urlopen(ping) as answer:  # noqa: S310 - our own server on the loopback
        assert answer.status == 200
    light.get_by_text("has made its first call").wait_for()
    assert visitor.complaints == []


def test_notes_of_another_product_are_looked_at_and_taken(
    visit: Callable[..., Visitor], alice: Person, tmp_path: Any
) -> None:
    vault = tmp_path / "vault.zip"
    vault.write_bytes(archive(Entry("Coffee.md", b"# Coffee\n- [method] Pour over is clearer #brewing\n")))
    visitor = visit(alice, width="phone")
    page = visitor.page
    page.goto("/w/harbour/a/juno/files/")
    page.get_by_role("button", name="Import").click()
    page.get_by_label("What is it?").select_option("basic-memory")
    page.get_by_label("The file").set_input_files(vault)
    page.get_by_label("As your own memory").check()
    page.get_by_role("button", name="Show what would change").click()
    page.get_by_text("Coffee: Pour over is clearer").wait_for()
    assert not visitor.scrolls_sideways()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Imported 1 file and 1 fact.").wait_for()
    with workspace_scope(alice.workspace):
        assert Fact.objects.get(workspace=alice.workspace).owner_key == alice.principal.owner_key
    assert visitor.complaints == []
