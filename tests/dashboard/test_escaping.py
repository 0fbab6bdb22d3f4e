"""Whatever people and models write is shown literally, wherever it is shown."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from memoryapp.actions.agents import create_agent
from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.facts import NewFact, add_fact, update_fact
from memoryapp.actions.files import write_file
from memoryapp.models import Extraction
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
