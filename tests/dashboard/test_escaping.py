"""Whatever people and models write is shown literally, wherever it is shown."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from memoryapp.actions.agents import create_agent
from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.facts import NewFact, add_fact, update_fact
from memoryapp.actions.files import write_file
from memoryapp.models import Extraction, Owner
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages

PAYLOADS = (
    "<img src=x onerror=window.__x=1>",
    "[a](javascript:window.__x=1)",
    "<svg/onload=window.__x=1>",
    "</script><script>window.__x=1</script>",
    "\"' onmouseover=window.__x=1 x=",
)


class Elements(HTMLParser):
    """What a browser would make of a page: every element with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def assert_harmless(html: str) -> None:
    """No element that loads or runs, no event attribute, no link to anything but pages, the web and mail."""
    for tag, attributes in Elements(html).found:
        assert tag not in {"img", "iframe", "object", "embed", "style", "base"}
        assert tag != "script" or attributes["src"].startswith("/static/")
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("href", "src", "action", "formaction", "hx-get", "hx-post"):
            target = attributes.get(name, "")
            assert ":" not in target.split("/")[0].split("?")[0].split("#")[0] or target.startswith(
                ("https:", "mailto:")
            )


@pytest.fixture(params=PAYLOADS, ids=["image", "link", "svg", "script", "attribute"])
def poisoned(request: pytest.FixtureRequest, alice: Person) -> Any:
    """The payload in every field that somebody else may write."""
    payload: str = request.param
    principal, agent = alice.principal, alice.agent
    conversation = open_conversation(principal=principal, agent=agent, external_id=payload, channel="web")
    add_message(principal=principal, conversation=conversation, role="user", text=payload)
    add_message(principal=principal, conversation=conversation, role="assistant", text=payload)
    new = NewFact(
        text=f"Known: {payload}", category=payload[:60], metadata={payload: payload}, labels=[payload]
    )
    fact = add_fact(principal=principal, agent=agent, new=new).fact
    update_fact(principal=principal, fact=fact, text=f"Known: {payload} again", reason=payload)
    write_file(
        principal=principal,
        agent=agent,
        path="MEMORY.md",
        content=f"# {payload}\n\n## {payload}\n- {payload}\n",
    )
    write_file(
        principal=principal,
        agent=agent,
        path="MEMORY.md",
        content=f"# {payload}\n\n- {payload} other\n",
        person=True,
    )
    create_agent(principal=principal, name=payload, slug="poisoned", description=payload)
    with workspace_scope(alice.workspace):
        Extraction.objects.create(
            workspace=alice.workspace, owner_key=principal.owner_key, scope=Scope.PERSONAL, agent=agent,
            conversation=conversation, first_number=1, last_number=2, status="succeeded", reason=payload,
            kept=[{"op": payload, "factId": str(fact.pk), "category": payload}],
            refused=[{"text": payload, "gate": payload, "reason": payload}],
        )  # fmt: skip
    return fact


def test_no_page_lets_memory_text_out_of_its_place(pages: Pages, poisoned: Any) -> None:
    for path in (
        "overview/",
        f"facts/?open={poisoned.pk}&edit=1",
        "facts/?q=known",
        f"facts/{poisoned.pk}/forget/",
        "facts/palette/?q=known",
        "playground/",
        "files/shared/MEMORY.md?view=split&revisions=2",
    ):
        html = pages.client.get(pages.agent(path)).content.decode()
        assert "window.__x" in html or path == "overview/"
        assert_harmless(html)
    for path in ("agents/", "people/", "operations/"):
        assert_harmless(pages.client.get(pages.workspace(path)).content.decode())


def test_nor_does_any_page_about_recall_and_people(pages: Pages, poisoned: Any, alice: Person) -> None:
    """The same in the debugger, the first words, and a person's page with somebody else's memory open."""
    payload = poisoned.text.removeprefix("Known: ").removesuffix(" again")
    asked = {"q": f"known {payload}", "why": payload, "filter": payload, "k": payload, "at": payload}
    assert_harmless(pages.client.get(pages.agent("recall/"), asked).content.decode())
    found = pages.client.get(pages.agent("recall/"), {"q": "known", "why": str(poisoned.pk)}).content.decode()
    assert "window.__x" in found
    assert_harmless(found)
    assert_harmless(pages.client.get(pages.agent("playground/first/"), {"c": payload}).content.decode())
    pages.client.get(pages.agent("playground/"), {"test": payload})
    with workspace_scope(alice.workspace):
        mine = Owner.objects.get(owner_key=alice.principal.owner_key)
        Owner.objects.filter(pk=mine.pk).update(display_name=payload[:120])
        other = Owner.objects.create(
            workspace=alice.workspace, owner_key=f"api:{payload}", display_name=payload[:120]
        )
        tester = Owner.objects.create(workspace=alice.workspace, owner_key=f"test:{payload}")
    for tab in ("profile", "facts", "files", f"conversations&fact={poisoned.pk}"):
        assert_harmless(pages.client.get(pages.workspace(f"people/{mine.pk}/?tab={tab}")).content.decode())
    pages.client.post(pages.workspace(f"people/{other.pk}/open/"), {"reason": f"{payload} because"})
    for path in (f"people/{other.pk}/", f"people/{tester.pk}/", "people/", "people/you/", "settings/audit/"):
        html = pages.client.get(pages.workspace(path)).content.decode()
        assert "window.__x" in html
        assert_harmless(html)
    talk = pages.client.get(pages.agent("playground/"), {"as": other.owner_key}).content.decode()
    assert_harmless(talk)
