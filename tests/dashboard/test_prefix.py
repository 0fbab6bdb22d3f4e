"""Served below a path, as behind a proxy that has other things too: every address on every page stays below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import get_script_prefix, set_script_prefix

from memoryapp.dashboard import tags
from memoryapp.models import Conversation, Fact
from tests.conftest import PASSWORD, Person
from tests.dashboard.conftest import Pages

PREFIX = "/memory"
ADDRESS = re.compile(r"(?:href|src|action|hx-(?:get|post|put|delete))=\"(/[^\"]*)\"")
PAGES = (
    "a/juno/overview/",
    "a/juno/overview/?charts=1",
    "a/juno/playground/?c=weekly",
    "a/juno/facts/?open=FACT",
    "a/juno/facts/FACT/forget/",
    "a/juno/dreams/",
    "a/juno/dreams/schedule/",
    "a/juno/inbox/",
    "a/juno/recall/",
    "a/juno/files/shared/MEMORY.md?revisions=1",
    "a/juno/rules/",
    "agents/",
    "people/",
    "people/you/",
    "connect/",
    "usage/",
    "operations/",
    "settings/",
    "settings/model/",
    "settings/access/",
    "settings/audit/",
    "account/",
    "account/second-step/",
)


@pytest.fixture
def below_a_path(settings: Any) -> Iterator[None]:
    before = get_script_prefix()
    settings.FORCE_SCRIPT_NAME = PREFIX
    # The storage keeps the address that it was first asked for; setting it anew makes it ask again, before and after.
    settings.STORAGES = {**settings.STORAGES}
    set_script_prefix(PREFIX)
    tags.icon.cache_clear()
    tags.drawn.cache_clear()
    yield
    set_script_prefix(before)
    tags.icon.cache_clear()
    tags.drawn.cache_clear()


def strays(html: str) -> list[str]:
    return [found for found in ADDRESS.findall(html) if not found.startswith(f"{PREFIX}/")]


def test_no_address_on_a_page_leaves_it(
    below_a_path: None, pages: Pages, conversation: Conversation, fact: Fact
) -> None:
    wrong = {}
    for page in PAGES:
        answer = pages.client.get(pages.workspace(page.replace("FACT", str(fact.pk))))
        html = answer.content.decode()
        if answer.status_code != 200 or strays(html) or f'href="{PREFIX}/static/css/tokens.css"' not in html:
            wrong[page] = answer.status_code, strays(html)[:3]
    assert not wrong


def test_coming_in_and_going_stay_below_it(below_a_path: None, alice: Person) -> None:
    client, out = Client(), StringIO()
    assert client.get("/w/harbour/agents/").url.startswith("/memory/sign-in/?next=/memory/w/")  # type: ignore[attr-defined]
    assert not strays(client.get("/sign-in/").content.decode())
    inside = client.post("/sign-in/", {"username": "alice", "password": PASSWORD})
    assert inside.url == "/memory/"  # type: ignore[attr-defined]
    call_command("reset_link", "alice", stdout=out)
    assert out.getvalue().startswith("/memory/password/")
