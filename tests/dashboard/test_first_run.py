"""The first run: from nobody at all to an agent that has kept something, and never a second time."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from memoryapp.models import Fact
from tenants.exceptions import UnknownWorkspace
from tenants.first_account import make_first_account
from tenants.models import Membership, Role, Workspace
from tenants.scoping import workspace_scope
from tests.conftest import Person, make_user
from tests.dashboard.conftest import Pages

PASSWORD = "a lighthouse in fog"
ACCOUNT = {"username": "mei", "password1": PASSWORD, "password2": PASSWORD}
SAID = (
    "I’m Mei, I run operations in Rotterdam. Please always send me one summary on Monday at eight. "
    "The weather is awful."
)


@pytest.mark.django_db
def test_the_wizard_leads_from_nobody_to_the_first_fact() -> None:
    client = Client()
    assert client.get("/", follow=True).redirect_chain[-1][0] == "/welcome/"
    weak = client.post("/welcome/", {**ACCOUNT, "password1": "12345", "password2": "12345"})
    assert weak.status_code == 400
    assert not User.objects.exists()
    made = client.post("/welcome/", ACCOUNT, follow=True)
    assert made.redirect_chain[-1][0] == "/welcome/workspace/"
    wrong = client.post("/welcome/workspace/", {"name": "Harbour", "time_zone": "Mars/Olympus"})
    assert wrong.status_code == 400
    named = {"name": "Harbour Logistics", "time_zone": "Europe/Amsterdam"}
    assert client.post("/welcome/workspace/", named).url == "/w/harbour-logistics/agents/first/"  # type: ignore[attr-defined]
    agent = client.post("/w/harbour-logistics/agents/first/", {"name": "Dispatch"})
    talk = "/w/harbour-logistics/a/dispatch/playground/first/"
    assert agent.url == talk  # type: ignore[attr-defined]
    assert "What is kept stands here" in client.get(talk).content.decode()
    kept = client.post(talk, {"message": SAID}, follow=True)
    html = kept.content.decode()
    assert "The weather is awful." in html
    assert len(kept.context["account"].kept) >= 2
    assert "Offline mode" in html
    fact = kept.context["account"].kept[0].fact
    lit = client.get(kept.redirect_chain[-1][0].partition("#")[0] + f"&fact={fact.pk}")
    chosen = [piece.text for piece in lit.context["marked"].pieces if piece.chosen]
    assert chosen == ["I’m Mei, I run operations in Rotterdam."]
    assert "Dispatch is ready" in client.get(f"{talk}?done=1").content.decode()
    membership = Membership.objects.get()
    assert (membership.user.username, membership.role) == ("mei", Role.OWNER)
    assert not membership.user.is_superuser
    with workspace_scope(membership.workspace):
        assert {each.owner_key for each in Fact.objects.all()} == {f"user:{membership.user_id}"}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/welcome/", "/welcome/workspace/"])
def test_with_an_account_there_is_no_first_one(path: str) -> None:
    dora = make_user("dora")
    client = Client()
    assert client.get("/sign-in/").status_code == 200
    assert client.get(path).status_code == 302
    assert client.post(path, {**ACCOUNT, "name": "Mine", "time_zone": "UTC"}).status_code == 302
    client.force_login(dora)
    assert client.post(path, {**ACCOUNT, "name": "Mine", "time_zone": "UTC"}).status_code == 302
    assert [user.username for user in User.objects.all()] == ["dora"]
    assert not Workspace.objects.filter(name="Mine").exists()


@pytest.mark.django_db
def test_the_wizards_workspace_is_made_once() -> None:
    client = Client()
    client.post("/welcome/", ACCOUNT)
    form = {"name": "Harbour", "time_zone": "UTC"}
    client.post("/welcome/workspace/", form)
    assert client.post("/welcome/workspace/", {**form, "name": "Second"}).url == "/"  # type: ignore[attr-defined]
    assert not Workspace.objects.filter(name="Second").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_come_at_once_one_gets_the_account() -> None:
    together, results = threading.Barrier(2), []

    def come(name: str) -> None:
        together.wait()
        try:
            results.append(make_first_account(lambda: make_user(name)).username)
        except UnknownWorkspace:
            results.append("")
        connection.close()

    threads = [threading.Thread(target=come, args=[name]) for name in ("mei", "mallory")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results)[0] == ""
    assert User.objects.count() == 1


def test_what_cannot_be_read_is_said_beside_the_words(pages: Pages) -> None:
    path = pages.agent("playground/first/")
    refused = pages.client.post(path, {"message": "  "})
    assert refused.status_code == 400
    assert "Say something first." in refused.content.decode()
    assert pages.client.get(path, {"c": "nothing"}).status_code == 404


def test_a_secret_is_masked_before_it_is_read(pages: Pages, alice: Person) -> None:
    key: Any = "gh" + "p_" + "A1b2C3d4E5" * 4
    shown = pages.client.post(
        pages.agent("playground/first/"), {"message": f"My key is {key}, keep it."}, follow=True
    )
    assert key not in shown.content.decode()
    assert "••••" in shown.content.decode()


def test_a_member_makes_no_first_agent(bob: Person) -> None:
    assert Pages(bob).client.get(Pages(bob).workspace("agents/first/")).status_code == 403
