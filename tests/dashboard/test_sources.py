"""The page of memory sources: how each is doing, and the one that needs an address."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.providers.breaker import breaker_of, reset_breakers
from memoryapp.providers.mem0 import mem0_settings
from tenants.models import Workspace
from tests.conftest import Person
from tests.dashboard.conftest import Pages

FORM = {
    "base_url": "https://93.184.215.14/v1",
    "search_enabled": "on",
    "max_results": "7",
    "timeout_ms": "900",
}


def reloaded(who: Person) -> Workspace:
    return Workspace.objects.get(pk=who.workspace.pk)


def test_an_address_and_a_key_are_kept_and_the_key_is_not_shown(pages: Pages, alice: Person) -> None:
    page = pages.workspace("settings/sources/")
    assert pages.client.post(page, {**FORM, "api_key": "hidden-words"}).status_code == 302
    known = mem0_settings(reloaded(alice))
    assert (known.base_url, known.api_key, known.max_results) == (FORM["base_url"], "hidden-words", 7)
    assert (known.search_enabled, known.sync_enabled, known.timeout_ms) == (True, False, 900)
    html = pages.client.get(page).content.decode()
    assert FORM["base_url"] in html
    assert "hidden-words" not in html

    pages.client.post(page, FORM)
    assert mem0_settings(reloaded(alice)).api_key == "hidden-words"


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "ftp://x.example.org"},
        {"base_url": "http://127.0.0.1:1"},
        {"max_results": "0"},
        {"timeout_ms": "x"},
    ],
)
def test_what_cannot_be_used_is_refused_where_it_was_written(
    pages: Pages, alice: Person, wrong: dict[str, Any]
) -> None:
    answer = pages.client.post(pages.workspace("settings/sources/"), {**FORM, **wrong})
    assert answer.status_code == 400
    assert 'class="error"' in answer.content.decode()
    assert mem0_settings(reloaded(alice)).base_url == ""


def test_one_that_keeps_failing_is_seen(pages: Pages, settings: Any) -> None:
    settings.MEMORY_PROVIDERS = ["files", "structured", "facts", "mem0"]
    settings.MEM0_BASE_URL = "http://127.0.0.1:1"
    for _ in range(3):
        breaker_of("mem0", "prefetch").failed("ConnectError")
    try:
        html = pages.client.get(pages.workspace("settings/sources/")).content.decode()
    finally:
        reset_breakers()
    assert "left alone for half a minute" in html
    assert "ConnectError" in html
    assert "3 failed" in html
