"""The page of memory rules as a browser without script sends it: saved, refused where it was written, tried."""

from __future__ import annotations

import re
from typing import Any

import pytest

from memoryapp.models import Agent, Fact
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages


def form(**fields: Any) -> dict[str, Any]:
    rows = {"category-TOTAL_FORMS": "2", "category-INITIAL_FORMS": "0"}
    return {
        "overlay": "default",
        "tools": "on",
        "sources": ["files", "structured", "facts"],
        **rows,
        **fields,
    }


def agent_of(person: Person) -> Agent:
    with workspace_scope(person.workspace):
        return Agent.objects.get(pk=person.agent.pk)


def test_rules_are_saved_and_stand_in_the_page(pages: Pages, alice: Person) -> None:
    sent = form(
        overlay="companion",
        include="names of plants\n\n",
        exclude="prices",
        tools="",
        **{
            "category-0-name": "Garden beds",
            "category-0-days": "30",
            "category-0-description": "Beds and seeds",
        },
    )
    assert pages.client.post(pages.agent("rules/"), sent).status_code == 302
    agent = agent_of(alice)
    assert agent.overlay == "companion"
    assert agent.overlay_rules == {
        "include": ["names of plants"],
        "exclude": ["prices"],
        "categories": [{"name": "garden_beds", "description": "Beds and seeds", "retentionDays": 30}],
    }
    assert agent.settings["toolsOff"] is True
    page = pages.client.get(pages.agent("rules/")).content.decode()
    assert "garden_beds" in page
    assert "names of plants" in page

    pages.client.post(pages.agent("rules/"), form())
    assert agent_of(alice).settings == {}
    assert agent_of(alice).overlay_rules["categories"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"category-0-name": "identity"},
        {"category-0-name": "a", "category-0-days": "0"},
        {"include": "x" * 201},
        {"overlay": "wizard"},
    ],
)
def test_what_cannot_be_used_is_told_and_changes_nothing(
    pages: Pages, alice: Person, wrong: dict[str, str]
) -> None:
    answer = pages.client.post(pages.agent("rules/"), form(**wrong))
    assert answer.status_code == 400
    html = answer.content.decode()
    assert 'class="error"' in html or 'class="note bad"' in html
    assert agent_of(alice).overlay_rules == {}


def test_a_conversation_is_tried_and_nothing_is_stored(pages: Pages, alice: Person) -> None:
    talk = "User: I am Ana, a baker in Porto.\nUser: What is the weather like?"
    answer = pages.client.post(pages.agent("rules/try/"), form(conversation=talk, include="names of plants"))
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "Kept: identity" in html
    assert "Nothing was stored." in html
    assert "names of plants" in html  # what was written in the form is still there
    assert agent_of(alice).overlay_rules == {}
    with workspace_scope(alice.workspace):
        assert not Fact.objects.exists()


def test_with_script_only_the_verdicts_come(pages: Pages) -> None:
    sent = form(conversation="User: I am Ana, a baker in Porto.")
    headers = {"HX-Request": "true", "HX-Target": "tried"}
    html = pages.client.post(pages.agent("rules/try/"), sent, headers=headers).content.decode()
    assert html.strip().startswith('<div id="tried"')
    empty = pages.client.post(pages.agent("rules/try/"), form(conversation=""), headers=headers)
    assert "Write what a person says" in empty.content.decode()


def test_members_do_not_see_it(pages: Pages, bob: Person) -> None:
    theirs = Pages(bob)
    assert theirs.client.get(theirs.agent("rules/")).status_code == 403


def test_an_agent_does_without_single_sources(pages: Pages, alice: Person) -> None:
    pages.client.post(pages.agent("rules/"), form(sources=["files", "facts"]))
    assert agent_of(alice).settings == {"providersOff": ["structured"]}
    page = pages.client.get(pages.agent("rules/")).content.decode()
    boxes = dict(re.findall(r'name="sources" value="(\w+)"([^>]*)>', page))
    assert {name: "checked" in rest for name, rest in boxes.items()} == {
        "files": True,
        "structured": False,
        "facts": True,
    }
    assert pages.client.post(pages.agent("rules/"), form(sources=["nonsense"])).status_code == 400
