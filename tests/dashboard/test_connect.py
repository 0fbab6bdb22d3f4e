"""The page that connects a program: its lines, a token in them, a light that waits for the first call."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from memoryapp.dashboard.connections import CONNECTIONS
from tenants.models import AccessToken
from tests.conftest import Person
from tests.dashboard.conftest import Pages

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r"map_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}")


@pytest.mark.parametrize("name", [each.name for each in CONNECTIONS])
def test_every_program_has_its_lines_with_this_servers_address(pages: Pages, name: str) -> None:
    page = pages.client.get(pages.workspace(f"connect/?client={name}"))
    text = page.content.decode()
    assert page.status_code == 200
    assert "http://testserver" in text
    assert "YOUR_TOKEN" in text
    assert not TOKEN.search(text)
    assert "no token yet" in text


def test_a_token_is_made_shown_once_and_seen_at_work(pages: Pages, alice: Person) -> None:
    path = pages.workspace("connect/")
    made = pages.client.post(path, {"client": "mem0-python", "end_user": "ana"}).content.decode()
    (plain,) = {match.group() for match in TOKEN.finditer(made)}
    assert "waiting for your first call" in made
    assert not TOKEN.search(pages.client.get(path).content.decode())
    token = AccessToken.objects.get(name="mem0 for Python")
    assert (sorted(token.scopes), token.end_user) == (["memory:read", "memory:write"], "")
    light = pages.workspace(f"connect/light/?token={token.pk}")
    assert "waiting" in pages.client.get(light).content.decode()
    assert Client(headers={"Authorization": f"Token {plain}"}).get("/v1/ping/").status_code == 200
    after = pages.client.get(light).content.decode()
    assert "connected" in after
    assert "hx-trigger" not in after


def test_a_token_may_be_for_one_end_user_only(pages: Pages) -> None:
    pages.client.post(pages.workspace("connect/"), {"client": "openai", "end_user": "ana", "bind": "1"})
    token = AccessToken.objects.get(name="OpenAI's package")
    assert (token.end_user, "chat" in token.scopes) == ("ana", True)
    refused = pages.client.post(
        pages.workspace("connect/"), {"client": "openai", "end_user": "system", "bind": "1"}
    )
    assert refused.status_code == 400
    assert AccessToken.objects.filter(name="OpenAI's package").count() == 1


def test_nobody_sees_anothers_light(pages: Pages, stranger: Pages) -> None:
    pages.client.post(pages.workspace("connect/"), {"client": "curl"})
    token = AccessToken.objects.get(name="The native API")
    answer = stranger.client.get(stranger.workspace(f"connect/light/?token={token.pk}")).content.decode()
    assert "no token yet" in answer
    assert stranger.client.get(pages.workspace("connect/")).status_code == 404
