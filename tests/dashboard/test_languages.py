"""The language of the pages: the browser's, until somebody chooses; a program's key is answered in English."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from memoryapp.models import Agent
from tenants.actions import update_workspace
from tenants.models import Profile
from tenants.scoping import workspace_scope
from tests.conftest import PASSWORD, Call, Person
from tests.dashboard.conftest import Pages

CHINESE = {"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"}
SIGN_IN = {"en": "Sign in", "zh-hans": "登录"}


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-hans"),
        ("zh", "zh-hans"),
        ("zh-Hans", "zh-hans"),
        ("zh-TW,zh;q=0.9", "zh-hans"),
        ("fr-CA,zh-CN;q=0.5", "zh-hans"),
        ("en-GB,zh;q=0.5", "en"),
        ("fr", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
@pytest.mark.usefixtures("alice")
def test_the_browser_chooses(client: Client, asked: str, spoken: str) -> None:
    response = client.get("/sign-in/", headers={"accept-language": asked})
    assert f"<h1>{SIGN_IN[spoken]}</h1>" in response.content.decode()
    assert f'<html lang="{spoken}"' in response.content.decode()
    assert response.headers["Content-Language"] == spoken
    assert {"Accept-Language", "Cookie"} <= set(response.headers["Vary"].split(", "))


@pytest.mark.usefixtures("alice")
def test_who_is_not_signed_in_chooses_for_this_browser(client: Client) -> None:
    chosen = client.post("/language/", {"language": "zh-hans", "next": "/sign-in/"})
    assert chosen.headers["Location"] == "/sign-in/"
    assert "登录" in client.get("/sign-in/", headers={"accept-language": "en"}).content.decode()
    client.post("/language/", {"language": "", "next": "/sign-in/"})
    assert "Sign in" in client.get("/sign-in/", headers={"accept-language": "en"}).content.decode()


def test_a_choice_goes_with_the_person_to_every_browser(pages: Pages, alice: Person) -> None:
    pages.client.post("/language/", {"language": "zh-hans", "next": pages.agent("overview/")})
    assert Profile.objects.get(user=alice.user).language == "zh-hans"
    elsewhere = Pages(alice).client
    assert "概览" in elsewhere.get(pages.agent("overview/")).content.decode()
    # From then on the pages that know nobody speak it too.
    elsewhere.post("/sign-out/")
    assert "登录" in elsewhere.get("/sign-in/").content.decode()


def test_a_language_that_there_is_not_and_a_foreign_address_are_refused(pages: Pages) -> None:
    assert pages.client.post("/language/", {"language": "tlh"}).status_code == 404
    away = pages.client.post("/language/", {"language": "en", "next": "https://evil.example/"})
    assert away.headers["Location"] == "/"


def test_a_refusal_is_told_in_the_readers_language_and_to_a_program_in_english(
    pages: Pages, alice: Person, call: Call
) -> None:
    taken = {"name": "Second", "slug": alice.agent.slug}
    page = pages.client.post(pages.workspace("agents/"), taken, headers=CHINESE)
    assert "此工作区已有智能体使用这个短名称。" in page.content.decode()
    answer = call(alice, "post", "/agents", taken, **CHINESE)
    assert answer.json()["detail"] == "An agent of this workspace has this slug already."
    assert answer.headers["Content-Language"] == "en"
    with workspace_scope(alice.workspace):
        assert not Agent.objects.filter(name="Second").exists()


def test_the_dashboards_own_script_hears_the_readers_language(pages: Pages, alice: Person) -> None:
    headers = {**CHINESE, "x-workspace": alice.workspace.slug}
    body = {"name": "Second", "slug": alice.agent.slug}
    answer = pages.client.post("/api/v1/agents", body, content_type="application/json", headers=headers)
    assert answer.json()["errors"] == {"slug": ["此工作区已有智能体使用这个短名称。"]}


def test_what_fills_in_a_form_badly_is_told_in_the_readers_language(pages: Pages) -> None:
    page = pages.client.post(pages.workspace("agents/"), {"name": ""}, headers=CHINESE)
    assert "必填" in page.content.decode()
    short = {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}
    page = pages.client.post("/password/", short, headers=CHINESE)
    assert "密码至少要有 10 个字符。" in page.content.decode()


def test_a_name_without_latin_letters_gets_an_address_too(pages: Pages) -> None:
    made = pages.client.post(pages.workspace("agents/"), {"name": "港口助手"})
    assert re.fullmatch(r"/w/harbour/a/agent-[0-9a-f]{4}/overview/", made.headers["Location"])
    room = pages.client.post("/workspaces/new/", {"name": "仓库"})
    assert re.fullmatch(r"/w/workspace-[0-9a-f]{4}/agents/", room.headers["Location"])


def test_whose_browser_asks_for_no_language_of_ours_is_spoken_to_in_the_workspaces(
    pages: Pages, alice: Person
) -> None:
    update_workspace(principal=alice.principal, language="zh-hans")
    overview = pages.agent("overview/")

    def spoken(asked: str) -> str:
        return pages.client.get(overview, headers={"accept-language": asked}).headers["Content-Language"]

    assert [spoken(asked) for asked in ("pt-BR", "", "en-GB", "zh")] == [
        "zh-hans",
        "zh-hans",
        "en",
        "zh-hans",
    ]
    pages.client.post("/language/", {"language": "en", "next": overview})
    assert spoken("pt-BR") == "en", "what somebody chose goes first"
